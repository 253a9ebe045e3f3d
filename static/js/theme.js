// Runs before the first paint: marks that script works, applies the theme a person chose.
document.documentElement.classList.add("js");
const chosenTheme = localStorage.getItem("theme");
if (chosenTheme) document.documentElement.dataset.theme = chosenTheme;

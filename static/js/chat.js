// Asking without leaving the page: the question appears, the answer streams in, the server's own fragments replace it.
// Uses $, announce and refreshTimes of app.js. Without script the form posts and the page comes back with the answer.
"use strict";

const NEAR_THE_END = 160;
// A citation while the answer is still being written: its number; nothing of a mark whose end has not come yet.
const MARK = /\\?\[\s*(?:mem|node)\s*:([^\][\n]*)(?:\]|$)/gi;
const CUT_OFF = "The connection was lost before the answer was complete.";

// Looked up each time: moves inside the console put others in their place.
const thread = () => $("[data-thread]");
const composer = () => $("[data-chat-form]");
let asking = null; // the AbortController of the running turn

const copyOf = (id) => $(id).content.firstElementChild.cloneNode(true);

// Only those who read the end want to be taken along.
function follow(change) {
  const page = document.documentElement;
  const wasAtEnd = page.scrollHeight - page.scrollTop - page.clientHeight < NEAR_THE_END;
  change();
  if (wasAtEnd) page.scrollTop = page.scrollHeight;
}

function setBusy(controller) {
  asking = controller;
  $("[data-chat-send]").disabled = Boolean(controller);
  $("[data-chat-stop]").hidden = !controller;
}

function showQuestion(text) {
  $("[data-chat-empty]")?.remove();
  const question = copyOf("#turn-template");
  $(".message-text", question).textContent = text;
  thread().append(question);
}

function showFailure(turn, sentence, text) {
  const again = copyOf("#again-template");
  $("[data-failure]", again).textContent = sentence;
  $("[name=message]", again).value = text;
  $("[name=conversation]", again).value = $("[name=conversation]", composer()).value;
  turn.replaceWith(again);
  announce(sentence);
}

// Yields the events of a stream as [name, data]; every event ends with an empty line.
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const [name, data] = block.split("\n");
      yield [name.replace("event: ", ""), JSON.parse(data.replace("data: ", ""))];
    }
  }
}

const STEPS = {
  trace: (turn, { html }) => {
    $("[data-trace]", turn).innerHTML = html;
    $("[data-state]", turn).textContent = "Answering…";
  },
  token: (turn, { text }) => {
    turn.written = (turn.written || "") + text;
    const cited = [];
    $("[data-text]", turn).textContent = turn.written.replace(MARK, (mark, body) => {
      if (!mark.endsWith("]")) return "";
      if (!cited.includes(body)) cited.push(body);
      return `[${cited.indexOf(body) + 1}]`;
    });
  },
  done: (turn, { html, url, title }) => {
    turn.innerHTML = html;
    htmx.process(turn);
    turn.removeAttribute("aria-busy");
    refreshTimes(turn);
    if (location.pathname + location.search !== url) history.replaceState(null, "", url);
    $("h1").textContent = title;
    $("[data-chat-new]").hidden = false;
    announce(`Answered. ${$(".message-text", turn).textContent}`);
  },
};

// Answers the sentence that says what went wrong, or "" when the turn is complete.
async function stream(turn, form, signal) {
  const answer = await fetch(form.action, {
    method: "POST", body: new FormData(form), headers: { Accept: "text/event-stream" }, signal,
  });
  if (!(answer.headers.get("Content-Type") || "").startsWith("text/event-stream")) {
    const problem = await answer.json().catch(() => ({}));
    return problem.detail || `The server answered ${answer.status}.`;
  }
  for await (const [name, data] of eventsOf(answer.body)) {
    if (name === "error") return data.text;
    follow(() => STEPS[name]?.(turn, data));
    if (name === "done") return "";
  }
  return CUT_OFF;
}

async function ask(form) {
  const text = $("[name=message]", form).value.trim();
  if (asking || !text) return;
  const controller = new AbortController();
  const turn = copyOf("#pending-template");
  const running = stream(turn, form, controller.signal);
  setBusy(controller);
  $(".unanswered", thread())?.remove();
  if (form === composer()) { showQuestion(text); $("[name=message]", form).value = ""; }
  thread().append(turn);
  turn.scrollIntoView({ block: "nearest" });
  const failure = await running.catch((error) => (error.name === "AbortError" ? "Stopped." : CUT_OFF));
  if (!turn.isConnected) return; // of a page that was left
  setBusy(null);
  if (failure) follow(() => showFailure(turn, failure, text));
  $("[name=message]", composer()).focus();
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-chat-form], [data-chat-again]")) return;
  event.preventDefault();
  ask(event.target);
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-chat-stop]")) asking?.abort();
});

// Arriving in a conversation is arriving at its end; in a new one, at the question.
function arriveInConversation() {
  if (!composer()) return;
  if ($("[data-chat-empty]")) $("[name=message]", composer()).focus({ preventScroll: true });
  if (!location.hash && $(".message", thread())) document.documentElement.scrollTop = document.documentElement.scrollHeight;
}

document.addEventListener("htmx:afterSettle", (event) => {
  if (!event.target.matches?.(".frame")) return;
  asking?.abort(); // an answer belongs to the page that asked
  asking = null;
  arriveInConversation();
});
arriveInConversation();

"""Pages of the console for conversations and what was kept of them."""

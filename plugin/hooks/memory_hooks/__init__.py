"""What the hooks do: recall on a prompt, capture of turns into a spool, and its delivery by a process of its own."""

"""Other products' exports as messages and memories. Pure, but for `files`."""

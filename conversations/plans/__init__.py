"""Plans of conversations, the attempts at their tasks, and what a sub-agent is given of both."""

"""From bytes to a tree of nodes with exact places, and from a line of text to an expression."""

"""From the declared game to bytecode, tables and the layout of the state."""

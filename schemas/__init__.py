"""What may be written: the models of the language, and what is derived from them. See README.md in this folder."""

"""From the declared game to printed sheets: faces, typesetting, imposition, files. See README.md in this folder."""

"""A pack's things as one HTML page; see README.md."""

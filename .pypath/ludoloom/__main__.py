"""``python -m ludoloom``: the same as the command ``ludoloom``."""

from ludoloom.compiler.cli.main import main

if __name__ == "__main__":
    main()

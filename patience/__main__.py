"""python -m patience, and the command patience: the program, installed or run from its folder."""

from main import main

if __name__ == "__main__":
    main()

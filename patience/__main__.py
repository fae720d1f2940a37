"""python -m patience: the program, installed or run from its folder."""

import main

main.main()

"""python -m patience: the program, where it is installed or from its folder."""

import main

main.main()

"""python -m patience: the program, if it is installed or from its folder."""

import main

main.main()

"""What must happen before the program loads; main.py imports it first."""

import gc
import os
import signal

signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # Ctrl-C, until a command is carried out
gc.disable()  # nothing is garbage while modules are loaded; cli.program enables it

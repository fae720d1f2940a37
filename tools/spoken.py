"""How long it takes to speak a saved game, command by command: python -m tools.spoken FILE

It needs the program espeak-ng, which most systems offer as a package.
"""

import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import wave

import click

WORDS_A_MINUTE = 175


def seconds_of(text, folder):
    """Return how long it takes to speak some text."""
    path = os.path.join(folder, "said.wav")
    subprocess.run(["espeak-ng", "-s", str(WORDS_A_MINUTE), "-w", path, "--stdin"], input=text.encode(), check=True)
    with contextlib.closing(wave.open(path)) as sound:
        return sound.getnframes() / sound.getframerate()


@click.command(help=f"\b\n{__doc__}")
@click.argument("path", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
def main(path):
    """Print the mean, the 95th percentile, and the longest."""
    if not shutil.which("espeak-ng"):
        raise click.ClickException("espeak-ng is not installed.")
    with open(path, encoding="utf-8") as file:
        first, *lines = file.read().splitlines()
    command = [sys.executable, "main.py", "play", *first[2:].split(), "--spoken"]
    output = subprocess.run(command, input="\n".join(lines), capture_output=True, encoding="utf-8", check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        times = sorted(seconds_of(text, folder) for text in output.split("Command: ")[1:] if text.strip())
    worst = times[int(0.95 * len(times))]
    print(
        f"{len(times)} commands: mean {statistics.mean(times):.1f} s, 95 of 100 {worst:.1f} s, most {times[-1]:.1f} s"
    )


if __name__ == "__main__":
    main()

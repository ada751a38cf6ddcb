"""`python -m kibitz` is the kibitz command."""

from kibitz.cli import run

run()

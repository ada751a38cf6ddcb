"""The kibitz command: one file a subcommand, and nothing heavy imported before it is needed."""

import os


def run() -> None:
    """What the shell calls. Ctrl-C gets a sentence also while the commands are still being loaded."""
    try:
        from kibitz.cli.app import main
    except KeyboardInterrupt:
        os.write(2, b"kibitz: Stopped.\n")
        os._exit(130)
    main()

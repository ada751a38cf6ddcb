"""The kibitz command: one file per subcommand. Heavy imports wait until they are needed."""

import os


def run() -> None:
    """The entry point. Ctrl-C prints a sentence even while the commands are still loading."""
    try:
        os.getcwd()  # noqa: PTH109 (pathlib is not loaded yet)
        from kibitz.cli.app import main
    except KeyboardInterrupt:
        end(b"Stopped.", 130)
    except FileNotFoundError as error:
        if error.filename is not None:
            raise
        end(b"The current folder no longer exists. Change to another one.", 1)
    main()


def end(sentence: bytes, code: int) -> None:
    os.write(2, b"kibitz: " + sentence + b"\n")
    os._exit(code)

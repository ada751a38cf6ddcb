"""What visitors may read of an error: where the server keeps its files is for its log."""

import re

# An absolute path of a Unix system or of Windows, but not what follows the name of a host in a URL.
PATH = re.compile(r"""(?<![\w:/.…])(?:/[^\s/'"`,;:()<>]+){2,}/?|(?<!\w)[A-Za-z]:\\[^\s'"`,;:()<>]*""")


def public_text(text: object) -> str:
    """A text without the paths that an error of the system, of Python or of a library may name."""
    return PATH.sub("…", str(text))

"""Error messages for visitors: paths of the server's files appear only in its log."""

import re

# An absolute path of Unix or Windows, but not the path of a URL.
PATH = re.compile(r"""(?<![\w:/.…])(?:/[^\s/'"`,;:()<>]+){2,}/?|(?<!\w)[A-Za-z]:\\[^\s'"`,;:()<>]*""")


def public_text(text: object) -> str:
    """A text without paths, which errors of the system, of Python or of a library may contain."""
    return PATH.sub("…", str(text))

"""The documentation: its examples run, its commands exist, its links lead somewhere."""

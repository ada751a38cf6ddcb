"""Portable Draughts Notation."""

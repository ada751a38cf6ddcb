"""Kuhn poker: one card each, one bet, and the higher card wins."""

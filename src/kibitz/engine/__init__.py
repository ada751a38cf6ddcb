"""Compiled machinery: structs, compilation and its cache, generic functions, dice, and the loop that plays games."""

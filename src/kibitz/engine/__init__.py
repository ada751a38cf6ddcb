"""Compiled machinery: structs, compiling and its cache, dispatch by state type, dice and the loop that plays games."""

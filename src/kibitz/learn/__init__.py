"""Tuning, training and evolution of agents, which measure candidates in matches of the arena."""

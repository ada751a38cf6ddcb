"""Tabular reinforcement learning from the learner's own games: its features, action selection and training."""

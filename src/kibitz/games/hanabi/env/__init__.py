"""Environments for training: thousands of tables at once, and a single table for PettingZoo.

from kibitz.games.hanabi.env import BatchedHanabi
from kibitz.games.hanabi.env import aec  # needs the extra: pip install kibitz[env]
"""

from kibitz.games.hanabi.env.batched import Batch, BatchedHanabi, Policy
from kibitz.games.hanabi.env.encoding import observation_width, sections

__all__ = ["Batch", "BatchedHanabi", "Policy", "observation_width", "sections"]

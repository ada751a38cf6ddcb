"""Environments to train in: thousands of tables at once, and one table as PettingZoo has it.

from kibitz.hanabi.env import BatchedHanabi
from kibitz.hanabi.env import aec  # needs the extra: pip install kibitz[env]
"""

from kibitz.hanabi.env.batched import Batch, BatchedHanabi, Policy
from kibitz.hanabi.env.encoding import observation_width, sections

__all__ = ["Batch", "BatchedHanabi", "Policy", "observation_width", "sections"]

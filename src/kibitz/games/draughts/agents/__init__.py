"""Agents for draughts, one file per agent or family.

`@agent(…)` turns a function from a view to a decision into an agent.
"""

from functools import partial

from kibitz.core.agent_decorator import agent_of_function

agent = partial(agent_of_function, "draughts")

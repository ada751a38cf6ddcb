"""The players of Kriegspiel, one per file. `@agent(…)` turns a function from a view to a decision into a player."""

from functools import partial

from kibitz.core.agent_decorator import agent_of_function

agent = partial(agent_of_function, "kriegspiel")

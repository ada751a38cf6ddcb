"""The Hanabi agents: one file an agent, or a family. `@agent(…)` makes one of a function from a view to a decision."""

from functools import partial

from kibitz.core.agent_decorator import agent_of_function

NO_DISCARD = "pass: with every token there these rules forbid a discard"

agent = partial(agent_of_function, "hanabi", last_reasons=(NO_DISCARD,))

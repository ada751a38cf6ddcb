"""The Hanabi agents, one file per agent or family. `@agent(…)` makes an agent of a function from view to decision."""

from functools import partial

from kibitz.core.agent_decorator import agent_of_function

NO_DISCARD = "To pass, I {move}: with all tokens available, these rules forbid a discard"

agent = partial(agent_of_function, "hanabi", last_reasons=(NO_DISCARD,))

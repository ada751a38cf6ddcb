"""The players of Love Letter: one file a player, or a family.

`@agent(…)` makes one of a function from a view to a decision.
"""

from functools import partial

from kibitz.core.agent_decorator import agent_of_function

agent = partial(agent_of_function, "loveletter")

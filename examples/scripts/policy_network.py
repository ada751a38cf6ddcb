"""A policy network as an agent. The weights here are random; load trained ones in their place."""

import numpy as np

import kibitz

weights = np.random.default_rng(0).normal(size=(658, 20))


def policy(view: kibitz.View) -> object:
    return view.actions.move(np.where(view.actions.mask, view.observation @ weights, -np.inf).argmax())


print(kibitz.match("hanabi", policy, players=2, games=100))

"""The sixteen cards, by the number they bear. Number 0 is a card that lies face down."""

import numpy as np

FACE_DOWN = 0
GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
KINDS = 9  # the face-down one among them
NAMES = ("—", "Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess")
COPIES = np.array([0, 5, 2, 2, 2, 2, 1, 1, 1])
CARDS = 16
SORTED = np.repeat(np.arange(KINDS), COPIES)

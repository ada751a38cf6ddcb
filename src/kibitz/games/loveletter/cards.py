"""The sixteen cards by their numbers; 0 is a face-down card."""

import numpy as np

FACE_DOWN = 0
GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
KINDS = 9  # including the face-down one
NAMES = ("—", "Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess")
COPIES = np.array([0, 5, 2, 2, 2, 2, 1, 1, 1])
CARDS = 16
SORTED = np.repeat(np.arange(KINDS), COPIES)

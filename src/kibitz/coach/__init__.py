"""The coach: reviews of finished games. What every move was worth to the seat that made it, by what it could know."""

from kibitz.coach.review import Review, TurnReview, reviewing
from kibitz.coach.verdicts import Verdict

__all__ = ["Review", "TurnReview", "Verdict", "reviewing"]

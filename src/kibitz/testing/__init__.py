"""`check_game` checks every promise of a game that tables, searches, records and pages rely on.

from kibitz.testing import check_game

def test_my_game():
    check_game(MY_GAME)
"""

from kibitz.testing.check import Report, check_game
from kibitz.testing.position import CheckError

__all__ = ["CheckError", "Report", "check_game"]

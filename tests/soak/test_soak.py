"""A short run of the soak, always with the same seed; `make soak` is the long one."""

import pytest

from tests.fuzzing import at_length
from tests.soak.run import main

# Those that need only seconds. The others hold connections for a minute, or load the machine for the other tests.
QUICK_FAULTS = (
    "kill,kill_writing,term,disk,big_seed,descriptors,intruder,garbage,oversized,churn,flood,"
    "host_kill,host_gone,host_intruder,host_garbage"
)


@at_length
def test_servers_keep_their_promises_while_they_are_killed_filled_up_and_lied_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    length = "--minutes 0.12 --seed 7 --often 0.7 --parties 3 --quiet"
    words = [*length.split(), "--faults", QUICK_FAULTS]
    code = main(words)
    out, err = capsys.readouterr()
    assert code == 0, err
    assert "Every promise was kept." in out

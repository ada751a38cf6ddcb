"""Optional packages: the extra that installs each, and the error when one is missing.

A feature behind an extra calls `need` before it starts to work, and imports the packages only then.
"""

from importlib.util import find_spec
from typing import NamedTuple

from kibitz.errors import MissingExtraError


class Extra(NamedTuple):
    modules: tuple[str, ...]
    needs: str  # the feature and its verb, as an error begins
    purpose: str

    @property
    def missing(self) -> list[str]:
        return [module for module in self.modules if find_spec(module) is None]


EXTRAS = {
    "bridge": Extra(("endplay",), "Double-dummy analysis needs", "the bridge agent sampler"),
    "cluster": Extra(("distributed",), "A cluster needs", "--cluster, for games on several computers"),
    "charts": Extra(("matplotlib",), "Charts need", "charts of matches, cross tables and training"),
    "env": Extra(
        ("gymnasium", "pettingzoo"), "PettingZoo environments need", "the Gymnasium and PettingZoo environments"
    ),
    "frames": Extra(("polars",), "Data frames and Parquet files need", "data frames and Parquet files"),
    "learn": Extra(("optuna", "cmaes", "scipy", "threadpoolctl"), "Tuning needs", "kibitz tune"),
}


def missing(name: str) -> MissingExtraError:
    """The error of a feature whose packages cannot be imported."""
    extra = EXTRAS[name]
    *others, last = extra.missing or extra.modules
    packages = f"{', '.join(others)} and {last}" if others else last
    return MissingExtraError(f"{extra.needs} {packages}: pip install 'kibitz[{name}]'")


def has(name: str) -> bool:
    return not EXTRAS[name].missing


def need(name: str) -> None:
    """Raise `MissingExtraError` unless an extra's packages are installed."""
    if not has(name):
        raise missing(name)

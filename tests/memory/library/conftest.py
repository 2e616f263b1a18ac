"""Makes the baseline importable the way an exported project is: `uac`, `domains`, `rules`."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from memory.project.tree import read_project

LIBRARY = Path(__file__).resolve().parents[3] / "memory" / "library"
MOST_ORDERS = 4

for folder in (LIBRARY, LIBRARY / "baseline"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))

# state.py is rendered from a person's records; here nobody has any.
for _domain, _kinds in read_project(LIBRARY / "baseline").schemas.items():
    _state = ModuleType(f"domains.{_domain}.state")
    for _kind in _kinds:
        setattr(_state, _kind.collection, None if _kind.singleton else [])
    sys.modules.setdefault(_state.__name__, _state)


@pytest.fixture
def most_orders(pytestconfig: pytest.Config) -> int:
    """In how many orders facts are told: with `--database` in one, since rules see no database."""
    return 1 if pytestconfig.getoption("--database") else MOST_ORDERS

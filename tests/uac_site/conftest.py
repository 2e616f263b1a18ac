"""A real site for the tests of what agents and programs see, started once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.real_site import RealSite, real_site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealSite]:
    """A web process on loopback; each test introduces people of its own."""
    with real_site(tmp_path_factory.mktemp("agents")) as site:
        yield site

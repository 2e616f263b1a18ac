"""What a keeper gives up before it talks to anything."""

from __future__ import annotations

import resource
import signal

ADDRESS_SPACE = 4 * 1024**3


def harden() -> None:
    """Bound this process's memory, leave no core file, and let the alarm kill it."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = ADDRESS_SPACE if hard == resource.RLIM_INFINITY else min(ADDRESS_SPACE, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold the person's data
    # Both are inherited, and the alarm must kill.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])

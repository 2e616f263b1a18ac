"""The baseline as an exported project: plain Python with `uac` beside it, tested by pytest."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from memory.project.shipped import baseline

LIBRARY = Path(__file__).resolve().parents[3] / "memory" / "library"


def test_the_baselines_own_tests_pass_outside_the_application(tmp_path):
    project = tmp_path / "project"
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(LIBRARY / "baseline", project, ignore=unwanted)
    shutil.copytree(LIBRARY / "uac", project / "uac", ignore=unwanted)
    for table in (LIBRARY / "tables").glob("*.toml"):
        shutil.copy(table, project / "uac")
    for domain, kinds in baseline().schemas.items():
        lines = "".join(f"{kind.collection} = []\n" for kind in kinds)
        (project / "domains" / domain / "state.py").write_text(lines)
    (project / "pytest.ini").write_text("[pytest]\n")
    result = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:django",
            "tests",
        ],
        cwd=project,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"\b[1-9]\d* passed", result.stdout)

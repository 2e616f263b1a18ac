"""The baseline as an exported project: plain Python with `uac` beside it, tested by pytest."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LIBRARY = Path(__file__).resolve().parents[3] / "memory" / "library"
STATE = {
    "health": ("allergies", "medications", "conditions"),
    "travel": ("trips", "passports", "visas"),
}


def test_the_baselines_own_tests_pass_outside_the_application(tmp_path):
    project = tmp_path / "project"
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(LIBRARY / "baseline", project, ignore=unwanted)
    shutil.copytree(LIBRARY / "uac", project / "uac", ignore=unwanted)
    shutil.copy(LIBRARY / "tables" / "drugs.toml", project / "uac")
    for domain, collections in STATE.items():
        lines = "".join(f"{collection} = []\n" for collection in collections)
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

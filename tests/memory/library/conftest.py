"""Makes the baseline importable the way an exported project is: `uac`, `domains`, `rules`."""

import sys
from pathlib import Path
from types import ModuleType

LIBRARY = Path(__file__).resolve().parents[3] / "memory" / "library"

for folder in (LIBRARY, LIBRARY / "baseline"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))

# state.py is rendered from a person's records; here nobody has any.
EMPTY_STATE = {
    "domains.health.state": ("allergies", "medications", "conditions"),
    "domains.travel.state": ("trips", "passports", "visas"),
}
for module_name, collections in EMPTY_STATE.items():
    module = ModuleType(module_name)
    for collection in collections:
        setattr(module, collection, [])
    sys.modules.setdefault(module_name, module)

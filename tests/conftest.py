"""Lets every test import `tables`, the builder of positions."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

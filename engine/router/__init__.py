"""The best routes for a company's trains: `best_runs` and `best_pairs` answer. See docs/routing.md."""

from engine.router.best import STATES, best_pairs, best_runs
from engine.router.case import Best, Bonus, RunRules, Train

__all__ = ["STATES", "Best", "Bonus", "RunRules", "Train", "best_pairs", "best_runs"]

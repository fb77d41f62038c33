"""The simulator: a machine, simulated dice, and what came of many sessions; it needs NumPy and nothing else."""

from passline.sim.game import Ending, Interpreted, Limits, Player
from passline.sim.results import Result, zscore
from passline.sim.run import simulate
from passline.sim.tally import Progress

__all__ = ["Amount", "Ending", "Interpreted", "Limits", "Player", "Progress", "Result", "simulate", "zscore"]

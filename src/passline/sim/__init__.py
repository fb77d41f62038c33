"""The simulator: a machine, simulated dice, and what came of many sessions; it needs NumPy and nothing else."""

from passline.machine.terms import Limits, Terms
from passline.sim.game import Ending, Game, Interpreted, Player, game_of
from passline.sim.run import Progress, simulate
from passline.sim.sample import Sample

__all__ = ["Ending", "Game", "Interpreted", "Limits", "Player", "Progress", "Sample", "Terms", "game_of", "simulate"]

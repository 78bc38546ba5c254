"""Cases that are run twice: by one process in memory, and from the disk or by several ranks."""

import draw_study as ds
from draw import Draw

MEASURES = ["lm", "em", "entropy", "tree", "mi", "precision"]


class ElsewhereDraw(ds.StudyDraw):
    """Studies of which most are served from the disk and by ranks."""

    def __init__(self, seed, ranks):
        super().__init__(seed)
        self.ranks = ranks
        self.free = self.draw.chance(0.04)  # any study: many are refused then
        self.any_search = self.free or self.draw.chance(0.5)

    def choose_algorithm(self):
        draw = self.draw
        if self.any_search:
            super().choose_algorithm()
            return
        lattice = self.ranks and draw.chance(0.5)
        self.algorithm = draw.pick(ds.LATTICE) if lattice else "weave"
        utility = {}
        if lattice or draw.chance(0.4):
            self.study["algorithm"] = self.algorithm
        if draw.chance(0.6):
            utility["measure"] = draw.pick(MEASURES + (["dm", "arx-loss"] if lattice else []))
        if lattice and draw.chance(0.7):
            utility["suppression"] = draw.pick([0, 0.01, 0.05, 0.1, 0.3, 0.9, 1])
        if draw.chance(0.25):
            weights = {c["name"]: draw.pick([0, 0.5, 1, 2, 1000000])
                       for c in self.specs("quasi-identifying") if draw.chance(0.6)}
            if weights and (any(weights.values()) or len(weights) < len(self.specs("quasi-identifying"))):
                utility["weights"] = weights
        if utility:
            self.study["utility"] = utility

    def draw_levels(self):
        super().draw_levels()
        if not self.any_search and self.algorithm == "weave":
            for spec in self.specs("quasi-identifying"):
                spec.pop("max_level", None)

    def draw_means(self):
        self.means = False
        if self.free:
            super().draw_means()

    def draw_privacy(self):
        super().draw_privacy()
        if self.free:
            return
        refused = ("m-invariance",) if self.any_search else ("dissimilarity", "m-invariance")
        kept = [m for m in self.study["privacy"] if m["model"] not in refused]
        self.study["privacy"] = kept or [{"model": "k-anonymity", "k": 2}]

    def draw_search_keys(self):
        super().draw_search_keys()
        if self.algorithm == "weave" and self.draw.chance(0.85):
            self.study["piece"] = self.draw.weighted([(2, 1), (4, 7), (4, 20), (2, 50), (1, 1000)])

    def draw_sample(self):
        if self.free:
            super().draw_sample()


def spoil_table(draw, rows):
    """Some cells that are no numbers or not in the hierarchy, rows that are too long or too short, empty lines: what
    is wrong first must be named."""
    for _ in range(draw.between(1, 3)):
        at = draw.below(len(rows))
        rows[at] = list(rows[at])
        kind = draw.weighted([(5, "cell"), (1, "longer"), (1, "shorter"), (1, "blank")])
        if kind == "cell":
            text = draw.pick(["zz!", "", "1e400", "99999999999999999999", "31.02.2024", "a"])
            rows[at][draw.below(len(rows[at]))] = text
        elif kind == "longer":
            rows[at].append("1")
        elif kind == "shorter" and len(rows[at]) > 1:
            rows[at].pop()
        elif kind == "blank":
            rows[at] = [""] if len(rows[at]) > 1 else rows[at]
        if len(rows[at]) == 0:
            rows[at] = [""]


def draw_elsewhere(seed, ranks):
    made = ElsewhereDraw(seed, ranks)
    case = made.case()
    draw = Draw(f"{seed}:place")
    options = case["options"]
    options["shuffle"] = False
    options["mapping"] = draw.chance(0.5)
    options["explain"] = draw.chance(0.5)
    options["keep_order"] = draw.chance(0.3)
    options["json"] = draw.chance(0.8)
    case["elsewhere"] = {"parts": draw.weighted([(5, 0), (1, 1), (2, 2), (2, 4), (1, 9)]),
                         "whole": draw.chance(0.1),  # parts are compressed here and there
                         "spoils": draw.chance(0.4)}
    if not ranks and case["elsewhere"]["parts"] == 1:
        case["elsewhere"]["parts"] = 2  # the last one is a pipe
    if ranks:
        case["elsewhere"]["ranks"] = draw.weighted([(4, 2), (4, 3), (2, 5)])
    if case["table"]["rows"] and draw.chance(0.2):
        spoil_table(draw, case["table"]["rows"])
    case["drawn"] = seed
    return case

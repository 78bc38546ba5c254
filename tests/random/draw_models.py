"""Privacy models at random, with parameters in the middle and at their limits."""

from collections import Counter

import values as v

# Models of one table, and whether the union of two good classes is good.
CLOSED = {"k-anonymity", "k-map", "l-diversity", "t-closeness", "delta-presence", "alpha-k", "p-sensitive",
          "lkc", "delta-disclosure", "beta-likeness"}
OPEN = {"dissimilarity", "m-invariance"}
# Algorithms that can unite the classes of a person (`intersections: refuse`).
UNITING = ("weave", "mondrian", "agglomerative")


class Facts:
    """What the parameters are drawn around: rows, and how often each sensitive value occurs."""

    def __init__(self, subject_columns, names, rows, missing):
        self.n_rows = len(rows)
        self.counts = {}
        for column in subject_columns:
            if column["role"] == "sensitive":
                place = names.index(column["name"])
                self.counts[column["name"]] = Counter(
                    None if row[place] in missing else v.value(column, row[place]) for row in rows)
        self.texts = {c["name"]: sorted({row[names.index(c["name"])] for row in rows} - missing)
                      for c in subject_columns if c["role"] == "sensitive"}

    def top_share(self, name):
        counts = self.counts[name]
        return max(counts.values()) / self.n_rows if self.n_rows else 1

    def distinct(self, name):
        return max(1, len(self.counts[name]))


def size(draw, facts):
    """k: mostly small, sometimes all records, or one too many."""
    n = facts.n_rows
    return max(2, draw.weighted([(10, draw.between(2, 5)), (2, draw.between(2, 12)), (1, n), (1, n // 2),
                                 (0.5, n + 1), (0.2, 1 << 20)]))


def rounded(number, places=3):
    """A parameter as people write it."""
    return round(number, places) if number != int(number) else int(number)


def l_diversity(draw, facts, column):
    name = column["name"]
    variant = draw.pick(["frequency", "distinct", "entropy", "recursive"])
    model = {"model": "l-diversity", "variant": variant}
    if variant == "frequency" and draw.chance(0.5):
        del model["variant"]
    best = 1 / facts.top_share(name) if facts.n_rows else 2
    if variant in ("frequency", "entropy"):
        model["l"] = rounded(draw.pick([1, 1.5, 2, best, max(1, best * 0.9), best * 1.1 + 0.1, 1.25]))
    else:
        model["l"] = draw.pick([1, 2, 2, 3, facts.distinct(name), facts.distinct(name) + 1])
    if variant == "recursive":
        model["c"] = draw.pick([0.5, 1, 2, 4, 10])
    return model


def t_closeness(draw, facts, column):
    variants = ["equal"]
    if column.get("type", "string") != "string" or "hierarchy" in column:
        variants.append("ordered")
    if "hierarchy" in column:
        variants += ["hierarchical"] * 2
    return {"model": "t-closeness", "variant": draw.pick(variants),
            "t": draw.pick([0, 0.1, 0.2, 0.3, 0.5, 1])}


def delta_presence(draw, facts, column):
    texts = facts.texts[column["name"]] or ["nobody"]
    low, high = sorted(draw.pick([0, 0.05, 0.2, 0.5, 0.8, 1]) for _ in range(2))
    return {"model": "delta-presence", "min": low, "max": high,
            "subset": {"column": column["name"], "values": draw.some(texts, draw.between(1, 2))}}


def alpha_k(draw, facts, column):
    share = facts.top_share(column["name"])
    return {"model": "alpha-k", "alpha": rounded(draw.pick([1, 0.5, 0.8, max(share, 0.001), share / 2 + 0.01])),
            "k": size(draw, facts)}


def p_sensitive(draw, facts, column):
    k = size(draw, facts)
    return {"model": "p-sensitive", "p": min(k, draw.pick([2, 2, 3, max(2, facts.distinct(column["name"]))])),
            "k": k}


def lkc(draw, facts, column):
    model = {"model": "lkc", "l": draw.pick([1, 2, 2, 3, 9]), "k": size(draw, facts),
             "c": draw.pick([1, 0.5, 0.8, 0.9])}
    if facts.texts[column["name"]] and draw.chance(0.6):
        model["values"] = draw.some(facts.texts[column["name"]], draw.between(1, 3))
    return model


def dissimilarity(draw, facts, column):
    model = {"model": "dissimilarity", "epsilon": draw.pick([0, 0.2, 0.5]), "delta": draw.pick([0.1, 0.3, 0.5]),
             "k": size(draw, facts)}
    if draw.chance(0.5):
        model["variant"] = t_closeness(draw, facts, column)["variant"]
    return model


def delta_disclosure(draw, facts, column):
    return {"model": "delta-disclosure", "delta": draw.pick([0.5, 1, 1.5, 3])}


def beta_likeness(draw, facts, column):
    model = {"model": "beta-likeness", "beta": draw.pick([0.1, 0.5, 1, 2, 5])}
    if draw.chance(0.6):
        model["variant"] = draw.pick(["basic", "enhanced"])
    return model


def m_invariance(draw, facts, column):
    return {"model": "m-invariance", "m": draw.pick([2, 2, 2, 3])}


ABOUT_VALUES = {"l-diversity": l_diversity, "t-closeness": t_closeness, "delta-presence": delta_presence,
                "alpha-k": alpha_k, "p-sensitive": p_sensitive, "lkc": lkc, "dissimilarity": dissimilarity,
                "delta-disclosure": delta_disclosure, "beta-likeness": beta_likeness,
                "m-invariance": m_invariance}


DEFAULT_VARIANTS = {"l-diversity": "frequency", "t-closeness": "equal", "beta-likeness": "basic"}


def same_model(one, other, sensitive):
    """Would the study give the same model twice?"""
    def key(model):
        about = model.get("subset", {}).get("column", sensitive[0]["name"] if sensitive else None)
        # The default of dissimilarity depends on the column.
        variant = model.get("variant", DEFAULT_VARIANTS.get(model["model"]))
        return (model["model"], model.get("attribute", about),
                None if model["model"] == "dissimilarity" else variant)
    return key(one) == key(other)


def draw_model(draw, facts, sensitive, allowed):
    """One model about a sensitive column, or None if none may be."""
    kinds = [kind for kind in ABOUT_VALUES if kind in allowed]
    if not kinds or not sensitive:
        return None
    column = draw.pick(sensitive)
    kind = draw.pick(kinds)
    model = ABOUT_VALUES[kind](draw, facts, column)
    if kind == "m-invariance" and draw.chance(0.5):
        model["m"] = 2
    if "subset" not in model and (len(sensitive) > 1 or draw.chance(0.5)):
        model["attribute"] = column["name"]
    return model


def earlier_release(draw, facts, column, person, persons, texts):
    """A mapping of an earlier release: persons in classes of different values."""
    rows, number = [], 0
    people = draw.shuffled(persons)
    texts = list({v.value(column, text): text for text in texts}.values())
    while people:
        members = [people.pop() for _ in range(min(len(people), draw.between(2, 3)))]
        values = draw.some(texts, len(members))
        number += 1
        for who, text in zip(members, values):
            rows.append([str(len(rows) + 1), who, text, str(number) if draw.chance(0.9) else ""])
    return {"kind": "table", "names": ["confidential_row", person, column["name"], "_kith_class"],
            "rows": rows}

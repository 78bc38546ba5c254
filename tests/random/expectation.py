"""What must become of a case: a release, a refusal (exit status 2) or "infeasible" (4)."""

import itertools

from check import LATTICE, Release
from draw_models import UNITING
from judge import Judge, values_asked_for
from ladders import Refused
from means import Means, wanted
from texts import csv_text

# More nodes than this are not tried.
MAX_NODES = 600
MAX_CELLS = 20000
COMPLETE = ("flash", "ola", "incognito", "breadth-first", "depth-first")
OPEN = ("dissimilarity", "m-invariance")
OF_SITES = ("l-site-diversity", "m-privacy")


def expected(subject):
    """(the exit statuses that are right, why)."""
    if subject.case["expect"] is not None:
        return {subject.case["expect"]["exit"]}, "a mistake in the study or the data"
    why = subject.refusal or refused(subject)
    if why is not None:
        return {2}, why
    if subject.case["options"]["mapping"] and len(set(mapping_names(subject))) < len(mapping_names(subject)):
        return {2, 4}, "the mapping would have two columns of one name"
    if subject.n_released < len(subject.rows):
        return {0, 2, 4}, "it depends on the sample"
    return feasible(subject)


def mapping_names(subject):
    """The columns of a mapping, in some order."""
    persons = {m["id"] for m in subject.study["privacy"] if "id" in m}
    return (["confidential_row", "release_row", "_kith_class"] + sorted(persons) + subject.released
            + [n + "_released" for n in subject.quasi])


def expected_joint(subject):
    """The same for a joint run, in which models about sites depend on how the rows are distributed."""
    study, protocol = subject.study, subject.study["protocol"]
    if subject.case["expect"] is not None:
        return {subject.case["expect"]["exit"]}, "a mistake in the study or the data"
    why = subject.refusal or refused(subject)
    if why is not None:
        return {2}, why
    dropped = len(subject.rows) < subject.n_data
    if dropped and not subject.rows and study["partition"] != "horizontal":
        return {2, 4}, "no row has all of its parts"
    if dropped and (study.get("unmatched") == "error" or study.get("ids") == "aligned"):
        return {0, 2, 4}, "a row that only one site drops has no partner"
    split = subject.case["joint"]["split"] or ""
    if split.startswith("by:") and too_few_values(subject, split[3:]):
        return {2, 4}, "a site would have no value"
    if study.get("rows", 1000) < subject.n_data:
        return {0, 2, 4}, "a site may have more rows than are allowed"
    if protocol == "encrypted-view":
        return feasible(subject)
    statuses, why = feasible(subject)
    over_rows = protocol in ("weave", "clustering", "mondrian") and study["partition"] == "horizontal"
    about_sites = over_rows or any(m["model"] in OF_SITES for m in study["privacy"])
    return (statuses | {4} if about_sites else statuses), why


def too_few_values(subject, name):
    place = subject.names.index(name)
    texts = {subject.clean(row[place]) for row in subject.case["table"]["rows"]}
    return len(texts) < subject.case["joint"]["sites"]


def refused(subject):
    """What the table makes impossible, though study and table are right by themselves."""
    for name in subject.quasi:
        low, high = subject.bounds(name)
        top = subject.ladders[name].n_levels - 1
        if low > top or high > top:
            return f"column {name!r} has no level {max(low, high)}"
        wild = subject.policy == "wildcard" and any(subject.changed[name][i] is None for i in subject.rows)
        if wild and high < top and subject.n_released == len(subject.rows):
            return f"a wildcard of {name!r} would be above its max_level"
        if wanted(subject.columns[name]) and Means(subject, name).refusal() is not None:
            return Means(subject, name).refusal()
    if "intersections" in subject.study:
        why = intersections(subject)
        if why is not None:
            return why
    for model in subject.study["privacy"]:
        why = several_values(subject, model)
        if why is not None:
            return why
        why = subset(subject, model) if model["model"] == "delta-presence" else distances(subject, model)
        if why is not None:
            return why
    return None


def intersections(subject):
    """The key needs persons, models of values, and, where it refuses, values that do not change."""
    judge = Judge(subject, whole_table(subject), [])
    asked = values_asked_for(judge)
    if not subject.unit:
        return "intersections without a unit"
    if not asked:
        return "intersections without a model of values"
    if subject.study["intersections"] == "warn":
        return None
    if subject.algorithm() not in UNITING:
        return "the algorithm cannot unite classes"
    if subject.n_released < len(subject.rows):
        return None  # it depends on the sample
    return None if judge.intersections() else "of no protected column has each person one value"


def distances(subject, model):
    """The hierarchy of a sensitive column counts only where distances are taken from it."""
    judge = Judge(subject, [], [])
    if not judge.uses_hierarchy(model):
        return None
    try:
        judge.sensitive_ladder(judge.attribute(model))
    except Refused as why:
        return str(why)
    return None


def several_values(subject, model):
    """Models of a distribution need one value of each person."""
    needs = ("t-closeness", "dissimilarity", "delta-presence")
    if not subject.unit or subject.n_released < len(subject.rows) or not (
            model["model"] in needs or model.get("variant") in ("entropy", "recursive")):
        return None
    judge = Judge(subject, whole_table(subject), [])
    judge.prepare(model)
    several = len(set(zip(judge.person, judge.values))) > len(set(judge.person))
    return "some person has several values" if several else None


def subset(subject, model):
    judge = Judge(subject, whole_table(subject), [])
    judge.prepare(model)
    listed = judge.listed(model)
    inside = sum(count for value, count in judge.overall.items() if value in listed)
    if subject.n_released < len(subject.rows):
        return None  # it depends on which rows are drawn
    return "the research subset is empty or the whole table" if inside in (0, judge.n) else None


def whole_table(subject, closures=False):
    """The kept rows as one class: every quasi-identifier at its root, or at the lowest node that covers
    all values."""
    labels = {name: closure(subject, name) if closures else subject.ladders[name].root
              for name in subject.quasi}
    return [{name: labels[name] if name in labels else subject.changed[name][i] or ""
             for name in subject.released} for i in subject.rows]


def closure(subject, name):
    paths = [subject.ladders[name].path(subject.changed[name][i]) for i in subject.rows]
    level = next((level for level in range(len(paths[0])) if len({path[level:] for path in paths}) == 1), None)
    return subject.ladders[name].root if level is None else paths[0][level]


def feasible(subject):
    n, algorithm = subject.n_released, subject.algorithm()
    if n == 0:
        return {4}, "there are no records"
    models = subject.study["privacy"]
    lattice = algorithm in LATTICE
    # Classes of persons with several rows may break a model of values together.
    open_models = any(m["model"] in OPEN or subject.several_rows() and m["model"] not in ("k-anonymity", "k-map", "dominance")
                      for m in models)
    suppression = subject.may_suppress(n) > 0
    bounded = any(subject.bounds(name) != (0, subject.ladders[name].n_levels - 1) for name in subject.quasi)
    if not (lattice or algorithm == "top-down") or not (suppression or open_models):
        rows = whole_table(subject, closures=not (lattice or algorithm == "top-down"))
        verdicts = [Judge(subject, rows, [list(range(n))]).verdict(m) for m in models]
        if not all(loose for _, loose, _ in verdicts):
            return {4}, "the whole table breaks a model"
        if not bounded:
            # What is suppressed may leave too little to unite.
            stuck = suppression and subject.study.get("intersections") == "refuse"
            return ({0} if all(strict for strict, _, _ in verdicts) and not stuck else {0, 4}), "one class of all records"
    if not lattice:
        return {0, 4}, "it depends on the search"
    return nodes(subject, algorithm)


def nodes(subject, algorithm):
    """Tries all nodes of a small lattice."""
    ranges = []
    for name in subject.quasi:
        low, high = subject.bounds(name)
        ranges.append(range(low, high + 1))
    count = 1
    for levels in ranges:
        count *= len(levels)
    if count > MAX_NODES or count * subject.n_released * len(subject.quasi) > 50 * MAX_CELLS:
        return {0, 4}, "the lattice is too large to try all nodes"
    doubt = False
    for levels in itertools.product(*ranges):
        answer = node_holds(subject, levels)
        if answer:
            return ({0} if algorithm in COMPLETE else {0, 4}), f"levels {levels} keep all models"
        doubt = doubt or answer is None
    return ({0, 4} if doubt else {4}), "no node of the lattice keeps all models"


def node_holds(subject, levels):
    """Do the models hold at these levels, if the records of classes that break one are suppressed?
    None: up to rounding, or it depends on which of two classes is suppressed."""
    rows = []
    for i in subject.rows:
        row = {}
        for name in subject.released:
            text = subject.changed[name][i]
            row[name] = text or ""
            if name in subject.ladders:
                path = subject.ladders[name].path(text)
                row[name] = path[levels[subject.quasi.index(name)]] if len(path) > 1 else path[0]
        rows.append(row)
    classes = {}
    for i, row in enumerate(rows):
        classes.setdefault(tuple(row[n] for n in subject.quasi), []).append(i)
    hidden, doubt = [], False
    for members in classes.values():
        verdicts = [Judge(subject, rows, [members]).verdict(m) for m in subject.study["privacy"]
                    if m["model"] != "lkc"]
        verdicts += [lkc_of_class(subject, rows, members, m) for m in subject.study["privacy"]
                     if m["model"] == "lkc"]
        if not all(loose for _, loose, _ in verdicts):
            hidden += members
        elif not all(strict for strict, _, _ in verdicts):
            doubt = True
    if len(hidden) > subject.may_suppress(len(rows)):
        return False if not doubt else None
    if not hidden:
        return None if doubt else True
    return None if doubt else suppressed_node_holds(subject, rows, hidden)


def lkc_of_class(subject, rows, members, model):
    """The search keeps lkc for the classes by all quasi-identifiers."""
    judge = Judge(subject, rows, [members])
    known = dict(model, l=len(subject.quasi))
    return judge.verdict(known)


def suppressed_node_holds(subject, rows, hidden):
    """Suppressed records join a class that shows the root throughout, if there is one."""
    for i in hidden:
        for name in subject.quasi:
            rows[i][name] = subject.ladders[name].root
    text = csv_text(subject.released, [[row[n] for n in subject.released] for row in rows],
                    subject.separator)
    release = Release(subject, text)
    models = [f for f in release.findings if f[0].startswith("model")]
    if release.doubtful:
        return None
    return True if not models else None

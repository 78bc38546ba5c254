"""Releases that are spoilt: what a verifier must see."""


def other_labels(subject, release, name):
    """Labels that a cell of this column could show, or means."""
    place = release.names.index(name)
    there = {row[place] for row in release.rows} if name in release.means else set()
    return sorted(set(subject.ladders[name].sets) | there) + ["*"]


def change_quasi(draw, subject, release):
    """One generalized cell shows another label."""
    name = draw.pick(subject.quasi)
    row, place = draw.below(len(release.rows)), release.names.index(name)
    label = draw.pick(other_labels(subject, release, name)) if draw.chance(0.9) else draw.pick(["nothing", "", "*"])
    rows = [list(r) for r in release.rows]
    old, rows[row][place] = rows[row][place], label
    return f"row {row + 1}, {name!r}: {label!r} instead of {old!r}", release.names, rows


def change_plain(draw, subject, release):
    """One cell that is released as it is shows another value of its column."""
    plain = [n for n in subject.released if n not in subject.ladders]
    if not plain:
        return None
    name = draw.pick(plain)
    row, place = draw.below(len(release.rows)), release.names.index(name)
    rows = [list(r) for r in release.rows]
    old, rows[row][place] = rows[row][place], draw.pick(rows)[place]
    return f"row {row + 1}, {name!r}: {rows[row][place]!r} instead of {old!r}", release.names, rows


def lose_row(draw, subject, release):
    row = draw.below(len(release.rows))
    return f"row {row + 1} is lost", release.names, release.rows[:row] + release.rows[row + 1:]


def repeat_row(draw, subject, release):
    row = draw.below(len(release.rows))
    return f"row {row + 1} stands twice", release.names, release.rows + [release.rows[row]]


def swap_rows(draw, subject, release):
    return "rows are shuffled", release.names, draw.shuffled(release.rows)


def coarsen_class(draw, subject, release):
    """All rows of a class show the root in one column: true, but perhaps on a forbidden level."""
    if not release.classes:
        return None
    members, name = draw.pick(release.classes), draw.pick(subject.quasi)
    place = release.names.index(name)
    rows = [list(r) for r in release.rows]
    for i in members:
        rows[i][place] = subject.ladders[name].root
    return f"a class shows the root of {name!r}", release.names, rows


def leak(draw, subject, release):
    """A column that the study does not release."""
    return "a column too many", release.names + ["leak"], [r + ["x"] for r in release.rows]


KINDS = [(6, change_quasi), (3, change_plain), (1, lose_row), (1, repeat_row), (1, swap_rows),
         (2, coarsen_class), (0.5, leak)]


def spoilt(draw, subject, release):
    """Two spoilt releases: (what was done, names, rows)."""
    if not release.rows:
        return
    for _ in range(2):
        made = draw.weighted(KINDS)(draw, subject, release)
        if made is not None:
            yield made

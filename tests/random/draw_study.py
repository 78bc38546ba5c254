"""A whole case at random: study, table, files, and how it is run."""

import draw_columns as dc
import draw_models as dm
import values as v
from draw import Draw

LATTICE = ["flash", "ola", "incognito", "breadth-first", "depth-first", "datafly"]
LOCAL = ["weave", "sequential", "mondrian", "agglomerative", "k-member", "hilbert"]
NODE_MEASURES = ["lm", "em", "entropy", "tree", "mi", "precision"]
SUPPRESSIBLE = ["lm", "em", "tree", "precision"]
SENSITIVE_MEASURES = ["pmi", "wmi"]


def number_of_rows(draw):
    return draw.weighted([(1, 0), (1, 1), (2, draw.between(2, 4)), (14, draw.between(5, 60)),
                          (5, draw.between(20, 200)), (0.4, 2000)])


def draw_form(draw, texts):
    """How the data file is written: separator, line ends, quotes, encoding, gzip."""
    encoding = draw.weighted([(8, "utf-8"), (1, "utf-8-sig"), (1, "utf-16-le"), (1, "utf-16-be"),
                              (1, "cp1252"), (1, "latin-1")])
    try:
        for text in texts:
            text.encode(encoding)
    except UnicodeEncodeError:
        encoding = "utf-8"
    return {"separator": draw.weighted([(8, ","), (3, ";"), (2, "\t"), (1, "|"), (0.5, "^"), (0.5, "@")]),
            "newline": draw.weighted([(6, "\n"), (2, "\r\n"), (1, "\r")]),
            "quotes": draw.chance(0.2), "encoding": encoding, "gzip": draw.chance(0.05), "header": True}


def draw_rows(draw, columns, count, missing_texts):
    """Cells by columns: frequent values first, some missing, some next to blanks."""
    rows = []
    for _ in range(count):
        row = []
        for column in columns:
            if draw.chance(column.missing):
                row.append(draw.pick(missing_texts))
            else:
                row.append(draw.skewed(column.pool))
        rows.append(row)
    return rows


def blank_around(draw, rows):
    return [[draw.pick(["", " ", "\t", "  "]) + cell + draw.pick(["", " "]) if draw.chance(0.2) else cell
             for cell in row] for row in rows]


class StudyDraw:
    """Draws one case for `kith anonymize`. The steps depend on each other in this order."""

    def __init__(self, seed):
        self.draw = Draw(seed)
        self.study = {"study": self.draw.pick(["s", "odd: \"name\"", "Größe", "null", "<script>"])}
        self.files = {}

    def case(self):
        draw = self.draw
        self.draw_columns()
        self.draw_table()
        self.choose_algorithm()
        self.draw_levels()
        self.draw_means()
        self.draw_unit()
        self.draw_privacy()
        self.draw_search_keys()
        self.draw_sample()
        self.draw_intersections()
        if draw.chance(0.1):
            self.study["population"] = draw.pick([0.1, 5000])
        texts = self.names + [cell for row in self.rows for cell in row]
        form = draw_form(draw, texts)
        if self.headless:
            form["header"] = False
        return {"study": self.study, "table": {"names": self.names, "rows": self.rows}, "form": form,
                "files": self.files, "options": self.draw_options(form), "expect": None}

    def draw_columns(self):
        draw = self.draw
        odd = draw.chance(0.4)
        roles = ["quasi-identifying"] * draw.weighted([(2, 1), (4, 2), (4, 3), (2, 4), (1, 6)])
        roles += ["sensitive"] * draw.weighted([(1, 0), (6, 1), (2, 2)])
        roles += ["insensitive"] * draw.weighted([(5, 0), (2, 1)])
        roles += ["identifying"] * draw.weighted([(4, 0), (2, 1)])
        roles = draw.shuffled(roles)
        self.headless = draw.chance(0.05)
        names = dc.names(draw, len(roles)) if not self.headless else [f"c{i + 1}" for i in range(len(roles))]
        self.columns = [dc.draw_column(draw, name, role, i, odd)
                        for i, (name, role) in enumerate(zip(names, roles))]
        for i, column in enumerate(self.columns):
            self.sensitive_hierarchy(column, i)
            self.draw_changes(column)
            self.files.update(column.files)
        self.study["columns"] = [c.spec for c in draw.shuffled(self.columns)]

    def sensitive_hierarchy(self, column, number):
        """Distances may need a hierarchy."""
        if column.spec["role"] == "sensitive" and self.draw.chance(0.4):
            dc.hierarchy(self.draw, column, number)
            column.spec.pop("domain", None)

    def draw_changes(self, column):
        draw, spec = self.draw, column.spec
        if spec["role"] == "identifying":
            for key in ("type", "decimal", "format"):
                spec.pop(key, None)
            if draw.chance(0.4):
                spec["pseudonym"] = "study.key"
                self.files["study.key"] = {"kind": "key", "hex": bytes(range(16, 16 + draw.between(16, 64))).hex()}
            return
        if spec.get("type") not in ("integer", "decimal") or "decimal" in spec or draw.chance(0.8):
            return
        hierarchy = spec.get("hierarchy", "suppress")
        if isinstance(hierarchy, dict) and "file" in hierarchy or (
                isinstance(hierarchy, str) and hierarchy != "suppress"):
            return
        if isinstance(spec.get("domain"), dict):
            return
        numbers = sorted(v.value(spec, text) for text in column.pool)
        if draw.chance(0.5):
            spec["top"] = int(numbers[len(numbers) * 3 // 4])
        if draw.chance(0.4) and int(numbers[0]) + 1 < spec.get("top", numbers[-1] + 2):
            spec["bottom"] = int(numbers[0]) + 1
        if draw.chance(0.5):
            spec["round"] = draw.pick([1, 5, 10, 3] if spec["type"] == "integer" else [1, 0.5, 0.1, 10, 0.25])

    def draw_table(self):
        draw = self.draw
        if draw.chance(0.3):
            self.study["missing_values"] = draw.pick([["", "NULL"], ["NA"], ["?", "-"], ["", "null", "*"]])
        missing_texts = self.study.get("missing_values", [""])
        policy = draw.weighted([(3, None), (2, "value"), (2, "wildcard"), (2, "drop"), (1, "reject")])
        if policy is not None:
            self.study["missing"] = policy
        if policy == "reject" and draw.chance(0.8):
            for column in self.columns:
                column.missing = 0
        rows = draw_rows(draw, self.columns, number_of_rows(draw), missing_texts)
        if draw.chance(0.1):
            self.study["trim"] = True
            rows = blank_around(draw, rows)
        self.names = [c.spec["name"] for c in self.columns]
        if draw.chance(0.3):  # as data often comes: sorted by a column
            by = draw.below(len(self.names))
            rows = sorted(rows, key=lambda row: row[by])
        self.rows = rows
        if draw.chance(0.15) and not self.headless:
            self.add_unlisted()

    def add_unlisted(self):
        """A column that the study does not name is never released, whatever its name and cells are."""
        draw = self.draw
        name = draw.pick(dc.UNLISTED_NAMES)
        if self.study.get("trim") and name.strip() in [n.strip() for n in self.names] + [""]:
            return
        place = draw.below(len(self.names) + 1)
        self.names = self.names[:place] + [name] + self.names[place:]
        self.rows = [row[:place] + [draw.pick(dc.ODD_WORDS)] + row[place:] for row in self.rows]

    def specs(self, role):
        return [c.spec for c in self.columns if c.spec["role"] == role]

    def choose_algorithm(self):
        draw = self.draw
        utility = {}
        kind = draw.weighted([(4, "local"), (4, "lattice"), (1, "top-down"), (3, None)])
        self.algorithm = {"local": draw.pick(LOCAL), "lattice": draw.pick(LATTICE), "top-down": "top-down",
                          None: None}[kind]
        measures = list(NODE_MEASURES)
        if kind in ("lattice", None):
            measures += ["dm", "arx-loss"]
        if self.algorithm in ("sequential", "agglomerative", "k-member", None) and self.specs("sensitive"):
            measures += SENSITIVE_MEASURES
        measure = draw.pick(measures) if draw.chance(0.6) else "lm"
        if measure != "lm" or draw.chance(0.3):
            utility["measure"] = measure
        if measure == "wmi" and draw.chance(0.5):
            utility["w"] = draw.pick([0, 0.25, 1])
        if measure == "pmi" and draw.chance(0.3):
            utility["norm"] = 1
        if measure in SENSITIVE_MEASURES and draw.chance(0.3):
            utility["class"] = draw.pick(self.specs("sensitive"))["name"]
        if self.algorithm is not None:
            self.study["algorithm"] = self.algorithm
        else:
            self.algorithm = {"dm": "flash", "arx-loss": "flash", "pmi": "sequential",
                              "wmi": "sequential"}.get(measure, "weave")
        suppresses = (self.algorithm in LATTICE + ["top-down"]
                      or self.algorithm in ("weave", "sequential") and measure in SUPPRESSIBLE)
        if suppresses and draw.chance(0.4):
            utility["suppression"] = draw.pick([0, 0.01, 0.05, 0.1, 0.3, 1])
        if draw.chance(0.25):
            weights = {c["name"]: draw.pick([0, 0.5, 1, 2, 1000000])
                       for c in self.specs("quasi-identifying") if draw.chance(0.6)}
            if weights and (any(weights.values()) or len(weights) < len(self.specs("quasi-identifying"))):
                utility["weights"] = weights
        if utility:
            self.study["utility"] = utility

    def height(self, spec):
        """The number of the highest level, 0 if it depends on more than the study's words."""
        hierarchy = spec.get("hierarchy", "suppress")
        if hierarchy == "suppress":
            return 1
        if isinstance(hierarchy, str) or "file" in hierarchy:
            name = hierarchy if isinstance(hierarchy, str) else hierarchy["file"]
            return len(self.files[name]["rows"][0]) - 1
        if "mask" in hierarchy:
            return 1
        return 1 + len(next(iter(value for key, value in hierarchy.items()
                                 if key in ("intervals", "dates", "order"))))

    def draw_levels(self):
        draw = self.draw
        self.bounded = self.low = False
        quasi = self.specs("quasi-identifying")
        if self.algorithm in LATTICE and draw.chance(0.15) and "algorithm" in self.study:
            self.study["levels"] = {c["name"]: draw.below(self.height(c) + 1) for c in quasi if draw.chance(0.8)}
            self.bounded = self.low = True
        elif draw.chance(0.15):
            for spec in quasi:
                top = self.height(spec)
                if draw.chance(0.3):
                    spec["min_level"] = draw.below(top + 1)
                    self.low = self.low or spec["min_level"] > 0
                if draw.chance(0.3):
                    spec["max_level"] = draw.between(spec.get("min_level", 0), top)
                self.bounded = self.bounded or "min_level" in spec or "max_level" in spec

    def draw_means(self):
        """Numbers that show the means of their classes."""
        draw = self.draw
        self.means = False
        wanted = draw.chance(0.3)
        for spec in self.specs("quasi-identifying"):
            if wanted and spec.get("type") in ("integer", "decimal") and not spec.get("min_level") and draw.chance(0.7):
                spec["microaggregate"] = "mean"
                self.means = True

    def draw_unit(self):
        """Whose the rows are: one to five rows of each person, in turn or mixed; some rows are nobody's."""
        draw = self.draw
        kind = draw.weighted([(12, None), (2, "row"), (5, "one"), (3, "two")])
        self.persons = False
        if kind is None:
            return
        wanted = [n for n in ("pid", "patient no", "Fall") if n not in [name.strip() for name in self.names]]
        if kind == "row" or self.headless or len(wanted) < 2:
            self.study["unit"] = "row"
            return
        self.persons = True
        whose = []
        while len(whose) < len(self.rows):
            whose += [whose[-1] + 1 if whose else 0] * draw.between(1, draw.pick([1, 2, 5]))
        whose = whose[:len(self.rows)] if draw.chance(0.5) else draw.shuffled(whose[:len(self.rows)])
        self.draw_lasting(whose)
        typed = draw.chance(0.3)
        cells = [[str(one)] for one in whose] if kind == "one" else [[str(one % 3), str(one // 3)] for one in whose]
        lost = draw.pick([0, 0, 0.1])
        missing = self.study.get("missing_values", [""])
        cells = [[draw.pick(missing) if draw.chance(lost) else "0" + text if typed and draw.chance(0.2) else text
                  for text in row] for row in cells]
        names = draw.some(wanted, len(cells[0]) if cells else 1)
        self.study["columns"] += [{"name": n, "role": "identifying", **({"type": "integer"} if typed else {})} for n in names]
        self.study["unit"] = names[0] if kind == "one" and draw.chance(0.8) else names
        self.names = self.names + names
        self.rows = [row + more for row, more in zip(self.rows, cells)]

    def draw_lasting(self, whose):
        """Sensitive values that do not change, as a chronic disease: all rows of a person have that of the first."""
        self.lasting = False
        for column in self.specs("sensitive"):
            if self.draw.chance(0.5):
                place, first = self.names.index(column["name"]), {}
                self.rows = [row[:place] + [first.setdefault(one, row[place])] + row[place + 1:]
                             for row, one in zip(self.rows, whose)]
                self.lasting = True

    def draw_privacy(self):
        draw = self.draw
        missing = set(self.study.get("missing_values", [""]))
        trimmed = [[cell.strip(v.BLANKS) for cell in row] for row in self.rows] if self.study.get("trim") else self.rows
        facts = dm.Facts([c.spec for c in self.columns], self.names, trimmed, missing)
        allowed = set(dm.CLOSED | dm.OPEN)
        if self.algorithm in ("k-member", "hilbert"):
            allowed = {"k-anonymity"}
        elif self.algorithm == "sequential":
            allowed = set(dm.CLOSED)
        if self.means:
            allowed -= dm.OPEN | {"k-map"}
        if self.persons:
            allowed = {"k-anonymity"} if self.means else allowed - {"lkc", "m-invariance"}
            if self.algorithm == "sequential":
                allowed &= {"k-anonymity", "k-map"}
        models = []
        if draw.chance(0.8) or allowed == {"k-anonymity"}:
            models.append({"model": "k-anonymity", "k": dm.size(draw, facts)})
        for _ in range(draw.weighted([(4, 0), (5, 1), (2, 2), (1, 3)])):
            model = dm.draw_model(draw, facts, self.specs("sensitive"), allowed)
            if model is not None and not any(dm.same_model(model, other, self.specs("sensitive")) for other in models):
                self.earlier(model, facts)
                models.append(model)
        if "unit" in self.study and not self.means and "k-map" in allowed and draw.chance(0.3):
            models.append({"model": "dominance", "share": draw.pick([0.2, 0.34, 0.5, 0.8, 1])})
        if "k-map" in allowed and draw.chance(0.15) and not (self.low and self.algorithm not in LATTICE):
            models.append(self.k_map(facts))
        if not any(m["model"] != "l-diversity" or m["l"] > 1 for m in models):
            models.append({"model": "k-anonymity", "k": dm.size(draw, facts)})
        if self.means and not any(m["model"] == "k-anonymity" for m in models):
            models.append({"model": "k-anonymity", "k": 2})
        for model in models:
            if self.means and model["model"] == "k-anonymity":
                model["k"] = max(2, model["k"])
        self.study["privacy"] = draw.shuffled(models)

    def earlier(self, model, facts):
        """Earlier releases for m-invariance, if there is a column that tells records apart."""
        persons = [c for c in self.columns if c.spec["role"] == "identifying" and "pseudonym" not in c.spec]
        if model["model"] != "m-invariance" or not persons or self.draw.chance(0.4) or self.study.get("trim"):
            return
        person = persons[0]
        name = model.get("attribute", self.specs("sensitive")[0]["name"])
        column = next(c for c in self.columns if c.spec["name"] == name)
        if name in ("_kith_class", "confidential_row") or person.spec["name"] in ("_kith_class", "confidential_row"):
            return
        model["previous"] = ["earlier.csv"]
        model["id"] = person.spec["name"]
        texts = facts.texts[name] or column.pool
        self.files["earlier.csv"] = dm.earlier_release(
            self.draw, facts, column.spec, person.spec["name"], person.pool, texts)

    def k_map(self, facts):
        """People like those of the data, and others whom the hierarchy may not know."""
        draw = self.draw
        quasi = [c for c in self.columns if c.spec["role"] == "quasi-identifying"]
        missing = self.study.get("missing_values", [""])
        rows = draw_rows(draw, quasi, draw.between(0, 3 * len(self.rows) + 5), missing)
        place = [self.names.index(c.spec["name"]) for c in quasi]
        rows += [[row[i] for i in place] for row in self.rows if draw.chance(0.5)]
        self.files["people.csv"] = {"kind": "table", "names": [c.spec["name"] for c in quasi], "rows": rows}
        return {"model": "k-map", "k": dm.size(draw, facts), "population": "people.csv"}

    def draw_search_keys(self):
        draw, study = self.draw, self.study
        if self.algorithm == "sequential":
            if draw.chance(0.2):
                study["restarts"] = draw.between(1, 3)
            if draw.chance(0.2):
                study["max_passes"] = draw.pick([1, 2, 50])
            if draw.chance(0.4):
                study["finish"] = draw.pick(["merge", "hybrid"])
            if draw.chance(0.3) and study.get("utility", {}).get("measure") not in SENSITIVE_MEASURES:
                study["block"] = draw.pick([1, 2, 16, 1000])
        elif self.algorithm == "weave":
            if draw.chance(0.4):
                study["effort"] = draw.pick(["quick", "normal", "best"])
            if draw.chance(0.3):
                study["piece"] = draw.pick([1, 7, 50, 1000])
        elif self.algorithm == "mondrian":
            if draw.chance(0.4):
                study["mondrian"] = draw.pick(["strict", "relaxed"])
            if draw.chance(0.4):
                study["order"] = draw.pick(["value", "hierarchy"])
            if draw.chance(0.4):
                kinds = {m["model"] for m in study["privacy"]}
                unions = kinds <= {"k-anonymity", "dominance"} if self.persons else not kinds & dm.OPEN
                study["ranges"] = not self.bounded and unions and "k-map" not in kinds

    def draw_sample(self):
        if self.draw.chance(0.05):
            self.study["sample"] = self.draw.pick([0.1, 0.5, 0.99])

    def draw_intersections(self):
        """Mostly where it can be kept; sometimes where it must be refused."""
        draw = self.draw
        kept = self.persons and self.lasting and self.algorithm in dm.UNITING and any(
            m["model"] in dm.ABOUT_VALUES for m in self.study["privacy"])
        if draw.chance(0.9 if kept else 0.01):
            self.study["intersections"] = draw.weighted([(6, "refuse"), (1, "warn")])

    def draw_options(self, form):
        draw = self.draw
        order = draw.weighted([(9, "kept"), (10, "sorted"), (1, "random")])
        return {"seed": draw.below(1 << 32), "threads": draw.pick([1, 2]), "shuffle": order == "random",
                "keep_order": order == "kept",
                "json": draw.chance(0.7), "explain": draw.chance(0.2), "mapping": self.persons or draw.chance(0.15),
                "lattice": self.algorithm in LATTICE and draw.chance(0.2),
                # Of one column nobody can tell what separates columns.
                "separator": not form["header"] or form["separator"] in "^@" or len(self.names) == 1 or draw.chance(0.1)}


def draw_case(seed):
    case = StudyDraw(seed).case()
    case["drawn"] = seed
    return case

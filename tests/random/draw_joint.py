"""Joint runs at random: every protocol, split and option."""

import draw_columns as dc
import draw_models as dm
import values as v
from draw_study import LATTICE, NODE_MEASURES, StudyDraw, draw_form
from queries import draw_query

VIEW_ALGORITHMS = LATTICE + ["weave", "sequential", "agglomerative", "k-member", "top-down"]
# Models about sensitive values that each protocol keeps.
KEPT = {("weave", "horizontal"): {"l-diversity", "alpha-k", "p-sensitive"},
        ("weave", "vertical"): dm.CLOSED - {"k-anonymity", "k-map"},
        ("mondrian", "horizontal"): {"l-diversity"},
        ("clustering", "horizontal"): {"l-diversity", "alpha-k", "p-sensitive"},
        ("clustering", "vertical"): dm.CLOSED - {"k-anonymity", "k-map"},
        ("id-based", "horizontal"): set()}
PROTOCOLS = [(4, ("weave", "horizontal")), (4, ("weave", "vertical")),
             (4, ("clustering", "horizontal")), (2, ("clustering", "vertical")),
             (2, ("encrypted-view", "horizontal")), (2, ("encrypted-view", "vertical")),
             (2, ("encrypted-view", "hybrid")), (3, ("mondrian", "horizontal")), (2, ("id-based", "horizontal"))]


class JointDraw(StudyDraw):
    """Draws one case for `kith simulate`."""

    def case(self):
        draw = self.draw
        self.protocol, self.partition = draw.weighted(PROTOCOLS)
        self.study["partition"], self.study["protocol"] = self.partition, self.protocol
        self.n_sites = 2 if self.protocol == "id-based" else draw.weighted([(4, 2), (4, 3), (2, 4), (1, 6)])
        self.draw_columns()
        self.draw_table()
        self.draw_persons()
        self.choose_algorithm()
        self.bounded = self.low = False
        split = self.draw_split()
        self.draw_privacy()
        self.draw_protocol_keys()
        form = draw_form(draw, self.names + [cell for row in self.rows for cell in row])
        if self.headless:
            form["header"] = False
        options = {"seed": draw.below(1 << 32), "threads": draw.pick([1, 2]), "json": draw.chance(0.7),
                   "compress": draw.chance(0.15), "baseline": draw.chance(0.1) and not (
                       self.persons and self.protocol == "clustering") and not any(
                       m["model"] in ("l-site-diversity", "m-privacy") for m in self.study["privacy"]),
                   "separator": not form["header"] or form["separator"] in "^@" or draw.chance(0.1)}
        joint = {"sites": self.n_sites, "split": split}
        if self.study.get("publish") == "virtual":
            joint["query"] = draw_query(draw, self.study, [n.strip(v.BLANKS) if self.study.get("trim") else n
                                                           for n in self.names], self.rows, self.files)
            options["json"] = True
        return {"study": self.study, "table": {"names": self.names, "rows": self.rows}, "form": form,
                "files": self.files, "options": options, "expect": None, "joint": joint}

    def draw_columns(self):
        super().draw_columns()
        while self.partition != "horizontal" and len(self.specs("quasi-identifying")) < 2:
            self.files = {}
            super().draw_columns()
        for column in self.columns:
            spec = column.spec
            if self.protocol == "mondrian" and spec["role"] == "quasi-identifying" and (
                    spec.get("type", "string") != "string"
                    and (spec.get("hierarchy", "suppress") == "suppress" or self.draw.chance(0.2))):
                spec["step"] = self.draw.between(1, 5)
            hierarchy = spec.get("hierarchy")
            if self.protocol == "encrypted-view" and isinstance(hierarchy, dict) and "order" in hierarchy and (
                    not isinstance(spec.get("domain"), dict)):
                spec["hierarchy"] = "suppress"
        if self.partition == "horizontal" and self.draw.chance(0.3):
            self.columns.append(dc.Column({"name": "hospital", "role": "insensitive"}, ["north", "south", "east"]))
            self.study["columns"].append(self.columns[-1].spec)
        self.headless = self.headless and len(self.columns) == len(self.study["columns"]) and not any(
            c.spec["name"] == "hospital" for c in self.columns)

    def draw_changes(self, column):
        """A joint run refuses them; identifying columns have no type."""
        if column.spec["role"] == "identifying":
            for key in ("type", "decimal", "format"):
                column.spec.pop(key, None)

    def rename(self):
        """Where columns are split by name, names have no separators of that list."""
        return self.partition != "horizontal"

    def draw_table(self):
        if self.rename():
            for i, column in enumerate(self.columns):
                column.spec["name"] = f"{column.spec['role'][:1]}{i}"
            self.headless = False
        super().draw_table()
        # The ID-based protocol takes time for every pair of rows.
        self.rows = self.rows[:12 if self.protocol == "id-based" else 80]
        self.join_rows()

    def draw_persons(self):
        """Persons with several rows, where the protocol counts them. The sites get all rows of each, or match them: an
        encrypted view then counts as one place does, and others may count too few persons, never too many."""
        self.persons = False
        if self.protocol != "id-based" and self.partition == "horizontal":
            self.draw_unit()
        if self.persons and self.draw.chance(0.7 if self.protocol == "encrypted-view" else 0.5):
            self.study["overlap"] = "matched"
            if self.draw.chance(0.5):
                self.study["match"] = self.draw.pick(["trim", "case", "digits"])
        elif self.persons and self.draw.chance(0.5):
            self.study["overlap"] = "none"

    def join_rows(self):
        """Vertical and hybrid data: identifiers that are unique, or none."""
        persons = [c for c in self.columns if c.spec["role"] == "identifying"]
        self.ids = None
        if self.partition == "horizontal" or not persons:
            return
        self.ids = persons[0].spec["name"]
        place = self.names.index(self.ids)
        for i, row in enumerate(self.rows):
            row[place] = f"p{i}"
        if len(persons) > 1 or self.draw.chance(0.5):
            self.study["ids"] = self.ids

    def choose_algorithm(self):
        draw = self.draw
        utility = {}
        self.algorithm = {"weave": "weave", "clustering": "sequential", "mondrian": "mondrian",
                          "id-based": "weave"}.get(self.protocol)
        measures = list(NODE_MEASURES)
        if self.algorithm is None:
            self.algorithm = draw.pick(VIEW_ALGORITHMS)
            self.study["algorithm"] = self.algorithm
            if self.algorithm in LATTICE:
                measures += ["dm", "arx-loss"]
                if draw.chance(0.4):
                    utility["suppression"] = draw.pick([0, 0.05, 0.1, 0.3])
        if self.protocol != "id-based":
            if draw.chance(0.4):
                utility["measure"] = draw.pick(measures)
            weights = {c["name"]: draw.pick([0.5, 1, 2]) for c in self.specs("quasi-identifying") if draw.chance(0.3)}
            if weights and draw.chance(0.3):
                utility["weights"] = weights
        if utility:
            self.study["utility"] = utility

    def draw_privacy(self):
        draw = self.draw
        missing = set(self.study.get("missing_values", [""]))
        trimmed = [[c.strip(v.BLANKS) for c in row] for row in self.rows] if self.study.get("trim") else self.rows
        facts = dm.Facts([c.spec for c in self.columns], self.names, trimmed, missing)
        kept = KEPT.get((self.protocol, self.partition))
        if kept is None:
            kept = (dm.CLOSED | {"dissimilarity"}) - {"k-anonymity", "k-map"}
            if self.algorithm == "sequential":
                kept = kept - dm.OPEN
            if self.algorithm == "k-member" or self.persons and self.algorithm == "sequential":
                kept = set()
            if self.persons:
                kept = kept - {"lkc", "m-invariance"}
        self.quiet = ((self.protocol, self.partition) == ("weave", "horizontal") and draw.chance(0.25)
                      and not self.persons)
        most = 4096 if self.protocol == "id-based" else 1 << 31
        models = [{"model": "k-anonymity", "k": min(most, dm.size(draw, facts))}]
        for _ in range(draw.weighted([(3, 0), (3, 1), (1, 2)])):
            model = dm.draw_model(draw, facts, self.specs("sensitive"), kept)
            if model is None or not self.keeps(model):
                continue
            if not any(dm.same_model(model, other, self.specs("sensitive")) for other in models):
                models.append(model)
        if self.persons and draw.chance(0.3):
            models.append({"model": "dominance", "share": draw.pick([0.2, 0.34, 0.5, 0.8, 1])})
        if self.protocol in ("weave", "clustering", "mondrian") and self.partition == "horizontal":
            models += self.site_models(any(m["model"] != "k-anonymity" for m in models))
        self.study["privacy"] = models

    def keeps(self, model):
        variant = model.get("variant", "frequency" if model["model"] == "l-diversity" else None)
        if self.persons and self.protocol != "encrypted-view" and variant in ("entropy", "recursive"):
            return False  # each site can only tell whether its own persons have several values
        if self.protocol == "mondrian":
            return variant in ("distinct", "frequency")
        if self.protocol == "weave" and self.partition == "horizontal":
            return not self.quiet or variant == "distinct" or model["model"] == "p-sensitive"
        if self.protocol == "encrypted-view":
            if model["model"] == "dissimilarity" and "variant" not in model:
                model["variant"] = "equal"
            return variant != "ordered"
        return True

    def site_models(self, of_values):
        draw, models = self.draw, []
        if draw.chance(0.2):
            models.append({"model": "l-site-diversity", "variant": "sites", "l": draw.between(2, self.n_sites)})
        if draw.chance(0.15) and self.protocol != "mondrian":
            names = [c["name"] for c in self.specs("quasi-identifying")]
            models.append({"model": "l-site-diversity", "variant": "attributes", "l": draw.between(2, self.n_sites),
                           "attributes": draw.some(names, 1 if self.protocol == "weave" else 2)})
        if draw.chance(0.5):
            models.append({"model": "m-privacy", "k": draw.pick([0, 0, 2, 3, 5])})
            if models[-1]["k"] > 0 and of_values and self.study.get("overlap") != "matched" and draw.chance(0.5):
                models[-1]["values"] = draw.pick([0, 2, 3])
        return models

    def draw_protocol_keys(self):
        draw, study = self.draw, self.study
        if self.partition == "horizontal" and self.protocol != "encrypted-view" and draw.chance(0.3):
            study["publish"] = draw.pick(["joint", "own-rows"])
            if self.protocol != "id-based" and draw.chance(0.5):
                study["publish"] = "virtual"
        if draw.chance(0.5):
            study["publish_insensitive"] = draw.chance(0.8)
        if draw.chance(0.1):
            study["rows"] = draw.pick([1000, 1000, 3])
        getattr(self, "keys_of_" + self.protocol.replace("-", "_"))()

    def keys_of_weave(self):
        draw, study = self.draw, self.study
        if self.partition == "vertical":
            return
        if self.quiet:
            study["quiet"] = True
        elif draw.chance(0.2) and max(m.get("k", 2) for m in study["privacy"] if m["model"] != "m-privacy") >= 8:
            study["blur"] = True
        if draw.chance(0.2):
            study["reweave"] = draw.between(0, 3)

    def keys_of_clustering(self):
        draw, study = self.draw, self.study
        rows = self.partition == "horizontal"
        models = [m for m in study["privacy"] if m["model"] in dm.ABOUT_VALUES]
        if draw.chance(0.4):
            study["finish"] = draw.pick(["merge", "hybrid"])
        if draw.chance(0.3):
            study["block"] = draw.pick([1, 2, 16, 1000])
        if draw.chance(0.2):
            study["max_passes"] = draw.pick([1, 3])
        if rows and draw.chance(0.25):
            study["hide_sizes"] = True
        by_frequency = [m for m in models if m["model"] == "l-diversity" and m.get("variant", "frequency") == "frequency"]
        if rows and models and len(by_frequency) == len(models) and draw.chance(0.5):
            study["private_diversity"] = True
            for m in study["privacy"]:  # m-privacy by values needs the counts
                if m["model"] == "m-privacy":
                    m.pop("values", None)
        k = max(m.get("k", 2) for m in study["privacy"] if m["model"] != "m-privacy")
        strict = study.get("finish") == "merge" and models and not study.get("private_diversity")
        if rows and not strict and draw.chance(0.3):
            study["withhold"] = draw.between(1, min(k, 4))
        if not rows:
            if draw.chance(0.3):
                study["noise"] = draw.pick([0, 0.01, 1])
            self.unmatched()

    def unmatched(self):
        if self.draw.chance(0.2):
            self.study["unmatched"] = self.draw.pick(["drop", "error"])
        if self.ids is None and self.partition == "vertical" and self.draw.chance(0.5):
            self.study["ids"] = "aligned"

    def keys_of_encrypted_view(self):
        draw, study = self.draw, self.study
        if draw.chance(0.25) and self.n_sites >= 3:
            study["master"] = f"site{draw.between(1, self.n_sites)}"
        elif draw.chance(0.2):
            study["replicas"] = 2
        if draw.chance(0.2):
            quasi = self.specs("quasi-identifying")
            study["pregeneralize"] = {c["name"]: draw.below(self.height(c)) for c in draw.some(quasi, 2)}
        if self.partition != "horizontal":
            self.unmatched()

    def keys_of_mondrian(self):
        draw, study = self.draw, self.study
        if any(m.get("variant") == "sites" for m in study["privacy"]) and draw.chance(0.4):
            study["alpha"] = draw.pick([0, 0.5, 1])
        if draw.chance(0.3):
            study["mondrian"] = draw.pick(["strict", "relaxed"])
        if draw.chance(0.3):
            study["order"] = draw.pick(["value", "hierarchy"])
        if draw.chance(0.3):
            study["ranges"] = draw.chance(0.5)

    def keys_of_id_based(self):
        if self.draw.chance(0.3):
            self.study["hashing"] = self.draw.pick(["on", "off"])
        if self.draw.chance(0.2):
            self.study["lists"] = 16
        if self.draw.chance(0.4):
            self.study["pkg"] = self.draw.pick(["self", "generator/parameters.pkg", "generator/parameters.pkg"])
            if self.study["pkg"] != "self" and self.draw.chance(0.5):
                self.study["period"] = "2026-11"

    def draw_split(self):
        """None: the default of the partition."""
        draw = self.draw
        if self.partition == "horizontal" and self.persons and self.study.get("overlap") != "matched":
            whole = self.study["unit"] if isinstance(self.study["unit"], str) else None
            return draw.pick([None, "rows"] + (["hash:" + whole] if whole and whole.isalnum() else []))
        if self.partition == "horizontal":
            plain = [n for n in self.names if n.isalnum()]
            choices = [(4, None), (2, "rows")]
            if plain:
                choices += [(2, "hash:" + draw.pick(plain)), (2, "by:" + draw.pick(plain))]
            return draw.weighted(choices)
        quasi = [c["name"] for c in self.specs("quasi-identifying")]
        others = [c["name"] for c in self.specs("sensitive") + self.specs("insensitive")]
        if self.partition == "hybrid":
            self.n_sites = 2 * draw.between(2, min(3, len(quasi)))
            return f"2x{self.n_sites // 2}"
        self.n_sites = min(self.n_sites, len(quasi))
        parts = [[] for _ in range(self.n_sites)]
        for i, name in enumerate(draw.shuffled(quasi)):
            parts[i % len(parts)].append(name)
        if others and draw.chance(0.2):
            parts.append([])
            self.n_sites += 1
        (draw.pick(parts) if parts[-1] else parts[-1]).extend(others)
        return columns_split(parts)


def columns_split(parts):
    return "columns:" + "/".join(",".join(part) for part in parts)


def draw_joint(seed):
    case = JointDraw(seed).case()
    case["drawn"] = seed
    return case

/* What the protocol discloses, and the entries of its ledgers in words. */
#include "modules/weave/weave_module.h"

const disclosure_line weave_disclosures[] = {
    {.when = TRAIT_OVER_ROWS | TRAIT_VALUE_MODELS,
     .unless = TRAIT_QUIET,
     .what = "how many records all parties have together",
     .entries = {{"all records", "sum"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_SITE_VALUES,
     .what = "which nodes of attributes named by a model about sites have records of enough sites",
     .entries = {{"all records", "threshold"}}},
    {.when = TRAIT_OVER_ROWS,
     .unless = TRAIT_QUIET,
     .what = "for each node of the tree and each value asked about, whether at least k have "
             "it (and the other models are met), and the same for the rest: to a party that "
             "has most of the rows these answers tell of single records of others",
     .entries = {{NULL, "values are live"},
                 {NULL, "rests are big"},
                 {NULL, "records with all single values are enough"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_QUIET,
     .what = "for the first node of the tree and each value of each attribute, whether at least k "
             "have it (and the other models are met), and the same for the rest; for each "
             "other node the same about the attribute that splits it, and about others with a "
             "single such value if that one has a single value, too",
     .entries = {{NULL, "values are live"},
                 {NULL, "rests are big"},
                 {NULL, "records with all single values are enough"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_QUIET,
     .maybe = true,
     .what = "for each other node of the tree, which attribute splits it, or none",
     .entries = {{NULL, "slots are chosen"}}},
    {.when = TRAIT_OVER_ROWS,
     .maybe = true,
     .what = "whether what is left over has at least k, and at least 4k, records",
     .entries = {{NULL, "the pool is enough"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_VALUE_MODELS,
     .unless = TRAIT_QUIET,
     .maybe = true,
     .what = "for each node and attribute whose rest could not be a class, whether a split without "
             "that rest would keep most records",
     .entries = {{NULL, "splits keep most records"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_VALUE_MODELS,
     .unless = TRAIT_QUIET | TRAIT_BY_FREQUENCY,
     .maybe = true,
     .what = "where it would not, which share of each value's records, drawn at random by each "
             "party, makes the rest diverse enough",
     .entries = {{NULL, "loans fit"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_BY_FREQUENCY,
     .what = "how many of its own records of each sensitive value may stay in each class: where "
             "some may not, that this value is too frequent there",
     .entries = {{NULL, "trim"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_BY_FREQUENCY,
     .maybe = true,
     .what = "which classes keep the models after that, and which of them leftovers ask for",
     .entries = {{NULL, "trimmed classes keep the models"}, {"closures", "or"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_BY_FREQUENCY,
     .maybe = true,
     .what = "which classes keep the models with leftovers added",
     .entries = {{NULL, "classes stay good with the leftovers"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_PERSONS,
     .unless = TRAIT_BY_FREQUENCY,
     .maybe = true,
     .what =
         "where models look at values, or at the rows of one person: which classes keep them for "
         "persons, also with leftovers added",
     .entries = {{NULL, "trimmed classes keep the models"},
                 {NULL, "classes stay good with the leftovers"}}},
    {.when = TRAIT_OVER_ROWS,
     .maybe = true,
     .what = "exact closures of classes, and closures widened by leftovers",
     .entries = {{NULL, "closures"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_REWEAVE,
     .maybe = true,
     .what = "for each neighbourhood rewoven, the same answers about other sets, closures of forms "
             "that are refused, and whether the new form lowers the loss",
     .entries = {{NULL, "new forms cost less"}}},
    {.when = TRAIT_OVER_ROWS,
     .what =
         "whether all classes keep the models, before their sizes are opened (always yes if all "
         "parties follow the protocol)",
     .entries = {{"sizes", "classes keep the models"}}},
    {.when = TRAIT_OVER_ROWS,
     .what =
         "the size of every class; with its own records taken off, how many of them are others'",
     .entries = {{"sizes", "sum"}}},
    {.when = TRAIT_COLUMNS,
     .unless = TRAIT_POOLS,
     .maybe = true,
     .what =
         "for each set of at least 2k records, all of them known, which site splits it, or none",
     .entries = {{NULL, "owners of sets"}}},
    {.when = TRAIT_COLUMNS | TRAIT_POOLS,
     .maybe = true,
     .what =
         "for each set of more than k records, all of them known, which site splits it, or none",
     .entries = {{NULL, "owners of sets"}}},
    {.when = TRAIT_COLUMNS | TRAIT_NAME,
     .maybe = true,
     .what = "for each such set that another site splits, whether records are lent there; for each "
             "record of one that the site itself splits and that lends, whether another site finds "
             "it rare there",
     .entries = {{NULL, "sets that borrow"}, {"tree of columns", "or"}}},
    {.when = TRAIT_COLUMNS | TRAIT_VALUE_MODELS,
     .to = DISCLOSED_TO_PIVOT,
     .maybe = true,
     .what =
         "for each such set, in several rounds, which site has the best offer, and the split that "
         "it proposes, also if it is not made: the pivot can know records more finely than the "
         "release shows them",
     .entries = {{NULL, "owners of sets"}, {NULL, "proposed parts"}}},
    {.when = TRAIT_COLUMNS | TRAIT_VALUE_MODELS,
     .to = DISCLOSED_TO_OTHERS,
     .maybe = true,
     .what = "for each such set, in several rounds, whether the site's own offer is the best one: "
             "who is asked late knows that a better one was refused",
     .entries = {{NULL, "asked for a split"}}},
    {.when = TRAIT_COLUMNS | TRAIT_VALUE_MODELS,
     .to = DISCLOSED_TO_OTHERS,
     .maybe = true,
     .what = "for each split that the site itself proposes, and each new form of it, whether all "
             "parts keep the models; a refusal says that one of these parts, whose records it "
             "knows, does not",
     .entries = {{NULL, "answers of the pivot"}}},
    {.when = TRAIT_COLUMNS,
     .unless = TRAIT_POOLS,
     .maybe = true,
     .what =
         "the parts of each set that another site splits, without their values; every part is a "
         "union of classes of the release",
     .entries = {{NULL, "parts of sets"}}},
    {.when = TRAIT_COLUMNS | TRAIT_POOLS,
     .maybe = true,
     .what =
         "the parts of each set that another site splits, without their values, and who leaves it; "
         "the classes of those who leave may show less than the parts that they were in (in a test "
         "for 5 to 26% of the records; fewer than k others fit what is known of up to 4%)",
     .entries = {{NULL, "parts of sets"}}},
    {.what = NULL},
};

const disclosure_saying weave_sayings[] = {
    {NULL, "values are live", "is this value frequent enough (at least k)?"},
    {NULL, "rests are big", "are the remaining ones together at least k?"},
    {NULL, "records with all single values are enough",
     "are the records that share all these values at least k?"},
    {NULL, "slots are chosen", "which attribute splits this node, or none"},
    {NULL, "the pool is enough", "are the leftover records at least k, and at least 4k?"},
    {NULL, "splits keep most records",
     "would a split without the remaining records keep most of this node?"},
    {NULL, "loans fit", "is this share of each value's records enough for the rest?"},
    {NULL, "trim", "how many of its own records of one sensitive value may be in this class"},
    {NULL, "trimmed classes keep the models", "does this class keep the models after trimming?"},
    {"closures", "or", "does any leftover record ask for this class?"},
    {NULL, "classes stay good with the leftovers",
     "does this class keep the models with the leftovers added?"},
    {NULL, "closures", "the closure of this class in one attribute"},
    {NULL, "new forms cost less", "does the new form of this neighbourhood lower the loss?"},
    {NULL, "owners of sets", "which site splits this set of records, or none"},
    {NULL, "proposed parts", "in which part of a proposed split this record is"},
    {NULL, "asked for a split", "is this site's offer for this set the best one now?"},
    {NULL, "answers of the pivot", "do all parts of this split keep the models?"},
    {NULL, "sets that borrow", "does the rest of this set borrow records?"},
    {"tree of columns", "or", "does another site find this record rare in its set?"},
    {NULL, "parts of sets", "in which part of its set this record is"},
    {.name = NULL},
};

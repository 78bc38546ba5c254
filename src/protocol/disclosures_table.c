/* The sentences, and to which cases they apply. */
#include "protocol/disclosures.h"

/* In the order of a run. Each protocol's part names every entry that it can make, so that what is
 * learned without being listed here fails a test. A line that does not say to whom is for all. */
static const disclosure_line table[] = {
    /* --- before a protocol over rows --- */
    {.when = TRAIT_OVER_ROWS,
     .what = "whether all records together are enough for the models",
     .entries = {{"all records", "all records are enough"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_HOMES,
     .to = DISCLOSED_TO_ALL,
     .what =
         "which of its own persons are also at another of these sites and count there, of those "
         "whom two sites share about half; with three parties or more not at which",
     .entries = {{"homes", "homes"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_HOMES,
     .to = DISCLOSED_TO_ALL,
     .what = "whether anybody is at several sites, and how many persons of each other party count "
             "elsewhere",
     .entries = {{"homes", "homes.any"}, {"homes", "homes.elsewhere"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_HOMES,
     .unless = TRAIT_HIDE_SIZES,
     .to = DISCLOSED_TO_ALL,
     .what = "how many persons each party has",
     .entries = {{"homes", "set.sizes"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_HOMES | TRAIT_HIDE_SIZES,
     .to = DISCLOSED_TO_ALL,
     .what = "how many binary digits the largest number of persons at one party has",
     .entries = {{"homes", "kth"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_HOMES,
     .to = DISCLOSED_TO_FIRST,
     .what = "how many persons each group of parties has in common, but not whom",
     .entries = {{"homes", "set.overlaps"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_MISSING,
     .what = "in which columns some party has missing values",
     .entries = {{"domains", "or"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_UNITED_VALUES,
     .unless = TRAIT_TWO_PARTIES,
     .what = "which values occur in sensitive columns, and in columns whose values come from the "
             "data, and how long the longest of them is",
     .entries = {{"domains", "union"}, {"domains", "kth"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_UNITED_VALUES | TRAIT_TWO_PARTIES,
     .what = "which values the other party has in sensitive columns, and in columns whose values "
             "come from the data, and how long the longest of them is",
     .entries = {{"domains", "union"}, {"domains", "kth"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_UNITED_VALUES | TRAIT_HIDE_SIZES,
     .what = "how many binary digits the largest number of values at one party has, in the columns "
             "whose values are united",
     .entries = {{"domains", "kth"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_UNITED_VALUES,
     .unless = TRAIT_HIDE_SIZES,
     .to = DISCLOSED_TO_FIRST,
     .what = "how many values each party has in the columns whose values are united",
     .entries = {{"domains", "union.counts"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_UNITED_VALUES,
     .unless = TRAIT_HIDE_SIZES,
     .to = DISCLOSED_TO_LATER,
     .what = "how many values all parties have in the columns whose values are united, those of "
             "several counted several times",
     .entries = {{"domains", "union.total"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_UNITED_VALUES,
     .to = DISCLOSED_TO_LAST,
     .what = "at how many parties each value of the columns whose values are united occurs",
     .entries = {{"domains", "union.multiplicities"}}},
    {.when = TRAIT_OVER_ROWS | TRAIT_DISTRIBUTIONS,
     .what = "how often each value of each quasi-identifier occurs at all parties together",
     .entries = {{"domains", "sum"}}},

    /* --- weave --- */
    {.when = TRAIT_WEAVE | TRAIT_VALUE_MODELS,
     .unless = TRAIT_QUIET,
     .what = "how many records all parties have together",
     .entries = {{"all records", "sum"}}},
    {.when = TRAIT_WEAVE | TRAIT_SITE_VALUES,
     .what = "which nodes of attributes named by a model about sites have records of enough sites",
     .entries = {{"all records", "threshold"}}},
    {.when = TRAIT_WEAVE,
     .unless = TRAIT_QUIET,
     .what = "for each node of the tree and each value asked about, whether at least k records "
             "have it (and the other models are met), and the same for the rest: to a party that "
             "has most of the rows these answers tell of single records of others",
     .entries = {{NULL, "values are live"},
                 {NULL, "rests are big"},
                 {NULL, "records with all single values are enough"}}},
    {.when = TRAIT_WEAVE | TRAIT_QUIET,
     .what = "for the first node of the tree and each value of each attribute, whether at least k "
             "records have it (and the other models are met), and the same for the rest; for each "
             "other node the same about the attribute that splits it, and about others with a "
             "single such value if that one has a single value, too",
     .entries = {{NULL, "values are live"},
                 {NULL, "rests are big"},
                 {NULL, "records with all single values are enough"}}},
    {.when = TRAIT_WEAVE | TRAIT_QUIET,
     .maybe = true,
     .what = "for each other node of the tree, which attribute splits it, or none",
     .entries = {{NULL, "slots are chosen"}}},
    {.when = TRAIT_WEAVE,
     .maybe = true,
     .what = "whether what is left over has at least k, and at least 4k, records",
     .entries = {{NULL, "the pool is enough"}}},
    {.when = TRAIT_WEAVE | TRAIT_VALUE_MODELS,
     .unless = TRAIT_QUIET,
     .maybe = true,
     .what = "for each node and attribute whose rest could not be a class, whether a split without "
             "that rest would keep most records",
     .entries = {{NULL, "splits keep most records"}}},
    {.when = TRAIT_WEAVE | TRAIT_VALUE_MODELS,
     .unless = TRAIT_QUIET | TRAIT_BY_FREQUENCY,
     .maybe = true,
     .what = "where it would not, which share of each value's records, drawn at random by each "
             "party, makes the rest diverse enough",
     .entries = {{NULL, "loans fit"}}},
    {.when = TRAIT_WEAVE | TRAIT_BY_FREQUENCY,
     .what = "how many of its own records of each sensitive value may stay in each class: where "
             "some may not, that this value is too frequent there",
     .entries = {{NULL, "trim"}}},
    {.when = TRAIT_WEAVE | TRAIT_BY_FREQUENCY,
     .maybe = true,
     .what = "which classes keep the models after that, and which of them leftovers ask for",
     .entries = {{NULL, "trimmed classes keep the models"}, {"closures", "or"}}},
    {.when = TRAIT_WEAVE | TRAIT_BY_FREQUENCY,
     .maybe = true,
     .what = "which classes keep the models with leftovers added",
     .entries = {{NULL, "classes stay good with the leftovers"}}},
    {.when = TRAIT_WEAVE | TRAIT_PERSONS,
     .unless = TRAIT_BY_FREQUENCY,
     .maybe = true,
     .what =
         "where models look at values, or at the rows of one person: which classes keep them for "
         "persons, also with leftovers added",
     .entries = {{NULL, "trimmed classes keep the models"},
                 {NULL, "classes stay good with the leftovers"}}},
    {.when = TRAIT_WEAVE,
     .maybe = true,
     .what = "exact closures of classes, and closures widened by leftovers",
     .entries = {{NULL, "closures"}}},
    {.when = TRAIT_WEAVE | TRAIT_REWEAVE,
     .maybe = true,
     .what = "for each neighbourhood rewoven, the same answers about other sets, closures of forms "
             "that are refused, and whether the new form lowers the loss",
     .entries = {{NULL, "new forms cost less"}}},
    {.when = TRAIT_WEAVE,
     .what =
         "whether all classes keep the models, before their sizes are opened (always yes if all "
         "parties follow the protocol)",
     .entries = {{"sizes", "classes keep the models"}}},
    {.when = TRAIT_WEAVE,
     .what =
         "the size of every class; with its own records taken off, how many of them are others'",
     .entries = {{"sizes", "sum"}}},

    /* --- clustering over rows --- */
    {.when = TRAIT_ROW_CLUSTERING,
     .what = "how many records all sites have together, and how many they visited",
     .entries = {{"counting", "sum"}}},
    {.when = TRAIT_ROW_CLUSTERING | TRAIT_SITE_VALUES,
     .what = "which nodes of attributes named by a model about sites have records of enough sites, "
             "of some, or of none, and how many sites have records",
     .entries = {{"checking", "threshold"}, {"checking", "or"}, {"checking", "sum"}}},
    {.when = TRAIT_ROW_CLUSTERING,
     .unless = TRAIT_RESTARTS,
     .what = "sizes and closures of all clusters, then of those that change in every turn; to the "
             "party whose turn it is, of clusters without one of its records",
     .entries = {{NULL, "sizes and closures of clusters"}, {NULL, "sum"}, {NULL, "lca"}}},
    {.when = TRAIT_ROW_CLUSTERING | TRAIT_RESTARTS,
     .what = "sizes and closures of all clusters, then of those that change in every turn; to the "
             "party whose turn it is, of clusters without one of its records; all this, and what "
             "follows, in every start anew, also in those whose classes are not kept",
     .entries = {{NULL, "sizes and closures of clusters"}, {NULL, "sum"}, {NULL, "lca"}}},
    {.when = TRAIT_ROW_CLUSTERING,
     .maybe = true,
     .what = "where a cluster has one record of another party, what that record has in common with "
             "the party's own ones there",
     .entries = {{NULL, "clusters with one foreign record"}}},
    {.when = TRAIT_ROW_CLUSTERING | TRAIT_SINGLES,
     .maybe = true,
     .what = "the quasi-identifiers of single records of other parties, in a test of up to 62% of "
             "them (withhold: 2 prevents that)",
     .entries = {{NULL, "single foreign records"}}},
    {.when = TRAIT_ROW_CLUSTERING,
     .unless = TRAIT_HIDE_SIZES,
     .what = "questions of the party whose turn it is: that it has a record in a cluster, and so a "
             "lower bound of its number of records",
     .entries = {{NULL, "questions of the pivot"}}},
    {.when = TRAIT_ROW_CLUSTERING | TRAIT_HIDE_SIZES,
     .what =
         "questions of the party whose turn it is, among others in full blocks; from the number "
         "of blocks, roughly how many records it has",
     .entries = {{NULL, "questions of the pivot"}}},
    {.when = TRAIT_ROW_CLUSTERING | TRAIT_VALUE_MODELS,
     .unless = TRAIT_PRIVATE_VALUES | TRAIT_PERSONS,
     .what = "how often each sensitive value occurs at all parties together, and in clusters",
     .entries = {{NULL, "counts of sensitive values"}}},
    {.when = TRAIT_ROW_CLUSTERING | TRAIT_HYBRID_FINISH,
     .maybe = true,
     .what = "what dissolving small clusters would cost all parties together",
     .entries = {{NULL, "costs of dissolving clusters"}}},
    {.when = TRAIT_ROW_CLUSTERING | TRAIT_PERSONS,
     .what = "whether all records, and which of the last clusters, keep the models for persons",
     .entries = {{NULL, "classes keep the models"}}},
    {.when = TRAIT_ROW_CLUSTERING | TRAIT_PRIVATE_VALUES,
     .unless = TRAIT_PERSONS,
     .what = "whether all records, and which of the last clusters, are diverse",
     .entries = {{NULL, "dominates"}}},
    {.when = TRAIT_ROW_CLUSTERING | TRAIT_SITE_CLASSES,
     .unless = TRAIT_PERSONS,
     .what = "how many sites have records, and which of the last clusters have records of enough",
     .entries = {{"checking", "threshold"}, {"repairing", "threshold"}, {"checking", "sum"}}},
    {.when = TRAIT_ROW_CLUSTERING | TRAIT_M_PRIVACY,
     .unless = TRAIT_PERSONS,
     .what = "in which of the last clusters some party sees too few records or values of others",
     .entries = {{"checking", "or"}, {"repairing", "or"}}},

    /* --- distributed Mondrian --- */
    {.when = TRAIT_MONDRIAN,
     .what = "whether all records together are enough for the models, and how many there are",
     .entries = {{"all records", "all records are enough"}, {"all records", "sum"}}},
    {.when = TRAIT_MONDRIAN,
     .unless = TRAIT_SCORED_SITES,
     .what = "which parts of the table have at least 2k records",
     .entries = {{"splitting", "parts can be halved"}}},
    {.when = TRAIT_MONDRIAN | TRAIT_SCORED_SITES,
     .what = "the size of every part of the table, also of those that are split further",
     .entries = {{"splitting", "sum"}}},
    {.when = TRAIT_MONDRIAN | TRAIT_ORDERED_AXES,
     .maybe = true,
     .what =
         "for each part and each number or date tried, the cell of the public grid in which its "
         "median lies",
     .entries = {{"splitting", "medians"}}},
    {.when = TRAIT_MONDRIAN,
     .maybe = true,
     .what = "for each split tried, whether both sides keep the models",
     .entries = {{"splitting", "splits are possible"}}},
    {.when = TRAIT_MONDRIAN | TRAIT_TREE_AXES,
     .maybe = true,
     .what = "for each part that is split along a hierarchy, which of its children have no record",
     .entries = {{"splitting", "children are empty"}}},
    {.when = TRAIT_MONDRIAN | TRAIT_SCORED_SITES,
     .maybe = true,
     .what = "for each part, in which order its attributes score by range and by how evenly the "
             "sites' records would be divided",
     .entries = {{"splitting", "splits score higher"}}},
    {.when = TRAIT_MONDRIAN,
     .what = "that all classes keep the models, and the size of every class",
     .entries = {{"sizes", "all classes keep the models"}, {"sizes", "sum"}}},

    /* --- the ID-based protocol --- */
    {.when = TRAIT_ID_BASED,
     .what = "whether all rows together are enough for the models",
     .entries = {{"all records", "all records are enough"}}},
    {.when = TRAIT_ID_BASED,
     .what = "whether the first party has at least as many rows as the second",
     .entries = {{"roles", "the first party has as many rows"}}},
    {.when = TRAIT_ID_BASED | TRAIT_OWN_LISTS,
     .what = "how many binary digits the larger number of rows has",
     .entries = {{"roles", "or"}}},
    {.when = TRAIT_ID_BASED,
     .what = "which quasi-identifiers at least k rows of the other party have, the rows that it "
             "gives up not counted; all of them are in the release",
     .entries = {{"testing the tables", "frequent quasi-identifiers"}}},
    {.when = TRAIT_ID_BASED,
     .what = "whether the tables together are k-anonymous as they are: then both are the release",
     .entries = {{"testing the tables", "already k-anonymous"}}},
    {.when = TRAIT_ID_BASED,
     .to = DISCLOSED_TO_SMALLER,
     .what = "which quasi-identifiers of the other party are not suppressed",
     .entries = {{"classes", "remaining quasi-identifiers"}}},
    {.when = TRAIT_ID_BASED,
     .what = "that every class of the release has at least k rows (always so if both parties "
             "follow the protocol)",
     .entries = {{"classes", "classes are large enough"}}},
    {.when = TRAIT_ID_BASED | TRAIT_GENERATOR,
     .to = DISCLOSED_TO_GENERATOR,
     .what = "every quasi-identifier of the other party that they can guess, and how many rows "
             "have it, up to k: a generator can decrypt whatever is sent to its names, joined "
             "generators only all together"},

    /* --- columns --- */
    {.when = TRAIT_COLUMNS,
     .what = "how many records each site has",
     .entries = {{NULL, "align.counts"}}},
    {.when = TRAIT_COLUMNS | TRAIT_MATCHED,
     .what = "which of its own records all sites have",
     .entries = {{NULL, "intersection"}, {NULL, "set.sizes"}}},
    {.when = TRAIT_COLUMNS | TRAIT_MATCHED,
     .to = DISCLOSED_TO_FIRST,
     .what = "how many identifiers each group of sites has in common",
     .entries = {{NULL, "set.overlaps"}}},
    {.when = TRAIT_COLUMNS | TRAIT_VALUE_MODELS,
     .to = DISCLOSED_TO_OTHERS,
     .what = "whether the sensitive values can meet the models, and the size of class that takes",
     .entries = {{NULL, "terms"}}},
    {.when = TRAIT_COLUMN_CLUSTERING,
     .unless = TRAIT_HYBRID_FINISH,
     .to = DISCLOSED_TO_OTHERS,
     .maybe = true,
     .what = "which small clusters lost their nearest one by a union",
     .entries = {{NULL, "rows"}}},
    {.when = TRAIT_COLUMN_CLUSTERING,
     .to = DISCLOSED_TO_OTHERS,
     .maybe = true,
     .what = "whether a late pass gained so little that it is the last one, and with restarts "
             "whether a start is the best so far",
     .entries = {{NULL, "decisions to stop"}}},
    {.when = TRAIT_COLUMN_CLUSTERING,
     .to = DISCLOSED_TO_OTHERS,
     .what = "which records are in which cluster, in every pass",
     .entries = {{NULL, "terms"},
                 {NULL, "clusters"},
                 {NULL, "moves"},
                 {NULL, "splits"},
                 {NULL, "unions"}}},
    {.when = TRAIT_COLUMN_CLUSTERING,
     .to = DISCLOSED_TO_PIVOT,
     .what = "sums of cost changes of records and clusters; between two sites, the other's changes",
     .entries = {{NULL, "prices.moves"}, {NULL, "prices.unions"}, {NULL, "cost"}, {NULL, "sum"}}},
    {.when = TRAIT_COLUMN_TREE,
     .unless = TRAIT_POOLS,
     .maybe = true,
     .what =
         "for each set of at least 2k records, all of them known, which site splits it, or none",
     .entries = {{NULL, "owners of sets"}}},
    {.when = TRAIT_COLUMN_TREE | TRAIT_POOLS,
     .maybe = true,
     .what =
         "for each set of more than k records, all of them known, which site splits it, or none",
     .entries = {{NULL, "owners of sets"}}},
    {.when = TRAIT_COLUMN_TREE | TRAIT_NAME,
     .maybe = true,
     .what = "for each such set that another site splits, whether records are lent there; for each "
             "record of one that the site itself splits and that lends, whether another site finds "
             "it rare there",
     .entries = {{NULL, "sets that borrow"}, {"tree of columns", "or"}}},
    {.when = TRAIT_COLUMN_TREE | TRAIT_VALUE_MODELS,
     .to = DISCLOSED_TO_PIVOT,
     .maybe = true,
     .what =
         "for each such set, in several rounds, which site has the best offer, and the split that "
         "it proposes, also if it is not made: the pivot can know records more finely than the "
         "release shows them",
     .entries = {{NULL, "owners of sets"}, {NULL, "proposed parts"}}},
    {.when = TRAIT_COLUMN_TREE | TRAIT_VALUE_MODELS,
     .to = DISCLOSED_TO_OTHERS,
     .maybe = true,
     .what = "for each such set, in several rounds, whether the site's own offer is the best one: "
             "who is asked late knows that a better one was refused",
     .entries = {{NULL, "asked for a split"}}},
    {.when = TRAIT_COLUMN_TREE | TRAIT_VALUE_MODELS,
     .to = DISCLOSED_TO_OTHERS,
     .maybe = true,
     .what = "for each split that the site itself proposes, and each new form of it, whether all "
             "parts keep the models; a refusal says that one of these parts, whose records it "
             "knows, does not",
     .entries = {{NULL, "answers of the pivot"}}},
    {.when = TRAIT_COLUMN_TREE,
     .unless = TRAIT_POOLS,
     .maybe = true,
     .what =
         "the parts of each set that another site splits, without their values; every part is a "
         "union of classes of the release",
     .entries = {{NULL, "parts of sets"}}},
    {.when = TRAIT_COLUMN_TREE | TRAIT_POOLS,
     .maybe = true,
     .what =
         "the parts of each set that another site splits, without their values, and who leaves it; "
         "the classes of those who leave may show less than the parts that they were in (in a test "
         "for 5 to 26% of the records; fewer than k others fit what is known of up to 4%)",
     .entries = {{NULL, "parts of sets"}}},
    {.when = TRAIT_COLUMNS,
     .what = "the loss of all columns together",
     .entries = {{"publish", "sum"}}},

    /* --- the encrypted view --- */
    {.when = TRAIT_VIEW | TRAIT_MASK_LENGTHS,
     .what = "how long the longest value is in each column that is masked",
     .entries = {{"domains", "kth"}}},
    {.when = TRAIT_VIEW,
     .to = DISCLOSED_TO_SITES,
     .what = "the rows of every other site under encryption: how many, which cells are equal and "
             "occur together, the shape of hierarchies; a site that compares them with its own can "
             "name most cells, sensitive ones too, but for near-unique values",
     .entries = {{NULL, "view.patterns"}}},
    {.when = TRAIT_VIEW | TRAIT_PERSONS,
     .unless = TRAIT_HOMES,
     .to = DISCLOSED_TO_SITES,
     .what =
         "which of these rows are of one person: how many persons another site has, and how many "
         "rows each of them; not who is at two sites",
     .entries = {{NULL, "view.persons"}}},
    {.when = TRAIT_VIEW | TRAIT_PERSONS | TRAIT_HOMES,
     .to = DISCLOSED_TO_SITES,
     .what =
         "which of these rows are of one person: how many persons another site has, and how many "
         "rows each of them; where it passes on rows of several others, who is at two of those",
     .entries = {{NULL, "view.persons"}}},
    {.when = TRAIT_VIEW,
     .to = DISCLOSED_TO_MASTER,
     .what =
         "the table under encryption: which cells are equal and occur together, the shape of "
         "every hierarchy, which values a model lists; anyone who has such records can name most "
         "cells, sensitive ones too, but for near-unique values",
     .entries = {{NULL, "view.table"}}},
    {.when = TRAIT_VIEW | TRAIT_PERSONS,
     .unless = TRAIT_HOMES,
     .to = DISCLOSED_TO_MASTER,
     .what =
         "which rows of one site are of one person: how many persons there are, and how many rows "
         "each has at a site; not who is at two sites",
     .entries = {{NULL, "view.table.persons"}}},
    {.when = TRAIT_VIEW | TRAIT_PERSONS | TRAIT_HOMES,
     .to = DISCLOSED_TO_MASTER,
     .what =
         "which rows of all sites are of one person, and so what happened to each at all of them; "
         "without data of its own, also which persons of the first site are at another, and with "
         "them, as far as it finds its own rows, which of its own persons",
     .entries = {{NULL, "view.table.persons"}}},
    {.when = TRAIT_VIEW | TRAIT_PERSONS | TRAIT_VALUE_MODELS,
     .to = DISCLOSED_TO_SITES,
     .maybe = true,
     .what =
         "if the run fails for it: that persons have several values of a column, and a model needs "
         "one of each",
     .entries = {{NULL, "view.refused"}}},
    {.when = TRAIT_VIEW | TRAIT_MATCHED,
     .maybe = true,
     .what = "how many identifiers have no partner; the master also how many each group of sites "
             "has in common",
     .entries = {{NULL, "view.matched"}}},
    {.when = TRAIT_VIEW | TRAIT_SECRET_LABELS,
     .to = DISCLOSED_TO_SITES,
     .maybe = true,
     .what = "which values of the result the sites before it on the ring know",
     .entries = {{NULL, "view.values"}}},
    {.when = TRAIT_VIEW,
     .to = DISCLOSED_TO_SITES,
     .what = "the loss of the release, and how long the search took",
     .entries = {{NULL, "view.notes"}}},

    /* --- the result --- */
    {.when = TRAIT_OVER_ROWS | TRAIT_RELEASED_CELLS,
     .unless = TRAIT_OWN_ROWS | TRAIT_HIDE_SIZES,
     .to = DISCLOSED_TO_FIRST,
     .maybe = true,
     .what = "how many rows each party has, if rows are too many to be counted by sums",
     .entries = {{"publish", "union.counts"}}},
    {.when = TRAIT_OVER_ROWS,
     .unless = TRAIT_OWN_ROWS,
     .what = "the release",
     .entries = {{"publish", "release"}, {"publish", "sum"}, {"publish", "union"}}},
    {.when = TRAIT_ID_BASED,
     .unless = TRAIT_OWN_ROWS,
     .what = "the release; with its own rows taken off, every row of the other party",
     .entries = {{"publish", "release"}}},
    {.when = TRAIT_COLUMNS, .what = "the release", .entries = {{"publish", "release"}}},
    {.when = TRAIT_VIEW,
     .to = DISCLOSED_TO_SITES,
     .what = "the release",
     .entries = {{NULL, "view.release"}}},
};

const disclosure_line *disclosures_table(size_t *count)
{
    *count = sizeof table / sizeof *table;
    return table;
}

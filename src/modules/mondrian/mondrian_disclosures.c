/* What the protocol discloses, and the entries of its ledgers in words. */
#include "modules/mondrian/mondrian_module.h"

const disclosure_line mondrian_disclosures[] = {
    {.what = "whether all records together are enough for the models, and how many there are",
     .entries = {{"all records", "all records are enough"}, {"all records", "sum"}}},
    {.unless = TRAIT_SCORED_SITES,
     .what = "which parts of the table have at least 2k records",
     .entries = {{"splitting", "parts can be halved"}}},
    {.when = TRAIT_SCORED_SITES,
     .what = "the size of every part of the table, also of those that are split further",
     .entries = {{"splitting", "sum"}}},
    {.when = TRAIT_ORDERED_AXES,
     .maybe = true,
     .what =
         "for each part and each number or date tried, the cell of the public grid in which its "
         "median lies",
     .entries = {{"splitting", "medians"}}},
    {.maybe = true,
     .what = "for each split tried, whether both sides keep the models",
     .entries = {{"splitting", "splits are possible"}}},
    {.when = TRAIT_TREE_AXES,
     .maybe = true,
     .what = "for each part that is split along a hierarchy, which of its children have no record",
     .entries = {{"splitting", "children are empty"}}},
    {.when = TRAIT_SCORED_SITES,
     .maybe = true,
     .what = "for each part, in which order its attributes score by range and by how evenly the "
             "sites' records would be divided",
     .entries = {{"splitting", "splits score higher"}}},
    {.what = "that all classes keep the models, and the size of every class",
     .entries = {{"sizes", "all classes keep the models"}, {"sizes", "sum"}}},
    {.what = NULL},
};

const disclosure_saying mondrian_sayings[] = {
    {"splitting", "sum", "the size of this part of the table"},
    {"splitting", "parts can be halved", "does this part have at least 2k records?"},
    {"splitting", "medians", "the cell of the public grid in which this median lies"},
    {"splitting", "splits are possible", "do both sides of this split keep the models?"},
    {"splitting", "children are empty", "is this child of the node without records?"},
    {"splitting", "splits score higher", "does this attribute score higher than that one?"},
    {"sizes", "all classes keep the models", "do all classes keep the models?"},
    {.name = NULL},
};

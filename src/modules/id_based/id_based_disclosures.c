/* What the protocol discloses, and the entries of its ledgers in words. */
#include "modules/id_based/id_based_module.h"

const disclosure_line id_based_disclosures[] = {
    {.what = "whether all rows together are enough for the models",
     .entries = {{"all records", "all records are enough"}}},
    {.what = "whether the first party has at least as many rows as the second",
     .entries = {{"roles", "the first party has as many rows"}}},
    {.when = TRAIT_OWN_LISTS,
     .what = "how many binary digits the larger number of rows has",
     .entries = {{"roles", "or"}}},
    {.what = "which quasi-identifiers at least k rows of the other party have, the rows that it "
             "gives up not counted; all of them are in the release",
     .entries = {{"testing the tables", "frequent quasi-identifiers"}}},
    {.what = "whether the tables together are k-anonymous as they are: then both are the release",
     .entries = {{"testing the tables", "already k-anonymous"}}},
    {.to = DISCLOSED_TO_SMALLER,
     .what = "which quasi-identifiers of the other party are not suppressed",
     .entries = {{"classes", "remaining quasi-identifiers"}}},
    {.what = "that every class of the release has at least k rows (always so if both parties "
             "follow the protocol)",
     .entries = {{"classes", "classes are large enough"}}},
    {.when = TRAIT_GENERATOR,
     .to = DISCLOSED_TO_GENERATOR,
     .what = "every quasi-identifier of the other party that they can guess, and how many rows "
             "have it, up to k: a generator can decrypt whatever is sent to its names, joined "
             "generators only all together"},
    {.unless = TRAIT_OWN_ROWS,
     .what = "the release; with its own rows taken off, every row of the other party",
     .entries = {{"publish", "release"}}},
    {.what = NULL},
};

const disclosure_saying id_based_sayings[] = {
    {"roles", "the first party has as many rows",
     "does the first party have at least as many rows as the second?"},
    {"roles", "or", "does some party have more rows than this power of two?"},
    {NULL, "frequent quasi-identifiers",
     "a quasi-identifier that at least k rows of the other party have"},
    {NULL, "already k-anonymous", "are both tables together k-anonymous as they are?"},
    {NULL, "remaining quasi-identifiers",
     "a quasi-identifier of the other party that is not suppressed"},
    {NULL, "classes are large enough", "does every class of the release have at least k rows?"},
    {.name = NULL},
};

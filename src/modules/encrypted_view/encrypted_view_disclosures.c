/* What the protocol discloses, and the entries of its ledgers in words. */
#include "modules/encrypted_view/encrypted_view_module.h"

const disclosure_line encrypted_view_disclosures[] = {
    {.when = TRAIT_MASK_LENGTHS,
     .what = "how long the longest value is in each column that is masked",
     .entries = {{"domains", "kth"}}},
    {.to = DISCLOSED_TO_SITES,
     .what = "the rows of every other site under encryption: how many, which cells are equal and "
             "occur together, the shape of hierarchies; a site that compares them with its own can "
             "name most cells, sensitive ones too, but for near-unique values",
     .entries = {{NULL, "view.patterns"}}},
    {.when = TRAIT_PERSONS,
     .unless = TRAIT_HOMES,
     .to = DISCLOSED_TO_SITES,
     .what =
         "which of these rows are of one person: how many persons another site has, and how many "
         "rows each of them; not who is at two sites",
     .entries = {{NULL, "view.persons"}}},
    {.when = TRAIT_PERSONS | TRAIT_HOMES,
     .to = DISCLOSED_TO_SITES,
     .what =
         "which of these rows are of one person: how many persons another site has, and how many "
         "rows each of them; where it passes on rows of several others, who is at two of those",
     .entries = {{NULL, "view.persons"}}},
    {.to = DISCLOSED_TO_MASTER,
     .what =
         "the table under encryption: which cells are equal and occur together, the shape of "
         "every hierarchy, which values a model lists; anyone who has such records can name most "
         "cells, sensitive ones too, but for near-unique values",
     .entries = {{NULL, "view.table"}}},
    {.when = TRAIT_PERSONS,
     .unless = TRAIT_HOMES,
     .to = DISCLOSED_TO_MASTER,
     .what =
         "which rows of one site are of one person: how many persons there are, and how many rows "
         "each has at a site; not who is at two sites",
     .entries = {{NULL, "view.table.persons"}}},
    {.when = TRAIT_PERSONS | TRAIT_HOMES,
     .to = DISCLOSED_TO_MASTER,
     .what =
         "which rows of all sites are of one person, and so what happened to each at all of them; "
         "without data of its own, also which persons of the first site are at another, and with "
         "them, as far as it finds its own rows, which of its own persons",
     .entries = {{NULL, "view.table.persons"}}},
    {.when = TRAIT_PERSONS | TRAIT_VALUE_MODELS,
     .to = DISCLOSED_TO_SITES,
     .maybe = true,
     .what =
         "if the run fails for it: that persons have several values of a column, and a model needs "
         "one of each",
     .entries = {{NULL, "view.refused"}}},
    {.when = TRAIT_MATCHED,
     .maybe = true,
     .what = "how many identifiers have no partner; the master also how many each group of sites "
             "has in common",
     .entries = {{NULL, "view.matched"}}},
    {.when = TRAIT_SECRET_LABELS,
     .to = DISCLOSED_TO_SITES,
     .maybe = true,
     .what = "which values of the result the sites before it on the ring know",
     .entries = {{NULL, "view.values"}}},
    {.to = DISCLOSED_TO_SITES,
     .what = "the loss of the release, and how long the search took",
     .entries = {{NULL, "view.notes"}}},
    {.to = DISCLOSED_TO_SITES, .what = "the release", .entries = {{NULL, "view.release"}}},
    {.what = NULL},
};

const disclosure_saying encrypted_view_sayings[] = {
    {NULL, "view.patterns", "a row of another site under encryption"},
    {NULL, "view.table", "a row of the table under encryption"},
    {NULL, "view.persons", "a person of another site under encryption"},
    {NULL, "view.table.persons", "a person of the table under encryption"},
    {NULL, "view.refused", "that persons have several values where a model needs one"},
    {NULL, "view.matched", "how many identifiers have partners at how many sites"},
    {NULL, "view.values", "a value of the result, as far as the sites before this one know it"},
    {NULL, "view.notes", "the loss of the release, or the time of the search"},
    {NULL, "view.release", "a row of the release"},
    {.name = NULL},
};

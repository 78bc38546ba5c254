/* Entries of the ledger in words. The names are short, since the protocols pass them around; people
 * read these sentences. A question was answered by yes or no, once per value that the ledger
 * counts. */
#include <string.h>

#include "protocol/disclosures.h"

typedef struct saying {
    const char *step; /* NULL: any */
    const char *name;
    const char *says;
} saying;

/* An entry with a step comes before the one of the same name for all steps. */
static const saying sayings[] = {
    /* --- what all protocols share --- */
    {"all records", "all records are enough", "are all records together enough for the models?"},
    {"all records", "sum", "how many records all parties have together"},
    {"all records", "threshold", "does this node have records of enough sites?"},
    {"homes", "homes", "does this person of its own count at another party that has it, too?"},
    {"homes", "homes.any", "is anybody at several parties?"},
    {"homes", "homes.elsewhere", "how many persons of another party count elsewhere"},
    {"homes", "set.sizes", "how many persons one party has"},
    {"homes", "set.overlaps", "how many persons a group of parties has in common"},
    {"homes", "kth", "how many binary digits the largest number of persons has"},
    {"domains", "or", "does any party miss a value in this column?"},
    {"domains", "union", "a value that occurs in a column whose values come from the data"},
    {"domains", "union.counts", "how many values one party has in such a column"},
    {"domains", "union.total", "how many values all parties have in such columns, added up"},
    {"domains", "union.multiplicities", "at how many parties this value occurs"},
    {"domains", "kth", "the longest value, or the largest number of values, of a column"},
    {"domains", "sum", "how often this value occurs at all parties together"},
    {"domains", "domains", "which values a released column may have"},
    {"publish", "release", "a row of the release"},
    {"publish", "union", "a row that some party adds to the release"},
    {"publish", "union.counts", "how many rows one party has"},
    {"publish", "sum", "a count or a loss that goes into the release or its summary"},
    {"sizes", "sum", "the size of this class"},

    /* --- weave --- */
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
    {NULL, "classes keep the models", "does this class keep the models?"},

    /* --- clustering over rows --- */
    {"counting", "sum", "how many records all sites have together, or have visited"},
    {"checking", "threshold", "does this cluster or node have records of enough sites?"},
    {"checking", "or", "does this node have records, or does some party see too few of others?"},
    {"checking", "sum", "how many sites have records"},
    {"repairing", "threshold", "does this cluster have records of enough sites?"},
    {"repairing", "or", "does some party see too few records or values of others in this cluster?"},
    {NULL, "sizes and closures of clusters", "the size and the closure of this cluster"},
    {NULL, "clusters with one foreign record",
     "what the one record of another party in this cluster has in common with own ones"},
    {NULL, "single foreign records", "the quasi-identifiers of one record of another party"},
    {NULL, "questions of the pivot",
     "a question of the party whose turn it is: it may have a record in this cluster"},
    {NULL, "counts of sensitive values", "how often this sensitive value occurs"},
    {NULL, "costs of dissolving clusters", "what dissolving this small cluster would cost"},
    {NULL, "dominates", "is this cluster, or the whole table, diverse?"},
    {NULL, "lca", "the closure of this cluster"},

    /* --- distributed Mondrian --- */
    {"splitting", "sum", "the size of this part of the table"},
    {"splitting", "parts can be halved", "does this part have at least 2k records?"},
    {"splitting", "medians", "the cell of the public grid in which this median lies"},
    {"splitting", "splits are possible", "do both sides of this split keep the models?"},
    {"splitting", "children are empty", "is this child of the node without records?"},
    {"splitting", "splits score higher", "does this attribute score higher than that one?"},
    {"sizes", "all classes keep the models", "do all classes keep the models?"},

    /* --- the ID-based protocol --- */
    {"roles", "the first party has as many rows",
     "does the first party have at least as many rows as the second?"},
    {"roles", "or", "does some party have more rows than this power of two?"},
    {NULL, "frequent quasi-identifiers",
     "a quasi-identifier that at least k rows of the other party have"},
    {NULL, "already k-anonymous", "are both tables together k-anonymous as they are?"},
    {NULL, "remaining quasi-identifiers",
     "a quasi-identifier of the other party that is not suppressed"},
    {NULL, "classes are large enough", "does every class of the release have at least k rows?"},

    /* --- clustering over columns --- */
    {NULL, "align.counts", "how many records one site has"},
    {NULL, "intersection", "an own record that all sites have"},
    {NULL, "set.sizes", "how many identifiers one site has"},
    {NULL, "set.overlaps", "how many identifiers one group of sites has in common"},
    {NULL, "terms", "whether the sensitive values can meet the models, and with which classes"},
    {NULL, "rows", "a small cluster that lost its nearest one"},
    {NULL, "decisions to stop", "did this pass gain little, or was this start the best so far?"},
    {NULL, "clusters", "in which cluster this record is"},
    {NULL, "moves", "a record that moves, and into which cluster"},
    {NULL, "splits", "a cluster that is split, and how"},
    {NULL, "unions", "two clusters that become one"},
    {NULL, "prices.moves", "what moving this record would change in the cost"},
    {NULL, "prices.unions", "what this union of clusters would change in the cost"},
    {NULL, "cost", "what all columns cost together"},

    /* --- weave over columns --- */
    {NULL, "owners of sets", "which site splits this set of records, or none"},
    {NULL, "proposed parts", "in which part of a proposed split this record is"},
    {NULL, "asked for a split", "is this site's offer for this set the best one now?"},
    {NULL, "answers of the pivot", "do all parts of this split keep the models?"},
    {NULL, "sets that borrow", "does the rest of this set borrow records?"},
    {"tree of columns", "or", "does another site find this record rare in its set?"},
    {NULL, "parts of sets", "in which part of its set this record is"},

    /* --- the encrypted view --- */
    {NULL, "view.patterns", "a row of another site under encryption"},
    {NULL, "view.table", "a row of the table under encryption"},
    {NULL, "view.persons", "a person of another site under encryption"},
    {NULL, "view.table.persons", "a person of the table under encryption"},
    {NULL, "view.refused", "that persons have several values where a model needs one"},
    {NULL, "view.matched", "how many identifiers have partners at how many sites"},
    {NULL, "view.values", "a value of the result, as far as the sites before this one know it"},
    {NULL, "view.notes", "the loss of the release, or the time of the search"},
    {NULL, "view.release", "a row of the release"},

    /* --- primitives, wherever they are called --- */
    {NULL, "sum", "a sum over all parties"},
    {NULL, "and", "is it true at all parties?"},
    {NULL, "or", "is it true at some party?"},
    {NULL, "threshold", "is it true at enough parties?"},
    {NULL, "kth", "the value of a given rank, such as the largest or the median"},
    {NULL, "union", "a value that some party has"},
    {NULL, "union.counts", "how many values one party has"},
    {NULL, "union.total", "how many values all parties have, added up"},
    {NULL, "union.multiplicities", "at how many parties this value occurs"},
};

const char *disclosures_say(const char *step, const char *name)
{
    for (size_t i = 0; i < sizeof sayings / sizeof *sayings; i++)
        if (strcmp(sayings[i].name, name) == 0 &&
            (sayings[i].step == NULL || strcmp(sayings[i].step, step) == 0))
            return sayings[i].says;
    return NULL;
}

/* Entries of the ledger in words. The names are short, since the protocols pass them around; people
 * read these sentences. A question was answered by yes or no, once per value that the ledger
 * counts. */
#include <string.h>

#include "protocol/disclosures.h"
#include "protocol/module.h"

/* An entry with a step comes before the one of the same name for all steps. */
static const disclosure_saying shared[] = {
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
    {NULL, "classes keep the models", "does this class keep the models?"},
    {NULL, "align.counts", "how many records one site has"},
    {NULL, "intersection", "an own record that all sites have"},
    {NULL, "set.sizes", "how many identifiers one site has"},
    {NULL, "set.overlaps", "how many identifiers one group of sites has in common"},
    {NULL, "terms", "whether the sensitive values can meet the models, and with which classes"},
    {.name = NULL},
};

/* Primitives, wherever they are called. */
static const disclosure_saying primitives[] = {
    {NULL, "sum", "a sum over all parties"},
    {NULL, "and", "is it true at all parties?"},
    {NULL, "or", "is it true at some party?"},
    {NULL, "threshold", "is it true at enough parties?"},
    {NULL, "kth", "the value of a given rank, such as the largest or the median"},
    {NULL, "union", "a value that some party has"},
    {NULL, "union.counts", "how many values one party has"},
    {NULL, "union.total", "how many values all parties have, added up"},
    {NULL, "union.multiplicities", "at how many parties this value occurs"},
    {.name = NULL},
};

static const char *find(const disclosure_saying *s, const char *step, const char *name)
{
    for (; s->name != NULL; s++)
        if (strcmp(s->name, name) == 0 && (s->step == NULL || strcmp(s->step, step) == 0))
            return s->says;
    return NULL;
}

const char *disclosures_say(const char *step, const char *name)
{
    const char *says = find(shared, step, name);
    for (const protocol_module *const *m = protocol_modules; says == NULL && *m != NULL; m++)
        says = find((*m)->sayings, step, name);
    return says != NULL ? says : find(primitives, step, name);
}

#include "protocol/disclosures.h"

#include "core/check.h"

typedef struct list {
    disclosure_line *lines;
    int count;
} list;

static void add(list *l, const char *to, const char *what)
{
    ASSERT(l->count < DISCLOSURES_MAX);
    l->lines[l->count++] = (disclosure_line){to, what};
}

static void add_weave(list *l, const protocol_options *o)
{
    add(l, "all parties",
        "for each node of the tree and each value asked about, whether at least k records (and the "
        "other models) are met");
    add(l, "all parties", "whether what is left over has at least k, and at least 4k, records");
    if (o->reweave > 0)
        add(l, "all parties", "for each neighbourhood rewoven, whether that lowered the loss");
}

/* Over columns the clusters are public record by record; over rows only sizes and closures are. */
static void add_clustering(list *l, const protocol_options *o)
{
    if (o->partition == PARTITION_VERTICAL) {
        add(l, "all parties",
            o->ids_aligned ? "how many records each site has"
                           : "which of its own records all sites have");
        add(l, "all parties", "which records are in which cluster, in every pass");
        add(l, "the holder of sensitive columns, else the first party",
            "sums of cost changes of records and clusters; between two sites, the other's changes");
        return;
    }
    add(l, "all parties", "how many records all sites have together");
    if (!o->hide_sizes)
        add(l, "all parties", "from its questions, a lower bound of each site's number of records");
    add(l, "all parties", "sizes and closures of the clusters that change in every turn");
    add(l, "all parties", "finish hybrid: what dissolving small clusters would cost all together");
    add(l, "the party whose turn it is", "joint closures of clusters without one of its records");
    add(l, "all parties",
        o->private_diversity ? "where a model looks at values, whether the last clusters keep it"
                             : "where a model looks at values, their counts in clusters (finish "
                               "hybrid: in the last ones only)");
    if (o->n_site_models > 0)
        add(l, "all parties",
            "which nodes of attributes named by a model about sites have records of enough sites, "
            "of some, or of none, and whether the last clusters keep such models");
}

static void add_view(list *l, const protocol_options *o)
{
    add(l, "the master",
        "the table under encryption: which cells are equal, how often each occurs");
    add(l, "the master", "the shape of every hierarchy");
    add(l, "the parties on the ring", "numbers of rows and of distinct values of each site");
    if (o->partition != PARTITION_HORIZONTAL)
        add(l, "all parties", "how many identifiers have no partner");
}

void disclosures_list(disclosure_line lines[DISCLOSURES_MAX + 1], const protocol_options *o)
{
    list l = {lines, 0};
    if (o->partition != PARTITION_NONE) {
        if (o->protocol != PROTOCOL_ENCRYPTED_VIEW && o->partition == PARTITION_HORIZONTAL) {
            add(&l, "all parties",
                "which values occur in sensitive columns, and in columns whose values come from "
                "the data");
            add(&l, "all parties", "in which columns some party has missing values");
        }
        if (o->protocol == PROTOCOL_WEAVE)
            add_weave(&l, o);
        else if (o->protocol == PROTOCOL_CLUSTERING)
            add_clustering(&l, o);
        else
            add_view(&l, o);
        add(&l, "all parties", o->own_rows ? "classes and their sizes" : "the release");
    }
    lines[l.count] = (disclosure_line){0};
}

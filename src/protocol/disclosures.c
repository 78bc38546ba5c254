#include "protocol/disclosures.h"

#include <string.h>

#include "core/check.h"
#include "protocol/module.h"

const char *disclosures_audience(disclosure_audience to)
{
    static const char *const names[] = {
        [DISCLOSED_TO_ALL] = "all parties",
        [DISCLOSED_TO_SITES] = "all parties with data",
        [DISCLOSED_TO_FIRST] = "the first party",
        [DISCLOSED_TO_LATER] = "all parties but the first",
        [DISCLOSED_TO_LAST] = "the last party",
        [DISCLOSED_TO_PIVOT] = "the holder of sensitive columns, else the first party",
        [DISCLOSED_TO_OTHERS] = "all other parties",
        [DISCLOSED_TO_MASTER] = "the master",
        [DISCLOSED_TO_SMALLER] = "the party with fewer rows",
        [DISCLOSED_TO_GENERATOR] = "the key generator together with the party with fewer rows",
    };
    return names[to];
}

bool disclosures_reach(disclosure_audience to, const disclosure_case *c, uint32_t party)
{
    const uint32_t n_holders = options_holders(c->options, c->n_parties);
    switch (to) {
    case DISCLOSED_TO_SITES: return party < n_holders;
    case DISCLOSED_TO_FIRST: return party == 0;
    case DISCLOSED_TO_LATER: return party > 0;
    case DISCLOSED_TO_LAST: return party + 1 == c->n_parties;
    case DISCLOSED_TO_PIVOT: return party == c->pivot;
    case DISCLOSED_TO_OTHERS: return party != c->pivot;
    case DISCLOSED_TO_GENERATOR: return false;
    case DISCLOSED_TO_MASTER: return party >= n_holders || party == c->options->master;
    default: return true;
    }
}

static uint64_t site_model_traits(const protocol_options *o)
{
    uint64_t traits = o->min_others > 0 ? TRAIT_M_PRIVACY : 0;
    for (uint32_t i = 0; i < o->n_site_models; i++) {
        const model_spec *m = &o->site_models[i];
        traits |= m->id == MODEL_M_PRIVACY           ? TRAIT_M_PRIVACY
                  : m->variant == VARIANT_ATTRIBUTES ? TRAIT_SITE_VALUES
                                                     : TRAIT_SITE_CLASSES;
    }
    return traits;
}

/* How the data is split, for protocols that leave to others what goes before them and after. */
static uint64_t split_traits(const protocol_options *o)
{
    if (o->partition == PARTITION_HORIZONTAL && o->protocol->rows != NULL)
        return TRAIT_OVER_ROWS;
    if (o->partition == PARTITION_VERTICAL && o->protocol->columns != NULL)
        return o->ids_aligned ? TRAIT_COLUMNS : TRAIT_COLUMNS | TRAIT_MATCHED;
    return 0;
}

static size_t add(const disclosure_line *lines[DISCLOSURES_MAX + 1], size_t count,
                  const disclosure_line *from, uint64_t traits)
{
    for (; from->what != NULL; from++) {
        if ((from->when & ~traits) != 0 || (from->unless & traits) != 0)
            continue;
        ASSERT(count < DISCLOSURES_MAX);
        lines[count++] = from;
    }
    return count;
}

void disclosures_list(const disclosure_line *lines[DISCLOSURES_MAX + 1], const disclosure_case *c)
{
    const protocol_options *o = c->options;
    const uint64_t traits =
        c->traits | split_traits(o) | site_model_traits(o) |
        (o->hide_sizes ? TRAIT_HIDE_SIZES : 0) | (o->withhold < 2 ? TRAIT_SINGLES : 0) |
        (o->private_diversity ? TRAIT_PRIVATE_VALUES : 0) | (o->reweave > 0 ? TRAIT_REWEAVE : 0) |
        (o->name != NAMING_NEVER ? TRAIT_NAME : 0) | (o->units ? TRAIT_PERSONS : 0) |
        (o->overlap == OVERLAP_MATCHED ? TRAIT_HOMES : 0) | (o->pools ? TRAIT_POOLS : 0) |
        (o->quiet ? TRAIT_QUIET : 0) | (o->own_rows ? TRAIT_OWN_ROWS : 0) |
        (c->n_parties == 2 ? TRAIT_TWO_PARTIES : 0);
    size_t count = 0;
    if (o->partition != PARTITION_NONE) {
        count = add(lines, count, disclosures_before, traits);
        count = add(lines, count, o->protocol->disclosures, traits);
        count = add(lines, count, disclosures_after, traits);
    }
    lines[count] = NULL;
}

/* 0: the line is not about this entry; 1: it is, in any step; 2: in this step. */
static int fit(const disclosure_line *line, const char *step, const char *name)
{
    int best = 0;
    for (const disclosure_entry *e = line->entries; e->name != NULL; e++) {
        if (strcmp(e->name, name) != 0 || (e->step != NULL && strcmp(e->step, step) != 0))
            continue;
        best = e->step != NULL ? 2 : best > 1 ? best : 1;
    }
    return best;
}

const disclosure_line *disclosures_find(const disclosure_case *c, uint32_t party, const char *step,
                                        const char *name)
{
    const disclosure_line *lines[DISCLOSURES_MAX + 1], *found = NULL;
    int best = 0;
    disclosures_list(lines, c);
    for (size_t i = 0; lines[i] != NULL; i++) {
        const int now = fit(lines[i], step, name);
        if (now > best && disclosures_reach(lines[i]->to, c, party)) {
            best = now;
            found = lines[i];
        }
    }
    return found;
}

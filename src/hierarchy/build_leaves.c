#include <inttypes.h>
#include <stdio.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"
#include "hierarchy/builders.h"
#include "table/typed_value.h"

void build_leaves_init(leaf_source *leaves, const hierarchy_spec *spec, const domain_spec *domain,
                       const dictionary *values)
{
    *leaves = (leaf_source){.domain = domain, .values = values};
    if (values != NULL)
        leaves->type = values->type;
    else
        leaves->type = spec->kind == HIERARCHY_DATES ? KITH_TYPE_DATE : KITH_TYPE_INTEGER;
    leaves->range = domain->kind == DOMAIN_RANGE;
    if (leaves->range && domain->low >= -0x1p53 && domain->high <= 0x1p53) {
        leaves->low = (int64_t)domain->low;
        leaves->high = (int64_t)domain->high;
    }
}

uint32_t build_leaves_count(const leaf_source *leaves)
{
    if (leaves->range)
        return (uint32_t)(leaves->high - leaves->low + 1);
    return leaves->values == NULL ? 0 : leaves->values->count;
}

int64_t build_leaves_whole(const leaf_source *leaves, uint32_t leaf)
{
    if (!leaves->range)
        return leaves->values->whole[leaf];
    return (leaves->low + leaf) * (leaves->type == KITH_TYPE_DATE ? TYPED_VALUE_DAY : 1);
}

/* How a value of a range, an integer or a day, would be written in the data. */
static size_t range_text(char buffer[LEAF_TEXT], int64_t value, kith_type type)
{
    if (type == KITH_TYPE_DATE)
        return build_dates_label(buffer, value * TYPED_VALUE_DAY, DATE_DAY, true);
    return (size_t)snprintf(buffer, LEAF_TEXT, "%" PRId64, value);
}

const char *build_leaves_text(const leaf_source *leaves, uint32_t leaf, char buffer[LEAF_TEXT],
                              size_t *length)
{
    if (leaves->range) {
        *length = range_text(buffer, leaves->low + leaf, leaves->type);
        return buffer;
    }
    *length = dictionary_length(leaves->values, leaf);
    return dictionary_text(leaves->values, leaf);
}

/* One finding for all values, with an example: there may be thousands. */
static void report_outside(const leaf_source *leaves, kith_findings *findings)
{
    const dictionary *values = leaves->values;
    const int64_t unit = leaves->type == KITH_TYPE_DATE ? TYPED_VALUE_DAY : 1;
    uint32_t outside = 0, example = 0;
    for (uint32_t code = 0; values != NULL && code < values->count; code++)
        if (values->whole[code] < leaves->low * unit || values->whole[code] > leaves->high * unit ||
            values->whole[code] % unit != 0) {
            example = outside == 0 ? code : example;
            outside++;
        }
    if (outside == 0)
        return;
    char low[LEAF_TEXT], high[LEAF_TEXT], shown[80];
    range_text(low, leaves->low, leaves->type);
    range_text(high, leaves->high, leaves->type);
    text_quote(shown, sizeof shown, dictionary_text(values, example),
               dictionary_length(values, example));
    findings_add(findings, KITH_SEVERITY_PROBLEM, NULL, 0, 0,
                 "%u value%s outside the domain from %s to %s, such as '%s'%s", outside,
                 outside == 1 ? " is" : "s are", low, high, shown,
                 values->whole[example] % unit != 0 ? " (a range of dates has no times of day)"
                                                    : "");
}

/* Leaves at the bottom, one root at the top. */
static kith_status fill_ends(const leaf_source *leaves, draft *d, kith_error *error)
{
    uint32_t root;
    TRY(intern_add(&d->labels, "*", 1, &root, error));
    for (uint32_t leaf = 0; leaf < d->n_leaves; leaf++) {
        char buffer[LEAF_TEXT];
        size_t length;
        const char *text = build_leaves_text(leaves, leaf, buffer, &length);
        TRY(draft_set(d, leaf, 0, text, length, error));
        d->cell[(uint64_t)leaf * d->n_levels + d->n_levels - 1] = root;
    }
    return KITH_OK;
}

kith_status build_leaves_begin(const leaf_source *leaves, draft *d, uint32_t n_levels,
                               kith_findings *findings, kith_error *error)
{
    if (leaves->range)
        report_outside(leaves, findings);
    uint32_t count = build_leaves_count(leaves);
    TRY(draft_reserve(d, count > 0 ? count : 1, n_levels, error));
    if (count > 0)
        return fill_ends(leaves, d, error);
    d->placeholder = true;
    for (uint32_t level = 0; level < n_levels; level++)
        TRY(draft_set(d, 0, level, "*", 1, error));
    return KITH_OK;
}

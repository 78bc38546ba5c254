#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"
#include "hierarchy/builders.h"
#include "table/typed_value.h"

/* How a value of a range, an integer or a day, is written by us. */
static size_t plain_text(char buffer[LEAF_TEXT], int64_t value, kith_type type)
{
    if (type == KITH_TYPE_DATE)
        return build_dates_label(buffer, value * TYPED_VALUE_DAY, DATE_DAY, true);
    return (size_t)snprintf(buffer, LEAF_TEXT, "%" PRId64, value);
}

/* How it would be written in the data. */
static size_t range_text(const leaf_source *leaves, char buffer[LEAF_TEXT], int64_t value)
{
    if (leaves->date_format != NULL &&
        typed_value_date_text(buffer, LEAF_TEXT, value * TYPED_VALUE_DAY, leaves->date_format,
                              leaves->c_locale))
        return strlen(buffer);
    return plain_text(buffer, value, leaves->type);
}

static int64_t unit_of(const leaf_source *leaves)
{
    return leaves->type == KITH_TYPE_DATE ? TYPED_VALUE_DAY : 1;
}

static bool is_outside(const leaf_source *leaves, uint32_t code)
{
    const int64_t unit = unit_of(leaves), whole = leaves->values->whole[code];
    return whole < leaves->low * unit || whole > leaves->high * unit || whole % unit != 0;
}

/* The number of texts that the data has of the value of a code and the codes behind it. */
static uint32_t count_texts(const dictionary *values, uint32_t code)
{
    uint32_t end = code + 1;
    while (end < values->count && values->whole[end] == values->whole[code])
        end++;
    return end - code;
}

/* Does the data write all values as the range does? *n_more: leaves for further texts. */
static bool is_plain(const leaf_source *leaves, uint32_t *n_more)
{
    const dictionary *values = leaves->values;
    bool plain = true;
    *n_more = 0;
    for (uint32_t code = 0, n; code < values->count; code += n) {
        char buffer[LEAF_TEXT];
        n = count_texts(values, code);
        if (is_outside(leaves, code))
            continue;
        size_t length = range_text(leaves, buffer, values->whole[code] / unit_of(leaves));
        plain = plain && n == 1 && length == dictionary_length(values, code) &&
                memcmp(buffer, dictionary_text(values, code), length) == 0;
        *n_more += n - 1;
    }
    return plain;
}

/* Gives the values of a range the texts of the data. Of a value that must have a single leaf it is
 * that of the range, unless the data has one text only. */
static kith_status take_texts(leaf_source *leaves, bool single, arena *scratch, kith_error *error)
{
    const dictionary *values = leaves->values;
    uint32_t n_more, code = 0, leaf = 0;
    if (is_plain(leaves, &n_more))
        return KITH_OK;
    leaves->count += single ? 0 : n_more;
    uint32_t *value_of = TRY_ARRAY(value_of, scratch, leaves->count, error);
    uint32_t *code_of = TRY_ARRAY(code_of, scratch, leaves->count, error);
    for (int64_t value = leaves->low; value <= leaves->high; value++) {
        uint32_t n = 0;
        while (code < values->count && values->whole[code] < value * unit_of(leaves))
            code++;
        if (code < values->count && values->whole[code] == value * unit_of(leaves))
            n = count_texts(values, code);
        const bool own = n == 1 || (n > 1 && !single);
        for (uint32_t i = 0; i < (own ? n : 1); i++, leaf++) {
            value_of[leaf] = (uint32_t)(value - leaves->low);
            code_of[leaf] = own ? code + i : UINT32_MAX;
        }
    }
    leaves->value_of = value_of;
    leaves->code_of = code_of;
    return KITH_OK;
}

kith_status build_leaves_init(leaf_source *leaves, const hierarchy_spec *spec,
                              const domain_spec *domain, const dictionary *values, arena *scratch,
                              kith_error *error)
{
    *leaves = (leaf_source){.domain = domain, .values = values, .type = spec->type};
    if (values != NULL)
        leaves->type = values->type;
    else if (spec->type == KITH_TYPE_STRING)
        leaves->type = spec->kind == HIERARCHY_DATES ? KITH_TYPE_DATE : KITH_TYPE_INTEGER;
    leaves->count = values == NULL ? 0 : values->count;
    leaves->range = domain->kind == DOMAIN_RANGE;
    /* Other ranges are refused (hierarchy_spec_check). */
    if (!leaves->range || !(domain->low >= -0x1p53 && domain->high <= 0x1p53) ||
        domain->high - domain->low >= HIERARCHY_MAX_RANGE)
        return KITH_OK;
    leaves->low = (int64_t)domain->low;
    leaves->high = (int64_t)domain->high;
    leaves->count = leaves->low > leaves->high ? 0 : (uint32_t)(leaves->high - leaves->low + 1);
    if (leaves->type == KITH_TYPE_DATE && spec->date_format != NULL) {
        leaves->date_format = spec->date_format;
        leaves->c_locale = text_c_locale();
        if (leaves->c_locale == (locale_t)0)
            return error_nomem(error);
    }
    if (values == NULL || values->whole == NULL || domain->fixed)
        return KITH_OK;
    /* If a single value is a group of the next level, two leaves of it would have one's label. */
    const bool single =
        spec->count > 0 && ((spec->kind == HIERARCHY_INTERVALS && spec->widths[0] == 1) ||
                            (spec->kind == HIERARCHY_DATES && spec->units[0] <= DATE_DAY));
    return take_texts(leaves, single, scratch, error);
}

uint32_t build_leaves_count(const leaf_source *leaves)
{
    return leaves->count;
}

/* The value of a leaf of a range. */
static int64_t value_of(const leaf_source *leaves, uint32_t leaf)
{
    return leaves->low + (leaves->value_of == NULL ? leaf : leaves->value_of[leaf]);
}

int64_t build_leaves_whole(const leaf_source *leaves, uint32_t leaf)
{
    if (!leaves->range)
        return leaves->values->whole[leaf];
    return value_of(leaves, leaf) * unit_of(leaves);
}

const char *build_leaves_text(const leaf_source *leaves, uint32_t leaf, char buffer[LEAF_TEXT],
                              size_t *length)
{
    uint32_t code = leaf;
    if (leaves->range)
        code = leaves->code_of == NULL ? UINT32_MAX : leaves->code_of[leaf];
    if (code == UINT32_MAX) {
        *length = range_text(leaves, buffer, value_of(leaves, leaf));
        return buffer;
    }
    *length = dictionary_length(leaves->values, code);
    return dictionary_text(leaves->values, code);
}

void build_leaves_quote(char shown[80], const leaf_source *leaves, uint32_t leaf)
{
    char buffer[LEAF_TEXT];
    size_t length;
    const char *text = build_leaves_text(leaves, leaf, buffer, &length);
    text_quote(shown, 80, text, length);
}

/* One finding for all values, with an example: there may be thousands. */
static void report_outside(const leaf_source *leaves, kith_findings *findings)
{
    const dictionary *values = leaves->values;
    uint32_t outside = 0, example = 0;
    for (uint32_t code = 0; values != NULL && code < values->count; code++)
        if (is_outside(leaves, code)) {
            example = outside == 0 ? code : example;
            outside++;
        }
    if (outside == 0)
        return;
    char low[LEAF_TEXT], high[LEAF_TEXT], shown[80];
    plain_text(low, leaves->low, leaves->type);
    plain_text(high, leaves->high, leaves->type);
    text_quote(shown, sizeof shown, dictionary_text(values, example),
               dictionary_length(values, example));
    findings_add(findings, KITH_SEVERITY_PROBLEM, NULL, 0, 0,
                 "%u value%s outside the domain from %s to %s, such as '%s'%s", outside,
                 outside == 1 ? " is" : "s are", low, high, shown,
                 values->whole[example] % unit_of(leaves) != 0
                     ? " (a range of dates has no times of day)"
                     : "");
}

kith_status build_leaves_begin(const leaf_source *leaves, draft *d, uint32_t n_levels,
                               kith_findings *findings, kith_error *error)
{
    if (leaves->range)
        report_outside(leaves, findings);
    uint32_t count = build_leaves_count(leaves);
    TRY(draft_reserve(d, count > 0 ? count : 1, n_levels, error));
    if (count > 0 && !leaves->range)
        TRY(draft_take_values(d, leaves->values, error));
    for (uint32_t leaf = 0; leaf < count; leaf++) { /* at the bottom, and one root at the top */
        char buffer[LEAF_TEXT];
        size_t length;
        if (leaves->range) {
            const char *text = build_leaves_text(leaves, leaf, buffer, &length);
            TRY(draft_set(d, leaf, 0, text, length, error));
        }
        TRY(draft_set(d, leaf, n_levels - 1, "*", 1, error));
    }
    d->placeholder = count == 0;
    for (uint32_t level = 0; level < n_levels && d->placeholder; level++)
        TRY(draft_set(d, 0, level, "*", 1, error));
    return KITH_OK;
}

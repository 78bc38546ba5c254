#include "verify/label_meaning.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/typed_value.h"
#include "verify/label_dates.h"

/* The parts of one label while it is read. */
typedef struct reading {
    const label_grammar *g;
    label_meaning *set;
    size_t room;
    arena *memory;
    kith_error *error;
} reading;

static kith_status label_meaning_add(reading *r, label_part part)
{
    TRY_GROW(r->set->parts, r->room, r->set->count + (size_t)1, r->memory, r->error);
    r->set->parts[r->set->count++] = part;
    return KITH_OK;
}

/* A number or a date as the column writes it; dates also as YYYY-MM-DD. */
static bool read_value(const label_grammar *g, const char *text, size_t length, int64_t *whole,
                       double *decimal)
{
    if (g->type == KITH_TYPE_STRING || length == 0)
        return false;
    return typed_value_parse(g->type, g->date_format, text_c_locale(), text, length, whole,
                             decimal) ||
           (g->type == KITH_TYPE_DATE && typed_value_iso_date(text, length, whole));
}

/* From one value to another; both are the same for a single value. */
static kith_status add_span(reading *r, const char *from, size_t from_length, const char *to,
                            size_t to_length)
{
    const label_grammar *g = r->g;
    label_part part = {.kind = g->type == KITH_TYPE_DECIMAL ? LABEL_DECIMAL : LABEL_WHOLE};
    if (g->type == KITH_TYPE_STRING) {
        char *low = TRY_ALLOC(arena_strndup(r->memory, from, from_length), r->error);
        char *high = TRY_ALLOC(arena_strndup(r->memory, to, to_length), r->error);
        part = (label_part){.kind = LABEL_TEXTS, .text = low, .last = high};
        return strcmp(low, high) <= 0 ? label_meaning_add(r, part) : KITH_OK;
    }
    if (!read_value(g, from, from_length, &part.low, &part.from) ||
        !read_value(g, to, to_length, &part.high, &part.to))
        return KITH_OK;
    return part.low <= part.high && part.from <= part.to ? label_meaning_add(r, part) : KITH_OK;
}

/* first..last. Values may hold dots themselves: every place where the text could be cut counts. */
static kith_status label_meaning_read_range(reading *r, const char *text)
{
    for (const char *dots = strstr(text, ".."); dots != NULL; dots = strstr(dots + 1, ".."))
        TRY(add_span(r, text, (size_t)(dots - text), dots + 2, strlen(dots + 2)));
    return KITH_OK;
}

/* 20-24, or "-5 to -1" if the first is negative; both ends belong to it. */
static kith_status read_integers(reading *r, const char *text)
{
    label_part part = {.kind = LABEL_WHOLE};
    const char *to = strstr(text, " to ");
    size_t gap = 4;
    if (to == NULL && text[0] != '\0') {
        to = strchr(text + 1, '-');
        gap = 1;
    }
    if (to == NULL || !text_integer(text, (size_t)(to - text), &part.low) ||
        !text_integer(to + gap, strlen(to + gap), &part.high) || part.low > part.high)
        return KITH_OK;
    return label_meaning_add(r, part);
}

/* [20, 22.5), or [20; 22,5) with decimal commas; the last is outside. */
static kith_status read_decimals(reading *r, const char *text)
{
    label_part part = {.kind = LABEL_DECIMAL, .open = true};
    const char mark = typed_value_mark(r->g->type, r->g->date_format);
    const size_t length = strlen(text);
    const char *gap = strstr(text, mark == ',' ? "; " : ", ");
    if (text[0] != '[' || length < 2 || text[length - 1] != ')' || gap == NULL ||
        !typed_value_decimal(text + 1, (size_t)(gap - text) - 1, mark, &part.from) ||
        !typed_value_decimal(gap + 2, (size_t)(text + length - 1 - (gap + 2)), mark, &part.to))
        return KITH_OK;
    return label_meaning_add(r, part);
}

/* What is shown, and at least one mask character behind (or before) it. It stands for the texts
 * that begin (or end) so and are as long as what is shown, up to as long as the label. */
static kith_status read_mask(reading *r, const char *text)
{
    const hierarchy_spec *h = r->g->hierarchy;
    const size_t length = strlen(text);
    size_t hidden = 0;
    while (hidden < length &&
           text[h->mask_left ? hidden : length - 1 - hidden] == h->mask_character)
        hidden++;
    if (hidden == 0)
        return KITH_OK;
    char *shown = TRY_ALLOC(
        arena_strndup(r->memory, text + (h->mask_left ? hidden : 0), length - hidden), r->error);
    const size_t least = text_characters(shown, length - hidden);
    return label_meaning_add(r, (label_part){.kind = LABEL_MASK,
                                             .text = shown,
                                             .low = (int64_t)least,
                                             .high = (int64_t)(least + hidden)});
}

static kith_status read_dates(reading *r, const char *text)
{
    for (uint32_t i = 0; i < r->g->hierarchy->count; i++) {
        label_part part = {.kind = LABEL_WHOLE};
        if (label_dates_read(text, r->g->hierarchy->units[i], &part.low, &part.high))
            TRY(label_meaning_add(r, part));
    }
    return KITH_OK;
}

/* A label of the file, or a value that the file writes in another way. */
static kith_status read_file(reading *r, const char *text)
{
    const tree *t = &r->g->file->tree;
    uint32_t node = label_index_find(r->g->labels, text);
    if (node == UINT32_MAX)
        return r->g->type == KITH_TYPE_STRING ? KITH_OK
                                              : add_span(r, text, strlen(text), text, strlen(text));
    r->set->all = node == tree_root(t) || strcmp(text, hierarchy_root_label(r->g->file)) == 0;
    return label_meaning_add(
        r, (label_part){.kind = LABEL_LEAVES, .low = t->first[node], .high = t->end[node]});
}

static kith_status read_built(reading *r, const char *text)
{
    const label_grammar *g = r->g;
    if (g->type == KITH_TYPE_STRING)
        TRY(label_meaning_add(r, (label_part){.kind = LABEL_TEXT, .text = text}));
    else
        TRY(add_span(r, text, strlen(text), text, strlen(text)));
    switch (g->hierarchy->kind) {
    case HIERARCHY_INTERVALS:
        return g->type == KITH_TYPE_INTEGER ? read_integers(r, text) : read_decimals(r, text);
    case HIERARCHY_MASK: return read_mask(r, text);
    case HIERARCHY_DATES: return read_dates(r, text);
    case HIERARCHY_ORDER: return label_meaning_read_range(r, text);
    case HIERARCHY_SUPPRESS:
    case HIERARCHY_FILE: break;
    }
    return KITH_OK;
}

kith_status label_meaning_read(label_meaning *set, const label_grammar *grammar, const char *text,
                               arena *memory, kith_error *error)
{
    reading r = {.g = grammar, .set = set, .memory = memory, .error = error};
    *set = (label_meaning){.count = 0};
    if (text == NULL || text[0] == '\0') {
        set->missing = grammar->missing;
        return grammar->file == NULL ? KITH_OK : read_file(&r, "");
    }
    /* `*` is the root wherever it is not another label. */
    set->all = strcmp(text, "*") == 0 &&
               (grammar->file == NULL || label_index_find(grammar->labels, "*") == UINT32_MAX);
    if (set->all)
        return KITH_OK;
    char *own = TRY_ALLOC(arena_strdup(memory, text), error);
    return grammar->file != NULL ? read_file(&r, own) : read_built(&r, own);
}

/* Bounds of intervals are decimal fractions: a double that is as near as rounding allows is at the
 * bound. */
static bool in_decimals(const label_part *p, double value)
{
    const double room = p->open ? 4 * DBL_EPSILON * fabs(p->from) : 0;
    return p->from - room <= value && (p->open ? value < p->to : value <= p->to);
}

static bool in_mask(const label_part *p, const hierarchy_spec *h, const char *text, size_t length)
{
    const size_t shown = strlen(p->text);
    const int64_t count = (int64_t)text_characters(text, length);
    return p->low <= count && count <= p->high && shown <= length &&
           memcmp(text + (h->mask_left ? length - shown : 0), p->text, shown) == 0;
}

static bool part_holds(const label_part *p, const label_grammar *g, const dictionary *values,
                       uint32_t code, uint32_t leaf)
{
    const char *text = dictionary_text(values, code);
    switch (p->kind) {
    case LABEL_TEXT: return strcmp(text, p->text) == 0;
    case LABEL_TEXTS: return strcmp(p->text, text) <= 0 && strcmp(text, p->last) <= 0;
    case LABEL_WHOLE: return p->low <= values->whole[code] && values->whole[code] <= p->high;
    case LABEL_DECIMAL: return in_decimals(p, values->decimal[code]);
    case LABEL_MASK: return in_mask(p, g->hierarchy, text, dictionary_length(values, code));
    case LABEL_LEAVES: return leaf != UINT32_MAX && p->low <= leaf && leaf < p->high;
    }
    return false;
}

/* A missing value may have a leaf in the file. */
bool label_meaning_holds(const label_meaning *set, const label_grammar *grammar,
                         const dictionary *values, uint32_t code, uint32_t leaf)
{
    if (set->all || (code == TABLE_MISSING && set->missing))
        return true;
    for (uint32_t i = 0; i < set->count; i++)
        if (code == TABLE_MISSING ? set->parts[i].kind == LABEL_LEAVES && leaf != UINT32_MAX &&
                                        set->parts[i].low <= leaf && leaf < set->parts[i].high
                                  : part_holds(&set->parts[i], grammar, values, code, leaf))
            return true;
    return false;
}

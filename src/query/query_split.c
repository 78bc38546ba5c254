#include "query/query_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "core/text.h"

typedef struct splitting {
    query_parts *to;
    const query_domain *domain;
    const query_operand *cuts; /* sorted, each once */
    uint32_t n_cuts;
    arena *memory;
    kith_error *error;
} splitting;

static kith_status add_split_part(splitting *s, query_part part)
{
    query_parts *to = s->to;
    if (s->domain->labels != NULL && to->count == QUERY_MAX_PARTS)
        return error_set(s->error, KITH_INVALID,
                         "the condition is too complex: more than %d parts of labels in column %s",
                         QUERY_MAX_PARTS, s->domain->name);
    TRY_GROW(to->all, to->room, to->count + 1, s->memory, s->error);
    to->all[to->count++] = part;
    return KITH_OK;
}

/* --- numbers --- */

/* The numbers of a label between two literals, both outside. */
typedef struct gap {
    double first, last;
    double share; /* of all numbers of the label */
    bool some;
} gap;

static gap gap_between(const query_label *l, double step, double a, double b)
{
    gap g = {.first = fmax(a, l->low), .last = fmin(b, l->high)};
    if (l->low == l->high) {
        g.some = a < l->low && l->low < b;
        g.share = g.some;
        return g;
    }
    if (step == 0) {
        g.some = g.first < g.last;
        g.share = g.some ? (g.last - g.first) / (l->high - l->low) : 0;
        return g;
    }
    if (a >= l->low)
        g.first = l->low + (floor((a - l->low) / step) + 1) * step;
    if (b <= l->high)
        g.last = l->low + (ceil((b - l->low) / step) - 1) * step;
    g.some = g.first <= g.last;
    g.share = g.some ? ((g.last - g.first) / step + 1) / ((l->high - l->low) / step + 1) : 0;
    return g;
}

/* A number in a gap between two literals. */
static double number_between(double a, double b)
{
    return isinf(a) && isinf(b) ? 0 : isinf(a) ? b - 1 : isinf(b) ? a + 1 : a + (b - a) / 2;
}

static kith_status add_gap(splitting *s, const query_label *l, double a, double b)
{
    const double step = s->domain->step;
    const gap g = gap_between(l, step, a, b);
    if (g.some)
        return add_split_part(
            s, (query_part){.share = g.share,
                            .low = g.first,
                            .high = g.last,
                            .number = step == 0 ? g.first + (g.last - g.first) / 2 : g.first});
    if (l->kind != QUERY_LABEL_ANY || b - a <= step)
        return KITH_OK;
    const double x = number_between(a, b); /* beyond what the release shows, but possible */
    return add_split_part(s, (query_part){.low = x, .high = x, .number = x});
}

static kith_status add_literal(splitting *s, const query_label *l, double x)
{
    const double step = s->domain->step;
    const bool inside = l->low <= x && (l->open ? x < l->high : x <= l->high);
    const bool on_grid = l->low == l->high || step == 0 || fmod(x - l->low, step) == 0;
    if (l->kind != QUERY_LABEL_ANY && !(inside && on_grid))
        return KITH_OK;
    double share = l->low == l->high ? 1 : step == 0 ? 0 : 1 / ((l->high - l->low) / step + 1);
    return add_split_part(
        s, (query_part){.share = inside && on_grid ? share : 0, .low = x, .high = x, .number = x});
}

/* No label says a number: what is between two literals is as likely as what is between others. */
static kith_status split_unknown(splitting *s)
{
    uint32_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i <= s->n_cuts; i++) {
            const double a = i == 0 ? -HUGE_VAL : s->cuts[i - 1].number;
            const double b = i == s->n_cuts ? HUGE_VAL : s->cuts[i].number;
            const bool wide = b - a > s->domain->step;
            n += pass == 0 && wide;
            if (pass == 1 && wide)
                TRY(add_split_part(s, (query_part){.share = 1.0 / n,
                                                   .number = number_between(a, b),
                                                   .unknown = true}));
            if (pass == 1 && i < s->n_cuts)
                TRY(add_split_part(s, (query_part){.number = b, .unknown = true}));
        }
    return KITH_OK;
}

static kith_status split_numbers(splitting *s, const query_label *l)
{
    if (l->unknown)
        return split_unknown(s);
    for (uint32_t i = 0; i <= s->n_cuts; i++) {
        const double a = i == 0 ? -HUGE_VAL : s->cuts[i - 1].number;
        TRY(add_gap(s, l, a, i == s->n_cuts ? HUGE_VAL : s->cuts[i].number));
        if (i < s->n_cuts)
            TRY(add_literal(s, l, s->cuts[i].number));
    }
    return KITH_OK;
}

/* --- texts --- */

static bool can_be(const query_label *l, const char *text)
{
    if (l->kind == QUERY_LABEL_RANGE)
        return strcmp(l->from, text) <= 0 && strcmp(text, l->to) <= 0;
    if (l->kind == QUERY_LABEL_ANY)
        return true;
    const size_t shown = strlen(l->from), length = strlen(text), n = text_characters(text, length);
    return l->least <= n && n <= l->most && shown <= length &&
           memcmp(l->at_end ? text + length - shown : text, l->from, shown) == 0;
}

/* Can a label be a text between two others? NULL: there is none on this side. */
static bool can_be_between(const query_label *l, const char *a, const char *b)
{
    if (l->kind == QUERY_LABEL_RANGE)
        return (b == NULL || strcmp(l->from, b) < 0) && (a == NULL || strcmp(a, l->to) < 0);
    if (l->kind == QUERY_LABEL_ANY || l->at_end)
        return true;
    return (b == NULL || strcmp(l->from, b) < 0) &&
           (a == NULL || strncmp(a, l->from, strlen(l->from)) <= 0);
}

/* Where a text stands among those that begin like a mask, as if 0 to 9 were hidden: 0 before all of
 * them, 1 after. */
static double query_split_place_of(const query_label *l, const char *text)
{
    const size_t shown = strlen(l->from);
    const int order = strncmp(text, l->from, shown);
    double place = 0, unit = 1;
    if (order != 0)
        return order > 0;
    for (const char *c = text + shown; *c >= '0' && unit > 1e-12; c++) {
        unit /= 10;
        place += (*c > '9' ? 10 : *c - '0') * unit;
        if (*c > '9')
            break;
    }
    return place;
}

/* The literals of a query among the texts of one label. */
typedef struct text_split {
    const query_label *label;
    double literal;      /* the share of one literal that it can be */
    double n_other_gaps; /* gaps that share the rest evenly, unless the texts are in order */
    uint32_t n_literals;
} text_split;

/* The share of what is between literals i - 1 and i. */
static double gap_share(const splitting *s, const text_split *t, uint32_t i)
{
    const query_label *l = t->label;
    if (l->kind != QUERY_LABEL_MASK || l->at_end)
        return (1 - t->n_literals * t->literal) / t->n_other_gaps;
    const double to = i == s->n_cuts ? 1 : query_split_place_of(l, s->cuts[i].text);
    if (i == 0)
        return to;
    const char *before = s->cuts[i - 1].text;
    return fmax(0, to - query_split_place_of(l, before) - (can_be(l, before) ? t->literal : 0));
}

/* Adds the parts, divided by `total`; returns what their shares add up to. With `total` 0 nothing
 * is added. */
static kith_status add_texts(splitting *s, const text_split *t, double total, double *sum)
{
    const query_label *l = t->label;
    *sum = 0;
    for (uint32_t i = 0; i <= s->n_cuts; i++) {
        const char *a = i == 0 ? NULL : s->cuts[i - 1].text;
        if (can_be_between(l, a, i == s->n_cuts ? NULL : s->cuts[i].text)) {
            const double share = gap_share(s, t, i);
            *sum += share;
            if (total > 0)
                TRY(add_split_part(s,
                                   (query_part){.share = share / total, .text = a, .above = true}));
        }
        if (i < s->n_cuts && can_be(l, s->cuts[i].text)) {
            *sum += t->literal;
            if (total > 0)
                TRY(add_split_part(
                    s, (query_part){.share = t->literal / total, .text = s->cuts[i].text}));
        }
    }
    return KITH_OK;
}

static kith_status split_texts(splitting *s, const query_label *l)
{
    text_split t = {.label = l};
    double total;
    if (l->kind == QUERY_LABEL_RANGE && strcmp(l->from, l->to) == 0)
        return add_split_part(s, (query_part){.share = 1, .text = l->from});
    for (uint32_t i = 0; i <= s->n_cuts; i++) {
        t.n_other_gaps += can_be_between(l, i == 0 ? NULL : s->cuts[i - 1].text,
                                         i == s->n_cuts ? NULL : s->cuts[i].text);
        t.n_literals += i < s->n_cuts && can_be(l, s->cuts[i].text);
    }
    /* A label counts as ten characters for each hidden one; of other labels nothing tells it, and
     * they count as many texts as the release has labels of the column. */
    const double n_texts =
        l->kind == QUERY_LABEL_MASK ? pow(10, l->most - l->least) : s->domain->n_values;
    t.literal = 1 / fmax(n_texts, t.n_literals + 1.0);
    TRY(add_texts(s, &t, 0, &total));
    return add_texts(s, &t, total, &total);
}

/* --- all positions --- */

static kith_status split_label(splitting *s, const query_label *l)
{
    if (l->missing) /* possible, but not expected */
        TRY(add_split_part(s, (query_part){.missing = true}));
    if (l->kind == QUERY_LABEL_LIST) {
        for (uint32_t i = 0; i < l->count; i++) {
            const double x = l->numbers == NULL ? 0 : l->numbers[i];
            TRY(add_split_part(s, (query_part){.share = 1.0 / l->count,
                                               .low = x,
                                               .high = x,
                                               .number = x,
                                               .text = l->texts[i]}));
        }
        return KITH_OK;
    }
    return s->domain->numbers != NULL ? split_numbers(s, l) : split_texts(s, l);
}

static kith_status split_position(splitting *s, uint32_t v)
{
    const query_domain *d = s->domain;
    if (v == d->n_values)
        return add_split_part(s, (query_part){.share = 1, .missing = true});
    if (d->labels != NULL)
        return split_label(s, &d->labels[v]);
    const double x = d->numbers == NULL ? 0 : d->numbers[v];
    return add_split_part(
        s, (query_part){.share = 1, .low = x, .high = x, .number = x, .text = d->texts[v]});
}

static int compare_numbers(const void *left, const void *right)
{
    const query_operand *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

kith_status query_split(query_parts *parts, const query_domain *d, query_operand *literals,
                        uint32_t n_literals, arena *memory, kith_error *error)
{
    int (*const compare)(const void *, const void *) =
        d->numbers != NULL ? compare_numbers : sort_text;
    splitting s = {.to = parts, .domain = d, .cuts = literals, .memory = memory, .error = error};
    *parts = (query_parts){0};
    parts->first = TRY_ARRAY(parts->first, memory, (size_t)d->n_values + 2, error);
    if (n_literals > 0)
        qsort(literals, n_literals, sizeof *literals, compare);
    for (uint32_t i = 0; i < n_literals; i++)
        if (i == 0 || compare(&literals[s.n_cuts - 1], &literals[i]) != 0)
            literals[s.n_cuts++] = literals[i];
    for (uint32_t v = 0; v <= d->n_values; v++) {
        parts->first[v] = (uint32_t)parts->count;
        TRY(split_position(&s, v));
    }
    parts->first[d->n_values + 1] = (uint32_t)parts->count;
    return KITH_OK;
}

int query_split_compare(const query_domain *d, const query_part *part, const query_operand *literal)
{
    if (d->numbers != NULL)
        return part->number < literal->number ? -1 : part->number > literal->number;
    if (part->above)
        return part->text != NULL && strcmp(part->text, literal->text) >= 0 ? 1 : -1;
    return strcmp(part->text, literal->text);
}

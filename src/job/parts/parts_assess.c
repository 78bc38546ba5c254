/* Assessment over ranks: rows move to where their classes are complete, and records to where those
 * that were equal before are together. */
#include <string.h>

#include "core/error.h"
#include "job/parts/part_rows.h"
#include "job/parts/parts.h"

/* The classes of own rows, complete or not, and how roots appear. */
typedef struct shown_classes {
    classes groups;
    uint32_t *quasi; /* [n_quasi] columns of the release */
    suppressed_root *roots;
} shown_classes;

static kith_status show_classes(shown_classes *s, const parts *p, const prepared *own,
                                const kith_table *texts, context *c, kith_error *error)
{
    const uint32_t n = p->texts->n_quasi;
    s->quasi = TRY_ALLOC(arena_array(c->memory, n, sizeof *s->quasi), error);
    s->roots = TRY_ALLOC(arena_array(c->memory, n, sizeof *s->roots), error);
    for (uint32_t j = 0; j < n; j++)
        s->quasi[j] = table_find(texts, p->texts->columns[j].name);
    for (uint32_t i = 0, j = 0; i < own->study->n_columns; i++)
        if (own->study->columns[i].role == ROLE_QUASI_IDENTIFYING)
            TRY(assess_root(&s->roots[j++], &own->study->columns[i], own, c, error));
    return classes_make(&s->groups, c->memory, texts, s->quasi, n, error);
}

/* The rows of a class that shows these roots, or 0. */
static uint64_t count_rows(const shown_classes *s, const kith_table *texts,
                           const suppressed_root *roots, uint32_t n_quasi)
{
    const uint32_t found = suppressed_find(texts, &s->groups, s->quasi, roots, n_quasi, UINT64_MAX);
    return found == UINT32_MAX ? 0 : s->groups.size[found];
}

/* Asks all ranks for rows that show `*` for roots; the first of the whole release decide which
 * texts count. False: there are none. */
static kith_status choose_stars(bool *any, suppressed_root *roots, const parts *p,
                                const shown_classes *s, const kith_table *texts, context *c,
                                kith_error *error)
{
    const uint32_t n = p->texts->n_quasi, n_ranks = crew_size(c->crew);
    const uint32_t found = suppressed_find(texts, &s->groups, s->quasi, s->roots, n, UINT64_MAX);
    uint32_t *codes = TRY_ALLOC(arena_array(c->memory, n, sizeof *codes), error);
    crew_bytes *all = TRY_ALLOC(arena_array(c->memory, n_ranks, sizeof *all), error);
    for (uint32_t j = 0; j < n && found != UINT32_MAX; j++)
        codes[j] = texts->columns[s->quasi[j]].codes[s->groups.first[found]];
    const size_t n_bytes = found == UINT32_MAX ? 0 : n * sizeof *codes;
    TRY(crew_gather(c->crew, codes, n_bytes, all, c->memory, error));
    *any = false;
    for (uint32_t r = 0; r < n_ranks && !*any; r++) {
        *any = all[r].n_bytes > 0;
        for (uint32_t j = 0; j < n && *any; j++) {
            uint32_t code;
            memcpy(&code, (const char *)all[r].bytes + j * sizeof code, sizeof code);
            roots[j] =
                (suppressed_root){.label = dictionary_text(&p->texts->columns[j].values, code)};
        }
    }
    return KITH_OK;
}

/* Finds out what suppressed rows show, by the rule of suppressed_find for the whole release. */
static kith_status find_suppressed(parts *p, const prepared *own, const kith_table *texts,
                                   arena *memory, kith_error *error)
{
    const uint64_t may_suppress = assess_may_suppress(own->study, p->whole.n_rows);
    const uint32_t n = p->texts->n_quasi;
    shown_classes s;
    kith_table recoded;
    context own_context = *p->context, *c = &own_context;
    c->memory = memory;
    if (may_suppress == 0 || n == 0)
        return KITH_OK;
    TRY(part_texts_recode(p->texts, &recoded, texts, memory, error));
    texts = &recoded;
    TRY(show_classes(&s, p, own, texts, c, error));
    suppressed_root *roots = TRY_ALLOC(arena_array(c->memory, n, sizeof *roots), error);
    for (uint32_t j = 0; j < n; j++)
        roots[j] = (suppressed_root){.label = s.roots[j].label};
    uint64_t n_suppressed = count_rows(&s, texts, roots, n);
    TRY(crew_sum(c->crew, &n_suppressed, 1, error));
    if (n_suppressed == 0) {
        bool any = false;
        TRY(choose_stars(&any, roots, p, &s, texts, c, error));
        n_suppressed = any ? count_rows(&s, texts, roots, n) : 0;
        TRY(crew_sum(c->crew, &n_suppressed, 1, error));
    }
    if (n_suppressed == 0 || n_suppressed > may_suppress)
        return KITH_OK;
    const char **shown = TRY_ALLOC(arena_array(p->context->memory, n, sizeof *shown), error);
    for (uint32_t j = 0; j < n; j++)
        shown[j] = TRY_ALLOC(arena_strdup(p->context->memory, roots[j].label), error);
    p->whole.suppressed = shown;
    return KITH_OK;
}

/* The rows of a release that has the dictionaries of the whole as numbers: its codes, a missing
 * cell behind them; then the label, if it is one of the data. Takes the codes over. */
static kith_status rows_of(part_rows *rows, const parts *p, const prepared *own,
                           const kith_table *recoded, arena *memory, kith_error *error)
{
    const uint32_t n_texts = p->texts->n_columns, n = n_texts + parts_labels_data(p);
    uint32_t *n_codes = TRY_ALLOC(arena_array(memory, n, sizeof *n_codes), error);
    *rows = (part_rows){.n_rows = recoded->n_rows, .n_columns = n, .n_keys = p->texts->n_quasi};
    rows->codes = TRY_ALLOC(arena_array(memory, n, sizeof *rows->codes), error);
    rows->n_codes = n_codes;
    for (uint32_t i = 0; i < n_texts; i++) {
        const column *from = &recoded->columns[table_find(recoded, p->texts->columns[i].name)];
        n_codes[i] = from->values.count + 1;
        rows->codes[i] = from->codes;
        for (uint32_t row = 0; row < rows->n_rows; row++)
            if (from->codes[row] == TABLE_MISSING)
                from->codes[row] = from->values.count;
    }
    if (n == n_texts)
        return KITH_OK;
    uint32_t *labels = TRY_ALLOC(arena_array(memory, rows->n_rows, sizeof *labels), error);
    for (uint32_t row = 0; row < rows->n_rows; row++)
        labels[row] = parts_label(p, own, row);
    n_codes[n_texts] = p->losses.n_labels;
    rows->codes[n_texts] = labels;
    return KITH_OK;
}

/* A table of rows that have come. */
static kith_status table_of(kith_table *table, const part_rows *rows, const parts *p,
                            const char *source, arena *memory, kith_error *error)
{
    const uint32_t n = p->texts->n_columns;
    *table =
        (kith_table){.memory = memory, .source = source, .n_rows = rows->n_rows, .n_columns = n};
    table->columns = TRY_ALLOC(arena_zalloc(memory, n, sizeof *table->columns), error);
    for (uint32_t i = 0; i < n; i++) {
        const part_texts_column *of = &p->texts->columns[i];
        table->columns[i] =
            (column){.name = of->name, .values = of->values, .codes = rows->codes[i], .place = i};
        for (uint32_t row = 0; row < rows->n_rows; row++)
            if (rows->codes[i][row] == of->values.count)
                rows->codes[i][row] = TABLE_MISSING;
    }
    return KITH_OK;
}

static kith_status send_rows(part_rows *in, const parts *p, const prepared *own,
                             const kith_table *texts, arena *sent, arena *memory, kith_error *error)
{
    kith_table recoded;
    part_rows out;
    TRY(part_texts_recode(p->texts, &recoded, texts, sent, error));
    TRY(rows_of(&out, p, own, &recoded, sent, error));
    return part_rows_exchange(in, &out, p->context, memory, error);
}

static kith_status add_classes(parts *p, const part_rows *in, const kith_table *texts,
                               arena *memory, kith_error *error)
{
    kith_table complete;
    TRY(table_of(&complete, in, p, texts->source, memory, error));
    return parts_add_classes(p, &complete,
                             parts_labels_data(p) ? in->codes[p->texts->n_columns] : NULL, error);
}

static kith_status assess_classes(parts *p, const prepared *own, const kith_table *texts,
                                  arena *memory, kith_error *error)
{
    part_rows in;
    arena *sent = TRY_ALLOC(arena_new_like(memory), error);
    kith_status status = send_rows(&in, p, own, texts, sent, memory, error);
    const bool shared = crew_size(p->context->crew) == 1; /* what comes is what was sent */
    if (!shared)
        arena_free(sent); /* before much more memory is needed */
    if (status == KITH_OK)
        status = add_classes(p, &in, texts, memory, error);
    if (shared)
        arena_free(sent);
    return status;
}

static kith_status assess_originals(parts *p, const prepared *own, const kith_table *texts,
                                    arena *memory, kith_error *error)
{
    (void)texts;
    const uint32_t n = own->problem.n_attributes;
    uint32_t *n_codes = TRY_ALLOC(arena_array(memory, n, sizeof *n_codes), error);
    part_rows in, out = {.n_rows = own->n_rows, .n_columns = n, .n_keys = n, .n_codes = n_codes};
    out.codes = TRY_ALLOC(arena_array(memory, n, sizeof *out.codes), error);
    for (uint32_t j = 0; j < n; j++) {
        out.codes[j] = (uint32_t *)own->problem.attributes[j].cells;
        n_codes[j] = own->problem.attributes[j].tree->n_nodes;
    }
    TRY(part_rows_exchange(&in, &out, p->context, memory, error));
    return parts_add_originals(p, in.codes, in.n_rows, error);
}

/* Records `first` and those that follow it. */
static kith_status take_records(prepared *some, kith_table *shown, const prepared *own,
                                const kith_table *texts, uint32_t first, uint32_t count,
                                arena *memory, kith_error *error)
{
    const problem *p = &own->problem;
    attribute *attributes =
        TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *attributes), error);
    sensitive_attribute *sensitive =
        TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *sensitive), error);
    *some = *own;
    *shown = *texts;
    shown->columns =
        TRY_ALLOC(arena_array(memory, texts->n_columns, sizeof *shown->columns), error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        attributes[j] = p->attributes[j];
        attributes[j].cells += first;
    }
    for (uint32_t i = 0; i < p->n_sensitive; i++) {
        sensitive[i] = p->sensitive[i];
        sensitive[i].values += first;
    }
    for (uint32_t i = 0; i < texts->n_columns; i++) {
        shown->columns[i] = texts->columns[i];
        shown->columns[i].codes += first;
    }
    some->rows += first;
    some->n_rows = some->problem.n_records = shown->n_rows = count;
    some->problem.attributes = attributes;
    some->problem.sensitive = sensitive;
    return KITH_OK;
}

/* In blocks, since it takes some memory for every record. */
static kith_status assess_records(parts *p, const prepared *own, const kith_table *texts,
                                  arena *memory, kith_error *error)
{
    enum { BLOCK = 1 << 17 };
    for (uint32_t first = 0; first < own->n_rows; first += BLOCK) {
        const uint32_t left = own->n_rows - first;
        prepared some;
        kith_table shown;
        TRY(take_records(&some, &shown, own, texts, first, left < BLOCK ? left : BLOCK, memory,
                         error));
        TRY(parts_add_records(p, &some, &shown, error));
    }
    return KITH_OK;
}

typedef kith_status step(parts *p, const prepared *own, const kith_table *texts, arena *memory,
                         kith_error *error);

/* Each step with memory that is given back. */
static kith_status take_steps(parts *p, const prepared *own, const kith_table *texts,
                              kith_error *error)
{
    static step *const steps[] = {find_suppressed, assess_records, assess_classes,
                                  assess_originals};
    kith_status status = KITH_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == KITH_OK; i++) {
        arena *memory = TRY_ALLOC(arena_new_like(p->context->memory), error);
        status = steps[i](p, own, texts, memory, error);
        arena_free(memory);
    }
    return status;
}

kith_status parts_assess(assessment *out, const prepared *own, const kith_table *texts, context *c,
                         kith_error *error)
{
    parts *p;
    TRY(parts_new(&p, own, c, error));
    TRY(parts_survey(p, texts, error));
    TRY(parts_surveyed(p, error));
    TRY(take_steps(p, own, texts, error));
    TRY(parts_finish(out, p, error));
    return publication_judge_models(&out->verified, own->study, error);
}

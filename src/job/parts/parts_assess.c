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
                                   context *c, kith_error *error)
{
    const uint64_t may_suppress = assess_may_suppress(own->study, p->whole.n_rows);
    const uint32_t n = p->texts->n_quasi;
    shown_classes s;
    if (may_suppress == 0 || n == 0)
        return KITH_OK;
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

/* The rows of the release as numbers: codes of the whole, a missing cell behind them; then the
 * label, if it is one of the data. */
static kith_status rows_of(part_rows *rows, const parts *p, const prepared *own,
                           const kith_table *texts, arena *memory, kith_error *error)
{
    const uint32_t n_texts = p->texts->n_columns, n = n_texts + parts_labels_data(p);
    uint32_t *n_codes = TRY_ALLOC(arena_array(memory, n, sizeof *n_codes), error);
    *rows = (part_rows){.n_rows = texts->n_rows, .n_columns = n, .n_keys = p->texts->n_quasi};
    rows->codes = TRY_ALLOC(arena_array(memory, n, sizeof *rows->codes), error);
    rows->n_codes = n_codes;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *codes = TRY_ALLOC(arena_array(memory, rows->n_rows, sizeof *codes), error);
        rows->codes[i] = codes;
        if (i == n_texts) {
            n_codes[i] = p->losses.n_labels;
            for (uint32_t row = 0; row < rows->n_rows; row++)
                codes[row] = parts_label(p, own, row);
            continue;
        }
        const column *from = &texts->columns[table_find(texts, p->texts->columns[i].name)];
        n_codes[i] = from->values.count + 1;
        for (uint32_t row = 0; row < rows->n_rows; row++)
            codes[row] = from->codes[row] == TABLE_MISSING ? from->values.count : from->codes[row];
    }
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

static kith_status assess_classes(parts *p, const prepared *own, const kith_table *texts,
                                  arena *memory, kith_error *error)
{
    part_rows out, in;
    kith_table complete;
    TRY(rows_of(&out, p, own, texts, memory, error));
    TRY(part_rows_exchange(&in, &out, p->context, memory, error));
    TRY(table_of(&complete, &in, p, texts->source, memory, error));
    return parts_add_classes(p, &complete,
                             parts_labels_data(p) ? in.codes[p->texts->n_columns] : NULL, error);
}

static kith_status assess_originals(parts *p, const prepared *own, arena *memory, kith_error *error)
{
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

/* With memory that is given back. */
static kith_status assess_share(parts *p, const prepared *own, const kith_table *texts, context *c,
                                kith_error *error)
{
    kith_table recoded;
    TRY(part_texts_recode(p->texts, &recoded, texts, c->memory, error));
    TRY(find_suppressed(p, own, &recoded, c, error));
    TRY(parts_add_records(p, own, texts, error));
    TRY(assess_classes(p, own, &recoded, c->memory, error));
    return assess_originals(p, own, c->memory, error);
}

kith_status parts_assess(assessment *out, const prepared *own, const kith_table *texts, context *c,
                         kith_error *error)
{
    parts *p;
    TRY(parts_new(&p, own, c, error));
    TRY(parts_survey(p, texts, error));
    TRY(parts_surveyed(p, error));
    context share = *c;
    share.memory = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_status status = assess_share(p, own, texts, &share, error);
    arena_free(share.memory);
    TRY(status);
    TRY(parts_finish(out, p, error));
    return publication_judge_models(&out->verified, own->study, error);
}

#include "job/parts/part_suppressed.h"

#include <string.h>

#include "core/crew.h"
#include "core/error.h"

/* The classes of own rows, complete or not, and how roots appear. */
typedef struct shown_classes {
    classes groups;
    uint32_t *quasi; /* [n_quasi] columns of the release */
    suppressed_root *roots;
} shown_classes;

static kith_status show_classes(shown_classes *s, const part_texts *t, const kith_study *study,
                                const prepared *data, const kith_table *texts, context *c,
                                kith_error *error)
{
    const uint32_t n = t->n_quasi;
    s->quasi = TRY_ALLOC(arena_array(c->memory, n, sizeof *s->quasi), error);
    s->roots = TRY_ALLOC(arena_array(c->memory, n, sizeof *s->roots), error);
    for (uint32_t j = 0; j < n; j++)
        s->quasi[j] = table_find(texts, t->columns[j].name);
    for (uint32_t i = 0, j = 0; i < study->n_columns; i++)
        if (study->columns[i].role == ROLE_QUASI_IDENTIFYING)
            TRY(assess_root(&s->roots[j++], &study->columns[i], data, c, error));
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
static kith_status choose_stars(bool *any, suppressed_root *roots, const part_texts *t,
                                const shown_classes *s, const kith_table *texts, context *c,
                                kith_error *error)
{
    const uint32_t n = t->n_quasi, n_ranks = crew_size(c->crew);
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
            roots[j] = (suppressed_root){.label = dictionary_text(&t->columns[j].values, code)};
        }
    }
    return KITH_OK;
}

kith_status part_suppressed_find(assess_whole *whole, const part_texts *t, const kith_study *study,
                                 const prepared *data, const kith_table *texts, context *c,
                                 kith_error *error)
{
    const uint64_t may_suppress = assess_may_suppress(study, whole->n_rows);
    const uint32_t n = t->n_quasi;
    shown_classes s;
    kith_table recoded;
    if (may_suppress == 0 || n == 0)
        return KITH_OK;
    TRY(part_texts_recode(t, &recoded, texts, c->memory, error));
    texts = &recoded;
    TRY(show_classes(&s, t, study, data, texts, c, error));
    suppressed_root *roots = TRY_ALLOC(arena_array(c->memory, n, sizeof *roots), error);
    for (uint32_t j = 0; j < n; j++)
        roots[j] = (suppressed_root){.label = s.roots[j].label};
    uint64_t n_suppressed = count_rows(&s, texts, roots, n);
    TRY(crew_sum(c->crew, &n_suppressed, 1, error));
    if (n_suppressed == 0) {
        bool any = false;
        TRY(choose_stars(&any, roots, t, &s, texts, c, error));
        n_suppressed = any ? count_rows(&s, texts, roots, n) : 0;
        TRY(crew_sum(c->crew, &n_suppressed, 1, error));
    }
    if (n_suppressed == 0 || n_suppressed > may_suppress)
        return KITH_OK;
    const char **shown = TRY_ALLOC(arena_array(t->context->memory, n, sizeof *shown), error);
    for (uint32_t j = 0; j < n; j++)
        shown[j] = TRY_ALLOC(arena_strdup(t->context->memory, roots[j].label), error);
    whole->suppressed = shown;
    return KITH_OK;
}

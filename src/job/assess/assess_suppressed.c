/* Which rows of a release in parts are suppressed. */
#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "job/assess/assess_internal.h"

/* The classes of own rows, complete or not, and how roots appear. */
typedef struct shown_classes {
    classes groups;
    uint32_t n_quasi, *quasi; /* [n_quasi] columns of the release */
    suppressed_root *roots;
} shown_classes;

/* The rows of a class that shows these roots, or 0. */
static uint64_t count_rows(const shown_classes *s, const kith_table *texts,
                           const suppressed_root *roots)
{
    const uint32_t found =
        suppressed_find(texts, &s->groups, s->quasi, roots, s->n_quasi, UINT64_MAX);
    return found == UINT32_MAX ? 0 : s->groups.size[found];
}

/* Asks all ranks for rows that show `*` for roots; the first of the whole release decide which
 * texts count. False: there are none. */
static kith_status choose_stars(bool *any, suppressed_root *roots, const shown_classes *s,
                                const kith_table *texts, context *c, kith_error *error)
{
    const uint32_t n = s->n_quasi, n_ranks = ranks_count(c->ranks);
    const uint32_t found = suppressed_find(texts, &s->groups, s->quasi, s->roots, n, UINT64_MAX);
    uint32_t *codes = TRY_ARRAY(codes, c->memory, n, error);
    ranks_bytes *all = TRY_ARRAY(all, c->memory, n_ranks, error);
    for (uint32_t j = 0; j < n && found != UINT32_MAX; j++)
        codes[j] = texts->columns[s->quasi[j]].codes[s->groups.first[found]];
    const size_t n_bytes = found == UINT32_MAX ? 0 : n * sizeof *codes;
    TRY(ranks_gather(c->ranks, codes, n_bytes, all, c->memory, error));
    *any = false;
    for (uint32_t r = 0; r < n_ranks && !*any; r++) {
        *any = all[r].n_bytes > 0;
        for (uint32_t j = 0; j < n && *any; j++) {
            uint32_t code;
            memcpy(&code, (const char *)all[r].bytes + j * sizeof code, sizeof code);
            roots[j] = (suppressed_root){
                .label = dictionary_text(&texts->columns[s->quasi[j]].values, code)};
        }
    }
    return KITH_OK;
}

static kith_status keep(assess_whole *whole, const suppressed_root *found, uint64_t n_rows,
                        bool stars, uint32_t n_quasi, arena *memory, kith_error *error)
{
    const char **shown = TRY_ARRAY(shown, memory, n_quasi, error);
    for (uint32_t j = 0; j < n_quasi; j++)
        shown[j] = TRY_ALLOC(arena_strdup(memory, found[j].label), error);
    whole->suppressed = shown;
    whole->n_suppressed = n_rows;
    whole->stars = stars;
    return KITH_OK;
}

kith_status assess_count_suppressed(uint64_t *n_rows, const assess_whole *whole,
                                    const assess_task *task, const kith_table *texts, context *c,
                                    kith_error *error)
{
    shown_classes s;
    if (whole->suppressed == NULL)
        return KITH_OK;
    TRY(assess_quasi(&s.quasi, &s.n_quasi, task->study, texts, c, error));
    TRY(classes_make(&s.groups, c->memory, texts, s.quasi, s.n_quasi, error));
    suppressed_root *roots = TRY_ZEROS(roots, c->memory, s.n_quasi, error);
    for (uint32_t j = 0; j < s.n_quasi; j++)
        roots[j].label = whole->suppressed[j];
    *n_rows += count_rows(&s, texts, roots);
    return KITH_OK;
}

kith_status assess_find_suppressed(assess_whole *whole, const assess_task *task,
                                   const kith_table *texts, context *c, kith_error *error)
{
    context own = *c;
    if (assess_may_suppress(task->study, whole->n_rows) == 0 ||
        (whole->suppressed != NULL && !whole->stars))
        return KITH_OK;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    own.memory = memory;
    /* Rows that show the labels of the roots count before those that show stars. What is found is
     * kept in c->memory. */
    shown_classes s;
    bool any = false;
    TRY(assess_quasi(&s.quasi, &s.n_quasi, task->study, texts, &own, error));
    TRY(assess_roots(&s.roots, task, &own, error));
    TRY(classes_make(&s.groups, own.memory, texts, s.quasi, s.n_quasi, error));
    suppressed_root *found = TRY_ARRAY(found, own.memory, s.n_quasi, error);
    for (uint32_t j = 0; j < s.n_quasi; j++)
        found[j] = (suppressed_root){.label = s.roots[j].label};
    uint64_t n_rows = count_rows(&s, texts, found);
    TRY(ranks_sum(own.ranks, &n_rows, 1, error));
    if (n_rows > 0)
        return keep(whole, found, n_rows, false, s.n_quasi, c->memory, error);
    if (whole->suppressed == NULL)
        TRY(choose_stars(&any, found, &s, texts, &own, error));
    if (!any)
        return KITH_OK;
    n_rows = count_rows(&s, texts, found);
    TRY(ranks_sum(own.ranks, &n_rows, 1, error));
    return keep(whole, found, n_rows, true, s.n_quasi, c->memory, error);
}

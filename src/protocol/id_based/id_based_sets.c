#include "protocol/id_based/id_based_sets.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/sort.h"

uint32_t id_based_names_find(const id_based_names *names, const id_based_name *name)
{
    const id_based_name *found =
        names->count == 0 ? NULL
                          : bsearch(name, names->name, names->count, sizeof *name, sort_32_bytes);
    return found == NULL ? UINT32_MAX : (uint32_t)(found - names->name);
}

bool id_based_names_have(const id_based_names *names, const id_based_name *name)
{
    return id_based_names_find(names, name) != UINT32_MAX;
}

bool id_based_names_ascend(const id_based_names *names)
{
    for (uint32_t i = 1; i < names->count; i++)
        if (sort_32_bytes(&names->name[i - 1], &names->name[i]) >= 0)
            return false;
    return true;
}

/* Sorts names and drops repetitions. */
static void sort_out(id_based_names *names)
{
    uint32_t kept = 0;
    if (names->count > 0)
        qsort(names->name, names->count, sizeof *names->name, sort_32_bytes);
    for (uint32_t i = 0; i < names->count; i++)
        if (i == 0 || sort_32_bytes(&names->name[i], &names->name[kept - 1]) != 0)
            names->name[kept++] = names->name[i];
    names->count = kept;
}

kith_status id_based_names_unite(id_based_names *out, const id_based_names *a,
                                 const id_based_names *b, arena *memory, kith_error *error)
{
    out->count = a->count + b->count;
    out->name = TRY_ARRAY(out->name, memory, out->count, error);
    memcpy(out->name, a->name, a->count * sizeof *a->name);
    memcpy(out->name + a->count, b->name, b->count * sizeof *b->name);
    sort_out(out);
    return KITH_OK;
}

kith_status id_based_sets_make(id_based_sets *out, const id_based_task *task, arena *memory,
                               kith_error *error)
{
    const size_t n = task->n_rows;
    *out = (id_based_sets){.names = {.count = task->n_rows}};
    out->names.name = TRY_ARRAY(out->names.name, memory, n, error);
    out->of_row = TRY_ARRAY(out->of_row, memory, n, error);
    memcpy(out->names.name, task->names, n * sizeof *task->names);
    sort_out(&out->names);
    const size_t count = out->names.count;
    out->n_rows = TRY_ZEROS(out->n_rows, memory, count, error);
    out->n_left = TRY_ARRAY(out->n_left, memory, count, error);
    for (size_t row = 0; row < n; row++) {
        out->of_row[row] = id_based_names_find(&out->names, &task->names[row]);
        out->n_rows[out->of_row[row]]++;
    }
    memcpy(out->n_left, out->n_rows, count * sizeof *out->n_left);
    return KITH_OK;
}

/* A row as sigma sees it: how many rows have its quasi-identifier, then the place that the draw
 * gave to the quasi-identifier, then the one that it gave to the row. */
typedef struct candidate {
    uint32_t frequency, place_of_name, place_of_row, row;
} candidate;

static int by_frequency(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->frequency != y->frequency)
        return x->frequency < y->frequency ? -1 : 1;
    if (x->place_of_name != y->place_of_name)
        return x->place_of_name < y->place_of_name ? -1 : 1;
    return x->place_of_row < y->place_of_row ? -1 : x->place_of_row > y->place_of_row;
}

static kith_status draw_places(uint32_t **places, uint32_t n, rng *choices, arena *scratch,
                               kith_error *error)
{
    *places = TRY_ARRAY(*places, scratch, n, error);
    for (uint32_t i = 0; i < n; i++)
        (*places)[i] = i;
    rng_shuffle(choices, *places, n);
    return KITH_OK;
}

kith_status id_based_sets_sigma(id_based_sets *s, bool *suppressed, uint32_t *split,
                                const id_based_task *task, rng *choices, arena *scratch,
                                kith_error *error)
{
    const uint32_t n = task->n_rows, n_chosen = n < task->k ? n : task->k;
    uint32_t *of_names = NULL, *of_rows = NULL;
    candidate *c = TRY_ARRAY(c, scratch, n, error);
    /* Numbers the quasi-identifiers as the rows bring them. Their order by name changes with the
     * run id, and equal runs must make the same choices. */
    uint32_t next = 0;
    uint32_t *numbers = TRY_ARRAY(numbers, scratch, s->names.count, error);
    for (uint32_t i = 0; i < s->names.count; i++)
        numbers[i] = UINT32_MAX;
    for (uint32_t row = 0; row < n; row++)
        if (numbers[s->of_row[row]] == UINT32_MAX)
            numbers[s->of_row[row]] = next++;
    TRY(draw_places(&of_names, s->names.count, choices, scratch, error));
    TRY(draw_places(&of_rows, n, choices, scratch, error));
    *split = UINT32_MAX;
    for (uint32_t row = 0; row < n; row++) {
        const uint32_t name = s->of_row[row];
        c[row] = (candidate){s->n_rows[name], of_names[numbers[name]], of_rows[row], row};
    }
    if (n > 0)
        qsort(c, n, sizeof *c, by_frequency);
    for (uint32_t i = 0; i < n_chosen; i++) {
        const uint32_t name = s->of_row[c[i].row];
        suppressed[c[i].row] = true;
        s->n_left[name]--;
        if (s->n_rows[name] >= task->k && s->n_left[name] < task->k)
            *split = name;
    }
    ASSERT(n_chosen == task->k || n_chosen == n);
    return KITH_OK;
}

/* What ranks count of units with records on several of them is what one process counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "core/run/context.h"
#include "core/rng.h"
#include "search/unit_homes.h"
#include "support/thread_ranks.h"

enum { RECORDS = 300, UNITS = 40, VALUES = 4, GROUPS = 6, MOST_RANKS = 5 };

/* A class as models see it. */
typedef struct seen {
    uint32_t size, n_records, most_records, most_shown, units_with[VALUES];
} seen;

typedef struct home_case {
    uint32_t unit[RECORDS], value[RECORDS], pair[RECORDS], group[RECORDS];
    uint32_t value_of_pair[UNITS * VALUES];
    uint32_t cuts[MOST_RANKS + 1];
    seen found[MOST_RANKS][GROUPS];
    bool failed;
} home_case;

static problem problem_of(const home_case *s, sensitive_attribute *a, uint32_t first, uint32_t n)
{
    *a = (sensitive_attribute){.values = s->value + first,
                               .count = VALUES,
                               .pair = s->pair + first,
                               .n_pairs = UNITS * VALUES,
                               .value_of_pair = s->value_of_pair};
    return (problem){.n_records = n,
                     .unit = s->unit + first,
                     .n_units = UNITS,
                     .n_sensitive = 1,
                     .sensitive = a};
}

static seen note(const class_view *v)
{
    seen found = {
        v->size, v->units->n_records, v->units->most_records, v->units->most_shown[0], {0}};
    for (uint32_t i = 0; i < VALUES; i++)
        found.units_with[i] = v->sensitive[0].counts[i];
    return found;
}

/* The members of each group, one after the other. */
static kith_status see_groups(seen *found, const problem *p, const uint32_t *group,
                              kith_ranks *ranks, arena *memory, kith_error *error)
{
    class_counts counts;
    uint32_t members[RECORDS];
    TRY(class_counts_init(&counts, p, NULL, memory, error));
    for (uint32_t g = 0; g < GROUPS; g++) {
        uint32_t n = 0;
        class_view view;
        for (uint32_t i = 0; i < p->n_records; i++)
            if (group[i] == g)
                members[n++] = i;
        class_counts_add(&counts, members, n);
        TRY(unit_homes_view(&view, &counts, NULL, members, n, ranks, memory, error));
        found[g] = note(&view);
        class_counts_clear(&counts, members, n);
    }
    return KITH_OK;
}

static kith_status see_own(home_case *s, context *c, kith_error *error)
{
    const uint32_t r = ranks_self(c->ranks), first = s->cuts[r], n = s->cuts[r + 1] - first;
    sensitive_attribute a;
    unit_homes home;
    const problem own = problem_of(s, &a, first, n);
    TRY(unit_homes_bring(&home, &own, NULL, s->group + first, n, GROUPS, c->ranks, c->memory,
                         error));
    return see_groups(s->found[r], &home.records, home.group, c->ranks, c->memory, error);
}

static void one_rank(kith_ranks *ranks, void *user)
{
    home_case *s = user;
    kith_error error = {0};
    context own;
    if (context_init(&own, NULL, &error) != KITH_OK)
        abort();
    own.ranks = ranks;
    if (ranks_leave(ranks, see_own(s, &own, &error), &error) != KITH_OK)
        s->failed = true;
    context_wipe(&own);
}

static void ranks_count_like_one_process(void **state)
{
    (void)state;
    static home_case s;
    rng r;
    rng_init(&r, 2, 0);
    for (uint32_t n_ranks = 1; n_ranks <= MOST_RANKS; n_ranks++) {
        sensitive_attribute a;
        seen alone[GROUPS];
        arena *memory = arena_new();
        s = (home_case){.failed = false};
        for (uint32_t i = 0; i < RECORDS; i++) {
            s.unit[i] = rng_below(&r, UNITS);
            s.value[i] = rng_below(&r, VALUES);
            s.pair[i] = s.unit[i] * VALUES + s.value[i];
            s.group[i] = rng_below(&r, GROUPS);
        }
        for (uint32_t i = 0; i < UNITS * VALUES; i++)
            s.value_of_pair[i] = i % VALUES;
        for (uint32_t k = 1; k <= n_ranks; k++)
            s.cuts[k] = k * RECORDS / n_ranks;
        thread_ranks_run(n_ranks, one_rank, &s);
        assert_false(s.failed);
        const problem whole = problem_of(&s, &a, 0, RECORDS);
        assert_int_equal(see_groups(alone, &whole, s.group, NULL, memory, NULL), KITH_OK);
        for (uint32_t k = 0; k < n_ranks; k++)
            assert_memory_equal(s.found[k], alone, sizeof alone);
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_count_like_one_process)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

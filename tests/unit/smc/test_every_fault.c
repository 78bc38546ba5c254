/* A broken network under every primitive: any one frame of a short run is lost, duplicated,
 * delayed, truncated or corrupted. All parties end with PEER. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "support/parallel_runs.h"
#include "support/medley.h"
#include "support/session.h"

typedef struct trial {
    const medley_item *item;
    uint32_t m;
    frame_fault fault;
    size_t victim;
    const char *wrong;
} trial;

static void attempt(void *object, size_t i)
{
    trial *t = (trial *)object + i;
    t->wrong = session_fault(t->m, t->item->fn, NULL, t->fault, t->victim);
}

/* Base transfers make runs of two parties long: one fault per frame, unless all is wanted. */
static bool is_chosen(uint32_t m, size_t victim, int fault)
{
    size_t kind = (size_t)(fault - FAULT_LOSE);
    return m > 2 || session_samples(0) > 0 || kind == victim % 5;
}

/* Trials for every frame and fault, behind those that are there. */
static size_t list_trials(trial **all, size_t count, const medley_item *item, uint32_t m)
{
    size_t n_frames = session_frames(m, item->fn, NULL);
    assert_true(n_frames > 0);
    *all = realloc(*all, (count + n_frames * FAULTS) * sizeof **all);
    assert_non_null(*all);
    for (size_t victim = 0; victim < n_frames; victim++)
        for (int fault = FAULT_LOSE; fault < FAULTS; fault++)
            if (is_chosen(m, victim, fault))
                (*all)[count++] = (trial){item, m, (frame_fault)fault, victim, NULL};
    return count;
}

static void spoil_every_frame(uint32_t m)
{
    trial *all = NULL;
    size_t count = 0;
    for (size_t i = 0; i < medley_items; i++)
        if (m >= medley[i].least)
            count = list_trials(&all, count, &medley[i], m);
    parallel_run(count, m == 2 ? 4 : 48, attempt, all);
    for (size_t i = 0; i < count; i++) {
        const trial *t = &all[i];
        if (t->wrong != NULL)
            fail_msg("%s, %u parties, fault %d at frame %zu: %s", t->item->name, m, (int)t->fault,
                     t->victim, t->wrong);
    }
    print_message("%u parties: %zu trials\n", m, count);
    free(all);
}

static void every_frame_of_two_parties(void **state)
{
    (void)state;
    spoil_every_frame(2);
}

static void every_frame_of_three_parties(void **state)
{
    (void)state;
    spoil_every_frame(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_of_two_parties),
        cmocka_unit_test(every_frame_of_three_parties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

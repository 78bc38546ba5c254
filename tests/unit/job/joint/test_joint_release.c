/* The loss of a release over columns: its sum does not tell who has which columns. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "job/joint/joint_release.h"
#include "support/random_problem.h"

enum { COLUMNS = 6, CLASSES = 40, SITES = 3 };

/* The part of the classes' closures that a site with these columns has. */
static void add_site(uint64_t sums[2], const problem *p, const uint32_t *closure,
                     const uint64_t *size, const uint32_t *site_of, uint32_t site, double units)
{
    attribute own[COLUMNS];
    uint32_t mine[CLASSES * COLUMNS];
    uint64_t part[2];
    problem held = *p;
    held.n_attributes = 0;
    held.attributes = own;
    for (uint32_t a = 0; a < COLUMNS; a++)
        if (site_of[a] == site)
            own[held.n_attributes++] = p->attributes[a];
    for (uint32_t c = 0, to = 0; c < CLASSES; c++)
        for (uint32_t a = 0; a < COLUMNS; a++)
            if (site_of[a] == site)
                mine[to++] = closure[c * COLUMNS + a];
    assert_true(joint_release_loss_units(part, &held, CLASSES, mine, size) == units);
    sums[0] += part[0];
    sums[1] += part[1];
}

static void columns_can_be_distributed_anew(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const random_shape shape = {
            .n_records = 10, .n_attributes = COLUMNS, .max_leaves = 30, .max_levels = 4, .k = 2};
        arena *memory = arena_new();
        rng r;
        rng_init(&r, seed, 3);
        const problem *p = random_problem(&shape, seed, memory);
        uint32_t closure[CLASSES * COLUMNS];
        uint64_t size[CLASSES], whole[2], records = 0;
        for (uint32_t i = 0; i < CLASSES * COLUMNS; i++)
            closure[i] = (uint32_t)rng_below(&r, p->attributes[i % COLUMNS].tree->n_nodes);
        for (uint32_t c = 0; c < CLASSES; c++)
            records += size[c] = 1 + rng_below(&r, 1000);
        const double units = joint_release_loss_units(whole, p, CLASSES, closure, size);
        const joint_release_loss exact = joint_release_sum_loss(p, CLASSES, closure, size);
        const double room = (double)records * (double)records * COLUMNS * 0x1p-44;
        assert_true(fabs((double)whole[0] / units - exact.lm) < room);
        assert_true(fabs((double)(int64_t)whole[1] / units - exact.weighted) < room);
        for (int distribution = 0; distribution < 4; distribution++) {
            uint32_t site_of[COLUMNS];
            uint64_t sums[2] = {0, 0};
            for (uint32_t a = 0; a < COLUMNS; a++)
                site_of[a] = (uint32_t)rng_below(&r, SITES);
            for (uint32_t site = 0; site < SITES; site++)
                add_site(sums, p, closure, size, site_of, site, units);
            assert_memory_equal(sums, whole, sizeof sums);
        }
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_can_be_distributed_anew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Protocols over rows that count persons: in every class, by a count of all rows with the persons'
 * own numbers, as many persons as the models ask for, and no value certain of anybody. Where each
 * person has one row, the classes are those without persons. */
/* needs: weave clustering mondrian */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "protocol/mondrian/mondrian_protocol.h"
#include "protocol/joint_tree/joint_tree.h"
#include "protocol/rows/rows_clustering.h"
#include "support/joint.h"
#include "support/random_problem.h"

enum { MAX_VALUES = 64, MAX_PERSONS = 2000 };

typedef struct persons_scene {
    problem *all; /* with persons */
    uint32_t m;
    uint32_t *site, *home_site; /* [n_records], [n_units] */
    protocol_options options;
} persons_scene;

/* Distributes records to persons, who have up to `most` rows, and persons to sites; with `shared`
 * one in so many persons has rows anywhere. A person's rows are often alike. */
static persons_scene distribute(const random_shape *shape, uint32_t m, uint32_t most,
                                uint32_t shared, uint64_t seed, arena *memory)
{
    persons_scene c = {.all = random_problem(shape, seed, memory), .m = m};
    problem *p = c.all;
    rng r;
    rng_init(&r, seed, 11);
    uint32_t *unit = arena_array(memory, p->n_records + (size_t)1, sizeof *unit);
    uint32_t left = 0;
    p->n_units = 0;
    c.site = arena_zalloc(memory, p->n_records + (size_t)1, sizeof *c.site);
    c.home_site = arena_zalloc(memory, p->n_records + (size_t)1, sizeof *c.home_site);
    bool anywhere = false;
    for (uint32_t i = 0; i < p->n_records; i++) {
        const bool is_new = left == 0;
        if (is_new) {
            left = 1 + rng_below(&r, most);
            c.home_site[p->n_units++] = rng_below(&r, m);
            anywhere = shared > 0 && rng_below(&r, shared) == 0;
        }
        left--;
        unit[i] = p->n_units - 1;
        c.site[i] = !is_new && anywhere ? rng_below(&r, m) : c.home_site[unit[i]];
        for (uint32_t a = 0; a < p->n_attributes && !is_new && rng_below(&r, 4) > 0; a++)
            ((uint32_t *)p->attributes[a].cells)[i] = p->attributes[a].cells[i - 1];
        for (uint32_t s = 0; s < p->n_sensitive && !is_new && rng_below(&r, 3) > 0; s++)
            ((uint32_t *)p->sensitive[s].values)[i] = p->sensitive[s].values[i - 1];
    }
    /* Numbers in another order than rows. */
    for (uint32_t i = 0; i < p->n_records; i++)
        unit[i] = p->n_units - 1 - unit[i];
    for (uint32_t u = 0; u < p->n_units / 2; u++) {
        const uint32_t other = c.home_site[p->n_units - 1 - u];
        c.home_site[p->n_units - 1 - u] = c.home_site[u];
        c.home_site[u] = other;
    }
    p->unit = unit;
    if (shared == 0)
        c.home_site = NULL;
    return c;
}

/* What a class is like. */
typedef struct class_of_persons {
    uint32_t persons, rows, most;
    uint32_t rows_of[MAX_PERSONS];
    bool shows[MAX_PERSONS][MAX_VALUES];
    uint32_t persons_with[MAX_VALUES], rows_with[MAX_VALUES], distinct;
    uint32_t others[PARTY_MAX]; /* persons without a row at a site */
    uint32_t n_sites;
} class_of_persons;

static void count_class(class_of_persons *k, const persons_scene *c, const partition *r,
                        uint32_t class)
{
    const problem *p = c->all;
    static bool at[MAX_PERSONS][PARTY_MAX];
    memset(k, 0, sizeof *k);
    memset(at, 0, sizeof at);
    assert_true(p->n_units <= MAX_PERSONS);
    for (uint32_t i = 0; i < p->n_records; i++) {
        if (r->class_of[i] != class)
            continue;
        const uint32_t u = p->unit[i];
        k->rows++;
        k->persons += k->rows_of[u]++ == 0;
        k->most = k->rows_of[u] > k->most ? k->rows_of[u] : k->most;
        at[u][c->site[i]] = true;
        if (p->n_sensitive == 0)
            continue;
        const uint32_t value = p->sensitive[0].values[i];
        k->distinct += k->rows_with[value]++ == 0;
        k->persons_with[value] += !k->shows[u][value];
        k->shows[u][value] = true;
    }
    for (uint32_t s = 0; s < c->m; s++) {
        bool any = false;
        for (uint32_t u = 0; u < p->n_units; u++) {
            any = any || at[u][s];
            k->others[s] += k->rows_of[u] > 0 && !at[u][s];
        }
        k->n_sites += any;
    }
}

static void check_class(const persons_scene *c, const class_of_persons *k)
{
    const problem *p = c->all;
    assert_true(k->persons >= p->k);
    for (uint32_t s = 0; s < c->m; s++)
        assert_true(k->others[s] >= c->options.min_others);
    for (uint32_t i = 0; i < c->options.n_site_models; i++)
        assert_true(k->n_sites >= c->options.site_models[i].l);
    for (uint32_t i = 0; i < p->n_models; i++) {
        const model_spec *m = &p->models[i];
        assert_true(m->id != MODEL_DOMINANCE || k->most <= m->share * k->rows);
        if (m->id == MODEL_K_ANONYMITY || m->id == MODEL_DOMINANCE)
            continue;
        for (uint32_t v = 0; v < p->sensitive[0].count; v++) {
            assert_true(k->persons_with[v] < k->persons);
            assert_true(k->most <= k->rows - k->rows_with[v]);
            assert_true(m->variant != VARIANT_FREQUENCY || k->persons_with[v] * m->l <= k->persons);
            assert_true(m->id != MODEL_ALPHA_K ||
                        k->persons_with[v] <= m->alpha * k->persons + 1e-9);
        }
        assert_true(m->variant != VARIANT_DISTINCT || k->distinct >= m->l);
        assert_true(m->id != MODEL_P_SENSITIVE || k->distinct >= m->p);
    }
}

/* Runs, and returns the number of classes; 0: there cannot be any. */
static uint32_t run(joint_job *j, const persons_scene *c, rows_protocol *protocol)
{
    void *users[PARTY_MAX] = {NULL};
    kith_error errors[PARTY_MAX] = {0};
    *j = (joint_job){.problem = c->all,
                     .site = c->site,
                     .home_site = c->home_site,
                     .options = &c->options,
                     .protocol = protocol,
                     .seeded = true,
                     .seed = 7};
    for (uint32_t i = 0; i < c->m; i++)
        users[i] = j;
    const kith_status status = inproc_run(c->m, NULL, NULL, joint_fn, users, errors);
    for (uint32_t i = 0; i < c->m && status != KITH_OK && status != KITH_INFEASIBLE; i++)
        print_message("%u: %s\n", i, errors[i].message);
    assert_true(status == KITH_OK || status == KITH_INFEASIBLE);
    if (status == KITH_INFEASIBLE)
        return 0;
    joint_join(j);
    return j->joined.n_classes;
}

/* Classes with the same closure are one class of the release; returns how many there are. */
static uint32_t unite_equal(partition *r, const problem *p, uint64_t *size)
{
    const uint32_t n_attributes = p->n_attributes;
    uint32_t count = 0;
    uint32_t *number = calloc(r->n_classes + (size_t)1, sizeof *number);
    for (uint32_t i = 0; i < r->n_classes; i++) {
        uint32_t same = 0;
        while (same < i && memcmp(r->closure + (size_t)same * n_attributes,
                                  r->closure + (size_t)i * n_attributes,
                                  n_attributes * sizeof *r->closure) != 0)
            same++;
        number[i] = same < i ? number[same] : count++;
        const uint64_t rows = size[i];
        size[i] = 0;
        size[number[i]] += rows;
    }
    for (uint32_t i = 0; i < p->n_records; i++)
        r->class_of[i] = number[r->class_of[i]];
    free(number);
    return count;
}

static uint32_t run_and_check(const persons_scene *c, rows_protocol *protocol)
{
    joint_job j;
    static class_of_persons k;
    uint32_t n_classes = run(&j, c, protocol);
    if (n_classes > 0)
        n_classes = unite_equal(&j.joined, c->all, j.size[0]);
    for (uint32_t class = 0; class < n_classes; class ++) {
        count_class(&k, c, &j.joined, class);
        check_class(c, &k);
        assert_int_equal(j.size[0][class], k.rows);
    }
    joint_free(&j);
    return n_classes;
}

static const uint32_t parties[] = {2, 3, 5};

/* What the protocols can do besides: reweaving; cuts of ordered attributes, and splits along trees,
 * scored by sites. */
static void vary(persons_scene *c, rows_protocol *protocol, unsigned i)
{
    c->options.alpha = protocol == mondrian_protocol_run && i % 4 == 2 ? .5 : 1;
    c->options.reweave = protocol == joint_tree_run && i % 5 == 1 ? 2 : 0;
    for (uint32_t a = 0; a < c->all->n_attributes && i % 3 != 1; a++)
        ((attribute *)c->all->attributes)[a].ordered = protocol == mondrian_protocol_run;
}

/* Sizes, m-privacy and sites. */
static void sizes_are_of_persons(void **state)
{
    rows_protocol *protocol = *state;
    unsigned met = 0;
    for (unsigned i = 0; i < 48; i++) {
        arena *memory = arena_new();
        const random_shape shape = {.n_records = 300 + 20 * i,
                                    .n_attributes = 3,
                                    .max_leaves = 14,
                                    .max_levels = 4,
                                    .k = 2 + i % 7,
                                    .skewed = i % 2 == 0};
        const model_spec sites = {.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 2};
        persons_scene c = distribute(&shape, parties[i % 3], 1 + i % 6, i / 3 % 3, i, memory);
        c.options = (protocol_options){.min_others = i % 2 == 0 ? 0 : 2 + i % 3,
                                       .n_site_models = i % 4 == 3,
                                       .site_models = &sites};
        vary(&c, protocol, i);
        if (i % 3 == 2) {
            model_spec *model = &((model_spec *)c.all->models)[c.all->n_models++];
            *model = (model_spec){.id = MODEL_DOMINANCE, .share = .3, .by_units = true};
        }
        met += run_and_check(&c, protocol) > 2;
        arena_free(memory);
    }
    assert_true(met > 40);
}

/* Values: by frequency, distinct, alpha-k, p-sensitive. */
static void values_are_of_persons(void **state)
{
    rows_protocol *protocol = *state;
    unsigned met = 0;
    for (unsigned i = 0; i < 60; i++) {
        arena *memory = arena_new();
        const random_shape shape = {.n_records = 400 + 15 * i,
                                    .n_attributes = 3,
                                    .max_leaves = 14,
                                    .max_levels = 4,
                                    .k = 3 + i % 5,
                                    .skewed = true,
                                    .n_sensitive = 9,
                                    .l = 2 + i % 3 * .5};
        persons_scene c = distribute(&shape, parties[i % 3], 1 + i % 5, i / 3 % 3, 200 + i, memory);
        model_spec *model = &((model_spec *)c.all->models)[1];
        if (i % 4 == 1)
            model->variant = VARIANT_DISTINCT;
        if (i % 4 == 2 && protocol != mondrian_protocol_run)
            *model = (model_spec){.id = MODEL_ALPHA_K, .alpha = .5, .k = 2};
        if (i % 4 == 3 && protocol != mondrian_protocol_run)
            *model = (model_spec){.id = MODEL_P_SENSITIVE, .p = 3, .k = 2};
        c.options = (protocol_options){.min_others = i % 3 == 1 ? 2 : 0};
        vary(&c, protocol, i);
        met += run_and_check(&c, protocol) > 2;
        arena_free(memory);
    }
    assert_true(met > 20);
}

/* All persons of a class would show a value: there is no class. */
static void a_value_of_everybody_is_certain(void **state)
{
    rows_protocol *protocol = *state;
    for (unsigned i = 0; i < 6; i++) {
        arena *memory = arena_new();
        const random_shape shape = {.n_records = 90,
                                    .n_attributes = 2,
                                    .max_leaves = 5,
                                    .max_levels = 2,
                                    .k = 3,
                                    .n_sensitive = 4,
                                    .l = 2};
        persons_scene c = distribute(&shape, parties[i % 3], 1, 0, 500 + i, memory);
        ((model_spec *)c.all->models)[1].variant = VARIANT_DISTINCT;
        vary(&c, protocol, i);
        for (uint32_t r = 0; r < c.all->n_records; r++) {
            ((uint32_t *)c.all->unit)[r] = r / 3;
            ((uint32_t *)c.all->sensitive[0].values)[r] = r % 3 == 0 ? 0 : 1 + (r / 3 + r % 3) % 3;
            c.site[r] = r / 3 % c.m;
            for (uint32_t a = 0; a < c.all->n_attributes; a++)
                ((uint32_t *)c.all->attributes[a].cells)[r] = c.all->attributes[a].cells[0];
        }
        c.all->n_units = 30;
        assert_int_equal(run_and_check(&c, protocol), 0);
        ((uint32_t *)c.all->sensitive[0].values)[0] = 1;
        assert_int_equal(run_and_check(&c, protocol), 1);
        arena_free(memory);
    }
}

/* Whoever is at two sites counts once, also when all records are asked about. */
static void guests_do_not_make_enough(void **state)
{
    rows_protocol *protocol = *state;
    for (unsigned i = 0; i < 6; i++) {
        arena *memory = arena_new();
        const random_shape shape = {
            .n_records = 60, .n_attributes = 2, .max_leaves = 5, .max_levels = 2, .k = 30 + i % 2};
        persons_scene c = distribute(&shape, parties[i % 3], 1, 1, 600 + i, memory);
        vary(&c, protocol, i);
        for (uint32_t r = 0; r < c.all->n_records; r++) { /* two rows at two sites */
            ((uint32_t *)c.all->unit)[r] = r / 2;
            c.site[r] = (r / 2 + r % 2) % c.m;
            c.home_site[r / 2] = (r / 2) % c.m;
        }
        c.all->n_units = 30;
        assert_int_equal(run_and_check(&c, protocol), i % 2 == 0);
        arena_free(memory);
    }
}

/* Each person has one row: the classes are those that there are without persons. */
static void one_row_each_changes_nothing(void **state)
{
    rows_protocol *protocol = *state;
    /* Clustering asks in another way where it counts persons, but for their number. */
    const bool sizes = protocol == rows_clustering;
    for (unsigned i = 0; i < 24; i++) {
        arena *memory = arena_new();
        const random_shape shape = {.n_records = 500,
                                    .n_attributes = 3,
                                    .max_leaves = 14,
                                    .max_levels = 4,
                                    .k = 2 + i % 7,
                                    .skewed = i % 2 == 0,
                                    .n_sensitive = i % 3 == 0 || sizes ? 0 : 7,
                                    .l = 2};
        persons_scene c = distribute(&shape, parties[i % 3], 1, 0, 400 + i, memory);
        if (i % 3 == 1 && !sizes)
            ((model_spec *)c.all->models)[1].variant = VARIANT_DISTINCT;
        c.options = (protocol_options){.min_others = i % 2 == 0 || sizes ? 0 : 3};
        vary(&c, protocol, i);
        uint32_t *unit = (uint32_t *)c.all->unit;
        for (uint32_t u = 0; u < c.all->n_records; u++)
            unit[u] = u;
        joint_job with, without;
        const uint32_t n = run(&with, &c, protocol);
        c.all->unit = NULL;
        const uint32_t n_without = run(&without, &c, protocol);
        assert_int_equal(n == 0, n_without == 0);
        if (n > 0) {
            assert_int_equal(unite_equal(&with.joined, c.all, with.size[0]),
                             unite_equal(&without.joined, c.all, without.size[0]));
            assert_memory_equal(with.joined.class_of, without.joined.class_of,
                                c.all->n_records * sizeof *with.joined.class_of);
        }
        joint_free(&with);
        joint_free(&without);
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(sizes_are_of_persons, (void *)rows_clustering),
        cmocka_unit_test_prestate(values_are_of_persons, (void *)rows_clustering),
        cmocka_unit_test_prestate(a_value_of_everybody_is_certain, (void *)rows_clustering),
        cmocka_unit_test_prestate(guests_do_not_make_enough, (void *)rows_clustering),
        cmocka_unit_test_prestate(one_row_each_changes_nothing, (void *)rows_clustering),
        cmocka_unit_test_prestate(sizes_are_of_persons, (void *)joint_tree_run),
        cmocka_unit_test_prestate(values_are_of_persons, (void *)joint_tree_run),
        cmocka_unit_test_prestate(a_value_of_everybody_is_certain, (void *)joint_tree_run),
        cmocka_unit_test_prestate(guests_do_not_make_enough, (void *)joint_tree_run),
        cmocka_unit_test_prestate(one_row_each_changes_nothing, (void *)joint_tree_run),
        cmocka_unit_test_prestate(sizes_are_of_persons, (void *)mondrian_protocol_run),
        cmocka_unit_test_prestate(values_are_of_persons, (void *)mondrian_protocol_run),
        cmocka_unit_test_prestate(a_value_of_everybody_is_certain, (void *)mondrian_protocol_run),
        cmocka_unit_test_prestate(guests_do_not_make_enough, (void *)mondrian_protocol_run),
        cmocka_unit_test_prestate(one_row_each_changes_nothing, (void *)mondrian_protocol_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

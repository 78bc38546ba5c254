/* needs: weave */
#include "support/joint_tree_twin.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "protocol/joint_tree/joint_tree.h"

enum { MAX_VALUES = 64 };

static int descending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* The definitions of the models, from how often each value occurs. */
static void check_model(const model_spec *m, uint32_t *count, uint32_t size)
{
    uint32_t distinct = 0, tail = 0;
    double entropy = 0;
    qsort(count, MAX_VALUES, sizeof *count, descending);
    for (uint32_t rank = 0; rank < MAX_VALUES && count[rank] > 0; rank++) {
        const double share = (double)count[rank] / size;
        distinct++;
        entropy -= share * log(share);
        tail += rank + 1 >= m->l ? count[rank] : 0;
    }
    if (m->id == MODEL_ALPHA_K)
        assert_true(size >= m->k && count[0] <= m->alpha * size + 1e-9);
    else if (m->id == MODEL_P_SENSITIVE)
        assert_true(size >= m->k && distinct >= m->p);
    else if (m->variant == VARIANT_FREQUENCY)
        assert_true(size >= m->l * count[0]);
    else if (m->variant == VARIANT_DISTINCT)
        assert_true(distinct >= m->l);
    else if (m->variant == VARIANT_ENTROPY)
        assert_true(entropy >= log(m->l) - 1e-9);
    else if (m->variant == VARIANT_RECURSIVE)
        assert_true(distinct >= m->l && count[0] < m->c * tail);
}

/* The definition of m-privacy by values: what is left of a class without a site has enough. */
static void check_other_values(const problem *p, const partition *r,
                               const joint_tree_plain_sites *sites, uint32_t class,
                               uint32_t min_values)
{
    for (uint32_t m = 0; m < p->n_models; m++)
        for (uint32_t s = 0; s < sites->count; s++) {
            uint64_t seen = 0;
            for (uint32_t i = 0; p->n_sensitive > 0 && i < p->n_records; i++)
                if (r->class_of[i] == class && sites->site_of[i] != s)
                    seen |= UINT64_C(1) << p->sensitive[p->models[m].sensitive].values[i];
            assert_true(p->models[m].id == MODEL_K_ANONYMITY ||
                        (uint32_t)__builtin_popcountll(seen) >= min_values);
        }
}

void joint_tree_twin_check(const problem *p, const partition *r,
                           const joint_tree_plain_sites *sites, uint32_t class)
{
    uint32_t at[PARTY_MAX] = {0}, size = 0, present = 0, mine = 0;
    const uint32_t *closure = r->closure + (size_t) class * p->n_attributes;
    for (uint32_t i = 0; i < p->n_records; i++) {
        if (r->class_of[i] != class)
            continue;
        size++;
        at[sites->site_of[i]]++;
        for (uint32_t a = 0; a < p->n_attributes; a++)
            assert_true(tree_covers(p->attributes[a].tree, closure[a], p->attributes[a].cells[i]));
    }
    for (uint32_t s = 0; s < PARTY_MAX; s++) {
        present += at[s] > 0;
        mine = at[s] > mine ? at[s] : mine;
    }
    assert_true(size >= p->k);
    for (uint32_t m = 0; m < p->n_models; m++) {
        uint32_t count[MAX_VALUES] = {0};
        for (uint32_t i = 0; p->n_sensitive > 0 && i < p->n_records; i++)
            count[p->sensitive[p->models[m].sensitive].values[i]] += r->class_of[i] == class;
        check_model(&p->models[m], count, size);
    }
    for (uint32_t m = 0; m < sites->n_models; m++) {
        if (sites->models[m].variant == VARIANT_SITES)
            assert_true(present >= sites->models[m].l);
        if (sites->models[m].id == MODEL_M_PRIVACY)
            assert_true(size - mine >= sites->models[m].k);
        if (sites->models[m].other_values > 1)
            check_other_values(p, r, sites, class, sites->models[m].other_values);
    }
}

kith_status joint_tree_twin_run(joint_job *j, uint32_t m)
{
    void *users[PARTY_MAX] = {NULL};
    kith_error errors[PARTY_MAX] = {0};
    for (uint32_t i = 0; i < m; i++)
        users[i] = j;
    kith_status status = inproc_run(m, NULL, NULL, joint_fn, users, errors);
    for (uint32_t i = 0; i < m && status != KITH_OK && status != KITH_INFEASIBLE; i++)
        print_message("%u: %s\n", i, errors[i].message);
    for (uint32_t i = 0; i < m && status == KITH_INFEASIBLE; i++)
        assert_int_equal(errors[i].status, KITH_INFEASIBLE);
    if (status == KITH_OK)
        joint_join(j);
    return status;
}

static void compare(const joint_job *j, const partition *whole, uint32_t m)
{
    const problem *p = j->problem;
    const size_t n_cells = (size_t)whole->n_classes * p->n_attributes;
    uint64_t *size = calloc(whole->n_classes, sizeof *size);
    for (uint32_t i = 0; i < p->n_records; i++)
        size[whole->class_of[i]]++;
    for (uint32_t i = 0; i < m; i++) {
        assert_int_equal(j->result[i].n_classes, whole->n_classes);
        assert_memory_equal(j->result[i].closure, whole->closure, n_cells * sizeof *whole->closure);
        assert_memory_equal(j->size[i], size, whole->n_classes * sizeof *size);
    }
    assert_memory_equal(j->joined.class_of, whole->class_of,
                        p->n_records * sizeof *whole->class_of);
    free(size);
}

uint32_t joint_tree_twin_equal(const problem *p, const uint32_t *site, uint32_t m,
                               const protocol_options *options, arena *memory)
{
    joint_job j = {.problem = p, .site = site, .options = options, .protocol = joint_tree_run};
    model_spec models[8];
    joint_tree_plain_sites sites = {m, site, options->n_site_models, models, options->quiet};
    partition whole = {0};
    kith_error error;
    j.seeded = true;
    j.seed = 7;
    for (uint32_t i = 0; i < options->n_site_models; i++)
        models[i] = options->site_models[i];
    if (options->min_others > 0)
        models[sites.n_models++] = (model_spec){
            .id = MODEL_M_PRIVACY, .k = options->min_others, .other_values = options->other_values};
    kith_status wanted = joint_tree_plain(&whole, p, &sites, 7, options->reweave, memory, &error);
    assert_int_equal(joint_tree_twin_run(&j, m), wanted);
    for (uint32_t c = 0; c < whole.n_classes; c++)
        joint_tree_twin_check(p, &j.joined, &sites, c);
    if (wanted == KITH_OK)
        compare(&j, &whole, m);
    joint_free(&j);
    return whole.n_classes;
}

/* needs: clustering */
#include "support/distributed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "reference/rows_plain.h"

static problem *part_of(distributed *j, uint32_t site)
{
    const problem *all = j->all;
    problem *p = arena_zalloc(j->memory, 1, sizeof *p);
    attribute *attributes = arena_zalloc(j->memory, all->n_attributes + 1, sizeof *attributes);
    sensitive_attribute *sensitive =
        arena_zalloc(j->memory, all->n_sensitive + 1, sizeof *sensitive);
    *p = *all;
    p->n_records = 0;
    for (uint32_t i = 0; i < all->n_records; i++)
        p->n_records += j->site[i] == site;
    for (uint32_t a = 0; a < all->n_attributes + all->n_sensitive; a++) {
        bool is_sensitive = a >= all->n_attributes;
        const uint32_t *from =
            is_sensitive ? all->sensitive[a - all->n_attributes].values : all->attributes[a].cells;
        uint32_t *to = arena_zalloc(j->memory, p->n_records + 1, sizeof *to);
        for (uint32_t i = 0; i < all->n_records; i++)
            if (j->site[i] == site)
                to[j->place[i]] = from[i];
        if (is_sensitive) {
            sensitive[a - all->n_attributes] = all->sensitive[a - all->n_attributes];
            sensitive[a - all->n_attributes].values = to;
        } else {
            attributes[a] = all->attributes[a];
            attributes[a].cells = to;
        }
    }
    p->attributes = attributes;
    p->sensitive = sensitive;
    return p;
}

void distributed_init(distributed *j, const problem_shape *shape, uint32_t m, uint64_t seed,
                      const double *share)
{
    rng r;
    uint32_t count[DISTRIBUTED_MAX] = {0};
    memset(j, 0, sizeof *j);
    j->memory = arena_new();
    j->all = problems_random(j->memory, shape, seed);
    j->m = m;
    j->seed = seed;
    j->site = arena_zalloc(j->memory, j->all->n_records + 1, sizeof *j->site);
    j->place = arena_zalloc(j->memory, j->all->n_records + 1, sizeof *j->place);
    rng_init(&r, seed, 4711);
    for (uint32_t i = 0; i < j->all->n_records; i++) {
        double at = rng_unit(&r);
        j->site[i] = (uint32_t)(at * m);
        for (uint32_t s = 0; share != NULL && s < m; s++) {
            j->site[i] = s;
            if ((at -= share[s]) < 0)
                break;
        }
        j->place[i] = count[j->site[i]]++;
    }
    for (uint32_t s = 0; s < m; s++)
        j->part[s] = part_of(j, s);
}

kith_status distributed_take_part(party *p, void *user, kith_error *error)
{
    distributed *j = user;
    uint32_t self = party_self(p);
    context *c = &j->context[self];
    kith_run *run = &j->run[self];
    if (c->memory != NULL)
        context_wipe(c);
    run->size = sizeof *run;
    run->n_threads = 1;
    run->seeded = true;
    run->seed = j->seed;
    kith_status status = context_init(c, run, error);
    if (status != KITH_OK)
        return status;
    rows_task task = {.mine = j->part[self],
                      .spec = &j->spec,
                      .options = &j->options,
                      .context = c,
                      .choices = j->choices[self],
                      .seeded = !j->unseeded,
                      .seed = j->seed};
    return j->protocol(&j->result[self], p, &task, error);
}

static void note(party *p, void *user)
{
    distributed *j = user;
    const ledger *l = party_ledger(p);
    __atomic_add_fetch(&j->bytes, l->sent.bytes, __ATOMIC_RELAXED);
    if (party_self(p) == 0) {
        j->n_calls = l->n_calls;
        j->n_rounds = l->n_rounds;
    }
}

void distributed_prepare(distributed *j, rows_protocol *protocol, const search_spec *spec,
                         const protocol_options *options)
{
    static const protocol_options usual = {.partition = PARTITION_HORIZONTAL,
                                           .withhold = OPTIONS_WITHHOLD};
    j->protocol = protocol;
    j->spec = *spec;
    j->options = options != NULL ? *options : usual;
    j->bytes = 0;
    memset(j->error, 0, sizeof j->error);
}

kith_status distributed_run_with(distributed *j, rows_protocol *protocol, const search_spec *spec,
                                 const protocol_options *options, const inproc_options *inproc)
{
    inproc_options how = inproc != NULL ? *inproc : (inproc_options){0};
    void *user[DISTRIBUTED_MAX];
    how.done = note;
    distributed_prepare(j, protocol, spec, options);
    for (uint32_t i = 0; i < j->m; i++)
        user[i] = j;
    return inproc_run(j->m, NULL, &how, distributed_take_part, user, j->error);
}

kith_status distributed_run(distributed *j, rows_protocol *protocol, const search_spec *spec,
                            const protocol_options *options)
{
    return distributed_run_with(j, protocol, spec, options, NULL);
}

void distributed_wipe(distributed *j)
{
    for (uint32_t i = 0; i < j->m; i++)
        if (j->context[i].memory != NULL)
            context_wipe(&j->context[i]);
    arena_free(j->memory);
}

static uint32_t class_of(const distributed *j, uint32_t record)
{
    return j->result[j->site[record]].class_of[j->place[record]];
}

void distributed_is_sound(const distributed *j)
{
    const rows_result *one = &j->result[0];
    const problem *p = j->all;
    uint32_t *class = arena_array(j->memory, p->n_records + 1, sizeof *class);
    for (uint32_t s = 1; s < j->m; s++) {
        const rows_result *other = &j->result[s];
        assert_int_equal(other->n_classes, one->n_classes);
        assert_memory_equal(other->size, one->size, one->n_classes * sizeof *one->size);
        assert_memory_equal(other->closure, one->closure,
                            (size_t)one->n_classes * p->n_attributes * sizeof *one->closure);
    }
    for (uint32_t i = 0; i < p->n_records; i++) {
        class[i] = class_of(j, i);
        assert_true(class[i] < one -> n_classes);
    }
    for (uint32_t c = 0; c < one->n_classes; c++) {
        uint32_t size = 0;
        for (uint32_t i = 0; i < p->n_records; i++)
            size += class[i] == c;
        assert_true(size > 0);
        assert_int_equal(size, one->size[c]);
    }
    bool naive = true; /* can the naive opinion judge these models? */
    for (uint32_t m = 0; m < p->n_models; m++)
        naive =
            naive &&
            (p->models[m].id == MODEL_K_ANONYMITY ||
             (p->models[m].id == MODEL_L_DIVERSITY && p->models[m].variant == VARIANT_FREQUENCY));
    uint32_t model, broken;
    partition found = {.n_classes = one->n_classes, .class_of = class, .closure = one->closure};
    assert_true(naive ? problems_hold(p, class, one->n_classes)
                      : partition_holds(&found, p, j->memory, &model, &broken));
}

search_result distributed_equals_central(distributed *j, const search_spec *spec)
{
    const problem *p = j->all;
    context c;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = j->seed);
    search_result central = {0};
    const rows_plain_sites sites = {j->site, j->options.hide_sizes, j->options.withhold,
                                    j->options.min_others, j->options.other_values};
    search_spec with = *spec;
    with.block = spec->block > 0 ? spec->block : 256;
    assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
    assert_int_equal(rows_plain(&central, p, &with, &sites, &c, NULL), KITH_OK);
    distributed_is_sound(j);
    const rows_result *one = &j->result[0];
    assert_int_equal(one->report.n_passes, central.n_passes);
    assert_string_equal(one->report.stopped, central.stopped);
    assert_int_equal(one->n_classes, central.partition.n_classes);
    uint32_t *match = arena_array(j->memory, one->n_classes + (size_t)1, sizeof *match);
    for (uint32_t k = 0; k < one->n_classes; k++)
        match[k] = UINT32_MAX;
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint32_t here = class_of(j, i), there = central.partition.class_of[i];
        if (match[here] == UINT32_MAX)
            match[here] = there;
        assert_int_equal(match[here], there);
        assert_memory_equal(one->closure + (size_t)here * p->n_attributes,
                            central.partition.closure + (size_t)there * p->n_attributes,
                            p->n_attributes * sizeof *one->closure);
    }
    central.partition = (partition){0};
    context_wipe(&c);
    return central;
}

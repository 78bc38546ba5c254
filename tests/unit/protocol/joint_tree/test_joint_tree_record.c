/* What a joint tree opens: the transcript depends on the union alone, the ledger says what the
 * header says, and a run that breaks anywhere ends everywhere. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <string.h>

#include "protocol/joint_tree/joint_tree.h"
#include "support/joint.h"
#include "support/random_problem.h"
#include "support/trees.h"

static const protocol_options plain = {0}, quiet = {.quiet = true};

/* --- transcripts --- */

typedef struct entry {
    joint_tree_event event;
    uint64_t set, of;
    uint32_t axis, node, min_size;
    bool bit;
} entry;

typedef struct transcript {
    entry entries[100000];
    size_t count;
} transcript;

static transcript *writing; /* of the first party */

static void note(void *user, const joint_tree_opened *what)
{
    transcript *t = user;
    entry e;
    memset(&e, 0, sizeof e);
    e.event = what->event;
    e.set = what->set;
    e.of = what->of;
    e.axis = what->a;
    e.node = what->node;
    e.min_size = what->min_size;
    e.bit = what->bit;
    assert_true(t->count < 100000);
    t->entries[t->count++] = e;
}

static kith_status recorded(rows_result *result, party *p, const rows_task *task, kith_error *error)
{
    joint_tree_recorder record = {note, writing};
    return joint_tree_run_recorded(result, p, task, party_self(p) == 0 ? &record : NULL, error);
}

static void write_transcript(transcript *t, const problem *p, const protocol_options *options,
                             uint32_t m, joint_split split, uint64_t seed)
{
    arena *memory = arena_new();
    joint_job j = {.problem = p, .options = options, .protocol = recorded, .seeded = true};
    j.site = joint_sites(memory, p->n_records, m, split, seed);
    t->count = 0;
    writing = t;
    assert_int_equal(session_run(m, joint_fn, &j), KITH_OK);
    joint_free(&j);
    arena_free(memory);
}

/* Rows move between sites, sites come and go: the same questions, the same answers. */
static void transcripts_depend_on_the_union_alone(void **state)
{
    (void)state;
    transcript *first = malloc(sizeof *first), *other = malloc(sizeof *other);
    for (unsigned i = 0; i < 4; i++) {
        arena *memory = arena_new();
        const uint32_t k = i % 2 == 0 ? 4 : 20;
        const protocol_options *options = i < 2 ? &plain : &quiet;
        random_shape shape = {.n_records = 1000,
                              .n_attributes = 4,
                              .max_leaves = 15,
                              .max_levels = 4,
                              .k = k,
                              .skewed = true,
                              .wildcards = .02};
        const problem *p = random_problem(&shape, k, memory);
        size_t yes = 0;
        write_transcript(first, p, options, 3, SPLIT_RANDOM, 1);
        for (size_t e = 0; e < first->count; e++)
            yes += first->entries[e].bit;
        assert_true(yes > 50 && first->count - yes > 50);
        for (unsigned split = 0; split < JOINT_SPLITS; split++) {
            write_transcript(other, p, options, 3 + split, (joint_split)split, 2);
            assert_int_equal(other->count, first->count);
            assert_memory_equal(other->entries, first->entries,
                                first->count * sizeof *first->entries);
        }
        arena_free(memory);
    }
    free(first);
    free(other);
}

/* Three flat attributes of equal worth; k = 4. The first one splits all records. Below its first
 * value the second one splits eight records into 4 and 4, in which nothing is live. There the third
 * one loses: by order, if it has the values 0, 0, 1, 1 in both parts; for want of a live value, if
 * it has 0, 0, 1, 2 and 0, 1, 1, 2. Everything else is equal. */
static problem *make_losers(arena *memory, bool live)
{
    static const uint32_t third[2][8] = {{0, 0, 1, 2, 0, 1, 1, 2}, {0, 0, 1, 1, 0, 0, 1, 1}};
    enum { COUNT = 8 + 36 };
    problem *p = arena_zalloc(memory, 1, sizeof *p);
    attribute *attributes = arena_zalloc(memory, 3, sizeof *attributes);
    for (uint32_t a = 0; a < 3; a++) {
        const uint32_t n_leaves = a == 2 ? 3 : 2;
        uint32_t *cells = arena_zalloc(memory, COUNT, sizeof *cells);
        double *cost = arena_zalloc(memory, n_leaves + (size_t)1, sizeof *cost);
        for (uint32_t i = 0; i < COUNT; i++)
            cells[i] = a == 0   ? i >= 8
                       : a == 1 ? (i < 8 ? i / 4 : i % 2)
                                : (i < 8 ? third[live][i] : i % 3);
        cost[n_leaves] = 1;
        attributes[a] = (attribute){.tree = trees_flat(memory, n_leaves), .cells = cells};
        attributes[a].cost = cost;
    }
    *p = (problem){.n_records = COUNT, .n_attributes = 3, .attributes = attributes, .k = 4};
    return p;
}

enum { KEPT = 1 << 16 };

/* All that party 1 hears of circuits, and all that is recorded. */
static void listen(transcript *t, session_view *heard, const problem *p,
                   const protocol_options *options)
{
    arena *memory = arena_new();
    joint_job j = {.problem = p, .options = options, .protocol = recorded, .seeded = true};
    j.site = joint_sites(memory, p->n_records, 3, SPLIT_ROUND, 1);
    t->count = 0;
    writing = t;
    *heard = (session_view){.type = "circuit.result", .kept = calloc(KEPT, 1), .at = 1, .from = 0};
    heard->room = KEPT;
    assert_int_equal(session_watch(3, joint_fn, &j, heard), KITH_OK);
    joint_free(&j);
    arena_free(memory);
}

/* Tables that differ in the live values of a slot that splits nothing: quiet, nobody can tell them
 * apart by what is opened. */
static void losers_stay_secret(void **state)
{
    (void)state;
    transcript *tables[2] = {malloc(sizeof *tables[0]), malloc(sizeof *tables[0])};
    for (int is_quiet = 0; is_quiet < 2; is_quiet++) {
        session_view heard[2];
        for (int live = 0; live < 2; live++) {
            arena *memory = arena_new();
            listen(tables[live], &heard[live], make_losers(memory, live),
                   is_quiet ? &quiet : &plain);
            arena_free(memory);
        }
        const size_t count = tables[0]->count;
        const bool same =
            tables[1]->count == count &&
            memcmp(tables[0]->entries, tables[1]->entries, count * sizeof *tables[0]->entries) == 0;
        assert_int_equal(same, is_quiet);
        assert_int_equal(heard[0].length > 0, is_quiet);
        assert_int_equal(heard[0].length, heard[1].length);
        assert_memory_equal(heard[0].kept, heard[1].kept, KEPT);
        free(heard[0].kept);
        free(heard[1].kept);
    }
    free(tables[0]);
    free(tables[1]);
}

/* --- ledger --- */

typedef struct scene {
    uint32_t m, k, n_records;
    double l;          /* frequency */
    bool by_attribute; /* l-site-diversity */
    bool seeded;
    kith_status status;
    uint32_t reweave;
    bool quiet;
    bool distinct;   /* that kind of diversity instead */
    uint32_t others; /* k of m-privacy */
} scene;

static void play(const scene *s, session_facts *facts)
{
    arena *memory = arena_new();
    random_shape shape = {.n_records = s->n_records,
                          .n_attributes = 3,
                          .max_leaves = 12,
                          .max_levels = 3,
                          .k = s->k,
                          .skewed = true,
                          .n_sensitive = s->l > 0 ? 6 : 0,
                          .l = s->l};
    const uint32_t among[] = {1};
    const model_spec sites = {.id = MODEL_L_SITE_DIVERSITY,
                              .variant = VARIANT_ATTRIBUTES,
                              .l = 2,
                              .n_values = 1,
                              .among = among};
    protocol_options options = plain;
    options.n_site_models = s->by_attribute;
    options.site_models = &sites;
    options.reweave = s->reweave;
    options.quiet = s->quiet;
    options.min_others = s->others;
    problem *p = random_problem(&shape, 3, memory);
    if (s->distinct)
        ((model_spec *)p->models)[1].variant = VARIANT_DISTINCT;
    joint_job j = {.problem = p, .options = &options};
    j.protocol = joint_tree_run;
    j.seeded = s->seeded;
    j.site = joint_sites(memory, s->n_records, s->m, SPLIT_RANDOM, 5);
    assert_int_equal(session_audit(s->m, joint_fn, &j, facts), s->status);
    joint_free(&j);
    arena_free(memory);
}

static void costs_and_leaks_what_the_header_says(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {3, 5, 300, 0, false, false, KITH_OK, 0, false, false, 0},
        {5, 40, 500, 0, false, true, KITH_OK, 0, false, false, 0},
        {2, 3, 60, 0, false, true, KITH_OK, 0, false, false, 0},
        {3, 3, 300, 1.5, false, true, KITH_OK, 0, false, false, 0},
        {3, 3, 300, 1.5, false, true, KITH_OK, 0, false, false, 2},
        {3, 3, 300, 4, false, true, KITH_OK, 0, false, true, 0},
        {2, 3, 60, 1.5, false, true, KITH_OK, 0, false, false, 0},
        {3, 3, 300, 0, true, true, KITH_OK, 0, false, false, 0},
        {2, 3, 60, 0, true, true, KITH_OK, 0, false, false, 0},
        {3, 9, 8, 0, false, true, KITH_INFEASIBLE, 0, false, false, 0},
        {2, 9, 8, 0, false, true, KITH_INFEASIBLE, 0, false, false, 0},
        {4, 4, 30, 0, false, false, KITH_OK, 0, false, false, 0},
        {3, 4, 200, 0, false, true, KITH_OK, 2, false, false, 0},
        {3, 5, 300, 0, false, true, KITH_OK, 0, true, false, 0},
        {2, 3, 60, 0, false, true, KITH_OK, 1, true, false, 0},
    };
    session_facts facts = {0};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        play(&scenes[i], &facts);
        assert_int_equal(facts.learned[1], facts.learned[0]);
        for (uint32_t p = 2; p < scenes[i].m; p++) { /* the first two check all classes */
            assert_int_equal(facts.learned[p], facts.learned[2]);
            assert_true(facts.learned[p] <= facts.learned[0]);
        }
    }
    session_agrees(&facts, "../protocol/joint_tree/joint_tree.h");
}

/* Too few records: the parties learn one bit and nothing else. */
static void learns_one_bit_if_there_are_too_few(void **state)
{
    (void)state;
    session_facts facts = {0};
    play(&(scene){3, 9, 8, 0, false, true, KITH_INFEASIBLE, 0, false, false, 0}, &facts);
    for (uint32_t p = 0; p < 3; p++)
        assert_int_equal(facts.learned[p], 1);
    assert_int_equal(facts.n_rounds, 4); /* three for the bit, one to part */
}

/* --- faults --- */

typedef struct saboteur {
    frame_fault fault;
    size_t victim;
    atomic_size_t seen;
    atomic_bool done;
} saboteur;

static frame_fault sabotage(void *user, uint32_t from, uint32_t to, uint64_t sequence,
                            const char *type)
{
    saboteur *s = user;
    (void)from, (void)to, (void)sequence;
    if (strncmp(type, "session.", 8) == 0 || atomic_fetch_add(&s->seen, 1) != s->victim)
        return FAULT_NONE;
    atomic_store(&s->done, true);
    return s->fault;
}

/* One run, in which the victim is hit; *frames gets how many there were. */
static bool hit_one(joint_job *j, uint32_t m, frame_fault fault, size_t victim, size_t *frames)
{
    saboteur s = {.fault = fault, .victim = victim};
    void *users[PARTY_MAX] = {NULL};
    kith_error errors[PARTY_MAX] = {0};
    inproc_options options = {.fault = {sabotage, &s}};
    for (uint32_t i = 0; i < m; i++)
        users[i] = j;
    kith_status status = inproc_run(m, NULL, &options, joint_fn, users, errors);
    joint_free(j);
    *frames = atomic_load(&s.seen);
    if (!atomic_load(&s.done)) /* the whole run */
        return false;
    assert_int_equal(status, KITH_PEER);
    for (uint32_t i = 0; i < m; i++)
        assert_int_equal(errors[i].status, KITH_PEER);
    return true;
}

/* Hits every step-th frame of a run; returns how many there are. */
static size_t hit(joint_job *j, uint32_t m, frame_fault fault, size_t step)
{
    size_t n_frames, broken;
    assert_false(hit_one(j, m, fault, SIZE_MAX, &n_frames));
    for (size_t victim = 0; victim < n_frames; victim += step)
        assert_true(hit_one(j, m, fault, victim, &broken));
    return n_frames;
}

static void ends_everywhere_after_a_fault(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t m = i == 0 ? 2 : 3;
        const bool is_quiet = i == 2;
        arena *memory = arena_new();
        random_shape shape = {.n_records = 14,
                              .n_attributes = 1,
                              .max_leaves = 3,
                              .max_levels = 2,
                              .k = 3,
                              .n_sensitive = m == 2 || is_quiet ? 0 : 3,
                              .l = 1.5};
        joint_job j = {.problem = random_problem(&shape, 8, memory),
                       .options = is_quiet ? &quiet : &plain};
        j.protocol = joint_tree_run;
        j.seeded = true;
        j.site = joint_sites(memory, 14, m, SPLIT_ROUND, 5);
        const size_t step = is_quiet ? 9 : m == 2 ? 5 : 4;
        assert_true(hit(&j, m, FAULT_TRUNCATE, step) > 0);
        assert_true(hit(&j, m, FAULT_DUPLICATE, 2 * step) > 0);
        assert_true(hit(&j, m, FAULT_CORRUPT, 2 * step) > 0);
        assert_true(hit(&j, m, FAULT_LOSE, is_quiet ? 61 : 31) > 0);
        assert_true(hit(&j, m, FAULT_DELAY, is_quiet ? 73 : 43) > 0);
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transcripts_depend_on_the_union_alone),
        cmocka_unit_test(losers_stay_secret),
        cmocka_unit_test(costs_and_leaks_what_the_header_says),
        cmocka_unit_test(learns_one_bit_if_there_are_too_few),
        cmocka_unit_test(ends_everywhere_after_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

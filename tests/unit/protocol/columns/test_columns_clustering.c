/* Clustering over columns at several sites: the same classes as in one place, what each party
 * learns as the header says, and no hang whoever leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "core/error.h"
#include "protocol/columns/columns_clustering.h"
#include "protocol/columns/columns_sequential.h"
#include "support/ledger_calls.h"
#include "support/problems.h"
#include "support/session.h"

/* A whole problem, the columns of which are distributed to the parties; what each got back. */
typedef struct job {
    const problem *whole;
    search_spec spec;
    protocol_options options;
    uint32_t pivot;
    uint64_t seed;
    bool uneven;     /* the first party has one column, the last none */
    uint32_t change; /* this party leaves one record out; UINT32_MAX: none does */
    arena *memory;   /* what is kept */
    uint32_t *class_of[PARTY_MAX];
    columns_result result[PARTY_MAX];
    uint32_t first[PARTY_MAX + 1];
    uint64_t n_sums;
    uint32_t leaver, leaves_at; /* this party stops when it reports progress so many times */
    uint32_t reports[PARTY_MAX];
    char phase[32]; /* that it left in */
} job;

static void distribute(job *j, uint32_t m)
{
    const uint32_t n_attributes = j->whole->n_attributes;
    for (uint32_t i = 0; i <= m; i++)
        j->first[i] = n_attributes * i / m;
    for (uint32_t i = 1; i < m && j->uneven; i++)
        j->first[i] = i == m - 1 ? n_attributes : 1;
}

/* What one party knows: its columns, and the sensitive ones only if it is the pivot. */
static problem part_of(const job *j, uint32_t self)
{
    problem mine = *j->whole;
    mine.attributes += j->first[self];
    mine.n_attributes = j->first[self + 1] - j->first[self];
    mine.n_sensitive = self == j->pivot ? mine.n_sensitive : 0;
    mine.sensitive = self == j->pivot ? mine.sensitive : NULL;
    mine.n_records -= self == j->change;
    return mine;
}

typedef struct listener {
    job *j;
    uint32_t self;
} listener;

static bool listen(void *user, const char *phase, double done)
{
    listener *l = user;
    (void)done;
    if (l->self != l->j->leaver || l->j->leaves_at == 0 ||
        ++l->j->reports[l->self] < l->j->leaves_at)
        return true;
    strncpy(l->j->phase, phase, sizeof l->j->phase - 1);
    return false;
}

static kith_status cluster(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t self = party_self(p);
    problem mine = part_of(j, self);
    context c;
    listener l = {j, self};
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .progress = listen, .user = &l);
    TRY(context_init(&c, &run, error));
    columns_task task = {.mine = &mine,
                         .spec = &j->spec,
                         .options = &j->options,
                         .context = &c,
                         .pivot = j->pivot,
                         .seeded = true,
                         .seed = j->seed};
    columns_result *r = &j->result[self];
    kith_status status = columns_clustering(r, p, &task, error);
    bool sound = status == KITH_OK;
    for (uint32_t i = 0; sound && i < mine.n_records; i++) {
        j->class_of[self][i] = r->class_of[i];
        for (uint32_t a = 0; a < mine.n_attributes; a++)
            sound &= tree_covers(mine.attributes[a].tree,
                                 r->closure[r->class_of[i] * mine.n_attributes + a],
                                 mine.attributes[a].cells[i]);
    }
    if (self == j->pivot)
        j->n_sums = ledger_calls(party_ledger(p), "sum");
    context_wipe(&c);
    return status == KITH_OK && !sound ? error_set(error, KITH_BUG, "not covered") : status;
}

static void open_job(job *j, const problem_shape *shape, uint32_t m, uint64_t seed)
{
    *j = (job){.memory = arena_new(), .seed = seed, .change = UINT32_MAX};
    j->whole = problems_random(j->memory, shape, seed);
    for (uint32_t i = 0; i < m; i++)
        j->class_of[i] = arena_zalloc(j->memory, shape->n_records + 1, sizeof(uint32_t));
    distribute(j, m);
}

/* The same run in one place. */
static void run_alone(const job *j, columns_sequential_result *r, context *c)
{
    assert_int_equal(context_init(c, NULL, NULL), KITH_OK);
    assert_int_equal(
        columns_sequential_run(r, j->whole, &j->spec, &(columns_link){0}, j->seed, c, NULL),
        KITH_OK);
}

static void same_as_alone(const job *j, uint32_t m)
{
    columns_sequential_result alone;
    context c;
    run_alone(j, &alone, &c);
    for (uint32_t i = 0; i < m; i++) {
        const protocol_report *report = &j->result[i].report;
        assert_int_equal(j->result[i].n_classes, alone.partition.n_classes);
        assert_memory_equal(j->class_of[i], alone.partition.class_of,
                            j->whole->n_records * sizeof(uint32_t));
        assert_int_equal(report->n_passes, alone.n_passes);
        assert_string_equal(report->stopped, alone.stopped);
        assert_int_equal(report->n_paper_sums, alone.n_paper_sums);
        assert_int_equal(report->n_paper_ands, 0);
    }
    assert_true(problems_hold(j->whole, j->class_of[0], alone.partition.n_classes));
    context_wipe(&c);
}

static const uint32_t parties[] = {2, 3, 5};

static void gives_the_classes_of_one_place(void **state)
{
    (void)state;
    problem_shape shape = problems_shape_secret(0, 6, 16);
    static const uint32_t blocks[] = {16, 0, 1};
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 3; b++)
            for (unsigned variant = 0; variant < 4; variant++) {
                if (b > 0 && variant != a)
                    continue; /* not all of many */
                job j;
                shape.l = variant & 1 ? 2.5 : 0;
                shape.n_records = blocks[b] == 1 ? 300 : 2000;
                open_job(&j, &shape, parties[a], 100 + variant);
                j.spec = (search_spec){.block = blocks[b],
                                       .finish = variant & 2 ? FINISH_MERGE : FINISH_HYBRID,
                                       .max_passes = 4};
                j.pivot = variant & 1 ? parties[a] - 1 : 0;
                assert_int_equal(session_run(parties[a], cluster, &j), KITH_OK);
                same_as_alone(&j, parties[a]);
                double visits = j.result[0].report.facts[0].value;
                double put_off = j.result[0].report.facts[1].value;
                assert_true(visits >= j.whole->n_records * 2.0);
                assert_true(blocks[b] == 1 ? put_off == 0 : put_off > 0);
                if (blocks[b] == 1) /* the paper: a sum per visit, per union, and a few for costs */
                    assert_true((double)j.n_sums >= visits &&
                                j.n_sums <= j.result[0].report.n_paper_sums + 60);
                else
                    assert_true(j.n_sums * 4 < j.result[0].report.n_paper_sums);
                arena_free(j.memory);
            }
}

static void takes_any_sites(void **state)
{
    (void)state;
    static const problem_shape shapes[] = {
        {.n_records = 60, .n_attributes = 4, .n_leaves = 8, .width = 2, .k = 4},
        {.n_records = 60, .n_attributes = 4, .n_leaves = 8, .n_kinds = 1, .k = 4}, /* all alike */
        {.n_records = 5, .n_attributes = 4, .n_leaves = 8, .k = 5},                /* one class */
        {.n_records = 30, .n_attributes = 4, .n_leaves = 4, .k = 1}, /* nothing to hide */
        {.n_records = 40, .n_attributes = 4, .n_leaves = 8, .k = 2, .n_sensitive = 3, .l = 2},
    };
    for (unsigned s = 0; s < 5; s++)
        for (uint32_t m = 2; m <= 5; m++) {
            job j;
            open_job(&j, &shapes[s], m, s);
            j.uneven = true;
            distribute(&j, m);
            j.pivot = m - 1; /* which has no column but the sensitive one */
            j.spec.n_restarts = m == 3 ? 3 : 0;
            assert_int_equal(session_run(m, cluster, &j), KITH_OK);
            same_as_alone(&j, m);
            arena_free(j.memory);
        }
}

/* All parties end with the same status, which is not a peer's. */
static void all_fail(job *j, uint32_t m, kith_status status, const char *text)
{
    kith_error errors[PARTY_MAX] = {0};
    void *users[PARTY_MAX] = {NULL};
    for (uint32_t i = 0; i < m; i++)
        users[i] = j;
    assert_int_equal(inproc_run(m, NULL, NULL, cluster, users, errors), status);
    for (uint32_t i = 0; i < m; i++)
        assert_int_equal(errors[i].status, status);
    bool said = false; /* who comes late hears only that another one left */
    for (uint32_t i = 0; i < m; i++)
        said |= strstr(errors[i].message, text) != NULL;
    assert_true(said);
}

static void fails_everywhere_alike(void **state)
{
    (void)state;
    job j;
    problem_shape shape = {.n_records = 10, .n_attributes = 4, .n_leaves = 4, .k = 11};
    open_job(&j, &shape, 3, 1);
    all_fail(&j, 3, KITH_INFEASIBLE, "only 10 records");
    arena_free(j.memory);

    shape = (problem_shape){
        .n_records = 40, .n_attributes = 4, .n_leaves = 4, .k = 2, .n_sensitive = 2, .l = 4};
    open_job(&j, &shape, 3, 1);
    j.pivot = 2;
    all_fail(&j, 3, KITH_INFEASIBLE, "cannot be met");
    arena_free(j.memory);

    shape.l = 0;
    shape.n_records = 0;
    open_job(&j, &shape, 2, 1);
    all_fail(&j, 2, KITH_INFEASIBLE, "no records");
    arena_free(j.memory);

    shape.n_records = 40;
    open_job(&j, &shape, 2, 1);
    j.change = 1;
    all_fail(&j, 2, KITH_PEER, "common records, site");
    arena_free(j.memory);
}

/* Noise changes classes but no promise; the same question gets the same noise, or moves would never
 * end. */
static void adds_noise(void **state)
{
    (void)state;
    problem_shape shape = {.n_records = 800, .n_attributes = 4, .n_leaves = 16, .width = 4, .k = 6};
    job j;
    columns_sequential_result alone;
    context c;
    open_job(&j, &shape, 2, 5);
    run_alone(&j, &alone, &c);
    j.options.noise = 0.02;
    assert_int_equal(session_run(2, cluster, &j), KITH_OK);
    partition found = {.n_classes = j.result[0].n_classes, .class_of = j.class_of[0]};
    assert_true(problems_hold(j.whole, found.class_of, found.n_classes));
    assert_memory_equal(j.class_of[0], j.class_of[1], 800 * sizeof(uint32_t));
    assert_memory_not_equal(j.class_of[0], alone.partition.class_of, 800 * sizeof(uint32_t));
    assert_true(j.result[0].report.n_passes < 100);
    assert_int_equal(partition_close(&found, j.whole, c.memory, NULL), KITH_OK);
    double clear = partition_cost(&alone.partition, j.whole);
    assert_true(partition_cost(&found, j.whole) < 1.15 * clear);
    j.options.noise = 2;
    all_fail(&j, 2, KITH_INVALID, "noise");
    context_wipe(&c);
    arena_free(j.memory);
}

/* Sums of moves that two runs of the pivot see with its own part taken off, m = 2. */
static void learns_what_its_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    for (uint32_t m = 2; m <= 3; m++)
        for (int merges = 0; merges < 2; merges++) {
            problem_shape shape = {
                .n_records = 400, .n_attributes = 4, .n_leaves = 12, .width = 3, .skew = 3, .k = 5};
            job j;
            open_job(&j, &shape, m, 7);
            j.spec.finish = merges ? FINISH_MERGE : FINISH_HYBRID;
            assert_int_equal(session_audit(m, cluster, &j, &facts), KITH_OK);
            assert_true(facts.n_rounds <= 4 * j.n_sums); /* at most 4 per call */
            arena_free(j.memory);
        }
    problem_shape shape = {
        .n_records = 40, .n_attributes = 4, .n_leaves = 4, .k = 2, .n_sensitive = 2, .l = 4};
    job j;
    open_job(&j, &shape, 3, 1);
    assert_int_equal(session_audit(3, cluster, &j, &facts), KITH_INFEASIBLE);
    arena_free(j.memory);
    session_agrees(&facts, "../protocol/columns/columns_clustering.h");
}

/* Addends look uniform, whatever the data. */
static void hides_addends(void **state)
{
    (void)state;
    problem_shape shape = {.n_records = 300, .n_attributes = 4, .n_leaves = 12, .width = 3, .k = 9};
    session_view view = {.type = "sum.share"};
    job j;
    open_job(&j, &shape, 3, 7);
    assert_int_equal(session_watch(3, cluster, &j, &view), KITH_OK);
    assert_true(view.bytes > 100000);
    assert_true(session_uniform_p(view.bin, 0, 255) > 1e-9);
    arena_free(j.memory);
}

static void survives_broken_frames(void **state)
{
    (void)state;
    static const frame_fault faults[] = {FAULT_TRUNCATE, FAULT_CORRUPT};
    for (int merges = 0; merges < 2; merges++)
        for (unsigned f = 0; f < 2; f++) {
            problem_shape shape = {
                .n_records = 36, .n_attributes = 3, .n_leaves = 8, .width = 2, .k = 4};
            job j;
            open_job(&j, &shape, 3, 3);
            j.spec = (search_spec){.finish = merges ? FINISH_MERGE : FINISH_HYBRID};
            size_t runs = session_faults(3, cluster, &j, faults[f], 10000);
            assert_true(runs > 30 && runs < 10000);
            arena_free(j.memory);
        }
}

/* A site that is stopped in any phase stops the others. */
static void stops_with_any_site(void **state)
{
    (void)state;
    bool phases[3] = {false};
    for (uint32_t turn = 0; turn < 120; turn++) {
        problem_shape shape = {
            .n_records = 60, .n_attributes = 3, .n_leaves = 8, .width = 2, .k = 6};
        kith_error errors[PARTY_MAX] = {0};
        void *users[3] = {NULL};
        job j;
        open_job(&j, &shape, 3, 3);
        j.spec = (search_spec){.finish = turn % 2 ? FINISH_MERGE : FINISH_HYBRID, .max_passes = 2};
        j.leaver = turn % 3;
        j.leaves_at = 1 + turn / 6 * 2;
        for (uint32_t i = 0; i < 3; i++)
            users[i] = &j;
        kith_status status = inproc_run(3, NULL, NULL, cluster, users, errors);
        assert_int_equal(status, j.phase[0] == '\0' ? KITH_OK : KITH_CANCELLED);
        for (uint32_t i = 0; i < 3 && status != KITH_OK; i++)
            assert_int_equal(errors[i].status, i == j.leaver ? KITH_CANCELLED : KITH_PEER);
        phases[0] |= strcmp(j.phase, "clustering") == 0;
        phases[1] |= strcmp(j.phase, "merging") == 0;
        phases[2] |= strcmp(j.phase, "finishing") == 0;
        arena_free(j.memory);
    }
    assert_true(phases[0] && phases[1] && phases[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_classes_of_one_place), cmocka_unit_test(takes_any_sites),
        cmocka_unit_test(fails_everywhere_alike),         cmocka_unit_test(adds_noise),
        cmocka_unit_test(learns_what_its_header_says),    cmocka_unit_test(hides_addends),
        cmocka_unit_test(survives_broken_frames),         cmocka_unit_test(stops_with_any_site),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What sites tell each other in a joint tree of columns follows from the release, the order of
 * attributes and the values that got branches: every message is rebuilt from these. And no site
 * knows a record more finely than the release: no part tears a class. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "protocol/column_tree/column_tree.h"
#include "protocol/column_tree/column_tree_score.h"
#include "reference/column_tree_plain_audit.h"
#include "support/column_job.h"

enum { MAX_SETS = 4096 };

/* What a simulator is told about one set beside the release. */
typedef struct split {
    bool made;
    uint32_t attribute, n_values;
    uint32_t values[COLUMN_TREE_MAX_LIVE];
} split;

/* What one party heard about one set. */
typedef struct heard {
    uint32_t owner, size;
    uint8_t *parts; /* NULL: nothing */
    uint32_t *members;
} heard;

typedef struct transcript {
    split splits[MAX_SETS];
    heard heard[COLUMN_JOB_SITES][MAX_SETS];
} transcript;

typedef struct scribe {
    transcript *log;
    uint32_t self;
} scribe;

static void note_split(void *user, const column_tree_split *what)
{
    const scribe *s = user;
    assert_true(what->set < MAX_SETS);
    split *to = &s->log->splits[what->set]; /* a set has one owner */
    *to = (split){.made = true, .attribute = what->attribute, .n_values = what->n_values};
    memcpy(to->values, what->values, what->n_values * sizeof *to->values);
}

static void note_parts(void *user, const column_tree_parts *what)
{
    const scribe *s = user;
    assert_true(what->set < MAX_SETS);
    heard *to = &s->log->heard[s->self][what->set];
    *to = (heard){.owner = what->owner, .size = what->size};
    to->parts = malloc(what->size);
    to->members = malloc(what->size * sizeof *to->members);
    memcpy(to->parts, what->parts, what->size);
    memcpy(to->members, what->members, what->size * sizeof *to->members);
}

/* The branch of a record as the release shows it: that of a value at or above its class's closure;
 * n_values is the rest. */
static uint32_t shown_branch(const column_job *j, const partition *release, const split *s,
                             uint32_t record)
{
    const tree *t = j->whole->attributes[s->attribute].tree;
    const size_t class = release->class_of[record];
    const uint32_t node = release->closure[class * j->whole->n_attributes + s->attribute];
    uint32_t branch = s->n_values;
    for (uint32_t v = 0; v < s->n_values; v++)
        if (tree_covers(t, s->values[v], node))
            branch = v;
    return branch;
}

/* The parts as the simulator sees them: numbers in the order of first records. */
static void rebuild(const column_job *j, const partition *release, const split *s,
                    const uint32_t *members, uint32_t size, uint8_t *parts)
{
    uint8_t number[COLUMN_TREE_MAX_LIVE + 1], used = 0;
    memset(number, UINT8_MAX, sizeof number);
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t branch = shown_branch(j, release, s, members[i]);
        if (number[branch] == UINT8_MAX)
            number[branch] = used++;
        parts[i] = number[branch];
    }
}

/* Is the class of record i all in one part of the set? */
static bool is_whole(const partition *release, const heard *h, const uint32_t *size, uint32_t i)
{
    const uint32_t class = release->class_of[h->members[i]];
    uint32_t together = 0;
    for (uint32_t r = 0; r < h->size; r++)
        together += release->class_of[h->members[r]] == class && h->parts[r] == h->parts[i];
    return together == size[class];
}

/* Does a part have some records of a class and not all? */
static bool tears(const column_job *j, const partition *release, const heard *h)
{
    uint8_t *part = malloc(release->n_classes);
    bool torn = false;
    memset(part, UINT8_MAX, release->n_classes);
    for (uint32_t i = 0; i < h->size; i++) {
        uint8_t *of = &part[release->class_of[h->members[i]]];
        torn |= *of != UINT8_MAX && *of != h->parts[i];
        *of = h->parts[i];
    }
    free(part);
    (void)j;
    return torn;
}

typedef struct tally {
    uint32_t n_heard, n_different, n_torn;
} tally;

static tally replay(const column_job *j, const transcript *l, const partition *release)
{
    tally t = {0};
    uint8_t *parts = malloc(j->whole->n_records);
    for (uint32_t i = 0; i < j->m; i++)
        for (uint32_t set = 0; set < MAX_SETS; set++) {
            const heard *h = &l->heard[i][set];
            if (h->parts == NULL)
                continue;
            const split *s = &l->splits[set];
            assert_true(s->made);
            assert_int_equal(h->owner, j->holder[s->attribute]);
            rebuild(j, release, s, h->members, h->size, parts);
            t.n_heard++;
            t.n_different += memcmp(parts, h->parts, h->size) != 0;
            t.n_torn += tears(j, release, h);
        }
    free(parts);
    return t;
}

static transcript *records; /* of the present run */

static kith_status sit(party *p, void *user, kith_error *error)
{
    scribe s = {records, party_self(p)};
    const column_tree_recorder recorder = {note_split, note_parts, &s};
    return column_job_sit_recorded(p, user, &recorder, error);
}

static transcript *transcript_new(void)
{
    records = calloc(1, sizeof *records);
    return records;
}

static void transcript_free(transcript *l)
{
    for (uint32_t i = 0; i < COLUMN_JOB_SITES; i++)
        for (uint32_t set = 0; set < MAX_SETS; set++) {
            free(l->heard[i][set].parts);
            free(l->heard[i][set].members);
        }
    free(l);
}

/* With pools: of classes that are all in one part, that part follows from the release; a class that
 * is not has records that left a set. */
static void replay_whole(tally *t, const column_job *j, const partition *release, const split *s,
                         const heard *h, const uint32_t *size)
{
    uint32_t branch[UINT8_MAX + 1]; /* of a part, as the first whole class shows it */
    memset(branch, 0xff, sizeof branch);
    for (uint32_t r = 0; r < h->size; r++) {
        const uint32_t shown = shown_branch(j, release, s, h->members[r]);
        uint32_t *of = &branch[h->parts[r]];
        if (!is_whole(release, h, size, r)) {
            t->n_torn++;
            continue;
        }
        *of = *of == UINT32_MAX ? shown : *of;
        t->n_different += *of != shown || h->parts[r] == UINT8_MAX;
        t->n_heard++;
    }
}

static tally replay_pools(const column_job *j, const transcript *l, const partition *release)
{
    tally t = {0};
    uint32_t *size = calloc(release->n_classes, sizeof *size);
    for (uint32_t i = 0; i < j->whole->n_records; i++)
        size[release->class_of[i]]++;
    for (uint32_t i = 0; i < j->m; i++)
        for (uint32_t set = 0; set < MAX_SETS; set++)
            if (l->heard[i][set].parts != NULL)
                replay_whole(&t, j, release, &l->splits[set], &l->heard[i][set], size);
    free(size);
    return t;
}

static const problem_shape shapes[] = {
    {.n_records = 1200, .n_attributes = 6, .n_leaves = 27, .width = 3, .skew = 3, .k = 4},
    {.n_records = 900, .n_attributes = 5, .n_leaves = 16, .width = 4, .skew = 3, .k = 25},
    {.n_records = 900, .n_attributes = 5, .n_leaves = 12, .skew = 3, .wildcards = .1, .k = 6},
    {.n_records = 900,
     .n_attributes = 5,
     .n_leaves = 16,
     .width = 4,
     .skew = 2,
     .n_sensitive = 5,
     .l = 3,
     .k = 6},
};

static void messages_follow_from_the_release(void **state)
{
    (void)state;
    uint32_t n_heard = 0;
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (uint32_t m = 2; m <= 4; m++) {
            column_job j;
            transcript *l = transcript_new();
            column_job_open(&j, &shapes[s], m, 70 + 10 * s + m);
            j.unseeded = true;
            j.options.name = s == 1 ? NAMING_ALWAYS : NAMING_NEVER;
            assert_int_equal(session_run(m, sit, &j), KITH_OK);
            const partition release = column_job_join(&j);
            const tally t = replay(&j, l, &release);
            assert_int_equal(t.n_different, 0);
            assert_int_equal(t.n_torn, 0);
            n_heard += t.n_heard;
            transcript_free(l);
            arena_free(j.memory);
        }
    assert_true(n_heard > 500);
}

static void messages_of_pools_follow_for_those_who_stay(void **state)
{
    (void)state;
    tally all = {0};
    for (unsigned s = 0; s < 3; s++) {
        column_job j;
        transcript *l = transcript_new();
        column_job_open(&j, &shapes[s], 2 + s, 70 + s);
        j.options.pools = true;
        assert_int_equal(session_run(j.m, sit, &j), KITH_OK);
        const partition release = column_job_join(&j);
        const tally t = replay_pools(&j, l, &release);
        assert_int_equal(t.n_different, 0);
        all.n_heard += t.n_heard;
        all.n_torn += t.n_torn;
        transcript_free(l);
        arena_free(j.memory);
    }
    assert_true(all.n_heard > 5000 && all.n_torn > 0);
}

static void ignore_parts(void *user, const column_tree_parts *what)
{
    (void)user;
    (void)what;
}

static kith_status sit_audited(party *p, void *user, kith_error *error)
{
    column_job *j = user;
    const column_tree_recorder recorder = {column_tree_plain_audit_split, ignore_parts, j->more};
    return column_job_sit_recorded(p, user, &recorder, error);
}

/* What the sites know more finely than the release: nothing, but with pools. These tables, whose
 * columns depend on nothing, are worse than those of the documentation. */
static void knows_more_with_pools_alone(void **state)
{
    (void)state;
    static const struct {
        uint32_t finer, few;
    } most[] = {{330, 115}, {190, 40}, {40, 10}};
    for (unsigned s = 0; s < 3; s++)
        for (uint32_t pools = 0; pools < 2; pools++) {
            column_job j;
            column_tree_plain_audit audit;
            column_job_open(&j, &shapes[s], 3, 80 + s);
            j.options.pools = pools > 0;
            j.more = &audit;
            assert_int_equal(column_tree_plain_audit_begin(&audit, j.whole, j.memory, NULL),
                             KITH_OK);
            assert_int_equal(session_run(3, sit_audited, &j), KITH_OK);
            const partition release = column_job_join(&j);
            const column_tree_plain_audit_figures f = column_tree_plain_audit_end(&audit, &release);
            assert_true(f.n_finer <= pools * most[s].finer && f.n_few <= pools * most[s].few);
            assert_true(!pools || f.n_finer * 2 > most[s].finer); /* it is seen at all */
            arena_free(j.memory);
        }
}

/* The tally sees a class of which one record is in another part, and a release that shows more. */
static void another_release_is_noticed(void **state)
{
    (void)state;
    column_job j;
    transcript *l = transcript_new();
    column_job_open(&j, &shapes[0], 2, 5);
    assert_int_equal(session_run(2, sit, &j), KITH_OK);
    partition release = column_job_join(&j);
    uint32_t other = 1;
    while (release.class_of[other] == release.class_of[0])
        other++;
    const uint32_t own = release.class_of[0];
    release.class_of[0] = release.class_of[other];
    const tally moved = replay(&j, l, &release);
    assert_true(moved.n_torn > 0 && moved.n_different > 0);
    release.class_of[0] = own;
    assert_int_equal(replay(&j, l, &release).n_different, 0);
    transcript_free(l);
    arena_free(j.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_follow_from_the_release),
        cmocka_unit_test(messages_of_pools_follow_for_those_who_stay),
        cmocka_unit_test(knows_more_with_pools_alone),
        cmocka_unit_test(another_release_is_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

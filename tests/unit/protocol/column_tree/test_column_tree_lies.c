/* The joint tree of columns with a party that lies: no honest party crashes, goes on without end,
 * or blames another honest one. Liars keep to the form of messages and to their order. */
/* wrap: column_tree_bid_lend column_tree_bid_propose column_tree_lend_seal */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "protocol/column_tree/column_tree_bid.h"
#include "protocol/columns_agree.h"
#include "smc/smc.h"
#include "support/column_job.h"
#include "support/finder.h"

enum { LIAR, VICTIM, OTHER, SITES, NOBODY = SITES };

/* More rounds than any honest run has: then a liar gives up, so that the test ends. */
enum { PATIENCE = 1000 };

static const problem_shape plain = {
    .n_records = 300, .n_attributes = 4, .n_leaves = 16, .width = 4, .skew = 2, .k = 5};
static const problem_shape diverse = {.n_records = 300,
                                      .n_attributes = 4,
                                      .n_leaves = 16,
                                      .width = 4,
                                      .skew = 2,
                                      .k = 5,
                                      .n_sensitive = 6,
                                      .l = 3};

/* --- liars inside the protocol --- */

static struct {
    uint32_t lends, proposes; /* parties that do so without end; NOBODY: none */
    uint32_t n_calls;
} endless;

kith_status __real_column_tree_bid_lend(const column_tree *w, column_tree_bid *b,
                                        const column_tree_set *n, bool *lends, arena *round,
                                        kith_error *error);
kith_status __wrap_column_tree_bid_lend(const column_tree *w, column_tree_bid *b,
                                        const column_tree_set *n, bool *lends, arena *round,
                                        kith_error *error);
/* "Here is a larger loan", but it is not larger. */
kith_status __wrap_column_tree_bid_lend(const column_tree *w, column_tree_bid *b,
                                        const column_tree_set *n, bool *lends, arena *round,
                                        kith_error *error)
{
    if (party_self(w->party) != endless.lends)
        return __real_column_tree_bid_lend(w, b, n, lends, round, error);
    *lends = ++endless.n_calls < PATIENCE;
    return KITH_OK;
}

kith_status __real_column_tree_bid_propose(column_tree *w, column_tree_bid *b,
                                           const column_tree_set *n, bool *is_new, arena *round,
                                           kith_error *error);
kith_status __wrap_column_tree_bid_propose(column_tree *w, column_tree_bid *b,
                                           const column_tree_set *n, bool *is_new, arena *round,
                                           kith_error *error);
/* Offers the same split again, and forgets what the pivot accepts. */
kith_status __wrap_column_tree_bid_propose(column_tree *w, column_tree_bid *b,
                                           const column_tree_set *n, bool *is_new, arena *round,
                                           kith_error *error)
{
    const bool lies = party_self(w->party) == endless.proposes && ++endless.n_calls < PATIENCE;
    if (lies)
        b->value = 0;
    TRY(__real_column_tree_bid_propose(w, b, n, is_new, round, error));
    if (lies)
        b->scores[b->proposal->slot.side] = UINT8_MAX;
    return KITH_OK;
}

static uint32_t misplaces; /* this owner splits other records than the pivot has accepted */

void __real_column_tree_lend_seal(column_tree *w, uint8_t *branch, const column_tree_set *n,
                                  const column_tree_slot *slot);
void __wrap_column_tree_lend_seal(column_tree *w, uint8_t *branch, const column_tree_set *n,
                                  const column_tree_slot *slot);
/* The parts in the reverse order of records, numbered as they must be. */
void __wrap_column_tree_lend_seal(column_tree *w, uint8_t *branch, const column_tree_set *n,
                                  const column_tree_slot *slot)
{
    uint8_t number[UINT8_MAX + 1], used = 0;
    __real_column_tree_lend_seal(w, branch, n, slot);
    if (party_self(w->party) != misplaces)
        return;
    memset(number, UINT8_MAX, sizeof number);
    for (uint32_t i = 0; i < n->size / 2; i++) {
        const uint8_t first = branch[i];
        branch[i] = branch[n->size - 1 - i];
        branch[n->size - 1 - i] = first;
    }
    for (uint32_t i = 0; i < n->size; i++) {
        if (number[branch[i]] == UINT8_MAX)
            number[branch[i]] = used++;
        branch[i] = number[branch[i]];
    }
}

/* --- runs --- */

static void open_job(column_job *j, const problem_shape *shape)
{
    column_job_open(j, shape, SITES, 7);
    j->pivot = LIAR;
    for (uint32_t a = 0; a < shape->n_attributes; a++)
        j->holder[a] = a % SITES;
    endless.lends = endless.proposes = misplaces = NOBODY;
    endless.n_calls = 0;
}

/* All honest parties end with KITH_PEER, and one of them says these words: who comes late hears
 * only that the run has ended. */
static void fails(column_job *j, session_fn *sit, const payload_hook *hook, const char *words)
{
    kith_error errors[PARTY_MAX] = {0};
    void *users[PARTY_MAX];
    const inproc_options options = {.payload = hook == NULL ? (payload_hook){0} : *hook};
    for (uint32_t i = 0; i < SITES; i++)
        users[i] = j;
    assert_int_not_equal(inproc_run(SITES, NULL, &options, sit, users, errors), KITH_OK);
    assert_int_equal(errors[VICTIM].status, KITH_PEER);
    assert_int_equal(errors[OTHER].status, KITH_PEER);
    if (strstr(errors[VICTIM].message, words) == NULL &&
        strstr(errors[OTHER].message, words) == NULL)
        fail_msg("\"%s\" instead of \"%s\"", errors[VICTIM].message, words);
    arena_free(j->memory);
}

/* Whatever the offers are, the victim's is the best one: the hub says so of the first set. */
static void name_the_victim(void *user, uint32_t from, uint32_t to, const char *type,
                            payload_copy *payload)
{
    (void)user, (void)to;
    if (from == LIAR && strcmp(type, "circuit.result") == 0)
        payload->bytes[0] = 1 << VICTIM;
}

/* Gives the victim's attributes these cells. */
static void set_cells(column_job *j, const uint32_t *cells)
{
    const uint32_t n = j->whole->n_attributes;
    problem *other = arena_array(j->memory, 1, sizeof *other);
    attribute *attributes = arena_array(j->memory, n, sizeof *attributes);
    memcpy(attributes, j->whole->attributes, n * sizeof *attributes);
    for (uint32_t a = 0; a < n; a++)
        if (j->holder[a] == VICTIM)
            attributes[a].cells = cells;
    *other = *j->whole;
    other->attributes = attributes;
    j->whole = other;
}

static void splits_nothing_that_it_did_not_offer(void **state)
{
    (void)state;
    static const char words[] = "the best offer is one that site2 did not make";
    static const payload_hook hook = {.change = name_the_victim};
    static const uint32_t alike[300] = {0};
    /* Two branches of k records, and a rest of one that cannot borrow. */
    static const uint32_t full[11] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2};
    column_job j;
    open_job(&j, &plain);
    for (uint32_t a = 0; a < plain.n_attributes; a++)
        j.holder[a] = a % 2 == 0 ? LIAR : OTHER; /* the victim has none */
    fails(&j, column_job_sit, &hook, words);
    open_job(&j, &plain);
    set_cells(&j, alike);
    fails(&j, column_job_sit, &hook, words);
    const problem_shape few = {.n_records = 11, .n_attributes = 3, .n_leaves = 3, .k = 5};
    open_job(&j, &few);
    set_cells(&j, full);
    fails(&j, column_job_sit, &hook, words);
}

/* The pivot asks the victim about the first set. */
static void ask_the_victim(void *user, uint32_t from, uint32_t to, const char *type,
                           payload_copy *payload)
{
    (void)user;
    if (from == LIAR && to == VICTIM && strcmp(type, "column.asked") == 0)
        payload->bytes[0] |= 1;
}

static void shows_nothing_that_it_did_not_offer(void **state)
{
    (void)state;
    static const char words[] = "site1 asked for a split that was not offered";
    static const payload_hook hook = {.change = ask_the_victim};
    static const uint32_t alike[300] = {0};
    column_job j;
    open_job(&j, &diverse);
    for (uint32_t a = 0; a < diverse.n_attributes; a++)
        j.holder[a] = a % 2 == 0 ? LIAR : OTHER;
    fails(&j, column_job_sit, &hook, words);
    open_job(&j, &diverse);
    set_cells(&j, alike);
    fails(&j, column_job_sit, &hook, words);
}

/* --- rounds without end --- */

static uint32_t n_rounds;

/* A pivot that compares offers for the first set again and again, and asks nobody. */
static kith_status ask_nobody(party *p, void *user, kith_error *error)
{
    static const message_type terms_type = {"column.terms", DISCLOSE_CHOICE};
    static const message_type asked_type = {"column.asked", DISCLOSE_CHOICE};
    column_job *j = user;
    if (party_self(p) != LIAR)
        return column_job_sit(p, user, error);
    const columns_task task = {
        .mine = j->whole, .n_all = j->whole->n_attributes, .pivot = LIAR, .unit = 1};
    column_tree w = {.party = p, .task = &task, .problem = j->whole, .open = {.count = 1}};
    const column_tree_offer none = {0};
    const uint32_t terms[2] = {1, j->whole->k};
    const uint64_t asked[2] = {0};
    uint32_t owner;
    TRY(columns_agree_shape(p, &task, error));
    TRY(party_broadcast(p, &terms_type, terms, sizeof terms, error));
    for (n_rounds = 0; n_rounds < PATIENCE; n_rounds++) {
        TRY(column_tree_choose(&w, &owner, &none, LIAR, error));
        TRY(party_broadcast(p, &asked_type, asked, sizeof asked, error));
    }
    return error_set(error, KITH_CANCELLED, "gives up");
}

static void ends_rounds_of_the_pivot(void **state)
{
    (void)state;
    column_job j;
    open_job(&j, &diverse);
    fails(&j, ask_nobody, NULL, "site1 asks for more splits than there are attributes");
    assert_in_range(n_rounds, diverse.n_attributes, diverse.n_attributes + 4);
}

static void ends_rounds_of_an_owner(void **state)
{
    (void)state;
    column_job j;
    open_job(&j, &diverse);
    j.pivot = VICTIM;
    endless.proposes = LIAR;
    fails(&j, column_job_sit, NULL, "a party proposes more splits than it has attributes");
    open_job(&j, &diverse);
    j.pivot = VICTIM;
    for (uint32_t a = 0; a < diverse.n_attributes; a++)
        j.holder[a] = LIAR;
    endless.lends = LIAR;
    fails(&j, column_job_sit, NULL, "site1 lends without end");
}

/* The liar's first split is k records and all others: the answer would be about the k. */
static void ask_about_few(void *user, uint32_t from, uint32_t to, const char *type,
                          payload_copy *payload)
{
    (void)user, (void)to;
    if (from != LIAR || strcmp(type, "column.split") != 0 || payload->length != diverse.n_records)
        return;
    memset(payload->bytes, 0, payload->length);
    memset(payload->bytes, 1, diverse.k);
}

static void answers_nothing_about_few_records(void **state)
{
    (void)state;
    static const payload_hook hook = {.change = ask_about_few};
    column_job j;
    open_job(&j, &diverse);
    j.pivot = VICTIM;
    for (uint32_t a = 0; a < diverse.n_attributes; a++)
        j.holder[a] = LIAR;
    fails(&j, column_job_sit, &hook, "site1 asks about too few records");
}

/* --- classes that break the models --- */

/* The pivot says that classes may have one record. */
static void allow_single_records(void *user, uint32_t from, uint32_t to, const char *type,
                                 payload_copy *payload)
{
    static const uint32_t terms[2] = {1, 1};
    (void)user, (void)from, (void)to;
    if (strcmp(type, "column.terms") == 0)
        memcpy(payload->bytes, terms, sizeof terms);
}

static void accepts_no_terms_below_k(void **state)
{
    (void)state;
    static const payload_hook hook = {.change = allow_single_records};
    column_job j;
    open_job(&j, &diverse);
    fails(&j, column_job_sit, &hook, "site1 sent invalid terms");
}

/* The pivot is honest; its parts are large enough, but not diverse. */
static void releases_no_classes_that_break_models(void **state)
{
    (void)state;
    column_job j;
    open_job(&j, &diverse);
    j.pivot = VICTIM;
    for (uint32_t a = 0; a < diverse.n_attributes; a++)
        j.holder[a] = LIAR;
    misplaces = LIAR;
    fails(&j, column_job_sit, NULL, "not all classes keep the models");
}

/* Two records of different parts change places, for one party. */
static void tell_one_party_otherwise(void *user, uint32_t from, uint32_t to, const char *type,
                                     payload_copy *payload)
{
    bool *told = user;
    if (from != LIAR || to != OTHER || *told || strcmp(type, "column.parts") != 0)
        return;
    const size_t last = payload->length - 1;
    size_t at = last;
    while (at > 0 && payload->bytes[at] == payload->bytes[last])
        at--;
    const unsigned char part = payload->bytes[last];
    payload->bytes[last] = payload->bytes[at];
    payload->bytes[at] = part;
    *told = true;
}

/* All three compare their classes in the end, the liar as well: whoever of them is the first. */
static void releases_no_classes_of_two_kinds(void **state)
{
    (void)state;
    for (uint32_t finder = 0; finder < SITES; finder++) {
        bool told = false;
        kith_error errors[PARTY_MAX] = {0};
        const inproc_options options = {.payload = {tell_one_party_otherwise, &told},
                                        .fault = finder_hook(&finder)};
        column_job j;
        open_job(&j, &plain);
        for (uint32_t a = 0; a < plain.n_attributes; a++)
            j.holder[a] = LIAR;
        void *users[] = {&j, &j, &j};
        assert_int_equal(inproc_run(SITES, NULL, &options, column_job_sit, users, errors),
                         KITH_PEER);
        assert_true(told);
        finder_check(finder, SITES, errors);
        arena_free(j.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_nothing_that_it_did_not_offer),
        cmocka_unit_test(shows_nothing_that_it_did_not_offer),
        cmocka_unit_test(ends_rounds_of_the_pivot),
        cmocka_unit_test(ends_rounds_of_an_owner),
        cmocka_unit_test(answers_nothing_about_few_records),
        cmocka_unit_test(accepts_no_terms_below_k),
        cmocka_unit_test(releases_no_classes_that_break_models),
        cmocka_unit_test(releases_no_classes_of_two_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

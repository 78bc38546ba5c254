/* Every message that tells its receiver something has its entry in the ledger: whole runs of every
 * protocol, and of every party the types of messages that it received, but for those that are
 * masked, blinded or control, compared with what its ledger says it learned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "support/built.h"
#include "support/joint_scenes.h"
#include "support/session.h"
#include "wire/ledger.h"

enum { ENTRIES = 4 };

/* The entries that a message of this type may stand behind. Outputs of primitives have the names
 * that their callers give them: some entry of the same step (OUTPUT). */
#define OUTPUT "an output of a primitive"
static const struct {
    const char *type, *entries[ENTRIES];
} expected[] = {
    {"align.counts", {"align.counts"}},
    {"set.size", {"set.sizes"}},
    {"set.chosen", {"intersection"}},
    {"set.plain", {"intersection"}},
    {"union.size", {"union"}},
    {"union.rows", {"union"}},
    {"at_least.result", {OUTPUT}},
    {"circuit.result", {OUTPUT}},
    {"compare.result", {OUTPUT}},
    {"logic.result", {OUTPUT}},
    {"sum.result", {OUTPUT}},
    {"tree.verdict", {"classes keep the models", "all classes keep the models"}},
    {"cluster.ask", {"questions of the pivot"}},
    {"cluster.count", {"questions of the pivot"}},
    {"cluster.state", {"sizes and closures of clusters"}},
    {"cluster.changes", {"sizes and closures of clusters"}},
    {"column.terms", {"terms"}},
    {"column.asked", {"asked for a split"}},
    {"column.reply", {"proposed parts", "owners of sets"}},
    {"column.split", {"proposed parts"}},
    {"column.answer", {"answers of the pivot"}},
    {"column.owners", {"owners of sets"}},
    {"column.borrows", {"sets that borrow"}},
    {"column.parts", {"parts of sets"}},
    {"vertical.terms", {"terms"}},
    {"vertical.clusters", {"clusters"}},
    {"vertical.moves", {"moves"}},
    {"vertical.splits", {"splits"}},
    {"vertical.cost", {"decisions to stop"}},
    {"vertical.unions", {"unions"}},
    {"vertical.rows", {"rows"}},
    {"id.already", {"already k-anonymous"}},
    {"id.count", {"frequent quasi-identifiers", "remaining quasi-identifiers"}},
    {"id.names", {"frequent quasi-identifiers", "remaining quasi-identifiers"}},
    {"id.size", {"release"}},
    {"id.rows", {"release"}},
    {"view.shape", {"view.patterns", "view.matched", "view.table", "view.notes"}},
    {"view.codes", {"view.patterns", "view.matched", "view.table", "view.notes"}},
    {"view.unmatched", {"view.matched"}},
    {"view.verdict", {"view.notes"}},
    {"view.rows", {"view.release"}},
    {"view.bytes", {"view.release"}},
    {"view.found", {"view.values"}},
    {"view.missing", {"view.release"}},
    {"view.texts", {"view.release"}},
    {"publish.size", {"release"}},
    {"publish.labels", {"release"}},
    {"publish.cells", {"release"}},
    {"release.seal", {"release", "view.release"}},
};

enum { TYPES = sizeof expected / sizeof *expected };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool seen[TYPES];
static char problem_text[256]; /* the first one */

/* Has the party an entry of this name? OUTPUT: any entry of the step. */
static bool has_entry(const ledger *l, const char *name, const char *step)
{
    bool any = false;
    for (size_t i = 0; i < l->n_disclosures; i++)
        any |= strcmp(name, OUTPUT) == 0 ? strcmp(l->disclosures[i].step, step) == 0
                                         : strcmp(l->disclosures[i].what, name) == 0;
    return any;
}

static void check_line(const joint_scene *s, uint32_t self, const ledger *l,
                       const ledger_line *line)
{
    bool known = false, entered = false;
    for (size_t t = 0; t < TYPES; t++) {
        if (strcmp(expected[t].type, line->type) != 0)
            continue;
        known = seen[t] = true;
        for (size_t e = 0; e < ENTRIES && expected[t].entries[e] != NULL; e++)
            entered |= has_entry(l, expected[t].entries[e], line->step);
    }
    if (!entered && problem_text[0] == '\0')
        snprintf(problem_text, sizeof problem_text, "%s: party %u received %s (step %s), %s",
                 s->spec->name, self, line->type, line->step,
                 known ? "and its ledger has no entry for it"
                       : "of which this test does not know the entry");
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    const kith_status status = joint_scene_take_part(p, user, error);
    const ledger *l = party_ledger(p);
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < l->n_lines; i++)
        if (l->lines[i].disclosure >= DISCLOSE_CHOICE && l->lines[i].received.n_messages > 0)
            check_line(user, party_self(p), l, &l->lines[i]);
    pthread_mutex_unlock(&lock);
    return status;
}

static void every_message_has_its_entry(void **state)
{
    (void)state;
    for (size_t i = 0; i < joint_scenes_count; i++) {
        joint_scene s;
        joint_scene_open(&s, &joint_scenes[i]);
        if (s.study != NULL)
            assert_int_equal(session_run(s.n_parties, take_part, &s), KITH_OK);
        joint_scene_close(&s);
        if (problem_text[0] != '\0')
            fail_msg("%s", problem_text);
    }
    /* Clusters lose their nearest one in some runs only. */
    for (size_t t = 0; t < TYPES; t++)
        if (!seen[t] && built_all() && strcmp(expected[t].type, "vertical.rows") != 0)
            fail_msg("no run had a message %s", expected[t].type);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_message_has_its_entry)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

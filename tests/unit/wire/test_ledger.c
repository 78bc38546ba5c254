/* The ledger: sums, and the files that are written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/aborts.h"
#include "support/scratch.h"
#include "wire/ledger.h"

static const message_type share = {"sum.share", DISCLOSE_MASKED};
static const message_type result = {"sum.result", DISCLOSE_AGGREGATE};
static const char *const names[] = {"north", "south", "east"};
static const ledger_heading heading = {.study = "joint",
                                       .digest = "d1",
                                       .run = "r1",
                                       .outcome = "complete",
                                       .self = 0,
                                       .count = 3,
                                       .names = names};

static void fill(ledger *l, arena *memory)
{
    ledger_init(l, memory);
    assert_true(ledger_sent(l, "first", &share, 1, 1, 100));
    assert_true(ledger_sent(l, "first", &share, 2, 1, 100));
    assert_true(ledger_sent(l, "first", &share, 1, 0, 50)); /* another part of the message */
    assert_true(ledger_received(l, "first", &share, 1, 1, 70));
    assert_true(ledger_sent(l, "second", &share, 1, 1, 7));
    assert_true(ledger_received(l, "second", &result, 2, 2, 30));
    assert_true(ledger_rounds(l, "first", 1));
    assert_true(ledger_rounds(l, "second", 2));
    assert_true(ledger_rounds(l, "second", 1));
    assert_true(ledger_learns(l, "second", DISCLOSE_AGGREGATE, "sum", 5));
    assert_true(ledger_learns(l, "second", DISCLOSE_AGGREGATE, "sum", 6));
    assert_true(ledger_learns(l, "second", DISCLOSE_CHOICE, "question", 1));
}

static void adds_up(void **state)
{
    (void)state;
    ledger l;
    arena *memory = arena_new();
    fill(&l, memory);
    assert_int_equal(l.n_lines, 4);
    assert_int_equal(l.lines[0].sent.n_messages, 1);
    assert_int_equal(l.lines[0].sent.bytes, 150);
    assert_int_equal(l.lines[0].received.bytes, 70);
    assert_int_equal(l.sent.n_messages, 3);
    assert_int_equal(l.sent.bytes, 257);
    assert_int_equal(l.received.n_messages, 3);
    assert_int_equal(l.received.bytes, 100);
    assert_int_equal(l.n_rounds, 4);
    assert_int_equal(l.n_steps, 2);
    assert_int_equal(l.steps[1].n_rounds, 3);
    assert_int_equal(l.n_disclosures, 2);
    assert_int_equal(l.disclosures[0].times, 2);
    assert_int_equal(l.disclosures[0].count, 11);
    assert_int_equal(ledger_learned(&l, DISCLOSE_AGGREGATE), 2);
    assert_int_equal(ledger_learned(&l, DISCLOSE_CHOICE), 1);
    assert_int_equal(ledger_learned(&l, DISCLOSE_RELEASE), 0);
    arena_free(memory);
}

static void keeps_many_lines(void **state)
{
    (void)state;
    ledger l;
    arena *memory = arena_new();
    ledger_init(&l, memory);
    for (int round = 0; round < 3; round++)
        for (uint32_t peer = 0; peer < 1000; peer++)
            assert_true(ledger_sent(&l, "s", &share, peer, 1, peer));
    assert_int_equal(l.n_lines, 1000);
    for (uint32_t peer = 0; peer < 1000; peer++) {
        assert_int_equal(l.lines[peer].peer, peer);
        assert_int_equal(l.lines[peer].sent.n_messages, 3);
        assert_int_equal(l.lines[peer].sent.bytes, 3 * peer);
    }
    arena_free(memory);
}

static void makes_document(void **state)
{
    (void)state;
    ledger l;
    kith_document *d = NULL;
    arena *memory = arena_new();
    fill(&l, memory);
    assert_int_equal(ledger_document(&l, &heading, &d, NULL), KITH_OK);
    assert_string_equal(kith_document_text(d, "party", ""), "north");
    assert_string_equal(kith_document_text(d, "outcome", ""), "complete");
    assert_int_equal(kith_document_n_items(d, "traffic"), 4);
    assert_string_equal(kith_document_text(d, "traffic.3.type", ""), "sum.result");
    assert_string_equal(kith_document_text(d, "traffic.3.disclosure", ""), "aggregate");
    assert_string_equal(kith_document_text(d, "traffic.3.peer", ""), "east");
    assert_true(kith_document_number(d, "traffic.3.received.bytes", 0) == 30);
    assert_true(kith_document_number(d, "rounds", 0) == 4);
    assert_true(kith_document_number(d, "learned.0.count", 0) == 11);
    kith_document_free(d);
    arena_free(memory);
}

static ledger_words explain(const void *user, const char *step, const char *what)
{
    const bool known = strcmp(step, "second") == 0 && strcmp(what, "sum") == 0;
    return known ? (ledger_words){"apples of all", user, 3} : (ledger_words){0};
}

static void announce(const void *user, kith_document *d, document_node *root)
{
    document_put_text(d, root, "discloses", user);
}

static void says_what_entries_mean(void **state)
{
    (void)state;
    ledger l;
    kith_document *d = NULL;
    char *page = NULL;
    arena *memory = arena_new();
    ledger_heading explained = heading;
    explained.explain = explain;
    explained.announce = announce;
    explained.explained_by = "how many apples all have";
    fill(&l, memory);
    assert_int_equal(ledger_document(&l, &explained, &d, NULL), KITH_OK);
    assert_string_equal(kith_document_text(d, "learned.0.means", ""), "how many apples all have");
    assert_string_equal(kith_document_text(d, "learned.0.says", ""), "apples of all");
    assert_true(kith_document_number(d, "learned.0.promise", 0) == 3);
    assert_string_equal(kith_document_text(d, "learned.1.means", "none"), "none");
    assert_false(kith_document_has(d, "learned.1.promise"));
    assert_string_equal(kith_document_text(d, "discloses", ""), "how many apples all have");
    assert_int_equal(ledger_page(&l, &explained, &page, NULL), KITH_OK);
    assert_non_null(strstr(page, "  aggregate  apples of all: 11 values in "));
    assert_non_null(strstr(page, "(step second, entry sum)\n             announced as 3: how many "
                                 "apples all have\n"));
    assert_non_null(strstr(page, "\n             NOT ANNOUNCED by the dry run\n"));
    free(page);
    kith_document_free(d);
    arena_free(memory);
}

static void writes_private_files(void **state)
{
    (void)state;
    ledger l;
    struct stat info;
    kith_error error = {0};
    arena *memory = arena_new();
    fill(&l, memory);
    assert_int_equal(ledger_write(&l, &heading, scratch_directory, &error), KITH_OK);
    assert_int_equal(scratch_count(), 2);
    assert_int_equal(stat(scratch_path("ledger.json"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(stat(scratch_path("ledger.txt"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    char *page = scratch_read(scratch_path("ledger.txt"), NULL);
    assert_non_null(
        strstr(page, "aggregate  sum: 11 values in 2 answers (step second, entry sum)\n"));
    assert_non_null(strstr(page, "Rounds (longest chain of messages): 4\n"));
    free(page);
    assert_int_equal(ledger_write(&l, &heading, scratch_path("missing"), &error), KITH_IO);
    assert_int_equal(scratch_count(), 2);
    arena_free(memory);
}

#if KITH_DEBUG
static void break_a_sum(void)
{
    ledger l;
    fill(&l, arena_new());
    l.sent.bytes++;
    ledger_check(&l);
}

static void repeat_a_line(void)
{
    ledger l;
    fill(&l, arena_new());
    l.lines[1].peer = l.lines[0].peer;
    ledger_check(&l);
}

static void debug_builds_notice_wrong_sums(void **state)
{
    (void)state;
    assert_true(aborts(break_a_sum));
    assert_true(aborts(repeat_a_line));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_up),
        cmocka_unit_test(keeps_many_lines),
        cmocka_unit_test(makes_document),
        cmocka_unit_test(says_what_entries_mean),
        cmocka_unit_test_setup_teardown(writes_private_files, scratch_setup, scratch_teardown),
#if KITH_DEBUG
        cmocka_unit_test(debug_builds_notice_wrong_sums),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The ledger of queries: its lines, and how many queries a day is. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "job/query_ledger.h"
#include "support/scratch.h"

enum { DAY = 86400 };

static query_ledger *open_ledger(arena **memory, kith_status expected, kith_error *error)
{
    query_ledger *l = NULL;
    *memory = arena_new();
    assert_non_null(*memory);
    assert_int_equal(query_ledger_open(&l, *memory, scratch_path("ledger"), error), expected);
    return l;
}

static void add(query_ledger *l, time_t when, const char *who)
{
    const query_result result = {.asked = "SELECT \"a\"\nFROM b", .left = {true, 7}};
    kith_error error;
    assert_int_equal(query_ledger_add(l, when, who, &result, NULL, &error), KITH_OK);
}

static void counts_the_queries_of_a_day(void **state)
{
    arena *memory;
    kith_error error = {0};
    const time_t now = time(NULL);
    query_ledger *l = open_ledger(&memory, KITH_OK, &error);
    (void)state;
    assert_int_equal(query_ledger_next(l, "alice", 2, now), now);
    assert_int_equal(query_ledger_next(l, "alice", 0, now), now + DAY);
    add(l, now - 2 * DAY, "alice"); /* too long ago */
    add(l, now - 1000, "alice");
    add(l, now - 900, "bob");
    assert_int_equal(query_ledger_next(l, "alice", 2, now), now);
    add(l, now - 10, "alice");
    for (int again = 0; again < 2; again++) {
        /* Two in the last day: the next when the older one is a day old. */
        assert_int_equal(query_ledger_next(l, "alice", 2, now), now - 1000 + DAY);
        assert_int_equal(query_ledger_next(l, "alice", 2, now - 1000 + DAY), now - 1000 + DAY);
        assert_int_equal(query_ledger_next(l, "alice", 1, now), now - 10 + DAY);
        assert_int_equal(query_ledger_next(l, "alice", 3, now), now);
        assert_int_equal(query_ledger_next(l, "bob", 2, now), now);
        assert_int_equal(query_ledger_next(l, "bob", 1, now), now - 900 + DAY);
        if (again == 0) { /* it survives the process */
            arena_free(memory);
            l = open_ledger(&memory, KITH_OK, &error);
        }
    }
    arena_free(memory);
}

static void writes_one_line_per_query(void **state)
{
    char line[512], wanted[512], day[32];
    arena *memory;
    kith_error error = {0};
    const kith_error failure = {.status = KITH_PEER, .message = "south \"left\""};
    const time_t when = 1700000000;
    query_ledger *l = open_ledger(&memory, KITH_OK, &error);
    (void)state;
    add(l, when, "alice");
    assert_int_equal(
        query_ledger_add(l, when, "bob", &(query_result){.asked = "x"}, &failure, &error), KITH_OK);
    FILE *in = fopen(scratch_path("ledger"), "r");
    assert_non_null(in);
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%SZ", gmtime(&when));
    snprintf(wanted, sizeof wanted,
             "{\"when\":\"%s\",\"who\":\"alice\",\"query\":\"SELECT \\\"a\\\"\\nFROM b\",\"left\":"
             "\"rows\",\"count\":7,\"outcome\":\"complete\"}\n",
             day);
    assert_non_null(fgets(line, sizeof line, in));
    assert_string_equal(line, wanted);
    snprintf(wanted, sizeof wanted,
             "{\"when\":\"%s\",\"who\":\"bob\",\"query\":\"x\",\"left\":\"numbers\",\"count\":0,"
             "\"outcome\":\"failed: south \\\"left\\\"\"}\n",
             day);
    assert_non_null(fgets(line, sizeof line, in));
    assert_string_equal(line, wanted);
    assert_null(fgets(line, sizeof line, in));
    fclose(in);
    arena_free(memory);
}

static void refuses_other_files(void **state)
{
    arena *memory, *second;
    kith_error error = {0};
    struct stat about;
    (void)state;
    (void)open_ledger(&memory, KITH_OK, &error);
    assert_int_equal(stat(scratch_path("ledger"), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    (void)open_ledger(&second, KITH_INVALID, &error); /* in use */
    assert_non_null(strstr(error.message, "in use"));
    arena_free(second);
    arena_free(memory);
    FILE *out = fopen(scratch_path("ledger"), "a");
    assert_non_null(out);
    fputs("{\"when\":\"yesterday\",\"who\":\"alice\"}\n", out);
    fclose(out);
    (void)open_ledger(&memory, KITH_DATA, &error);
    assert_non_null(strstr(error.message, ":1: this is no line of a ledger"));
    arena_free(memory);
    assert_int_equal(chmod(scratch_path("ledger"), 0644), 0);
    (void)open_ledger(&memory, KITH_INVALID, &error);
    arena_free(memory);
}

/* The disk is full after a part of the line: the ledger is as before, and the next process takes
 * it. */
static void leaves_no_part_of_a_line(void **state)
{
    arena *memory;
    struct rlimit all, few;
    struct stat before, after;
    kith_error error = {0};
    const time_t now = time(NULL);
    query_ledger *l = open_ledger(&memory, KITH_OK, &error);
    (void)state;
    add(l, now, "alice");
    assert_int_equal(stat(scratch_path("ledger"), &before), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
    few = (struct rlimit){(rlim_t)before.st_size + 10, all.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    assert_int_equal(query_ledger_add(l, now, "bob", &(query_result){.asked = "x"}, NULL, &error),
                     KITH_IO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
    assert_int_equal(stat(scratch_path("ledger"), &after), 0);
    assert_int_equal(after.st_size, before.st_size);
    arena_free(memory);
    l = open_ledger(&memory, KITH_OK, &error);
    assert_int_equal(query_ledger_next(l, "alice", 1, now), now + DAY);
    arena_free(memory);
}

static int remove_ledger(void **state)
{
    (void)state;
    unlink(scratch_path("ledger"));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(counts_the_queries_of_a_day, remove_ledger),
        cmocka_unit_test_teardown(writes_one_line_per_query, remove_ledger),
        cmocka_unit_test_teardown(refuses_other_files, remove_ledger),
        cmocka_unit_test_teardown(leaves_no_part_of_a_line, remove_ledger),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <kith/kith.h>
#include <kith/tools.h>

#include "generate/generate.h"
#include "support/scratch.h"

static kith_error error;

static kith_status make(const char *which, uint64_t n_rows, const char *path, unsigned threads,
                        uint64_t seed)
{
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = threads, .seeded = true, .seed = seed);
    return kith_generate(NULL,
                         &(kith_generate_options)KITH_OPTIONS(kith_generate_options,
                                                              .profile = which, .n_rows = n_rows,
                                                              .output = path),
                         &run, &error);
}

static size_t lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

static void same_bytes_for_any_number_of_threads(void **state)
{
    (void)state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++) {
        const char *which = generate_profiles[i]->name;
        char *first = NULL;
        for (unsigned threads = 1; threads <= 5; threads += 2) {
            char name[64];
            snprintf(name, sizeof name, "%s-%u.csv", which, threads);
            assert_int_equal(make(which, 50000, scratch_path(name), threads, 11), KITH_OK);
            char *text = scratch_read(scratch_path(name), NULL);
            if (first == NULL) {
                first = text;
                continue;
            }
            assert_string_equal(first, text);
            free(text);
        }
        free(first);
    }
}

/* FNV-1a: changes whenever a profile, the generator or a table does. */
static uint64_t digest(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325U;
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3U;
    return hash;
}

static void same_bytes_on_any_machine(void **state)
{
    (void)state;
    const uint64_t expected[] = {0x1c53df9fd810b23e, 0xb95fe3898633e27, 0xfedf729713746e9b};
    for (size_t i = 0; generate_profiles[i] != NULL; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.csv", generate_profiles[i]->name);
        assert_int_equal(make(generate_profiles[i]->name, 5000, scratch_path(name), 2, 1), KITH_OK);
        char *text = scratch_read(scratch_path(name), NULL);
        if (digest(text) != expected[i])
            print_error("%s: 0x%llx\n", name, (unsigned long long)digest(text));
        assert_true(digest(text) == expected[i]);
        free(text);
    }
}

static void seeds_differ_and_short_is_a_prefix_of_long(void **state)
{
    (void)state;
    assert_int_equal(make("survey", 1000, scratch_path("a.csv"), 1, 1), KITH_OK);
    assert_int_equal(make("survey", 1000, scratch_path("b.csv"), 1, 2), KITH_OK);
    assert_int_equal(make("survey", 1007, scratch_path("c.csv"), 1, 1), KITH_OK);
    size_t length = 0;
    char *a = scratch_read(scratch_path("a.csv"), &length);
    char *b = scratch_read(scratch_path("b.csv"), NULL);
    char *c = scratch_read(scratch_path("c.csv"), NULL);
    assert_string_not_equal(a, b);
    assert_memory_equal(a, c, length);
    free(a);
    free(b);
    free(c);
}

static void row_counts(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 7, 4096, 4097, 12289};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char name[32];
        snprintf(name, sizeof name, "rows%zu.csv", i);
        assert_int_equal(make("hospital", counts[i], scratch_path(name), 2, 1), KITH_OK);
        char *text = scratch_read(scratch_path(name), NULL);
        assert_int_equal(lines(text), counts[i] + 1);
        free(text);
    }
    assert_int_equal(make("hospital", 0, scratch_path("none.csv"), 1, 1), KITH_INVALID);
    assert_string_equal(error.message, "cannot generate 0 rows: expected 1 to 10^12");
    assert_int_equal(make("hospital", UINT64_MAX, scratch_path("none.csv"), 1, 1), KITH_INVALID);
    assert_int_not_equal(access(scratch_path("none.csv"), F_OK), 0);
}

static void refused_leaves_nothing(void **state)
{
    (void)state;
    assert_int_equal(make("hopsital", 5, scratch_path("x.csv"), 1, 1), KITH_INVALID);
    assert_string_equal(error.hint, "did you mean hospital?");
    assert_int_equal(make("zzz", 5, scratch_path("x.csv"), 1, 1), KITH_INVALID);
    assert_string_equal(error.hint, "");
    assert_int_equal(make("adult", 5, scratch_path("x.csv.gz"), 1, 1), KITH_INVALID);
    assert_int_equal(make("adult", 5, scratch_path("no/such/x.csv"), 1, 1), KITH_IO);
    scratch_write(scratch_path("x.study.yaml"), "mine\n");
    assert_int_equal(make("adult", 5, scratch_path("x.csv"), 1, 1), KITH_INVALID);
    assert_non_null(strstr(error.message, "x.study.yaml exists already"));
    assert_int_equal(scratch_count(), 1); /* the study; neither data nor hierarchies/ */
}

static void companions_that_are_the_same_may_stay(void **state)
{
    (void)state;
    assert_int_equal(make("adult", 5, scratch_path("a.csv"), 1, 1), KITH_OK);
    assert_int_equal(make("adult", 5, scratch_path("b.csv"), 1, 1), KITH_OK);
    assert_int_equal(make("adult", 5, scratch_path("b.csv"), 1, 1), KITH_INVALID);
    unlink(scratch_path("b.csv"));
    assert_int_equal(make("adult", 5, scratch_path("b.csv"), 1, 1), KITH_OK);
    scratch_write(scratch_path("hierarchies/adult-education.csv"), "Masters;*\n");
    assert_int_equal(make("adult", 5, scratch_path("c.csv"), 1, 1), KITH_INVALID);
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    assert_int_equal(kith_generate(NULL,
                                   &(kith_generate_options)KITH_OPTIONS(
                                       kith_generate_options, .profile = "adult", .n_rows = 5,
                                       .output = scratch_path("c.csv"), .overwrite = true),
                                   &run, &error),
                     KITH_OK);
}

static bool stop_at_half(void *user, const char *phase, double done)
{
    assert_string_equal(phase, "generate");
    ++*(int *)user;
    return done < 0.5;
}

static void cancel_leaves_nothing(void **state)
{
    (void)state;
    int n_calls = 0;
    kith_run run =
        KITH_OPTIONS(kith_run, .n_threads = 1, .progress = stop_at_half, .user = &n_calls);
    kith_status status = kith_generate(
        NULL,
        &(kith_generate_options)KITH_OPTIONS(kith_generate_options, .profile = "survey",
                                             .n_rows = 200000, .output = scratch_path("x.csv")),
        &run, &error);
    assert_int_equal(status, KITH_CANCELLED);
    assert_true(n_calls > 2);
    assert_int_equal(scratch_count(), 0);
}

static void summary_says_what_was_written(void **state)
{
    (void)state;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 5);
    kith_document *d = NULL;
    assert_int_equal(kith_generate(&d,
                                   &(kith_generate_options)KITH_OPTIONS(
                                       kith_generate_options, .profile = "hospital", .n_rows = 9,
                                       .output = scratch_path("x.csv")),
                                   &run, &error),
                     KITH_OK);
    assert_string_equal(kith_document_text(d, "command", ""), "generate");
    assert_string_equal(kith_document_text(d, "profile", ""), "hospital");
    assert_true(kith_document_number(d, "seed", 0) == 5);
    assert_true(kith_document_number(d, "records", 0) == 9);
    assert_true(kith_document_number(d, "columns", 0) == 12);
    size_t length = 0;
    free(scratch_read(scratch_path("x.csv"), &length));
    assert_true(kith_document_number(d, "bytes", 0) == (double)length);
    assert_int_equal(kith_document_n_items(d, "beside"), 4);
    kith_document_free(d);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
    const struct CMUnitTest tests[] = {
        CASE(same_bytes_for_any_number_of_threads),
        CASE(same_bytes_on_any_machine),
        CASE(seeds_differ_and_short_is_a_prefix_of_long),
        CASE(row_counts),
        CASE(refused_leaves_nothing),
        CASE(companions_that_are_the_same_may_stay),
        CASE(cancel_leaves_nothing),
        CASE(summary_says_what_was_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

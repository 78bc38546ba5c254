/* Domains from a peer: what is well-formed is taken as it is, and nothing else is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <kith/study.h>

#include "core/bytes.h"
#include "job/query/virtual_domains.h"

static const char study_text[] = "study: made\n"
                                 "columns:\n"
                                 "  - {name: age, role: quasi-identifying, type: integer}\n"
                                 "  - {name: sex, role: sensitive}\n"
                                 "privacy: [{model: k-anonymity, k: 2}]\n";

/* What a message says, as far as a test changes it. */
typedef struct message {
    const char *name, *value; /* of the second column */
    uint32_t n_columns, n_values, n_cells, first, last;
} message;

static const message good = {"sex", "f", 2, 2, 2, 0, 1};

static kith_study *study;
static arena *memory;

static int begin(void **state)
{
    (void)state;
    memory = arena_new();
    if (memory == NULL)
        return -1;
    return kith_study_parse(&study, study_text, strlen(study_text), ".", NULL, NULL) != KITH_OK;
}

static int end(void **state)
{
    (void)state;
    kith_study_free(study);
    arena_free(memory);
    return 0;
}

static void put_text(bytes_writer *w, const char *text)
{
    bytes_write_number(w, text == NULL ? 0 : strlen(text) + 1, 4);
    bytes_write(w, text, text == NULL ? 0 : strlen(text) + 1);
}

static void put_column(bytes_writer *w, const message *m, const char *name, const char *value)
{
    put_text(w, name);
    bytes_write_number(w, m->n_values, 4);
    put_text(w, "1");
    put_text(w, value);
    bytes_write_number(w, m->n_cells, 4);
    put_text(w, "*");
    bytes_write_number(w, m->first, 4);
    bytes_write_number(w, m->last, 4);
    put_text(w, NULL);
    bytes_write_number(w, 2, 4); /* behind the last value */
    bytes_write_number(w, 2, 4);
}

static bytes_writer write_message(const message *m)
{
    bytes_writer w = {.memory = memory};
    put_text(&w, "made");
    put_text(&w, "digest");
    put_text(&w, "run");
    bytes_write_number(&w, m->n_columns, 4);
    put_column(&w, m, "age", "2");
    put_column(&w, m, m->name, m->value);
    assert_int_equal(bytes_written(&w, NULL), KITH_OK);
    return w;
}

static const virtual_table *take(const uint8_t *bytes, size_t length)
{
    virtual_table *t = NULL;
    uint8_t *copy = arena_alloc(memory, length); /* a block of its own, for sanitizers */
    memcpy(copy, bytes, length);
    assert_int_equal(virtual_domains_unpack(&t, study, copy, length, memory, NULL), KITH_OK);
    return t;
}

static void what_is_well_formed_is_taken(void **state)
{
    (void)state;
    const bytes_writer w = write_message(&good);
    const virtual_table *t = take(w.bytes, w.length);
    assert_non_null(t);
    assert_string_equal(t->about.run, "run");
    assert_int_equal(t->n_columns, 2);
    assert_string_equal(t->domains[1].name, "sex");
    assert_string_equal(t->domains[1].texts[1], "f");
    assert_string_equal(t->cells[1][0], "*");
    assert_null(t->cells[1][1]);
    assert_int_equal(t->rows.intervals[1][0].last, 1);
    assert_int_equal(t->rows.intervals[1][1].first, 2);
}

static void what_is_cut_or_longer_is_refused(void **state)
{
    (void)state;
    bytes_writer w = write_message(&good);
    for (size_t length = 0; length < w.length; length++)
        assert_null(take(w.bytes, length));
    bytes_write_number(&w, 0, 1);
    assert_null(take(w.bytes, w.length));
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const message wrong[] = {
        {"income", "f", 2, 2, 2, 0, 1}, /* not of the study */
        {NULL, "f", 2, 2, 2, 0, 1},
        {"sex", NULL, 2, 2, 2, 0, 1},   /* a domain has no missing value */
        {"sex", "\xff", 2, 2, 2, 0, 1}, /* not UTF-8 */
        {"sex", "f", 3, 2, 2, 0, 1},    /* more columns than the study has */
        {"sex", "f", UINT32_MAX, 2, 2, 0, 1},
        {"sex", "f", 2, UINT32_MAX, 2, 0, 1},
        {"sex", "f", 2, 2, UINT32_MAX, 0, 1},
        {"sex", "f", 2, 2, 2, 1, 0},
        {"sex", "f", 2, 2, 2, 0, 3},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const bytes_writer w = write_message(&wrong[i]);
        if (take(w.bytes, w.length) != NULL)
            fail_msg("message %zu was taken", i);
    }
    /* A text must end where its length says, and not before. */
    for (unsigned i = 0; i < 2; i++) {
        bytes_writer w = write_message(&good);
        w.bytes[i == 0 ? 5 : 8] = i == 0 ? '\0' : 'x'; /* of "made" and its end */
        assert_null(take(w.bytes, w.length));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_well_formed_is_taken, begin, end),
        cmocka_unit_test_setup_teardown(what_is_cut_or_longer_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(what_makes_no_sense_is_refused, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

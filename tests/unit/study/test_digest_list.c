/* Digests per key: where two studies differ. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "study/study.h"

#define STUDY                                                                         \
    "study: s\n"                                                                      \
    "columns: [{name: age, role: quasi-identifying}, {name: ill, role: sensitive}]\n" \
    "privacy: [{model: k-anonymity, k: 2}]\n"
#define PARTIES                                                             \
    "parties: [{name: north, address: 'a:1', key: 'sha256:"                 \
    "0000000000000000000000000000000000000000000000000000000000000000'},\n" \
    "  {name: south, address: 'b:1', key: 'sha256:"                         \
    "1111111111111111111111111111111111111111111111111111111111111111'}]\n"

static kith_study *parse(const char *text)
{
    kith_study *study;
    kith_error error = {0};
    if (kith_study_parse(&study, text, strlen(text), ".", NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return study;
}

/* Path of the first entry that differs, as parties find it; NULL: none. */
static const char *difference(const kith_study *a, const kith_study *b)
{
    for (size_t i = 0; i < a->n_entries; i++)
        if (i >= b->n_entries || strcmp(a->entries[i].path, b->entries[i].path) != 0 ||
            memcmp(a->entries[i].hash, b->entries[i].hash, 16) != 0)
            return a->entries[i].path;
    return a->n_entries < b->n_entries ? b->entries[a->n_entries].path : NULL;
}

static void differ(const char *a, const char *b, const char *where)
{
    kith_study *one = parse(a), *two = parse(b);
    const char *found = difference(one, two);
    if (where == NULL)
        assert_null(found);
    else
        assert_string_equal(found, where);
    assert_int_equal(where == NULL, memcmp(one->digest, two->digest, 32) == 0);
    kith_study_free(one);
    kith_study_free(two);
}

static void names_the_key(void **state)
{
    (void)state;
    differ(STUDY, STUDY, NULL);
    differ(STUDY,
           "study: t\n"
           "columns: [{name: age, role: quasi-identifying}, {name: ill, role: sensitive}]\n"
           "privacy: [{model: k-anonymity, k: 2}]\n",
           "study");
    differ(STUDY,
           "study: s\n"
           "columns: [{name: age, role: quasi-identifying, hierarchy: {mask: left}},"
           " {name: ill, role: sensitive}]\n"
           "privacy: [{model: k-anonymity, k: 2}]\n",
           "columns.age.hierarchy");
    differ(STUDY,
           "study: s\n"
           "columns: [{name: age, role: quasi-identifying}, {name: ill, role: insensitive}]\n"
           "privacy: [{model: k-anonymity, k: 2}]\n",
           "columns.ill.role");
    differ(STUDY,
           "study: s\n"
           "columns: [{name: age, role: quasi-identifying}, {name: ill, role: sensitive}]\n"
           "privacy: [{model: k-anonymity, k: 3}]\n",
           "privacy.0.k");
    differ(STUDY, STUDY "trim: true\n", "trim");
    differ(STUDY, STUDY PARTIES, "parties.north");
    differ(STUDY PARTIES, STUDY PARTIES "timeout: 5\n", "timeout");
    differ(STUDY PARTIES, STUDY PARTIES "timeout: 30\n", NULL);
    differ(STUDY PARTIES, STUDY PARTIES "limit: 23h\n", "limit");
    differ(STUDY PARTIES, STUDY PARTIES "limit: 1440min\n", NULL);
}

static void reads_parties(void **state)
{
    (void)state;
    kith_study *s = parse(STUDY PARTIES "timeout: 2.5\n");
    assert_int_equal(s->n_parties, 2);
    assert_string_equal(s->parties[1].name, "south");
    assert_string_equal(s->parties[1].address, "b:1");
    assert_int_equal(strlen(s->parties[1].key), 71);
    assert_int_equal(s->timeout_ms, 2500);
    kith_study_free(s);
}

static void reads_limits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t ms;
    } cases[] = {{"limit: 90s\n", 90000},      {"limit: 90\n", 90000},
                 {"limit: 1.5min\n", 90000},   {"limit: 36h\n", 36 * 3600000u},
                 {"limit: 30d\n", 2592000000}, {"", 24 * 3600000u}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", STUDY PARTIES, cases[i].text);
        kith_study *s = parse(text);
        assert_int_equal(s->limit_ms, cases[i].ms);
        kith_study_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_key),
        cmocka_unit_test(reads_parties),
        cmocka_unit_test(reads_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

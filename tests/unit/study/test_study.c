#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/findings.h"
#include "study/study.h"

static kith_study *parse(const char *text)
{
    kith_study *study = NULL;
    kith_error error = {0};
    if (kith_study_parse(&study, text, strlen(text), ".", NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return study;
}

/* Exactly one problem, with this text. */
static void refused(const char *text, const char *message)
{
    kith_study *study = NULL;
    kith_error error = {0};
    kith_findings *findings = kith_findings_new();
    assert_int_equal(kith_study_parse(&study, text, strlen(text), ".", findings, &error),
                     KITH_INVALID);
    assert_null(study);
    assert_int_equal(kith_findings_n_problems(findings), 1);
    assert_string_equal(findings_item(findings, 0)->text, message);
    kith_findings_free(findings);
}

#define FULL                                                                                  \
    "study: cardio\n"                                                                         \
    "columns:\n"                                                                              \
    "  - {name: pid, role: identifying}\n"                                                    \
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]," \
    " origin: 1, snap: true}, domain: {range: [0, 120]}}\n"                                   \
    "  - {name: salary, role: sensitive, type: decimal}\n"                                    \
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: left, character: '#'}}\n"     \
    "  - {name: born, role: quasi-identifying, type: date, format: '%d.%m.%Y',"               \
    " hierarchy: {dates: [month, year]}, domain: {range: [1970-01-02, 1970-02-01]}}\n"        \
    "  - {name: rank, role: quasi-identifying, hierarchy: {order: [2, 4]}, domain: data}\n"   \
    "  - {name: disease, role: sensitive}\n"                                                  \
    "  - {name: note, role: insensitive}\n"                                                   \
    "privacy:\n"                                                                              \
    "  - {model: k-anonymity, k: 5}\n"                                                        \
    "  - {model: l-diversity, l: 2.5, attribute: disease}\n"                                  \
    "utility: {measure: em, weights: {age: 2.5}, class: note}\n"                              \
    "algorithm: sequential\n"                                                                 \
    "restarts: 3\n"                                                                           \
    "max_passes: 50\n"                                                                        \
    "finish: merge\n"                                                                         \
    "missing: drop\n"                                                                         \
    "missing_values: ['', 'NULL']\n"                                                          \
    "trim: true\n"

static void reads_every_column(void **state)
{
    (void)state;
    kith_study *s = parse(FULL);
    assert_string_equal(kith_study_name(s), "cardio");
    assert_int_equal(s->n_columns, 8);
    const study_column *age = &s->columns[1], *zip = &s->columns[3], *born = &s->columns[4];
    assert_int_equal(s->columns[0].role, ROLE_IDENTIFYING);
    assert_int_equal(age->role, ROLE_QUASI_IDENTIFYING);
    assert_int_equal(age->type, KITH_TYPE_INTEGER);
    assert_int_equal(age->hierarchy.kind, HIERARCHY_INTERVALS);
    assert_int_equal(age->hierarchy.count, 2);
    assert_true(age->hierarchy.widths[1] == 10 && age->hierarchy.origin == 1);
    assert_true(age->hierarchy.snap && age->has_hierarchy);
    assert_int_equal(age->domain.kind, DOMAIN_RANGE);
    assert_true(age->domain.low == 0 && age->domain.high == 120 && age->weight == 2.5);
    assert_int_equal(age->line, 4);
    assert_true(zip->hierarchy.mask_left && zip->hierarchy.mask_character == '#');
    assert_true(zip->weight == 1);
    assert_string_equal(born->date_format, "%d.%m.%Y");
    assert_int_equal(born->hierarchy.units[1], DATE_YEAR);
    assert_true(born->domain.low == 1 && born->domain.high == 31);
    assert_int_equal(s->columns[5].hierarchy.groups[1], 4);
    assert_int_equal(s->columns[5].domain.kind, DOMAIN_DATA);
    assert_false(s->columns[6].has_hierarchy);
    kith_study_free(s);
}

static void reads_everything_else(void **state)
{
    (void)state;
    kith_study *s = parse(FULL);
    assert_int_equal(s->n_models, 2);
    assert_int_equal(s->models[0].k, 5);
    assert_true(s->models[1].l == 2.5);
    assert_string_equal(s->models[1].attribute, "disease");
    assert_int_equal(s->models[1].sensitive, 1); /* salary is the first sensitive column */
    assert_int_equal(s->measure, MEASURE_EM);
    assert_true(s->suppression == 0);
    assert_string_equal(s->class_column, "note");
    assert_string_equal(s->algorithm, "sequential");
    assert_int_equal(s->search.n_restarts, 3);
    assert_int_equal(s->search.max_passes, 50);
    assert_int_equal(s->search.finish, FINISH_MERGE);
    assert_int_equal(s->missing, MISSING_DROP);
    kith_table_options options = study_table_options(s);
    assert_int_equal(options.n_columns, 7); /* all but pid */
    assert_string_equal(options.columns[0].name, "age");
    assert_int_equal(options.columns[0].type, KITH_TYPE_INTEGER);
    assert_int_equal(options.n_missing_values, 2);
    assert_string_equal(options.missing_values[1], "NULL");
    assert_true(options.trim);
    kith_study_free(s);
}

#define SMALL                                         \
    "study: s\n"                                      \
    "columns: [{name: a, role: quasi-identifying}]\n" \
    "privacy: [{model: k-anonymity, k: 2}]\n"

static void suppression_takes_a_search_that_suppresses(void **state)
{
    (void)state;
    kith_study *s = parse(SMALL "utility: {suppression: 0.03}\n");
    assert_true(s->suppression == 0.03);
    assert_string_equal(s->algorithm, "weave");
    kith_study_free(s);
    s = parse(SMALL "utility: {suppression: 0.03, measure: entropy}\n");
    assert_string_equal(s->algorithm, "flash");
    kith_study_free(s);
}

static void defaults(void **state)
{
    (void)state;
    kith_study *s = parse(SMALL);
    assert_int_equal(s->columns[0].hierarchy.kind, HIERARCHY_SUPPRESS);
    assert_int_equal(s->columns[0].domain.kind, DOMAIN_HIERARCHY);
    assert_int_equal(s->measure, MEASURE_LM);
    assert_int_equal(s->missing, MISSING_VALUE);
    assert_int_equal(s->n_missing_values, 1);
    assert_string_equal(s->missing_values[0], "");
    assert_non_null(search_find(s->algorithm));
    assert_true(s->suppression == 0 && !s->trim && s->class_column == NULL);
    kith_study_free(s);
}

static void reads_mondrian(void **state)
{
    (void)state;
    kith_study *s = parse(SMALL "algorithm: mondrian\nmondrian: relaxed\norder: hierarchy\n"
                                "ranges: true\n");
    assert_true(s->search.relaxed && s->search.by_hierarchy && s->search.ranges);
    kith_study_free(s);
}

static void refuses_one_by_one(void **state)
{
    (void)state;
    refused(SMALL "suppression: 0.1\n",
            "the study has no key 'suppression' (did you mean utility.suppression?)");
    refused(SMALL "timeout: 3\n", "timeout is for joint runs: studies with parties or a partition");
    refused(SMALL "algorithm: sequential\nranges: true\n",
            "ranges is for the algorithm mondrian, not for sequential");
    refused(SMALL "utility: {suppression: 0.1}\nalgorithm: mondrian\n",
            "utility.suppression: algorithm mondrian suppresses no records; these can: weave, "
            "sequential, flash, ola, incognito, breadth-first, depth-first, datafly, top-down");
    refused(SMALL "utility: {suppression: 0.1, measure: entropy}\nalgorithm: weave\n",
            "utility.suppression: algorithm weave suppresses no records for this measure; these "
            "can: flash, ola, incognito, breadth-first, depth-first, datafly, top-down");
    refused(SMALL "utility: {suppression: 0.1}\npartition: horizontal\n",
            "utility.suppression: protocol weave with weave suppresses no records; a search of the "
            "lattice on an encrypted view does");
    refused(SMALL "utility: {suppression: -0.1}\n",
            "suppression: expected a share from 0 to 1, found '-0.1'");
    refused(SMALL "missing_values: 3\n", "missing_values: expected a list, found '3'");
}

static void error_counts_the_rest(void **state)
{
    (void)state;
    kith_study *study;
    kith_error error = {0};
    const char *text = SMALL "trim: 1\nmissing: 2\nalgorithm: sequential\nrestarts: 0\n";
    assert_int_equal(kith_study_parse(&study, text, strlen(text), ".", NULL, &error), KITH_INVALID);
    assert_string_equal(error.hint, "2 more problems were found");
}

static void digest_is(const char *text, const char *expected)
{
    kith_study *s = parse(text);
    char digest[65];
    kith_study_digest(digest, s);
    assert_string_equal(digest, expected);
    kith_study_free(s);
}

static bool same_digest(const char *a, const char *b)
{
    char one[65], two[65];
    kith_study *s = parse(a), *t = parse(b);
    kith_study_digest(one, s);
    kith_study_digest(two, t);
    kith_study_free(s);
    kith_study_free(t);
    return strcmp(one, two) == 0;
}

#define BASE SMALL "algorithm: sequential\n"

static void digest_keeps(void **state)
{
    (void)state;
    digest_is(BASE, "1b2a3a40e951e10f708a9468f6850c1e5ffbe96e0296856f05b80f47cc2de6bd");
    digest_is(FULL, "b49ce044559c25c943449544ebde0d82bfc7355c08b9b83dad7117ac05862182");
    assert_true(same_digest(BASE, "# comment\nalgorithm: sequential\n" SMALL));
    assert_true(same_digest(BASE, BASE "restarts: 1\nfinish: hybrid\nmissing: value\n"));
    assert_true(same_digest(BASE, BASE "utility: {weights: {a: 1.0}, suppression: 0e3}\n"));
    assert_true(same_digest(BASE "missing_values: [x, y]\n", BASE "missing_values: [y, x]\n"));
}

static void digest_tells_apart(void **state)
{
    (void)state;
    static const char *const others[] = {
        SMALL "algorithm: mondrian\n",
        BASE "restarts: 2\n",
        BASE "block: 1\n",
        BASE "block: 2\n",
        BASE "max_passes: 2\n",
        BASE "finish: merge\n",
        BASE "missing: drop\n",
        BASE "missing_values: []\n",
        BASE "trim: true\n",
        BASE "utility: {measure: em}\n",
        SMALL "algorithm: flash\nutility: {suppression: 0.1}\n",
        SMALL "algorithm: flash\nutility: {suppression: 0.2}\n",
        BASE "utility: {weights: {a: 2}}\n",
        BASE "utility: {class: a}\n",
        "study: s\ncolumns: [{name: a, role: quasi-identifying}]\n"
        "privacy: [{model: k-anonymity, k: 3}]\nalgorithm: sequential\n",
        "study: s\ncolumns: [{name: a, role: quasi-identifying, hierarchy: {mask: right}}]\n"
        "privacy: [{model: k-anonymity, k: 2}]\nalgorithm: sequential\n",
        "study: s\ncolumns: [{name: a, role: quasi-identifying, domain: data}]\n"
        "privacy: [{model: k-anonymity, k: 2}]\nalgorithm: sequential\n",
        "study: s\ncolumns: [{name: a, role: quasi-identifying, type: date}]\n"
        "privacy: [{model: k-anonymity, k: 2}]\nalgorithm: sequential\n",
    };
    size_t count = sizeof others / sizeof *others;
    for (size_t i = 0; i < count; i++) {
        assert_false(same_digest(BASE, others[i]));
        for (size_t j = 0; j < i; j++)
            assert_false(same_digest(others[i], others[j]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_column),
        cmocka_unit_test(reads_everything_else),
        cmocka_unit_test(suppression_takes_a_search_that_suppresses),
        cmocka_unit_test(defaults),
        cmocka_unit_test(reads_mondrian),
        cmocka_unit_test(refuses_one_by_one),
        cmocka_unit_test(error_counts_the_rest),
        cmocka_unit_test(digest_keeps),
        cmocka_unit_test(digest_tells_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

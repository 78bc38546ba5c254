#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "job/profile/profile.h"

static void suggests(const char *name, kith_type type, uint32_t distinct, uint32_t unique,
                     uint32_t n_rows, role expected)
{
    column c = {.name = name};
    column_profile p = {.column = &c, .type = type, .distinct = distinct, .unique = unique};
    profile_suggest(&p, n_rows);
    if (p.role != expected)
        fail_msg("%s: %s", name, profile_role_name(p.role));
    assert_non_null(p.why);
}

static void names_decide(void **state)
{
    (void)state;
    suggests("email", KITH_TYPE_STRING, 10, 0, 1000, ROLE_IDENTIFYING);
    suggests("Name", KITH_TYPE_STRING, 300, 50, 1000, ROLE_IDENTIFYING);
    suggests("age", KITH_TYPE_INTEGER, 90, 1, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("dateOfBirth", KITH_TYPE_DATE, 990, 980, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("native-country", KITH_TYPE_STRING, 40, 1, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("main_diagnosis", KITH_TYPE_STRING, 40, 1, 1000, ROLE_SENSITIVE);
    suggests("salary", KITH_TYPE_INTEGER, 999, 998, 1000, ROLE_SENSITIVE);
    suggests("average", KITH_TYPE_INTEGER, 90, 1, 1000,
             ROLE_QUASI_IDENTIFYING); /* no word: careful */
}

static void statistics_decide(void **state)
{
    (void)state;
    suggests("patient_id", KITH_TYPE_INTEGER, 1000, 1000, 1000, ROLE_IDENTIFYING);
    suggests("blood_code", KITH_TYPE_STRING, 8, 0, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("x", KITH_TYPE_STRING, 950, 920, 1000, ROLE_IDENTIFYING);
    suggests("x", KITH_TYPE_DECIMAL, 950, 920, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("x", KITH_TYPE_STRING, 5, 5, 5, ROLE_QUASI_IDENTIFYING); /* too few rows to tell */
    suggests("x", KITH_TYPE_STRING, 1, 0, 1000, ROLE_INSENSITIVE);
    suggests("", KITH_TYPE_STRING, 2, 0, 1000, ROLE_QUASI_IDENTIFYING);
}

/* A person may have several rows; a few values would be groups of persons. */
static void numbers_of_persons_may_repeat(void **state)
{
    (void)state;
    column c = {.name = "person_id"};
    column_profile p = {.column = &c, .type = KITH_TYPE_INTEGER, .distinct = 30, .n_rows = 1000};
    assert_true(profile_tells_persons(&p));
    profile_suggest(&p, 1000);
    assert_int_equal(p.role, ROLE_IDENTIFYING);
    p.distinct = 20;
    assert_false(profile_tells_persons(&p));
    p.distinct = 900;
    p.missing = 100; /* each value once */
    assert_false(profile_tells_persons(&p));
    c.name = "visit_id";
    p.distinct = 30;
    assert_false(profile_tells_persons(&p));
}

/* Numbers and dates do not identify by being different, texts do. */
static void numbers_and_dates_do_not_identify(void **state)
{
    (void)state;
    suggests("x", KITH_TYPE_INTEGER, 1000, 1000, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("x", KITH_TYPE_DATE, 1000, 1000, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("person_seen", KITH_TYPE_DATE, 1000, 1000, 1000, ROLE_QUASI_IDENTIFYING);
    column c = {.name = "x"};
    column_profile p = {.column = &c,
                        .distinct = 100,
                        .unique = 100,
                        .spoilers = {.count = 1, .type = KITH_TYPE_INTEGER}};
    profile_suggest(&p, 100);
    assert_int_equal(p.role, ROLE_QUASI_IDENTIFYING);
    p.spoilers.count = 0;
    profile_suggest(&p, 100);
    assert_int_equal(p.role, ROLE_IDENTIFYING);
}

static void serial_numbers_identify(void **state)
{
    (void)state;
    column c = {.name = "x"};
    column_profile p = {
        .column = &c, .type = KITH_TYPE_INTEGER, .distinct = 100, .unique = 100, .serial = true};
    profile_suggest(&p, 100);
    assert_int_equal(p.role, ROLE_IDENTIFYING);
    c.name = "income"; /* sorted by it, perhaps */
    profile_suggest(&p, 100);
    assert_int_equal(p.role, ROLE_SENSITIVE);
}

/* What users' tables call their columns. */
static void names_of_many_languages(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        role expected;
    } cases[] = {
        {"patid", ROLE_IDENTIFYING},
        {"case", ROLE_IDENTIFYING},
        {"caseno", ROLE_IDENTIFYING},
        {"Fallnummer", ROLE_IDENTIFYING},
        {"Kundennummer", ROLE_IDENTIFYING},
        {"AHV", ROLE_IDENTIFYING},
        {"AHV-Nr", ROLE_IDENTIFYING},
        {"customer", ROLE_IDENTIFYING},
        {"customer_id", ROLE_IDENTIFYING},
        {"ip", ROLE_IDENTIFYING},
        {"Telefon", ROLE_IDENTIFYING},
        {"Adresse", ROLE_IDENTIFYING},
        {"address", ROLE_IDENTIFYING},
        {"first_name", ROLE_IDENTIFYING},
        {"firstName", ROLE_IDENTIFYING},
        {"LAST_NAME", ROLE_IDENTIFYING},
        {"Straße", ROLE_IDENTIFYING},
        {"prénom", ROLE_IDENTIFYING},
        {"Prénom", ROLE_IDENTIFYING},
        {"N° dossier", ROLE_IDENTIFYING},
        {"cognome", ROLE_IDENTIFYING},
        {"apellidos", ROLE_IDENTIFYING},
        {"dirección", ROLE_IDENTIFYING},
        {"achternaam", ROLE_IDENTIFYING},
        {"Matrikelnr", ROLE_IDENTIFYING},
        {"e-mail", ROLE_IDENTIFYING},
        {"geburtsdatum", ROLE_QUASI_IDENTIFYING},
        {"Geschlecht", ROLE_QUASI_IDENTIFYING},
        {"date de naissance", ROLE_QUASI_IDENTIFYING},
        {"Staatsangehörigkeit", ROLE_QUASI_IDENTIFYING},
        {"âge", ROLE_QUASI_IDENTIFYING},
        {"estado civil", ROLE_QUASI_IDENTIFYING},
        {"address_city", ROLE_QUASI_IDENTIFYING},
        {"code_postal", ROLE_QUASI_IDENTIFYING},
        {"Einkommen", ROLE_SENSITIVE},
        {"revenu", ROLE_SENSITIVE},
        {"Vermögen", ROLE_SENSITIVE},
        {"enfermedad", ROLE_SENSITIVE},
        /* no words: they contain some */
        {"language_average", ROLE_QUASI_IDENTIFYING},
        {"covid", ROLE_QUASI_IDENTIFYING},
        {"paid", ROLE_QUASI_IDENTIFYING},
        {"shipping", ROLE_QUASI_IDENTIFYING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        suggests(cases[i].name, KITH_TYPE_INTEGER, 600, 300, 1000, cases[i].expected);
    /* numbers of things that repeat are no identifiers */
    suggests("case", KITH_TYPE_STRING, 4, 0, 1000, ROLE_QUASI_IDENTIFYING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_decide),
        cmocka_unit_test(statistics_decide),
        cmocka_unit_test(numbers_of_persons_may_repeat),
        cmocka_unit_test(numbers_and_dates_do_not_identify),
        cmocka_unit_test(serial_numbers_identify),
        cmocka_unit_test(names_of_many_languages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

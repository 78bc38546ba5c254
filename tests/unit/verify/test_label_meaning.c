/* Labels of releases and the values that they stand for: the grammar of docs/verify.md by examples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/scratch.h"
#include "verify/label_dates.h"
#include "verify/label_meaning.h"

/* The values that a label is asked about, space by space; "-" is a missing one. */
typedef struct example {
    const char *label, *inside, *outside;
} example;

static kith_table *table_of(const label_grammar *g, const char *value)
{
    const kith_column_spec spec = {"x", g->type, g->date_format};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    kith_table *table = NULL;
    kith_error error;
    if (kith_table_from_cells(&table, &value, 1, &options, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return table;
}

static bool stands_for(const label_grammar *g, const char *label, const char *value)
{
    arena *memory = arena_new();
    label_meaning meaning;
    kith_error error;
    uint32_t leaf = UINT32_MAX;
    assert_int_equal(
        label_meaning_read(&meaning, g, label[0] == '\0' ? NULL : label, memory, &error), KITH_OK);
    if (strcmp(value, "-") == 0) {
        const bool holds = label_meaning_holds(
            &meaning, g, NULL, TABLE_MISSING, g->file == NULL ? UINT32_MAX : g->file->missing_leaf);
        arena_free(memory);
        return holds;
    }
    kith_table *table = table_of(g, value);
    if (g->file != NULL)
        (void)!hierarchy_bind(g->file, &table->columns[0].values, &leaf, "t", "x", NULL, NULL);
    const bool holds = label_meaning_holds(&meaning, g, &table->columns[0].values, 0, leaf);
    kith_table_free(table);
    arena_free(memory);
    return holds;
}

static void check_values(const label_grammar *g, const char *label, const char *values,
                         bool expected)
{
    char copy[400], *state = NULL;
    snprintf(copy, sizeof copy, "%s", values);
    for (char *value = strtok_r(copy, "|", &state); value != NULL;
         value = strtok_r(NULL, "|", &state))
        if (stands_for(g, label, value) != expected)
            fail_msg("'%s' %s for '%s'", label, expected ? "does not stand" : "stands", value);
}

static void check(const label_grammar *g, const example *examples, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        check_values(g, examples[i].label, examples[i].inside, true);
        check_values(g, examples[i].label, examples[i].outside, false);
    }
}

#define CHECK_ALL(grammar, ...)                      \
    check((grammar), (const example[]){__VA_ARGS__}, \
          sizeof((const example[]){__VA_ARGS__}) / sizeof(example))

static void values_and_roots(void **state)
{
    (void)state;
    const hierarchy_spec flat = {.kind = HIERARCHY_SUPPRESS};
    const label_grammar texts = {.hierarchy = &flat, .missing = true},
                        numbers = {.type = KITH_TYPE_INTEGER, .hierarchy = &flat},
                        dates = {.type = KITH_TYPE_DATE,
                                 .date_format = "%d.%m.%Y",
                                 .hierarchy = &flat,
                                 .missing = true};
    CHECK_ALL(&texts, {"*", "a|b|-", ""}, {"a", "a", "b|aa|-"}, {"", "-", "a"});
    CHECK_ALL(&numbers, {"*", "7|-", ""}, {"7", "7|007|+7", "8|-7|-"}, {"", "", "7|-"},
              {"x", "", "7|-"}, {"5-9", "", "7"});
    CHECK_ALL(&dates, {"01.03.2024", "1.3.2024|01.03.2024", "03.01.2024|-"},
              {"2024-03-01", "1.3.2024", "2.3.2024"});
}

static void intervals(void **state)
{
    (void)state;
    const hierarchy_spec bins = {.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {5}};
    const label_grammar whole = {.type = KITH_TYPE_INTEGER, .hierarchy = &bins},
                        decimal = {.type = KITH_TYPE_DECIMAL, .hierarchy = &bins},
                        comma = {.type = KITH_TYPE_DECIMAL, .date_format = ",", .hierarchy = &bins};
    CHECK_ALL(&whole, {"20-24", "20|22|024", "19|25|-20|-"}, {"-5 to -1", "-5|-1", "-6|0|1|5"},
              {"-5 to 4", "-5|0|4", "5"}, {"7", "7", "8"}, {"24-20", "", "22"}, {"20-", "", "20"},
              {"20 to 24", "22", "25"}, {"20..24", "", "22"});
    CHECK_ALL(&decimal, {"[20, 22.5)", "20|22.49|2e1", "22.5|19.99|-"},
              {"[0.3, 0.4)", "0.3", "0.4"}, {"[-5, 0)", "-5|-0.1", "0"}, {"[1; 2)", "", "1"},
              {"[1, 2]", "", "1"}, {"[1, 2", "", "1"});
    CHECK_ALL(&comma, {"[20; 22,5)", "20|22,4|20,0", "22,5"}, {"[1.000; 2.000)", "1500", "2000"},
              {"[1, 2)", "", "1"});
}

static void units_of_time(void **state)
{
    (void)state;
    const hierarchy_spec units = {.kind = HIERARCHY_DATES,
                                  .count = 7,
                                  .units = {DATE_MINUTE, DATE_HOUR, DATE_DAY, DATE_MONTH,
                                            DATE_QUARTER, DATE_YEAR, DATE_DECADE}};
    const hierarchy_spec weeks = {.kind = HIERARCHY_DATES, .count = 1, .units = {DATE_WEEK}};
    const hierarchy_spec times = {
        .kind = HIERARCHY_DATES, .count = 2, .units = {DATE_MINUTE, DATE_HOUR}};
    const label_grammar moment = {.type = KITH_TYPE_DATE,
                                  .date_format = "%Y-%m-%d %H:%M:%S",
                                  .hierarchy = &units},
                        week = {.type = KITH_TYPE_DATE, .hierarchy = &weeks},
                        time = {
                            .type = KITH_TYPE_DATE, .date_format = "%H:%M", .hierarchy = &times};
    CHECK_ALL(
        &moment,
        {"2024-03-13 08:15", "2024-03-13 08:15:00|2024-03-13 08:15:59", "2024-03-13 08:16:00"},
        {"2024-03-13 08:00-08:59", "2024-03-13 08:59:59",
         "2024-03-13 09:00:00|2024-03-14 08:15:00"},
        {"2024-03-13", "2024-03-13 23:59:59", "2024-03-14 00:00:00"},
        {"2024-02", "2024-02-29 23:59:59|2024-02-01 00:00:00", "2024-03-01 00:00:00"},
        {"2024-Q4", "2024-10-01 00:00:00|2024-12-31 23:59:59",
         "2025-01-01 00:00:00|2024-09-30 23:59:59"},
        {"2024", "2024-12-31 23:59:59", "2025-01-01 00:00:00"},
        {"2020s", "2020-01-01 00:00:00|2029-12-31 23:59:59", "2030-01-01 00:00:00"},
        {"2024-13", "", "2024-01-01 00:00:00"}, {"2024-Q5", "", "2024-01-01 00:00:00"},
        {"2024-W11", "", "2024-03-13 00:00:00"}, {"2021s", "", "2021-01-01 00:00:00"});
    CHECK_ALL(&week, {"2024-W11", "2024-03-11|2024-03-17", "2024-03-10|2024-03-18"},
              {"2020-W53", "2020-12-28|2021-01-03", "2021-01-04"}, {"2021-W53", "", "2022-01-03"},
              {"2024-W00", "", "2023-12-31"}, {"2024-03", "", "2024-03-13"});
    CHECK_ALL(&time, {"08:15", "08:15", "08:16"}, {"08:00-08:59", "08:15|08:59", "09:00"},
              {"08:00-09:59", "", "08:15"}, {"24:00", "", "00:00"});
}

static void ranges_and_masks(void **state)
{
    (void)state;
    const hierarchy_spec order = {.kind = HIERARCHY_ORDER, .count = 1, .groups = {2}},
                         right = {.kind = HIERARCHY_MASK, .mask_character = '*'},
                         left = {.kind = HIERARCHY_MASK, .mask_left = true, .mask_character = '#'};
    const label_grammar texts = {.hierarchy = &order},
                        numbers = {.type = KITH_TYPE_INTEGER, .hierarchy = &order},
                        dates = {.type = KITH_TYPE_DATE,
                                 .date_format = "%d.%m.%Y",
                                 .hierarchy = &order},
                        codes = {.hierarchy = &right}, ends = {.hierarchy = &left};
    CHECK_ALL(&texts, {"b..d", "b|c|d|bz", "a|da|B|-"}, {"Dr...Prof.", "Dr.|Mag.|Prof.", "A"},
              {"d..b", "", "c"}, {"b", "b", "c"});
    CHECK_ALL(&numbers, {"-5..10", "-5|9|010", "-6|11"}, {"9..10", "9|10", "8|100"});
    CHECK_ALL(&dates, {"28.02.2024..1.3.2024", "29.02.2024|01.03.2024", "27.02.2024|02.03.2024"});
    CHECK_ALL(&codes, {"816**", "816|8166|81667|816**", "8160000|815|81|-"},
              {"81667", "81667", "81668"},
              {"\xc3\xa4**", "\xc3\xa4|\xc3\xa4\xc3\xb6\xc3\xbc", "\xc3\xa4xyz|a"});
    CHECK_ALL(&ends, {"##67", "67|167|8167", "81667|68"});
}

static void files(void **state)
{
    (void)state;
    scratch_write(scratch_path("h.csv"), "007;low;all\n8;low;all\n9;high;all\n;none;all\n");
    hierarchy_spec spec = {.kind = HIERARCHY_FILE, .path = scratch_path("h.csv")};
    arena *memory = arena_new();
    kith_hierarchy *file = NULL;
    label_index *labels = NULL;
    assert_int_equal(hierarchy_make(&file, memory, &spec, NULL, NULL, false, NULL, NULL), KITH_OK);
    assert_int_equal(label_index_new(&labels, memory, file, NULL), KITH_OK);
    const label_grammar g = {
        .type = KITH_TYPE_INTEGER, .hierarchy = &spec, .file = file, .labels = labels};
    CHECK_ALL(&g, {"all", "7|10|-", ""}, {"*", "7|10|-", ""}, {"low", "7|007|8", "9|10|-"},
              {"none", "-", "7"}, {"", "-", "7"}, {"7", "7|007", "8"}, {"007", "7", "8"},
              {"10", "10", "7"}, {"x", "", "7|10|-"});
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_roots),
        cmocka_unit_test(intervals),
        cmocka_unit_test(units_of_time),
        cmocka_unit_test(ranges_and_masks),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}

/* Which values stand out by how often they occur. */
#include "unit/job/support.h"

#include "job/exposure/exposure.h"

static void skewed_values_are_exposed(void **state)
{
    (void)state;
    uint64_t zipf[] = {10, 1000, 100, 4000, 0, 9}; /* 9 and 10 could be each other */
    exposure e = exposure_of(zipf, 6);
    assert_int_equal(e.n_values, 5);
    assert_int_equal(e.exposed, 3);
    assert_int_equal(e.n_records, 5100);
}

static void even_values_are_not(void **state)
{
    (void)state;
    uint64_t even[] = {1000, 1010, 990, 1005, 1030};
    assert_int_equal(exposure_of(even, 5).exposed, 0);
    uint64_t alone[] = {77};
    assert_int_equal(exposure_of(alone, 1).exposed, 0); /* nothing to tell apart */
    assert_int_equal(exposure_of(alone, 0).n_values, 0);
}

static double share_at(const char *level)
{
    char text[512], line[32];
    kith_document *d = NULL;
    kith_error error = {0};
    place p;
    place_make(&p);
    const char *data = place_file(&p, "d.csv", NULL);
    FILE *out = fopen(data, "w");
    fputs("zip,d\n", out);
    for (int i = 0; i < 2000; i++) /* one zip code is far more common than its neighbours */
        fprintf(out, "%s,%c\n", i % 2 ? "111" : i % 4 ? "112" : i % 8 ? "121" : "122", 'a' + i % 2);
    fclose(out);
    snprintf(line, sizeof line, "pregeneralize: {zip: %s}\n", level);
    snprintf(text, sizeof text,
             "study: s\ncolumns:\n"
             "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
             "  - {name: d, role: sensitive}\n"
             "privacy: [{model: k-anonymity, k: 2}]\n"
             "partition: horizontal\nprotocol: encrypted-view\n%s",
             level[0] == '\0' ? "" : line);
    kith_study *study = study_of(text);
    if (kith_describe(&d,
                      &(kith_describe_options)KITH_OPTIONS(
                          kith_describe_options, .data = KITH_INPUT_URI(data), .study = study),
                      NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    assert_string_equal(kith_document_text(d, "exposed.0.column", ""), "zip");
    assert_true(kith_document_number(d, "exposed.1.share", -1) < 0.01); /* d is even */
    double share = kith_document_number(d, "exposed.0.share", -1);
    kith_document_free(d);
    kith_study_free(study);
    place_wipe(&p);
    return share;
}

static void pregeneralizing_hides_values(void **state)
{
    (void)state;
    assert_true(share_at("") > 0.7);   /* 1000 and 500 stand out, twice 250 do not */
    assert_true(share_at("1") > 0.99); /* 11* and 12* can be told apart */
    assert_true(share_at("2") < 0.01); /* 1** is all there is */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skewed_values_are_exposed),
        cmocka_unit_test(even_values_are_not),
        cmocka_unit_test(pregeneralizing_hides_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

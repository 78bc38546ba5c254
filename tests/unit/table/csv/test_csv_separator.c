#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "table/csv/csv_separator.h"

static void test_headers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char wanted;
    } cases[] = {
        {"a,b,c\n1;2;3\n", ','},
        {"a;b;c\n", ';'},
        {"a\tb", '\t'},
        {"a|b|c\n1,5|2|3\n", '|'},
        {"\"a;b;c\",d\n", ','},
        {"a;b,c;d\n", ';'},
        {"a^b\r\n1^2\r\n", '^'},
        {"a~b~c\n1~2~3\n", '~'},
        {"a:b\n1:2\n", ':'},
        {"a:b\n1\n", ','}, /* the rows say that it is one column */
        {"a:b\n", ','},    /* nothing says that it is two */
        {"\"a:b\"\n1:2\n", ','},
        {"a\n1\n", ','},
        {"", ','},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(csv_separator_guess(cases[i].text, strlen(cases[i].text), true),
                         cases[i].wanted);
}

static void test_without_header(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char wanted;
    } cases[] = {
        {"1,5;2,5;3,5\n1,6;2,6;3,6\n", ';'}, /* decimal commas are more frequent */
        {"1,5|2\n3|4,25\n", '|'},
        {"1,2,3\n4,5,6\n", ','},
        {"x;y,1\nz,2\n", ','}, /* the second line has no semicolon */
        {"1;2\n3;4\n5;6", ';'},
        {"1;2\n3;4\n5", ';'}, /* the last line may go on in the next block */
        {"12\n13\n", ','},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(csv_separator_guess(cases[i].text, strlen(cases[i].text), false),
                         cases[i].wanted);
}

static void test_counts(void **state)
{
    (void)state;
    bool complete;
    assert_int_equal(csv_separator_count("a,\"b,c\",d\n,,", 12, ',', &complete), 2);
    assert_true(complete);
    assert_int_equal(csv_separator_count("a,b", 3, ',', &complete), 1);
    assert_false(complete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_without_header),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

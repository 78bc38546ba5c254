#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "study/did_you_mean.h"

static void offer_keeps_the_nearest(void **state)
{
    (void)state;
    char text[SIMILAR_BYTES];
    similar near = {.word = "hierachy"};
    similar_offer(&near, "name");
    assert_null(near.best);
    assert_string_equal(similar_format(&near, text), "");
    similar_offer(&near, "hierarchies");
    similar_offer(&near, "hierarchy");
    similar_offer(&near, "hierarchic");
    assert_string_equal(near.best, "hierarchy");
    assert_string_equal(similar_format(&near, text), " (did you mean 'hierarchy'?)");
}

static void short_words_suggest_little(void **state)
{
    (void)state;
    similar one = {.word = "x"}, none = {.word = ""};
    similar_offer(&one, "k");
    similar_offer(&none, "k");
    assert_null(one.best);
    assert_null(none.best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offer_keeps_the_nearest),
        cmocka_unit_test(short_words_suggest_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

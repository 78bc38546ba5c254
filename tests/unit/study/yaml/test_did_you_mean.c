#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "study/yaml/did_you_mean.h"

static void offer_keeps_the_nearest(void **state)
{
    (void)state;
    char text[SIMILAR_BYTES];
    did_you_mean near = {.word = "hierachy"};
    did_you_mean_offer(&near, "name");
    assert_null(near.best);
    assert_string_equal(did_you_mean_format(&near, text), "");
    did_you_mean_offer(&near, "hierarchies");
    did_you_mean_offer(&near, "hierarchy");
    did_you_mean_offer(&near, "hierarchic");
    assert_string_equal(near.best, "hierarchy");
    assert_string_equal(did_you_mean_format(&near, text), " (did you mean 'hierarchy'?)");
}

static void short_words_suggest_little(void **state)
{
    (void)state;
    did_you_mean one = {.word = "x"}, none = {.word = ""};
    did_you_mean_offer(&one, "k");
    did_you_mean_offer(&none, "k");
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

/* What the parties agree on besides the study. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "job/joint/session.h"

static void hashes_whole_terms(void **state)
{
    (void)state;
    char long_text[5001];
    session_terms terms = {0};
    memset(long_text, 'a', 5000);
    long_text[5000] = '\0';
    session_agree(&terms, "one", "%s", long_text);
    session_agree(&terms, "same", "%s", long_text);
    long_text[4999] = 'b';
    session_agree(&terms, "last", "%s", long_text);
    long_text[4999] = '\0';
    session_agree(&terms, "shorter", "%s", long_text);
    assert_int_equal(terms.count, 4);
    assert_string_equal(terms.terms[2].path, "last");
    assert_memory_equal(terms.terms[0].hash, terms.terms[1].hash, AGREEMENT_HASH);
    assert_memory_not_equal(terms.terms[0].hash, terms.terms[2].hash, AGREEMENT_HASH);
    assert_memory_not_equal(terms.terms[0].hash, terms.terms[3].hash, AGREEMENT_HASH);
    assert_false(terms.nomem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hashes_whole_terms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

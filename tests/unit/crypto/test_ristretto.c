/* ristretto255: encodings that are refused, hashing with domains, scalars and their inverses. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <sodium.h>

#include "crypto/ristretto.h"

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

static void knows_the_base_point(void **state)
{
    (void)state;
    /* RFC 9496, appendix A.1: the encodings of B and 2B. */
    static const char *const multiples[] = {
        "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
        "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919"};
    for (unsigned k = 0; k < 2; k++) {
        scalar s = {{(unsigned char)(k + 1)}};
        point p;
        char hex[65];
        assert_true(ristretto_multiply_base(&p, &s));
        sodium_bin2hex(hex, sizeof hex, p.bytes, sizeof p.bytes);
        assert_string_equal(hex, multiples[k]);
        assert_true(ristretto_parse(&p, p.bytes));
    }
}

static void refuses_bad_encodings(void **state)
{
    (void)state;
    /* The identity; the base point with the topmost bit set; then from RFC 9496, appendix A.2: not
     * canonical, negative, not square. */
    static const char *const bad[] = {
        "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2df6",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        unsigned char bytes[32];
        point p;
        scalar s;
        ristretto_random_scalar(&s);
        assert_int_equal(sodium_hex2bin(bytes, 32, bad[i], 64, NULL, NULL, NULL), 0);
        assert_false(ristretto_parse(&p, bytes));
        assert_false(ristretto_parse_multiply(&p, &s, bytes));
    }
}

static void scalars_commute_and_invert(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        scalar a, b, inverse;
        point start, ab, ba, back;
        ristretto_random_scalar(&a);
        ristretto_random_scalar(&b);
        ristretto_hash(&start, "test", &round, sizeof round);
        assert_true(ristretto_multiply(&ab, &a, &start) && ristretto_multiply(&ab, &b, &ab));
        assert_true(ristretto_multiply(&ba, &b, &start) && ristretto_multiply(&ba, &a, &ba));
        assert_memory_equal(&ab, &ba, sizeof ab);
        assert_true(ristretto_parse_multiply(&ba, &b, start.bytes));
        assert_true(ristretto_parse_multiply(&ba, &a, ba.bytes));
        assert_memory_equal(&ab, &ba, sizeof ab);
        ristretto_invert(&inverse, &a);
        assert_true(ristretto_multiply(&back, &inverse, &ab));
        ristretto_invert(&inverse, &b);
        assert_true(ristretto_multiply(&back, &inverse, &back));
        assert_memory_equal(&back, &start, sizeof back);
        assert_true(ristretto_add(&ab, &start, &ba) && ristretto_subtract(&ab, &ab, &ba));
        assert_memory_equal(&ab, &start, sizeof ab);
    }
}

static void hashes_apart(void **state)
{
    (void)state;
    point a, b, c, again;
    ristretto_hash(&a, "domain one", "x", 1);
    ristretto_hash(&b, "domain two", "x", 1);
    ristretto_hash(&c, "domain on", "ex", 2);
    ristretto_hash(&again, "domain one", "x", 1);
    assert_memory_equal(&a, &again, sizeof a);
    assert_memory_not_equal(&a, &b, sizeof a);
    assert_memory_not_equal(&a, &c, sizeof a);
    assert_true(ristretto_parse(&a, a.bytes));
}

static void selects(void **state)
{
    (void)state;
    point no, yes, out;
    ristretto_hash(&no, "test", "no", 2);
    ristretto_hash(&yes, "test", "yes", 3);
    ristretto_select(&out, &no, &yes, 0);
    assert_memory_equal(&out, &no, sizeof out);
    ristretto_select(&out, &no, &yes, 1);
    assert_memory_equal(&out, &yes, sizeof out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_the_base_point),
        cmocka_unit_test(refuses_bad_encodings),
        cmocka_unit_test(scalars_commute_and_invert),
        cmocka_unit_test(hashes_apart),
        cmocka_unit_test(selects),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}

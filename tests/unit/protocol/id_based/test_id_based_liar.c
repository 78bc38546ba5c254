/* A party that sends what the ID-based protocol does not allow: the other one stops and names it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "support/id_based_job.h"

enum { K = 2, LISTS = 3 };

typedef void change_fn(payload_copy *payload);

/* The first party, Alice, or the second one, Bob, changes its message `number` of a type. */
typedef struct lie {
    const char *type;
    uint32_t liar;
    size_t number;
    change_fn *change;
    const char *words; /* of the honest party's error */
    size_t seen;
} lie;

static void tell(void *user, uint32_t from, uint32_t to, const char *type, payload_copy *payload)
{
    lie *l = user;
    (void)to;
    if (from == l->liar && strcmp(type, l->type) == 0 && l->seen++ == l->number)
        l->change(payload);
}

static void check_job(lie *l, id_based_job *j)
{
    kith_error errors[2] = {0};
    const uint32_t honest = 1 - l->liar;
    void *users[] = {j, j};
    const inproc_options options = {.payload = {tell, l}};
    l->seen = 0;
    assert_int_equal(inproc_run(2, NULL, &options, id_based_job_fn, users, errors), KITH_PEER);
    assert_true(l->seen > l->number);
    assert_int_equal(errors[0].status, KITH_PEER);
    assert_int_equal(errors[1].status, KITH_PEER);
    if (strstr(errors[honest].message, l->words) == NULL ||
        strstr(errors[honest].message, l->liar == 0 ? "site1" : "site2") == NULL)
        fail_msg("%s %zu: %s", l->type, l->number, errors[honest].message);
}

/* Values 0 and 2 remain, 1 and 3 are suppressed. */
static void check(lie *l)
{
    id_based_job *j = id_based_job_new(K, LISTS);
    id_based_job_put(j, 0, 4, 3);
    id_based_job_put(j, 1, 0, 1);
    id_based_job_put(j, 2, 4, 1);
    id_based_job_put(j, 3, 1, 0);
    check_job(l, j);
    free(j);
}

/* --- elements, in the last ciphertext of the message --- */

static unsigned char *last_gt(payload_copy *payload)
{
    return payload->bytes + payload->length - IBE_CIPHERTEXT_BYTES;
}

static unsigned char *last_g1(payload_copy *payload)
{
    return payload->bytes + payload->length - G1_BYTES;
}

static void gt_one(payload_copy *payload)
{
    gt one;
    pairing_gt_one(&one);
    pairing_gt_format(last_gt(payload), &one);
}

static void gt_zero(payload_copy *payload)
{
    memset(last_gt(payload), 0, GT_BYTES);
}

/* 2 is an element of the field whose order is not q. */
static void gt_outside(payload_copy *payload)
{
    gt_one(payload);
    for (size_t i = 0; i < GT_BYTES; i++)
        last_gt(payload)[i] = (unsigned char)(last_gt(payload)[i] * 2);
}

/* The same element, with p added to its first coefficient. */
static void gt_not_canonical(payload_copy *payload)
{
    static const char p[] = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241"
                            "eabfffeb153ffffb9feffffffffaaab";
    unsigned char *at = last_gt(payload);
    unsigned carry = 0, digit;
    for (int i = G1_BYTES - 1; i >= 0; i--) {
        assert_int_equal(sscanf(p + (size_t)2 * (unsigned)i, "%2x", &digit), 1);
        carry += at[i] + digit;
        at[i] = (unsigned char)carry;
        carry >>= 8;
    }
    assert_int_equal(carry, 0);
}

static void g1_infinity(payload_copy *payload)
{
    memset(last_g1(payload), 0, G1_BYTES);
    last_g1(payload)[0] = 0xc0;
}

/* (0, 2) is on the curve and has order 3. */
static void g1_outside(payload_copy *payload)
{
    memset(last_g1(payload), 0, G1_BYTES);
    last_g1(payload)[0] = 0x80;
}

/* No compressed form has this flag off. */
static void g1_uncompressed(payload_copy *payload)
{
    last_g1(payload)[0] &= 0x7f;
}

static void g1_beyond_p(payload_copy *payload)
{
    memset(last_g1(payload), 0xff, G1_BYTES);
    last_g1(payload)[0] = 0x9f;
}

static change_fn *const elements[] = {gt_one,      gt_zero,    gt_outside,      gt_not_canonical,
                                      g1_infinity, g1_outside, g1_uncompressed, g1_beyond_p};

enum { ELEMENTS = sizeof elements / sizeof *elements };

static void elements_outside_their_groups_are_refused(void **state)
{
    static const struct {
        const char *type;
        uint32_t liar;
        size_t number;
    } places[] = {
        {"id.lists", 0, 0}, /* first family */
        {"id.lists", 0, 2}, /* phase 2 */
        {"id.products", 1, 0},
        {"id.gammas", 1, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t e = 0; e < ELEMENTS; e++)
            check(&(lie){.type = places[i].type,
                         .liar = places[i].liar,
                         .number = places[i].number,
                         .change = elements[e],
                         .words = "sent a ciphertext with an element outside its group"});
}

/* A public key is an element of each group, which the changes of ciphertexts hit, too: the element
 * of GT begins at the same distance from the end as that of a ciphertext without one of G1. */
static void shift_key(payload_copy *payload, change_fn *change)
{
    unsigned char bytes[IBE_CIPHERTEXT_BYTES] = {0};
    payload_copy inner = {bytes, sizeof bytes, sizeof bytes};
    memcpy(bytes, payload->bytes, GT_BYTES);
    memcpy(bytes + sizeof bytes - G1_BYTES, payload->bytes + GT_BYTES, G1_BYTES);
    change(&inner);
    memcpy(payload->bytes, bytes, GT_BYTES);
    memcpy(payload->bytes + GT_BYTES, bytes + sizeof bytes - G1_BYTES, G1_BYTES);
}

static change_fn *change_of_key;

static void change_key(payload_copy *payload)
{
    shift_key(payload, change_of_key);
}

static void keys_outside_their_groups_are_refused(void **state)
{
    (void)state;
    for (size_t e = 0; e < ELEMENTS; e++) {
        change_of_key = elements[e];
        check(&(lie){.type = "id.public",
                     .liar = 0,
                     .change = change_key,
                     .words = "sent an invalid public key"});
    }
}

/* --- lengths --- */

static void shorter(payload_copy *payload)
{
    payload->length -= IBE_CIPHERTEXT_BYTES;
    payload->message_bytes = payload->length;
}

static void longer(payload_copy *payload)
{
    memcpy(payload->bytes + payload->length, payload->bytes, IBE_CIPHERTEXT_BYTES);
    payload->length += IBE_CIPHERTEXT_BYTES;
    payload->message_bytes = payload->length;
}

static void short_and_long_lists_are_refused(void **state)
{
    (void)state;
    change_fn *const both[] = {shorter, longer};
    for (int i = 0; i < 2; i++) {
        check(&(lie){.type = "id.lists", .liar = 0, .change = both[i], .words = "bytes"});
        check(&(lie){.type = "id.products", .liar = 1, .change = both[i], .words = "bytes"});
        check(&(lie){.type = "id.gammas", .liar = 1, .change = both[i], .words = "bytes"});
    }
}

/* --- names and answers --- */

static void too_many(payload_copy *payload)
{
    const uint32_t n = LISTS + 1;
    memcpy(payload->bytes, &n, sizeof n);
}

static void endless(payload_copy *payload)
{
    memset(payload->bytes, 0xff, sizeof(uint32_t));
}

/* Two names in place of two: the second one twice. */
static void repeated(payload_copy *payload)
{
    assert_int_equal(payload->length, 2 * ID_BASED_NAME_BYTES);
    memcpy(payload->bytes, payload->bytes + ID_BASED_NAME_BYTES, ID_BASED_NAME_BYTES);
}

static void reversed(payload_copy *payload)
{
    unsigned char first[ID_BASED_NAME_BYTES];
    assert_int_equal(payload->length, 2 * ID_BASED_NAME_BYTES);
    memcpy(first, payload->bytes, sizeof first);
    memcpy(payload->bytes, payload->bytes + sizeof first, sizeof first);
    memcpy(payload->bytes + sizeof first, first, sizeof first);
}

static void two(payload_copy *payload)
{
    payload->bytes[0] = 2;
}

static void one(payload_copy *payload)
{
    payload->bytes[0] = 1;
}

static void wrong_names_and_answers_are_refused(void **state)
{
    (void)state;
    lie lies[] = {
        {.type = "id.count", .liar = 0, .change = too_many, .words = "quasi-identifiers, of which"},
        {.type = "id.count", .liar = 1, .change = endless, .words = "quasi-identifiers, of which"},
        {.type = "id.count",
         .liar = 0,
         .number = 1,
         .change = too_many,
         .words = "quasi-identifiers, of which"},
        /* The remaining names are those of values 0 and 2. */
        {.type = "id.names", .liar = 0, .number = 1, .change = repeated, .words = "not in order"},
        {.type = "id.names", .liar = 0, .number = 1, .change = reversed, .words = "not in order"},
        {.type = "id.already", .liar = 0, .change = two, .words = "sent an invalid answer"},
        {.type = "id.already", .liar = 0, .change = one, .words = "expected id.count"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++)
        check(&lies[i]);
}

/* Claims to have more than 2^19 rows: the other party would pad to 2^20 and work for hours. */
static void many_rows(payload_copy *payload)
{
    const uint64_t more = (UINT64_C(1) << 20) - 1;
    memcpy(payload->bytes, &more, payload->length < sizeof more ? payload->length : sizeof more);
}

static void too_many_rows_are_refused(void **state)
{
    (void)state;
    id_based_job *j = id_based_job_new(K, 0);
    j->max_rows = 16384;
    id_based_job_put(j, 0, 4, 3);
    id_based_job_put(j, 1, 1, 1);
    check_job(&(lie){.type = "logic.result",
                     .liar = 0,
                     .change = many_rows,
                     .words = "says that it has more than 524288 rows; the study allows a party "
                              "16384 (rows)"},
              j);
    free(j);
}

/* Gammas of the third list also for the second one. */
static void copy_list(payload_copy *payload)
{
    const size_t bytes = (size_t)6 * IBE_CIPHERTEXT_BYTES;
    memcpy(payload->bytes + bytes, payload->bytes + 2 * bytes, bytes);
}

/* Bob makes Alice believe that value 1 has enough rows: the last question tells that it has not. */
static void small_classes_are_refused(void **state)
{
    (void)state;
    id_based_job *j = id_based_job_new(3, 6);
    id_based_job_put(j, 0, 4, 3);
    id_based_job_put(j, 1, 2, 0);
    id_based_job_put(j, 2, 2, 1);
    for (uint32_t v = 3; v < 6; v++) /* sigma */
        id_based_job_put(j, v, 1, 0);
    check_job(&(lie){.type = "id.gammas",
                     .liar = 1,
                     .change = copy_list,
                     .words = "did not keep to the protocol: a class of the release would have "
                              "fewer than 3 rows"},
              j);
    free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_outside_their_groups_are_refused),
        cmocka_unit_test(keys_outside_their_groups_are_refused),
        cmocka_unit_test(short_and_long_lists_are_refused),
        cmocka_unit_test(wrong_names_and_answers_are_refused),
        cmocka_unit_test(too_many_rows_are_refused),
        cmocka_unit_test(small_classes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

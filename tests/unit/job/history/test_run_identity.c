/* What makes a run another one, and what the key of private choices depends on. */
#include "unit/job/support.h"

#include <sodium.h>

#include "job/history/run_identity.h"
#include "protocol/private_choices.h"

#define COLUMNS                                                                   \
    "columns: [{name: a, role: quasi-identifying}, {name: d, role: sensitive}]\n" \
    "privacy: [{model: k-anonymity, k: 2}]\n"
#define PARTY(name, port, digit)              \
    "  - {name: " name ", address: \"h:" port \
    "\", key: \"sha256:" digit digit digit digit digit digit digit digit "\"}\n"
#define ONE "11111111"
#define TWO "22222222"
#define THREE "33333333"
#define PARTIES "parties:\n" PARTY("n", "7001", ONE) PARTY("s", "7002", TWO)

enum { BYTES = RUN_IDENTITY_BYTES };

typedef struct identified {
    run_identity id;
    unsigned char key[BYTES];
    uint64_t coins;
} identified;

static identified identify(const char *text, const char *cell, const kith_run *run)
{
    static const unsigned char secret[BYTES] = {9};
    const char *const cells[] = {"x", "flu", "y", cell};
    identified r;
    kith_study *study = study_of(text);
    kith_table *table = table_of(study, cells, 2);
    row_order rows;
    arena *memory = arena_new();
    assert_int_equal(row_order_make(&rows, table, false, memory, NULL), KITH_OK);
    run_identity_make(&r.id, study, &rows, run);
    run_identity_choices(r.key, &r.id, false, secret);
    arena_free(memory);
    r.coins = run_identity_coins(study);
    kith_table_free(table);
    kith_study_free(study);
    return r;
}

static bool same_key(const identified *a, const identified *b)
{
    return memcmp(a->key, b->key, BYTES) == 0;
}

static void only_what_matters_makes_another_run(void **state)
{
    (void)state;
    static const char base[] = "study: s\n" COLUMNS "partition: horizontal\n" PARTIES;
    static const char *const alike[] = {
        "study: t\n" COLUMNS "partition: horizontal\n" PARTIES,
        "study: s\n" COLUMNS "partition: horizontal\nagain: true\ntimeout: 7\n" PARTIES,
        "study: s\n" COLUMNS "partition: horizontal\nparties:\n" PARTY("n", "8001", THREE)
            PARTY("s", "7002", TWO),
    };
    static const char *const others[] = {
        "study: s\n" COLUMNS "partition: horizontal\nquiet: true\n" PARTIES,
        "study: s\n" COLUMNS "partition: horizontal\nmissing: drop\n" PARTIES,
        "study: s\n" COLUMNS "partition: horizontal\n" PARTIES PARTY("e", "7003", THREE),
        "study: s\n" COLUMNS "partition: horizontal\nparties:\n" PARTY("s", "7002", TWO)
            PARTY("n", "7001", ONE),
    };
    const identified first = identify(base, "hiv", NULL);
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        const identified r = identify(alike[i], "hiv", NULL);
        assert_true(same_key(&r, &first));
        assert_true(r.coins == first.coins);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const identified r = identify(others[i], "hiv", NULL);
        assert_false(same_key(&r, &first));
        assert_false(r.coins == first.coins);
    }
    const identified data = identify(base, "flu", NULL);
    assert_false(same_key(&data, &first));
    assert_true(data.coins == first.coins); /* coins are public */
    const kith_run seeded = KITH_OPTIONS(kith_run, .seeded = true, .seed = 0);
    const identified seed = identify(base, "hiv", &seeded);
    assert_false(same_key(&seed, &first));
}

/* Hashes of earlier runs are in files: how entries are called in messages must not change them. */
static void hashes_of_earlier_runs_stay(void **state)
{
    (void)state;
    const identified r =
        identify("study: s\n" COLUMNS "partition: horizontal\n" PARTIES, "hiv", NULL);
    assert_int_equal(r.coins, UINT64_C(0xa3ec80ce928d46a6));
}

/* Every purpose has a key of its own; without a key of the party each call draws one. */
static void purposes_do_not_share_keys(void **state)
{
    (void)state;
    const unsigned char choices[PRIVATE_CHOICES_BYTES] = {1};
    unsigned char one[PRIVATE_CHOICES_BYTES], other[PRIVATE_CHOICES_BYTES];
    private_choices_key(one, choices, "blur");
    private_choices_key(other, choices, "blur");
    assert_memory_equal(one, other, sizeof one);
    private_choices_key(other, choices, "noise");
    assert_memory_not_equal(one, other, sizeof one);
    private_choices_key(one, NULL, "blur");
    private_choices_key(other, NULL, "blur");
    assert_memory_not_equal(one, other, sizeof one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_matters_makes_another_run),
        cmocka_unit_test(hashes_of_earlier_runs_stay),
        cmocka_unit_test(purposes_do_not_share_keys),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}

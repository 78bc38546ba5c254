/* Parts of the view by themselves: sorting, recoding, orders of rows, and putting them together. */
#include "unit/protocol/view_scene.h"

#include "protocol/view/view_merge.h"
#include "protocol/view/view_wire.h"
#include "support/aborts.h"

static arena *memory;

static int ready(void **state)
{
    (void)state;
    memory = arena_new();
    return sodium_init() < 0 || memory == NULL ? -1 : 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(memory);
    return 0;
}

static point point_of(uint32_t number)
{
    point p;
    ristretto_hash(&p, "test", &number, sizeof number);
    return p;
}

/* One column: leaves 0 … leaves-1 below two groups 100, 101 below the root 200. */
static void make_packet(view_packet *k, uint32_t column, const uint32_t *leaves, uint32_t n_leaves,
                        uint32_t n_rows, bool tids)
{
    const uint32_t start[] = {0, n_leaves, n_leaves + 2, n_leaves + 3};
    assert_int_equal(view_packet_init(k, memory, 2, n_rows, tids, NULL), KITH_OK);
    assert_int_equal(view_packet_column(k, column, 3, start, NULL), KITH_OK);
    view_column *c = &k->columns[column];
    for (uint32_t i = 0; i < n_leaves; i++) {
        c->entries[i] = point_of(leaves[i]);
        c->parent[i] = n_leaves + leaves[i] % 2;
        c->mark[i] = (uint8_t)leaves[i];
    }
    c->entries[n_leaves] = point_of(100);
    c->entries[n_leaves + 1] = point_of(101);
    c->parent[n_leaves] = c->parent[n_leaves + 1] = n_leaves + 2;
    c->entries[n_leaves + 2] = point_of(200);
    for (uint32_t i = 0; i < n_rows; i++) {
        c->codes[i] = i % n_leaves;
        if (tids)
            k->tid[i] = point_of(1000 + i);
    }
}

static uint32_t leaf_of(const view_packet *k, uint32_t column, uint32_t row)
{
    const view_column *c = &k->columns[column];
    for (uint32_t number = 0; number < 50; number++) {
        point p = point_of(number);
        if (memcmp(&p, &c->entries[c->codes[row]], sizeof p) == 0)
            return number;
    }
    fail();
    return 0;
}

static void check_sorted(const view_column *c)
{
    for (uint32_t level = 0; level < c->n_levels; level++)
        for (uint32_t e = c->start[level] + 1; e < c->start[level + 1]; e++)
            assert_true(memcmp(&c->entries[e - 1], &c->entries[e], sizeof *c->entries) < 0);
}

static void check_column(const view_packet *k, uint32_t column)
{
    const view_column *c = &k->columns[column];
    check_sorted(c);
    for (uint32_t number = 0; number < 50; number++) {
        point p = point_of(number), group = point_of(100 + number % 2);
        for (uint32_t e = 0; e < c->start[1]; e++)
            if (memcmp(&p, &c->entries[e], sizeof p) == 0) {
                assert_memory_equal(&c->entries[c->parent[e]], &group, sizeof group);
                assert_int_equal(c->mark[e], number);
            }
    }
}

static void sorts_and_recodes(void **state)
{
    static const uint32_t leaf[] = {7, 1, 4, 2, 9, 30, 12};
    (void)state;
    view_packet k;
    make_packet(&k, 0, leaf, 7, 20, false);
    assert_int_equal(view_packet_sort(&k, NULL), KITH_OK);
    check_column(&k, 0);
    for (uint32_t i = 0; i < 20; i++)
        assert_int_equal(leaf_of(&k, 0, i), leaf[i % 7]);
    k.columns[0].entries[1] = k.columns[0].entries[0];
    assert_int_equal(view_packet_sort(&k, NULL), KITH_BUG);
}

static void shuffles_rows_and_their_ids_together(void **state)
{
    static const uint32_t leaf[] = {0, 1, 2, 3, 4};
    (void)state;
    view_packet k;
    prg *coins;
    uint32_t moved = 0;
    assert_int_equal(prg_new_private(&coins, memory, NULL), KITH_OK);
    make_packet(&k, 1, leaf, 5, 40, true);
    assert_int_equal(view_packet_shuffle(&k, coins, NULL), KITH_OK);
    for (uint32_t i = 0; i < 40; i++)
        for (uint32_t number = 0; number < 40; number++) {
            point p = point_of(1000 + number);
            if (memcmp(&p, &k.tid[i], sizeof p) != 0)
                continue;
            moved += number != i;
            assert_int_equal(leaf_of(&k, 1, i), number % 5);
        }
    assert_in_range(moved, 20, 40);
    assert_int_equal(view_packet_by_tid(&k, NULL), KITH_OK);
    for (uint32_t i = 1; i < 40; i++)
        assert_true(memcmp(&k.tid[i - 1], &k.tid[i], sizeof *k.tid) < 0);
}

static void unites_dictionaries(void **state)
{
    static const uint32_t one[] = {3, 8, 5}, two[] = {8, 6, 3, 11};
    (void)state;
    view_packet a, b;
    uint64_t clashes;
    make_packet(&a, 0, one, 3, 6, false);
    make_packet(&b, 0, two, 4, 8, false);
    assert_int_equal(view_packet_sort(&a, NULL), KITH_OK);
    assert_int_equal(view_packet_sort(&b, NULL), KITH_OK);
    assert_int_equal(view_merge(&a, &b, PARTITION_HORIZONTAL, &clashes, NULL, 0, NULL), KITH_OK);
    assert_int_equal(a.n_rows, 14);
    assert_int_equal(a.columns[0].start[1], 5); /* 3 5 6 8 11 */
    assert_int_equal(a.columns[0].n_entries, 8);
    check_column(&a, 0);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(leaf_of(&a, 0, i), one[i % 3]);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(leaf_of(&a, 0, 6 + i), two[i % 4]);
}

static void joins_columns(void **state)
{
    static const uint32_t one[] = {3, 8}, two[] = {6, 5, 4};
    (void)state;
    view_packet a, b;
    uint64_t clashes;
    make_packet(&a, 0, one, 2, 6, false);
    make_packet(&b, 1, two, 3, 6, false);
    assert_int_equal(view_packet_sort(&a, NULL), KITH_OK);
    assert_int_equal(view_packet_sort(&b, NULL), KITH_OK);
    assert_int_equal(view_merge(&a, &b, PARTITION_VERTICAL, &clashes, NULL, 0, NULL), KITH_OK);
    assert_int_equal(a.n_rows, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(leaf_of(&a, 0, i), one[i % 2]);
        assert_int_equal(leaf_of(&a, 1, i), two[i % 3]);
    }
}

/* Five rows here, the first three of them there too, in the other column. */
static void joins_rows_by_id(void **state)
{
    static const uint32_t one[] = {3, 8, 1, 2, 9}, two[] = {6, 5, 4};
    (void)state;
    view_packet a, b;
    uint64_t clashes;
    make_packet(&a, 0, one, 5, 5, true);
    make_packet(&b, 1, two, 3, 3, true);
    for (int k = 0; k < 2; k++) {
        view_packet *p = k == 0 ? &a : &b;
        assert_int_equal(view_packet_sort(p, NULL), KITH_OK);
        assert_int_equal(view_packet_by_tid(p, NULL), KITH_OK);
    }
    assert_int_equal(view_merge(&a, &b, PARTITION_HYBRID, &clashes, NULL, 0, NULL), KITH_OK);
    assert_int_equal(a.n_rows, 5);
    assert_int_equal(clashes, 0);
    uint32_t gaps = 0;
    for (uint32_t i = 0; i < 5; i++)
        if (a.columns[1].codes[i] == VIEW_NONE)
            gaps++;
        else
            for (uint32_t n = 0; n < 3; n++)
                if (leaf_of(&a, 0, i) == one[n])
                    assert_int_equal(leaf_of(&a, 1, i), two[n]);
    assert_int_equal(gaps, 2);
    make_packet(&b, 0, one, 5, 5, true);
    assert_int_equal(view_packet_sort(&b, NULL), KITH_OK);
    assert_int_equal(view_packet_by_tid(&b, NULL), KITH_OK);
    assert_int_equal(view_merge(&a, &b, PARTITION_HYBRID, &clashes, NULL, 0, NULL), KITH_OK);
    assert_int_equal(clashes, 5);
}

static void packs_codes_narrowly(void **state)
{
    static const uint32_t entries[] = {1, 254, 255, 65534, 65535, 1 << 20};
    static const size_t width[] = {1, 1, 2, 2, 4, 4};
    (void)state;
    for (uint32_t k = 0; k < 6; k++) {
        uint32_t codes[] = {0, entries[k] - 1, VIEW_NONE}, back[3];
        unsigned char packed[12], too_large[12];
        assert_int_equal(view_parse_codes_bytes(3, entries[k]), 3 * width[k]);
        view_parse_write_codes(packed, codes, 3, entries[k]);
        assert_true(view_parse_codes(back, packed, 3, entries[k]));
        assert_memory_equal(codes, back, sizeof codes);
        memset(too_large, 0xff, sizeof too_large);
        assert_false(view_parse_codes(back, too_large, 3, entries[k]));
    }
}

#if KITH_DEBUG
static void sort_with_a_code_out_of_range(void)
{
    view_packet k;
    make_packet(&k, 0, (const uint32_t[]){3, 4, 5}, 3, 6, false);
    k.columns[0].codes[2] = k.columns[0].n_entries;
    (void)!view_packet_sort(&k, NULL);
}

static void sort_with_a_parent_of_its_own_level(void)
{
    view_packet k;
    make_packet(&k, 0, (const uint32_t[]){3, 4, 5}, 3, 6, false);
    k.columns[0].parent[0] = 1;
    (void)!view_packet_sort(&k, NULL);
}

/* make_packet does not sort entries by their bytes. */
static void check_unsorted(void)
{
    view_packet k;
    make_packet(&k, 0, (const uint32_t[]){1, 2, 3, 4, 5, 6, 7, 8}, 8, 8, false);
    view_packet_check_sorted(&k);
}

static void debug_builds_notice_broken_packets(void **state)
{
    (void)state;
    assert_true(aborts(sort_with_a_code_out_of_range));
    assert_true(aborts(sort_with_a_parent_of_its_own_level));
    assert_true(aborts(check_unsorted));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_and_recodes),
        cmocka_unit_test(shuffles_rows_and_their_ids_together),
        cmocka_unit_test(unites_dictionaries),
        cmocka_unit_test(joins_columns),
        cmocka_unit_test(joins_rows_by_id),
        cmocka_unit_test(packs_codes_narrowly),
#if KITH_DEBUG
        cmocka_unit_test(debug_builds_notice_broken_packets),
#endif
    };
    return cmocka_run_group_tests(tests, ready, end);
}

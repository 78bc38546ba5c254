/* The index finds every place that stands for a record: compared with a look at all of them. */
#include "unit/verify/support.h"

#include <stdio.h>

#include "verify/place_index.h"

enum { N_RECORDS = 40, N_PLACES = 60, N_COLUMNS = 3, N_BUCKETS = 3 };

/* Values are "00" to "33"; the first two columns have a mask, and leaves behind ranges in reverse
 * order; the third is not generalized. */
typedef struct scene {
    arena *memory;
    kith_table *data, *release;
    cover_column columns[N_COLUMNS];
    cover_cells cells[N_COLUMNS];
    uint32_t row[N_PLACES], bucket[N_PLACES];
} scene;

static char text_of[N_RECORDS + N_PLACES][N_COLUMNS][16];

static const char *draw_value(char text[16])
{
    snprintf(text, 16, "%d%d", rand() % 4, rand() % 4);
    return rand() % 10 == 0 ? NULL : text;
}

/* Labels of all kinds; some stand for nothing. */
static const char *draw_label(char text[16])
{
    const int low = rand() % 4, high = low + rand() % (4 - low);
    switch (rand() % 6) {
    case 0: return "*";
    case 1: snprintf(text, 16, "%d*", rand() % 4); return text;
    case 2: snprintf(text, 16, "%d%d..%d%d", high, rand() % 2, low, rand() % 2); return text;
    case 3: return rand() % 2 == 0 ? NULL : "nothing";
    default: return draw_value(text);
    }
}

static void make_column(scene *s, uint32_t j, bool with_missing)
{
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_character = '*'};
    domain_spec domain = {.kind = DOMAIN_HIERARCHY};
    const dictionary *values = &s->data->columns[j].values;
    kith_hierarchy *h;
    uint32_t *leaf_of = arena_array(s->memory, values->count + (size_t)1, sizeof *leaf_of);
    assert_int_equal(
        hierarchy_make(&h, s->memory, &spec, &domain, values, with_missing, NULL, NULL), KITH_OK);
    assert_int_equal(hierarchy_bind(h, values, leaf_of, "d", "c", NULL, NULL), KITH_OK);
    uint32_t *rank = arena_array(s->memory, h->tree.n_leaves, sizeof *rank);
    for (uint32_t i = 0; i < h->tree.n_leaves; i++)
        rank[i] = h->tree.n_leaves - 1 - i;
    s->columns[j] =
        (cover_column){.release = j, .data = j, .hierarchy = h, .leaf_of = leaf_of, .rank = rank};
}

static void scene_make(scene *s)
{
    const char *data[N_RECORDS * N_COLUMNS], *released[N_PLACES * N_COLUMNS];
    for (uint32_t i = 0; i < N_RECORDS * N_COLUMNS; i++)
        data[i] = draw_value(text_of[i / N_COLUMNS][i % N_COLUMNS]);
    for (uint32_t i = 0; i < N_PLACES * N_COLUMNS; i++)
        released[i] = draw_label(text_of[N_RECORDS + i / N_COLUMNS][i % N_COLUMNS]);
    s->memory = arena_new();
    s->data = texts(data, N_RECORDS, N_COLUMNS);
    s->release = texts(released, N_PLACES, N_COLUMNS);
    const bool with_missing = rand() % 2 == 0;
    for (uint32_t j = 0; j < 2; j++)
        make_column(s, j, with_missing);
    s->columns[2] = (cover_column){.release = 2, .data = 2};
    for (uint32_t j = 0; j < N_COLUMNS; j++)
        assert_int_equal(cover_cells_init(&s->cells[j], s->memory, s->release, s->data,
                                          &s->columns[j], true, NULL),
                         KITH_OK);
    for (uint32_t i = 0; i < N_PLACES; i++) {
        s->row[i] = N_PLACES - 1 - i;
        s->bucket[i] = (uint32_t)rand() % N_BUCKETS;
    }
}

static void scene_wipe(scene *s)
{
    kith_table_free(s->data);
    kith_table_free(s->release);
    arena_free(s->memory);
}

static bool stands_for(const scene *s, uint32_t place, uint32_t record)
{
    return cover_cells_match(&s->cells[0], s->row[place], record) &&
           cover_cells_match(&s->cells[1], s->row[place], record);
}

static void finds_all_places_that_stand_for_a_record(void **state)
{
    (void)state;
    srand(5);
    for (int round = 0; round < 200; round++) {
        scene s;
        scene_make(&s);
        const place_list list = {s.cells, N_COLUMNS, N_PLACES, N_BUCKETS, s.row, s.bucket};
        place_index *index;
        assert_int_equal(place_index_new(&index, &list, s.memory, NULL), KITH_OK);
        for (uint32_t record = 0; record < N_RECORDS; record++)
            for (uint32_t bucket = 0; bucket < N_BUCKETS; bucket++) {
                uint32_t found[N_PLACES], times[N_PLACES] = {0};
                const uint32_t n = place_index_find(index, bucket, record, found);
                assert_true(n <= N_PLACES);
                for (uint32_t i = 0; i < n; i++) {
                    assert_int_equal(s.bucket[found[i]], bucket);
                    times[found[i]]++;
                }
                for (uint32_t place = 0; place < N_PLACES; place++)
                    if (s.bucket[place] == bucket && stands_for(&s, place, record))
                        assert_int_equal(times[place], 1);
                    else
                        assert_true(times[place] <= 1);
            }
        scene_wipe(&s);
    }
}

static void an_index_without_places_finds_none(void **state)
{
    (void)state;
    scene s;
    scene_make(&s);
    const place_list list = {.cells = s.cells, .n_columns = N_COLUMNS, .n_buckets = 1};
    place_index *index;
    uint32_t found[1];
    assert_int_equal(place_index_new(&index, &list, s.memory, NULL), KITH_OK);
    assert_int_equal(place_index_find(index, 0, 0, found), 0);
    scene_wipe(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_all_places_that_stand_for_a_record),
        cmocka_unit_test(an_index_without_places_finds_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

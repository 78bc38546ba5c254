/* Assignments with limited room, against a plain search for augmenting paths. */
#include "unit/verify/support.h"

#include "verify/matching.h"

enum { MAX_ITEMS = 12 };

typedef struct small {
    uint32_t n_items, n_places;
    uint64_t start[MAX_ITEMS + 1];
    uint32_t edge[MAX_ITEMS * MAX_ITEMS];
    uint32_t room[MAX_ITEMS];
} small;

static bool place_item(const small *s, uint32_t item, uint32_t *place_of, bool *tried)
{
    for (uint64_t e = s->start[item]; e < s->start[item + 1]; e++) {
        uint32_t place = s->edge[e], used = 0;
        if (tried[place])
            continue;
        tried[place] = true;
        for (uint32_t i = 0; i < s->n_items; i++)
            used += place_of[i] == place;
        bool free_room = used < s->room[place];
        for (uint32_t i = 0; i < s->n_items && !free_room; i++)
            if (place_of[i] == place && place_item(s, i, place_of, tried))
                free_room = true;
        if (free_room) {
            place_of[item] = place;
            return true;
        }
    }
    return false;
}

static uint32_t left_over(const small *s)
{
    uint32_t place_of[MAX_ITEMS], left = 0;
    memset(place_of, 0xff, sizeof place_of);
    for (uint32_t i = 0; i < s->n_items; i++) {
        bool tried[MAX_ITEMS] = {false};
        left += !place_item(s, i, place_of, tried);
    }
    return left;
}

static void draw(small *s)
{
    s->n_items = 1 + (uint32_t)rand() % MAX_ITEMS;
    s->n_places = 1 + (uint32_t)rand() % MAX_ITEMS;
    uint64_t used = 0;
    uint32_t density = 1 + (uint32_t)rand() % 4;
    for (uint32_t p = 0; p < s->n_places; p++)
        s->room[p] = (uint32_t)rand() % 4;
    for (uint32_t i = 0; i < s->n_items; i++) {
        s->start[i] = used;
        for (uint32_t p = 0; p < s->n_places; p++)
            if ((uint32_t)rand() % 5 < density)
                s->edge[used++] = p;
    }
    s->start[s->n_items] = used;
}

static void check_assignment(const small *s, const uint32_t *place_of, uint32_t left)
{
    uint32_t used[MAX_ITEMS] = {0}, missing = 0;
    for (uint32_t i = 0; i < s->n_items; i++) {
        if (place_of[i] == UINT32_MAX) {
            missing++;
            continue;
        }
        bool allowed = false;
        for (uint64_t e = s->start[i]; e < s->start[i + 1]; e++)
            allowed = allowed || s->edge[e] == place_of[i];
        assert_true(allowed);
        assert_true(++used[place_of[i]] <= s->room[place_of[i]]);
    }
    assert_int_equal(missing, left);
}

static void finds_the_largest_assignment(void **state)
{
    (void)state;
    srand(11);
    uint32_t perfect = 0;
    for (int round = 0; round < 5000; round++) {
        small s;
        draw(&s);
        arena *memory = arena_new();
        uint32_t place_of[MAX_ITEMS], left;
        matching_graph g = {s.n_items, s.n_places, s.start, s.edge, s.room};
        assert_int_equal(matching_solve(&g, place_of, &left, memory, NULL), KITH_OK);
        check_assignment(&s, place_of, left);
        assert_int_equal(left, left_over(&s));
        perfect += left == 0;
        arena_free(memory);
    }
    assert_in_range(perfect, 100, 4900); /* both outcomes occur */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_the_largest_assignment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

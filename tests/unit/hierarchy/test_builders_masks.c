/* Masks and groups of ordered values: labels, nesting, and what they refuse. */
#include "core/rng.h"
#include "unit/hierarchy/build.h"

static void mask_right(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_character = '*'};
    dictionary values =
        DICTIONARY(f->memory, KITH_TYPE_STRING, "12", "123", "1234", "12345", "81667");
    built(f, &spec, &values);
    PATH("81667", "81667 > 8166* > 816** > 81*** > 8**** > *");
    PATH("12345", "12345 > 1234* > 123** > 12*** > 1**** > *");
    PATH("1234", "1234 > 1234* > 123** > 12*** > 1**** > *");
    PATH("123", "123 > 123 > 123** > 12*** > 1**** > *");
    PATH("12", "12 > 12 > 12 > 12*** > 1**** > *");
}

static void mask_left(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_left = true, .mask_character = '#'};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "5", "a15", "b15", "c25");
    built(f, &spec, &values);
    PATH("a15", "a15 > #15 > ##5 > *");
    PATH("b15", "b15 > #15 > ##5 > *");
    PATH("c25", "c25 > #25 > ##5 > *");
    PATH("5", "5 > 5 > ##5 > *");
}

static void mask_counts_characters(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_character = '*'};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "aöß", "aüß");
    built(f, &spec, &values);
    PATH("aöß", "aöß > aö* > a** > *");
    spec.mask_left = true;
    built(f, &spec, &values);
    PATH("aüß", "aüß > *üß > **ß > *");
}

static void mask_collisions(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_character = '*'};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "a*", "ab");
    refused(f, &spec, &values,
            "'a*' stands for 1 value at level 0 and for 2 at level 1: a release shows only labels, "
            "so each must stand for one set of values");
}

static void mask_limit(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_character = '*'};
    dictionary longest =
        DICTIONARY(f->memory, KITH_TYPE_STRING,
                   "ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääe");
    built(f, &spec, &longest);
    assert_int_equal(f->h->tree.n_levels, 64);
    dictionary values =
        DICTIONARY(f->memory, KITH_TYPE_STRING,
                   "0123456789012345678901234567890123456789012345678901234567890123");
    refused(f, &spec, &values,
            "'0123456789012345678901234567890123456789012345678901234567890123' has 64 "
            "characters: a mask takes values of at most 63");
}

/* Nodes with the same label stand for the same leaves. */
static void check_labels(const kith_hierarchy *h)
{
    const tree *t = &h->tree;
    for (uint32_t a = 0; a < t->n_nodes; a++)
        for (uint32_t b = a + 1; b < t->n_nodes; b++)
            if (strcmp(h->label[a], h->label[b]) == 0)
                assert_true(t->first[a] == t->first[b] && t->end[a] == t->end[b]);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Up to 12 distinct texts of one to five of the characters, in order. */
static dictionary random_texts(arena *memory, rng *r, const char *const *characters,
                               uint32_t n_kinds)
{
    const char *texts[12];
    uint32_t count = 0, wanted = 1 + rng_below(r, 12);
    for (uint32_t i = 0; i < wanted; i++) {
        char text[32] = "";
        for (uint32_t length = 1 + rng_below(r, 5); length > 0; length--)
            strcat(text, characters[rng_below(r, n_kinds)]);
        bool known = false;
        for (uint32_t j = 0; j < count; j++)
            known = known || strcmp(texts[j], text) == 0;
        if (!known)
            texts[count++] = arena_strdup(memory, text);
    }
    qsort(texts, count, sizeof *texts, compare_texts);
    return make_dictionary(memory, KITH_TYPE_STRING, texts, count);
}

static void random_masks_and_groups(void **state)
{
    fixture *f = *state;
    static const char *const plain[] = {"a", "b", "ö"};
    static const char *const nasty[] = {"a", ".", "*", "-"};
    rng r;
    rng_init(&r, 11, 0);
    uint32_t refused_count = 0;
    for (int round = 0; round < 2000; round++) {
        bool clean = round % 2 == 0;
        dictionary values =
            clean ? random_texts(f->memory, &r, plain, 3) : random_texts(f->memory, &r, nasty, 4);
        hierarchy_spec spec = {.kind = round % 3 == 0 ? HIERARCHY_ORDER : HIERARCHY_MASK,
                               .count = 2,
                               .groups = {2, 6},
                               .mask_left = round % 3 == 1,
                               .mask_character = '*'};
        kith_status status = make(f, &spec, NULL, &values, round % 5 == 0);
        assert_true(status == KITH_OK || (!clean && status == KITH_DATA));
        if (status == KITH_OK)
            check_labels(f->h);
        refused_count += status != KITH_OK;
    }
    assert_true(refused_count > 0);
}

static void order(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_ORDER, .count = 2, .groups = {2, 4}};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "a", "b", "c", "d", "e");
    built(f, &spec, &values);
    PATH("b", "b > a..b > a..d > *");
    PATH("c", "c > c..d > a..d > *");
    PATH("e", "e > e > e > *");
}

static void order_collision(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_ORDER, .count = 1, .groups = {2}};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, ".x", ".x-", ".x.", "x-");
    refused(f, &spec, &values, "'.x...x-' would be the label of two groups");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(mask_right),      CASE(mask_left),       CASE(mask_counts_characters),
        CASE(mask_collisions), CASE(mask_limit),      CASE(random_masks_and_groups),
        CASE(order),           CASE(order_collision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

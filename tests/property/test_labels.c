/* Labels mean the same to the search and to the verifier: for random hierarchies and values of
 * another table, the place that the search finds for a value is below a node if and only if the
 * node's label, read as text, stands for the value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "hierarchy/locate.h"
#include "hierarchy/place.h"
#include "support/scratch.h"
#include "verify/label_meaning.h"

enum { VALUES = 24, TEXT = 40, ROUNDS = 3000 };

/* A kind of column: its type and hierarchy, and how values are drawn. */
typedef struct kind {
    kith_type type;
    const char *format;
    hierarchy_spec spec;
    domain_spec domain;
    void (*value)(rng *r, char text[TEXT]);
} kind;

static void draw_integer(rng *r, char text[TEXT])
{
    snprintf(text, TEXT, "%d", (int)rng_below(r, 60) - 25);
}

static void draw_decimal(rng *r, char text[TEXT])
{
    snprintf(text, TEXT, "%.2f", ((int)rng_below(r, 1000) - 300) / 100.0);
}

static void draw_comma(rng *r, char text[TEXT])
{
    snprintf(text, TEXT, "%d,%u", (int)rng_below(r, 40) - 10, rng_below(r, 10));
}

static void draw_day(rng *r, char text[TEXT])
{
    snprintf(text, TEXT, "%02u.%02u.%u", 1 + rng_below(r, 28), 1 + rng_below(r, 12),
             2019 + rng_below(r, 4));
}

static void draw_time(rng *r, char text[TEXT])
{
    snprintf(text, TEXT, "%02u:%02u", rng_below(r, 5), rng_below(r, 60));
}

static void draw_moment(rng *r, char text[TEXT])
{
    snprintf(text, TEXT, "2024-03-%02u %02u:%02u:%02u", 1 + rng_below(r, 3), rng_below(r, 4),
             rng_below(r, 60), rng_below(r, 60));
}

static void draw_code(rng *r, char text[TEXT])
{
    static const char *const parts[] = {"1", "2", "3", "\xc3\xa4"};
    text[0] = '\0';
    for (uint32_t i = 0, n = 1 + rng_below(r, 5); i < n; i++)
        strncat(text, parts[rng_below(r, 4)], TEXT - strlen(text) - 1);
}

static void draw_word(rng *r, char text[TEXT])
{
    static const char *const words[] = {"Dr.", "Prof.", ".net", "a..b", "a", "b", "c", "B"};
    snprintf(text, TEXT, "%s%s", words[rng_below(r, 8)], rng_below(r, 2) == 0 ? "" : "x");
}

static void draw_row(rng *r, char text[TEXT])
{
    snprintf(text, TEXT, "v%u", rng_below(r, 30));
}

#define DATES(n, ...)                                                 \
    {                                                                 \
        .kind = HIERARCHY_DATES, .count = n, .units = { __VA_ARGS__ } \
    }
#define INTERVALS(n, ...)                                                  \
    {                                                                      \
        .kind = HIERARCHY_INTERVALS, .count = n, .widths = { __VA_ARGS__ } \
    }
#define ORDER(n, ...)                                                  \
    {                                                                  \
        .kind = HIERARCHY_ORDER, .count = n, .groups = { __VA_ARGS__ } \
    }

static kind kinds[] = {
    {KITH_TYPE_INTEGER, NULL, INTERVALS(2, 5, 20), {0}, draw_integer},
    {KITH_TYPE_INTEGER, NULL, INTERVALS(2, 1, 7), {0}, draw_integer},
    {KITH_TYPE_INTEGER, NULL, INTERVALS(1, 5), {DOMAIN_RANGE, -25, 34, false}, draw_integer},
    {KITH_TYPE_INTEGER, NULL, ORDER(2, 2, 6), {0}, draw_integer},
    {KITH_TYPE_INTEGER, NULL, {.kind = HIERARCHY_MASK, .mask_character = '*'}, {0}, draw_integer},
    {KITH_TYPE_INTEGER, NULL, {.kind = HIERARCHY_SUPPRESS}, {0}, draw_integer},
    {KITH_TYPE_DECIMAL, NULL, INTERVALS(2, 0.3, 1.5), {0}, draw_decimal},
    {KITH_TYPE_DECIMAL, NULL, ORDER(1, 3), {0}, draw_decimal},
    {KITH_TYPE_DECIMAL, ",", INTERVALS(2, 2.5, 10), {0}, draw_comma},
    {KITH_TYPE_DATE, "%d.%m.%Y", DATES(3, DATE_MONTH, DATE_QUARTER, DATE_YEAR), {0}, draw_day},
    {KITH_TYPE_DATE, "%d.%m.%Y", DATES(2, DATE_DAY, DATE_WEEK), {0}, draw_day},
    {KITH_TYPE_DATE, "%d.%m.%Y", DATES(1, DATE_DECADE), {0}, draw_day},
    {KITH_TYPE_DATE, "%d.%m.%Y", ORDER(1, 4), {0}, draw_day},
    {KITH_TYPE_DATE, "%H:%M", DATES(2, DATE_MINUTE, DATE_HOUR), {0}, draw_time},
    {KITH_TYPE_DATE,
     "%Y-%m-%d %H:%M:%S",
     DATES(3, DATE_MINUTE, DATE_HOUR, DATE_DAY),
     {0},
     draw_moment},
    {KITH_TYPE_STRING, NULL, {.kind = HIERARCHY_MASK, .mask_character = '*'}, {0}, draw_code},
    {KITH_TYPE_STRING,
     NULL,
     {.kind = HIERARCHY_MASK, .mask_left = true, .mask_character = '#'},
     {0},
     draw_code},
    {KITH_TYPE_STRING, NULL, ORDER(2, 2, 4), {0}, draw_word},
    {KITH_TYPE_STRING, NULL, {.kind = HIERARCHY_FILE}, {0}, draw_row},
    {KITH_TYPE_STRING, NULL, {.kind = HIERARCHY_FILE}, {DOMAIN_DATA, 0, 0, false}, draw_row},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static kith_table *draw_table(const kind *k, rng *r)
{
    char texts[VALUES][TEXT];
    const char *cells[VALUES];
    const uint32_t n = 1 + rng_below(r, VALUES);
    const kith_column_spec spec = {"x", k->type, k->format};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    kith_table *table = NULL;
    kith_error error;
    for (uint32_t i = 0; i < n; i++) {
        k->value(r, texts[i]);
        cells[i] = texts[i];
    }
    if (kith_table_from_cells(&table, cells, n, &options, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return table;
}

/* Labels of values with dots may be read in several ways, so that a text stands for more than the
 * node: then the search may count fewer. */
static bool is_ambiguous(const kind *k, const char *label)
{
    return k->value == draw_word && strstr(label, "..") != NULL;
}

static void compare(const kind *k, const kith_hierarchy *h, const dictionary *people,
                    const uint32_t *node_of, const label_grammar *g, arena *memory,
                    uint64_t *n_inner)
{
    uint32_t n_unknown, *leaf_of = arena_array(memory, people->count, sizeof *leaf_of);
    if (g->file != NULL)
        assert_int_equal(locate(g->file, people, leaf_of, &n_unknown, memory, NULL), KITH_OK);
    for (uint32_t node = 0; node < h->tree.n_nodes; node++) {
        label_meaning meaning;
        assert_int_equal(label_meaning_read(&meaning, g, h->label[node], memory, NULL), KITH_OK);
        for (uint32_t code = 0; code < people->count; code++) {
            /* A label of several levels is that of the lowest. */
            uint32_t top = node;
            while (top != tree_root(&h->tree) &&
                   strcmp(h->label[h->tree.parent[top]], h->label[node]) == 0)
                top = h->tree.parent[top];
            const bool below = tree_covers(&h->tree, top, node_of[code]);
            const bool holds = label_meaning_holds(&meaning, g, people, code,
                                                   g->file == NULL ? UINT32_MAX : leaf_of[code]);
            if (below != holds && !(holds && is_ambiguous(k, h->label[node])))
                fail_msg("kind %td: '%s' is %sbelow '%s', whose text says %s", k - kinds,
                         dictionary_text(people, code), below ? "" : "not ", h->label[node],
                         holds ? "yes" : "no");
            *n_inner += below && node_of[code] >= h->tree.n_leaves && node != tree_root(&h->tree);
        }
    }
}

static void run_one(const kind *k, rng *r, uint64_t *n_inner)
{
    arena *memory = arena_new();
    kith_table *data = draw_table(k, r), *people = draw_table(k, r);
    const dictionary *known = &data->columns[0].values, *others = &people->columns[0].values;
    label_grammar g = {.type = k->type, .date_format = k->format, .hierarchy = &k->spec};
    kith_hierarchy *h = NULL, *file = NULL;
    label_index *labels = NULL;
    kith_error error;
    /* Some labels would stand for two sets: such hierarchies are refused. */
    if (hierarchy_make(&h, memory, &k->spec, &k->domain, known, false, NULL, &error) == KITH_OK) {
        uint32_t *node_of = arena_array(memory, others->count, sizeof *node_of);
        if (k->spec.kind == HIERARCHY_FILE) {
            assert_int_equal(hierarchy_make(&file, memory, &k->spec, NULL, NULL, false, NULL, NULL),
                             KITH_OK);
            assert_int_equal(label_index_new(&labels, memory, file, NULL), KITH_OK);
            g.file = file;
            g.labels = labels;
        }
        assert_int_equal(place_values(h, &k->spec, &k->domain, others, node_of, memory, &error),
                         KITH_OK);
        compare(k, h, others, node_of, &g, memory, n_inner);
    }
    kith_table_free(data);
    kith_table_free(people);
    arena_free(memory);
}

static void search_and_verifier_read_labels_alike(void **state)
{
    (void)state;
    char rows[1000] = "";
    for (int i = 0; i < 27; i++)
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "v%d;g%d;h%d;all\n", i, i / 3,
                 i / 9);
    scratch_write(scratch_path("h.csv"), rows);
    uint64_t n_inner[KINDS] = {0};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng r;
        kind k = kinds[round % KINDS];
        rng_init(&r, round, 3);
        if (k.spec.kind == HIERARCHY_FILE)
            kinds[round % KINDS].spec.path = scratch_path("h.csv");
        kinds[round % KINDS].spec.date_format = k.type == KITH_TYPE_DATE ? k.format : NULL;
        run_one(&kinds[round % KINDS], &r, &n_inner[round % KINDS]);
    }
    for (uint32_t i = 0; i < KINDS; i++) /* values that the data lacks have places */
        if (kinds[i].spec.kind != HIERARCHY_SUPPRESS && kinds[i].domain.kind != DOMAIN_RANGE &&
            (kinds[i].spec.kind != HIERARCHY_FILE || kinds[i].domain.kind == DOMAIN_DATA))
            assert_true(n_inner[i] > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(search_and_verifier_read_labels_alike)};
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}

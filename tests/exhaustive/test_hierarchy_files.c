/* Every hierarchy file of three rows and three columns over four labels: accepted exactly if brute
 * force finds nothing wrong. */
#include "unit/hierarchy/support.h"

enum { ROWS = 3, COLUMNS = 3, LABELS = 4, CELLS = ROWS * COLUMNS };

typedef struct grid {
    int cell[ROWS][COLUMNS];
} grid;

static grid grid_of(uint32_t number)
{
    grid g;
    for (int i = 0; i < CELLS; i++, number /= LABELS)
        g.cell[i / COLUMNS][i % COLUMNS] = (int)(number % LABELS);
    return g;
}

static bool leaves_agree(const grid *g)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            if (g->cell[i][0] == g->cell[j][0] &&
                memcmp(g->cell[i], g->cell[j], sizeof g->cell[i]) != 0)
                return false;
    return true;
}

static bool one_parent_each(const grid *g)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            for (int c = 0; c + 1 < COLUMNS; c++)
                if (g->cell[i][c] == g->cell[j][c] && g->cell[i][c + 1] != g->cell[j][c + 1])
                    return false;
    return true;
}

static bool one_root(const grid *g)
{
    for (int i = 1; i < ROWS; i++)
        if (g->cell[i][COLUMNS - 1] != g->cell[0][COLUMNS - 1])
            return false;
    return true;
}

/* The leaves that have a label in a column, as bits. */
static unsigned set_of(const grid *g, int column_index, int label)
{
    unsigned set = 0;
    for (int i = 0; i < ROWS; i++)
        if (g->cell[i][column_index] == label)
            set |= 1u << g->cell[i][0];
    return set;
}

static bool one_set_per_label(const grid *g)
{
    for (int label = 0; label < LABELS; label++) {
        unsigned known = 0;
        for (int c = 0; c < COLUMNS; c++) {
            unsigned set = set_of(g, c, label);
            if (set != 0 && known != 0 && set != known)
                return false;
            known = set != 0 ? set : known;
        }
    }
    return true;
}

static bool expected(const grid *g)
{
    return leaves_agree(g) && one_parent_each(g) && one_root(g) && one_set_per_label(g);
}

static void print_grid(const grid *g, char *text)
{
    for (int i = 0; i < ROWS; i++)
        for (int c = 0; c < COLUMNS; c++) {
            *text++ = "abc*"[g->cell[i][c]];
            *text++ = c + 1 < COLUMNS ? ';' : '\n';
        }
    *text = '\0';
}

static bool accepted(const char *text)
{
    arena *memory = arena_new();
    kith_findings *findings = kith_findings_new();
    kith_hierarchy *h;
    bool good = parse_text(&h, memory, text, 0, findings) == KITH_OK;
    assert_true(good == (kith_findings_n_problems(findings) == 0));
    if (good)
        check_tree(&h->tree);
    kith_findings_free(findings);
    arena_free(memory);
    return good;
}

static void every_small_file(void **state)
{
    (void)state;
    uint32_t all = 1u << (2 * CELLS), good = 0;
    for (uint32_t number = 0; number < all; number++) {
        grid g = grid_of(number);
        char text[2 * CELLS + 1];
        print_grid(&g, text);
        bool wanted = expected(&g);
        if (accepted(text) != wanted)
            fail_msg("%s\n%s", wanted ? "refused" : "accepted", text);
        good += wanted;
    }
    assert_true(good > 100 && good < all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_small_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

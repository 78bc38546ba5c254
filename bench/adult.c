#include "adult.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"

enum { MAX_COLUMNS = 16, MAX_LINE = 4096 };

typedef struct grid {
    uint32_t n_rows, n_columns, room;
    char **cell; /* [n_rows * n_columns] */
} grid;

static void *need(void *pointer)
{
    if (pointer == NULL) {
        fputs("out of memory\n", stderr);
        exit(5);
    }
    return pointer;
}

static uint32_t cut(char **cell, char *line, char separator)
{
    const char ends[] = {separator, '\0'};
    uint32_t n_columns = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *next = line; next != NULL && n_columns < MAX_COLUMNS; n_columns++) {
        char *text = strsep(&next, ends);
        text += strspn(text, " ");
        size_t length = strlen(text);
        while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '.'))
            text[--length] = '\0';
        cell[n_columns] = text;
    }
    return n_columns;
}

/* Appends the lines of a file, with or without its first one; rows with a `?` are left out. */
static void read_grid(grid *g, arena *memory, const char *path, char separator, bool header)
{
    char line[MAX_LINE], *cell[MAX_COLUMNS];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        exit(5);
    }
    for (uint32_t number = 0; fgets(line, sizeof line, file) != NULL; number++) {
        if (strchr(line, '?') != NULL || line[0] == '\n' || (header && number == 0))
            continue;
        uint32_t n_columns = cut(cell, line, separator);
        g->n_columns = g->n_rows == 0 ? n_columns : g->n_columns;
        if (g->n_rows == g->room) {
            uint32_t room = g->room == 0 ? 1024 : 2 * g->room;
            g->cell = need(arena_resize(memory, g->cell, g->room * g->n_columns * sizeof *g->cell,
                                        room * g->n_columns * sizeof *g->cell));
            g->room = room;
        }
        for (uint32_t j = 0; j < g->n_columns; j++)
            g->cell[g->n_rows * g->n_columns + j] = need(arena_strdup(memory, cell[j]));
        g->n_rows++;
    }
    fclose(file);
}

typedef struct names {
    uint32_t count;
    char *names[32768];
} names;

/* Number of a name, in order of first sight; the last one found is tried first. */
static uint32_t number_of(names *n, char *name, uint32_t *table)
{
    uint32_t slot = 2166136261U;
    for (const char *c = name; *c != '\0'; c++)
        slot = (slot ^ (uint8_t)*c) * 16777619U;
    for (slot %= 65536; table[slot] != 0; slot = (slot + 1) % 65536)
        if (strcmp(n->names[table[slot] - 1], name) == 0)
            return table[slot] - 1;
    if (n->count == sizeof n->names / sizeof n->names[0]) {
        fputs("too many values\n", stderr);
        exit(5);
    }
    n->names[n->count] = name;
    table[slot] = ++n->count;
    return n->count - 1;
}

static uint32_t *code_column(const grid *g, uint32_t column, names *n, arena *memory)
{
    uint32_t *codes = need(arena_array(memory, g->n_rows, sizeof *codes));
    uint32_t *table = need(arena_zalloc(memory, 65536, sizeof *table));
    for (uint32_t i = 0; i < g->n_rows; i++)
        codes[i] = number_of(n, g->cell[i * g->n_columns + column], table);
    return codes;
}

/* A tree from group[level * n_leaves + leaf], numbered in leaf order at every level. */
static const tree *make_tree(arena *memory, uint32_t n_leaves, uint32_t n_levels,
                             const uint32_t *group)
{
    uint32_t *start = need(arena_zalloc(memory, n_levels + 1, sizeof *start));
    for (uint32_t l = 0; l < n_levels; l++)
        start[l + 1] = start[l] + group[l * n_leaves + n_leaves - 1] + 1;
    uint32_t n_nodes = start[n_levels];
    tree *t = need(arena_zalloc(memory, 1, sizeof *t));
    uint32_t *first = need(arena_zalloc(memory, n_nodes, sizeof *first));
    uint32_t *end = need(arena_zalloc(memory, n_nodes, sizeof *end));
    uint32_t *parent = need(arena_zalloc(memory, n_nodes, sizeof *parent));
    uint8_t *level = need(arena_zalloc(memory, n_nodes, sizeof *level));
    uint32_t *up = need(arena_zalloc(memory, (size_t)n_levels * n_leaves, sizeof *up));
    for (uint32_t l = 0; l < n_levels; l++)
        for (uint32_t leaf = n_leaves; leaf-- > 0;) {
            uint32_t node = start[l] + group[l * n_leaves + leaf];
            up[l * n_leaves + leaf] = node;
            first[node] = leaf;
            end[node] = end[node] == 0 ? leaf + 1 : end[node];
            level[node] = (uint8_t)l;
            parent[node] =
                l + 1 < n_levels ? start[l + 1] + group[(l + 1) * n_leaves + leaf] : node;
        }
    *t = (tree){n_leaves, n_nodes, n_levels, start, first, end, parent, level, up};
    return t;
}

static const tree *flat_tree(arena *memory, uint32_t n_leaves)
{
    uint32_t *group = need(arena_zalloc(memory, 2 * (size_t)n_leaves, sizeof *group));
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        group[leaf] = leaf;
    return make_tree(memory, n_leaves, 2, group);
}

static const grid *sorted_hierarchy;

/* Rows of a hierarchy file from the root down. */
static int compare_rows(const void *a, const void *b)
{
    const grid *g = sorted_hierarchy;
    char **x = g->cell + *(const uint32_t *)a * g->n_columns;
    char **y = g->cell + *(const uint32_t *)b * g->n_columns;
    for (uint32_t level = g->n_columns; level-- > 0;) {
        int order = strcmp(x[level], y[level]);
        if (order != 0)
            return order;
    }
    return 0;
}

/* Reads a hierarchy and turns codes of values into leaves. */
static const tree *read_tree(arena *memory, const char *path, uint32_t *codes, uint32_t n_rows,
                             const names *values)
{
    grid g = {0};
    read_grid(&g, memory, path, ';', false);
    uint32_t *order = need(arena_array(memory, g.n_rows, sizeof *order));
    uint32_t *group = need(arena_zalloc(memory, (size_t)g.n_rows * g.n_columns, sizeof *group));
    uint32_t *leaf_of = need(arena_array(memory, values->count, sizeof *leaf_of));
    memset(leaf_of, 0xFF, values->count * sizeof *leaf_of);
    for (uint32_t i = 0; i < g.n_rows; i++)
        order[i] = i;
    sorted_hierarchy = &g;
    qsort(order, g.n_rows, sizeof *order, compare_rows);
    for (uint32_t i = 0; i < g.n_rows; i++) {
        char **rows = g.cell + order[i] * g.n_columns;
        char **last = i > 0 ? g.cell + order[i - 1] * g.n_columns : rows;
        for (uint32_t l = 0; l < g.n_columns; l++)
            group[l * g.n_rows + i] =
                i == 0 ? 0 : group[l * g.n_rows + i - 1] + (strcmp(rows[l], last[l]) != 0);
        for (uint32_t v = 0; v < values->count; v++)
            if (strcmp(values->names[v], rows[0]) == 0)
                leaf_of[v] = i;
    }
    for (uint32_t i = 0; i < n_rows; i++)
        codes[i] = leaf_of[codes[i]];
    return make_tree(memory, g.n_rows, g.n_columns, group);
}

static void price(attribute *a, uint32_t n_records, measure_id measure, arena *memory)
{
    uint64_t *count = need(arena_zalloc(memory, a->tree->n_leaves, sizeof *count));
    double *cost = need(arena_zalloc(memory, a->tree->n_nodes, sizeof *cost));
    for (uint32_t i = 0; i < n_records; i++)
        count[a->cells[i]]++;
    measure_node_costs(cost, measure, a->tree, count);
    a->cost = cost;
    a->weight = 1;
}

void adult_ask(problem *p, uint32_t k, double l, arena *memory)
{
    model_spec *model = need(arena_zalloc(memory, 2, sizeof *model));
    model[0] = (model_spec){.id = MODEL_K_ANONYMITY, .k = k};
    model[1] = (model_spec){.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = l};
    p->n_models = l > 0 ? 2 : 1;
    p->models = model;
    p->k = k;
}

static problem *new_problem(arena *memory, const grid *g, uint32_t n_attributes,
                            uint32_t sensitive_at, uint32_t k)
{
    problem *p = need(arena_zalloc(memory, 1, sizeof *p));
    names *values = need(arena_zalloc(memory, 1, sizeof *values));
    sensitive_attribute *s = need(arena_zalloc(memory, 1, sizeof *s));
    s->values = code_column(g, sensitive_at, values, memory);
    s->count = values->count;
    *p = (problem){
        .n_records = g->n_rows, .n_attributes = n_attributes, .n_sensitive = 1, .sensitive = s};
    adult_ask(p, k, 0, memory);
    return p;
}

problem *adult_uci(arena *memory, const char *directory, measure_id measure, uint32_t k)
{
    grid g = {0};
    read_grid(&g, memory, arena_printf(memory, "%s/adult-uci/adult.data", directory), ',', true);
    read_grid(&g, memory, arena_printf(memory, "%s/adult-uci/adult.test", directory), ',', true);
    problem *p = new_problem(memory, &g, 14, 14, k);
    attribute *a = need(arena_zalloc(memory, p->n_attributes, sizeof *a));
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        names *values = need(arena_zalloc(memory, 1, sizeof *values));
        a[j].cells = code_column(&g, j, values, memory);
        a[j].tree = flat_tree(memory, values->count);
        price(&a[j], p->n_records, measure, memory);
    }
    p->attributes = a;
    return p;
}

problem *adult_arx(arena *memory, const char *directory, measure_id measure, uint32_t k)
{
    static const char *const wanted[] = {
        "sex",       "age",        "race",        "marital-status", "education", "native-country",
        "workclass", "occupation", "salary-class"};
    grid g = {0};
    read_grid(&g, memory, arena_printf(memory, "%s/adult-arx/adult.csv", directory), ';', true);
    problem *p = new_problem(memory, &g, 8, 7, k);
    attribute *a = need(arena_zalloc(memory, p->n_attributes, sizeof *a));
    for (uint32_t j = 0, column = 0; j < p->n_attributes; j++, column++) {
        column += column == 7;
        names *values = need(arena_zalloc(memory, 1, sizeof *values));
        uint32_t *cells = code_column(&g, column, values, memory);
        const char *path =
            arena_printf(memory, "%s/adult-arx/adult_hierarchy_%s.csv", directory, wanted[column]);
        a[j].tree = read_tree(memory, path, cells, p->n_records, values);
        a[j].cells = cells;
        price(&a[j], p->n_records, measure, memory);
    }
    p->attributes = a;
    return p;
}

problem *adult_enlarge(const problem *p, uint32_t n_records, arena *memory)
{
    rng r;
    rng_init(&r, 2026, n_records);
    problem *large = arena_alloc(memory, sizeof *large);
    attribute *attributes = arena_array(memory, p->n_attributes, sizeof *attributes);
    *large = *p;
    large->n_records = n_records;
    large->n_sensitive = 0;
    large->attributes = attributes;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        attributes[j] = p->attributes[j];
        attributes[j].cells = arena_array(memory, n_records, sizeof *attributes[j].cells);
    }
    for (uint32_t i = 0; i < n_records; i++) {
        uint32_t from = rng_below(&r, p->n_records);
        for (uint32_t j = 0; j < p->n_attributes; j++) {
            uint32_t row = rng_below(&r, 5) == 0 ? rng_below(&r, p->n_records) : from;
            ((uint32_t *)attributes[j].cells)[i] = p->attributes[j].cells[row];
        }
    }
    return large;
}

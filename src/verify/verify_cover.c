#include "verify/verify_cover.h"

#include <stdlib.h>

#include "core/error.h"
#include "verify/classes.h"
#include "verify/cover_cells.h"
#include "verify/cover_means.h"
#include "verify/matching.h"
#include "verify/place_index.h"

/* Beyond these an assignment is not looked for: it would take too long, or too much memory. */
static const uint64_t max_steps = (uint64_t)1 << 30;
static const uint64_t max_edges = (uint64_t)1 << 25;

typedef struct cover {
    arena *memory;
    const kith_table *release;
    const uint32_t *rows; /* of the data */
    uint32_t count;       /* of rows of the release */
    uint32_t n_data;      /* of rows of the data: the same, or more if only a sample is released */
    uint32_t n_columns;
    cover_cells *cells;
    uint32_t
        *bucket; /* [count + n_data] rows of the release, then of the data, by their plain cells */
    cover_report *report;
} cover;

/* Does a released row tell the truth about a row of the data? *wrong is the first column that does
 * not. Means are about classes and not looked at. */
static bool row_matches(const cover *c, uint32_t release_row, uint32_t data_row, uint32_t *wrong)
{
    for (uint32_t i = 0; i < c->n_columns; i++)
        if (!c->cells[i].column->mean && !cover_cells_match(&c->cells[i], release_row, data_row)) {
            *wrong = i;
            return false;
        }
    return true;
}

/* The usual case: row i of the release is row i of the data. One pass, and the exact place of an
 * error. */
static void check_in_order(cover *c)
{
    cover_report *r = c->report;
    r->check = COVER_IN_ORDER;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t wrong;
        if (row_matches(c, i, c->rows[i], &wrong))
            continue;
        if (r->n_wrong_rows++ == 0) {
            r->has_place = true;
            r->row = i;
            r->data_row = c->rows[i];
            r->column = wrong;
        }
    }
    r->holds = r->n_wrong_rows == 0;
}

/* Notes where the release is wrong. */
static void place_at(cover_report *r, uint32_t row, uint32_t wrong)
{
    r->holds = false;
    r->has_place = true;
    r->row = row;
    r->column = wrong;
}

/* Rows of both sides with equal cells in the columns that are not generalized share a bucket; each
 * bucket must hold as many rows of the release as of the data. */
static kith_status make_buckets(cover *c, kith_error *error)
{
    column *plain = TRY_ALLOC(arena_zalloc(c->memory, c->n_columns, sizeof *plain), error);
    uint32_t *order = TRY_ALLOC(arena_array(c->memory, c->n_columns, sizeof *order), error);
    kith_table both = {.n_rows = c->count + c->n_data, .columns = plain};
    for (uint32_t i = 0; i < c->n_columns; i++) {
        const cover_cells *cells = &c->cells[i];
        if (cells->same == NULL)
            continue;
        uint32_t *codes = TRY_ALLOC(arena_array(c->memory, both.n_rows, sizeof *codes), error);
        for (uint32_t r = 0; r < c->count; r++)
            codes[r] = cells->release[r];
        for (uint32_t r = 0; r < c->n_data; r++)
            codes[c->count + r] = cover_cells_same(cells, c->rows[r]);
        order[both.n_columns] = both.n_columns;
        plain[both.n_columns++].codes = codes;
    }
    classes grouped;
    TRY(classes_make(&grouped, c->memory, &both, order, both.n_columns, error));
    c->bucket = grouped.class_of;
    int64_t *balance = TRY_ALLOC(arena_zalloc(c->memory, grouped.count, sizeof *balance), error);
    for (uint32_t r = 0; r < both.n_rows; r++)
        balance[c->bucket[r]] += r < c->count ? 1 : -1;
    for (uint32_t r = 0; r < c->count && c->report->holds; r++)
        if (balance[c->bucket[r]] > 0)
            place_at(c->report, r, UINT32_MAX);
    return KITH_OK;
}

/* In a tree, the cells released at or below a node need as many original values below it: counting
 * from the leaves up finds out. Ranges count at the root. */
static kith_status count_column(cover *c, uint32_t index, kith_error *error)
{
    const cover_cells *cells = &c->cells[index];
    const tree *t = &cells->column->hierarchy->tree;
    int64_t *spare = TRY_ALLOC(arena_zalloc(c->memory, t->n_nodes, sizeof *spare), error);
    for (uint32_t r = 0; r < c->n_data; r++) {
        uint32_t leaf = cover_cells_leaf(cells, c->rows[r]);
        if (leaf != CELL_ABSENT) /* a row that no cell can stand for */
            spare[leaf == UINT32_MAX ? tree_root(t) : leaf]++;
    }
    for (uint32_t r = 0; r < c->count; r++) {
        cell_set set = cover_cells_set(cells, r);
        if (set.kind == CELL_NOTHING) {
            place_at(c->report, r, index);
            return KITH_OK;
        }
        spare[set.kind == CELL_NODE ? set.a : tree_root(t)]--;
    }
    for (uint32_t node = 0; node < tree_root(t); node++) {
        if (spare[node] < 0)
            c->report->holds = false;
        spare[t->parent[node]] += spare[node];
    }
    if (spare[tree_root(t)] < 0)
        c->report->holds = false;
    return KITH_OK;
}

/* The check for releases that are too large to be matched. It is necessary but not sufficient: each
 * column is looked at alone. */
static kith_status check_counts(cover *c, kith_error *error)
{
    c->report->check = COVER_COUNTED;
    for (uint32_t i = 0; i < c->n_columns && c->report->holds; i++)
        if (c->cells[i].same == NULL && !c->cells[i].column->mean)
            TRY(count_column(c, i, error));
    return KITH_OK;
}

/* Rows of the release that are equal in all columns are one place with room for all of them. */
typedef struct places {
    classes classes;
    place_index *index;
} places;

/* One more than the largest bucket. */
static uint32_t bucket_count(const cover *c)
{
    uint32_t max_buckets = 0;
    for (uint32_t r = 0; r < c->count + c->n_data; r++)
        if (c->bucket[r] >= max_buckets)
            max_buckets = c->bucket[r] + 1;
    return max_buckets;
}

static kith_status make_places(places *p, cover *c, kith_error *error)
{
    uint32_t *columns = TRY_ALLOC(arena_array(c->memory, c->n_columns, sizeof *columns), error);
    for (uint32_t i = 0; i < c->n_columns; i++)
        columns[i] = c->cells[i].column->release;
    TRY(classes_make(&p->classes, c->memory, c->release, columns, c->n_columns, error));
    uint32_t *bucket = TRY_ALLOC(arena_array(c->memory, p->classes.count, sizeof *bucket), error);
    for (uint32_t i = 0; i < p->classes.count; i++)
        bucket[i] = c->bucket[p->classes.first[i]];
    const place_list list = {.cells = c->cells,
                             .n_columns = c->n_columns,
                             .n_places = p->classes.count,
                             .n_buckets = bucket_count(c),
                             .row = p->classes.first,
                             .bucket = bucket};
    return place_index_new(&p->index, &list, c->memory, error);
}

/* A row of the data, to be sorted by place_index_key. */
typedef struct keyed_row {
    uint64_t key;
    uint32_t row; /* index into c->rows */
} keyed_row;

static int by_key(const void *left, const void *right)
{
    const keyed_row *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static void sort_rows(keyed_row *sorted, const cover *c, const places *p)
{
    for (uint32_t r = 0; r < c->n_data; r++) {
        sorted[r].key = place_index_key(p->index, c->bucket[c->count + r], c->rows[r]);
        sorted[r].row = r;
    }
    if (c->n_data > 0)
        qsort(sorted, c->n_data, sizeof *sorted, by_key);
}

/* Which rows of the data, in some order, fit which places; *edges is NULL if finding them takes too
 * long or they are too many. */
static kith_status make_edges(cover *c, const places *p, uint64_t *start, uint32_t **edges,
                              kith_error *error)
{
    uint64_t used = 0, capacity = 1024;
    uint32_t *edge = TRY_ALLOC(arena_array(c->memory, capacity, sizeof *edge), error);
    uint32_t *found = TRY_ALLOC(arena_array(c->memory, p->classes.count, sizeof *found), error);
    keyed_row *sorted = TRY_ALLOC(arena_array(c->memory, c->n_data, sizeof *sorted), error);
    sort_rows(sorted, c, p);
    *edges = NULL;
    for (uint32_t i = 0; i < c->n_data; i++) {
        const uint32_t r = sorted[i].row;
        const uint32_t n = place_index_find(p->index, c->bucket[c->count + r], c->rows[r], found);
        c->report->n_steps = place_index_steps(p->index);
        if (c->report->n_steps > max_steps || used + n > max_edges)
            return KITH_OK;
        start[i] = used;
        TRY_GROW(edge, capacity, used + n, c->memory, error);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t wrong;
            if (row_matches(c, p->classes.first[found[k]], c->rows[r], &wrong))
                edge[used++] = found[k];
        }
    }
    start[c->n_data] = used;
    *edges = edge;
    return KITH_OK;
}

/* Some place of the release has too few rows of the data that fit: name one of its rows. */
static void place_unfilled(cover *c, const places *p, const uint32_t *place_of, uint32_t *room)
{
    for (uint32_t r = 0; r < c->n_data; r++)
        if (place_of[r] != UINT32_MAX)
            room[place_of[r]]--;
    for (uint32_t i = 0; i < p->classes.count; i++)
        if (room[i] > 0) {
            place_at(c->report, p->classes.first[i], UINT32_MAX);
            return;
        }
}

/* A shuffled release is true if its rows can be assigned to those of the data one to one. */
static kith_status check_matching(cover *c, kith_error *error)
{
    places p;
    c->report->check = COVER_MATCHED;
    TRY(make_places(&p, c, error));
    uint64_t *start =
        TRY_ALLOC(arena_array(c->memory, c->n_data + (size_t)1, sizeof *start), error);
    uint32_t *place_of = TRY_ALLOC(arena_array(c->memory, c->n_data, sizeof *place_of), error);
    uint32_t *edge = NULL;
    TRY(make_edges(c, &p, start, &edge, error));
    if (edge == NULL)
        return check_counts(c, error);
    matching_graph g = {c->n_data, p.classes.count, start, edge, p.classes.size};
    TRY(matching_solve(&g, place_of, &c->report->n_wrong_rows, c->memory, error));
    c->report->n_wrong_rows -= c->n_data - c->count; /* that are not in the sample */
    if (c->report->n_wrong_rows > 0)
        place_unfilled(c, &p, place_of, p.classes.size);
    return KITH_OK;
}

/* Means of rows that are in order. */
static kith_status check_means(cover *c, const cover_task *task, kith_error *error)
{
    cover_report *r = c->report;
    for (uint32_t i = 0; i < c->n_columns; i++) {
        cover_means means;
        if (!c->cells[i].column->mean)
            continue;
        bool *wrong = TRY_ALLOC(arena_zalloc(c->memory, c->count, sizeof *wrong), error);
        TRY(cover_means_init(&means, &c->cells[i], task, i, c->memory, error));
        TRY(cover_means_check(wrong, &means, task, c->memory, error));
        for (uint32_t row = c->count; row-- > 0;)
            if (wrong[row]) {
                r->n_wrong_rows++;
                place_at(r, row, i);
                r->data_row = c->rows[row];
            }
        if (!r->holds)
            return KITH_OK; /* a row counts once: the other columns are not looked at */
    }
    return KITH_OK;
}

/* Means of rows in another order. */
static kith_status bound_means(cover *c, const cover_task *task, kith_error *error)
{
    for (uint32_t i = 0; i < c->n_columns && c->report->holds; i++) {
        cover_means means;
        uint32_t row;
        if (!c->cells[i].column->mean)
            continue;
        TRY(cover_means_init(&means, &c->cells[i], task, i, c->memory, error));
        TRY(cover_means_bound(&row, &means, task, c->memory, error));
        if (c->report->check == COVER_MATCHED)
            c->report->check = COVER_BOUNDED;
        if (row != UINT32_MAX)
            place_at(c->report, row, i);
    }
    return KITH_OK;
}

/* Is there a column by which the order of the rows can be seen? */
static bool shows_order(const cover *c)
{
    for (uint32_t i = 0; i < c->n_columns; i++)
        if (!c->cells[i].column->mean)
            return true;
    return false;
}

kith_status verify_cover(cover_report *report, const cover_task *task, arena *memory,
                         kith_error *error)
{
    *report = (cover_report){.counts_differ = task->release->n_rows != task->n_released};
    if (report->counts_differ)
        return KITH_OK;
    if (task->n_rows > UINT32_MAX / 2)
        return error_set(error, KITH_INVALID, "a cover check takes at most %u rows",
                         UINT32_MAX / 2);
    cover c = {.memory = memory,
               .release = task->release,
               .rows = task->rows,
               .count = task->n_released,
               .n_data = task->n_rows,
               .n_columns = task->n_columns,
               .report = report};
    c.cells = TRY_ALLOC(arena_array(memory, c.n_columns, sizeof *c.cells), error);
    for (uint32_t i = 0; i < c.n_columns; i++)
        TRY(cover_cells_init(&c.cells[i], memory, task->release, task->data, &task->columns[i],
                             task->ranges, error));
    if (c.count == c.n_data) {
        check_in_order(&c);
        const bool fits = report->holds && shows_order(&c);
        if (report->holds)
            TRY(check_means(&c, task, error));
        if (report->holds || fits || task->is_share)
            return KITH_OK;
    }
    cover_report in_order = *report;
    *report = (cover_report){.holds = true, .check = COVER_MATCHED};
    /* Buckets first: they are cheap, find most errors, and keep the graph small. */
    TRY(make_buckets(&c, error));
    if (report->holds)
        TRY(check_matching(&c, error));
    if (report->holds)
        TRY(bound_means(&c, task, error));
    /* Few wrong rows mean a release in the input's order with mistakes, not a shuffled one. */
    if (!report->holds && c.count == c.n_data && in_order.n_wrong_rows <= c.count / 2)
        *report = in_order;
    return KITH_OK;
}

#include "verify/cover_match.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "verify/classes.h"
#include "verify/matching.h"
#include "verify/place_index.h"

/* Beyond these an assignment is not looked for: it would take too long, or too much memory. */
static const uint64_t max_steps = (uint64_t)1 << 30;
static const uint64_t max_edges = (uint64_t)1 << 25;

bool cover_match_row(const cover *c, uint32_t release_row, uint32_t data_row, uint32_t *wrong)
{
    for (uint32_t i = 0; i < c->n_columns; i++)
        if (!c->cells[i].column->mean && !cover_cells_match(&c->cells[i], release_row, data_row)) {
            *wrong = i;
            return false;
        }
    return true;
}

void cover_match_wrong(cover_report *r, uint32_t row, uint32_t wrong)
{
    r->holds = false;
    r->has_place = true;
    r->row = row;
    r->column = wrong;
}

kith_status cover_match_plain(kith_table *plain, const cover *c, kith_error *error)
{
    *plain = (kith_table){.n_rows = c->count + c->n_data};
    plain->columns = TRY_ALLOC(arena_zalloc(c->memory, c->n_columns, sizeof(column)), error);
    for (uint32_t i = 0; i < c->n_columns; i++) {
        const cover_cells *cells = &c->cells[i];
        if (cells->same == NULL)
            continue;
        uint32_t *codes = TRY_ARRAY(codes, c->memory, plain->n_rows, error);
        for (uint32_t r = 0; r < c->count; r++)
            codes[r] = cells->release[r];
        for (uint32_t r = 0; r < c->n_data; r++)
            codes[c->count + r] = cover_cells_same(cells, c->rows[r]);
        plain->columns[plain->n_columns++].codes = codes;
    }
    return KITH_OK;
}

/* What all ranks say: the first row of the whole release that one of them has found wrong. */
static kith_status cover_match_unite(cover *c, kith_error *error)
{
    cover_report *r = c->report, one = *r;
    ranks_bytes *all = TRY_ARRAY(all, c->memory, ranks_count(c->ranks), error);
    if (one.has_place && c->number != NULL)
        one.row = c->number[one.row];
    TRY(ranks_gather(c->ranks, &one, sizeof one, all, c->memory, error));
    r->has_place = false;
    r->n_wrong_rows = 0;
    for (uint32_t i = 0; i < ranks_count(c->ranks); i++) {
        cover_report theirs;
        memcpy(&theirs, all[i].bytes, sizeof theirs);
        r->holds = r->holds && theirs.holds;
        r->n_wrong_rows += theirs.n_wrong_rows;
        if (theirs.has_place && (!r->has_place || theirs.row < r->row))
            cover_match_wrong(r, theirs.row, theirs.column);
    }
    return KITH_OK;
}

/* Rows of both sides with equal cells in the columns that are not generalized share a bucket; each
 * bucket must hold as many rows of the release as of the data. */
static kith_status make_buckets(cover *c, kith_error *error)
{
    kith_table both;
    TRY(cover_match_plain(&both, c, error));
    uint32_t *order = TRY_ARRAY(order, c->memory, both.n_columns, error);
    for (uint32_t i = 0; i < both.n_columns; i++)
        order[i] = i;
    classes grouped;
    TRY(classes_make(&grouped, c->memory, &both, order, both.n_columns, error));
    c->bucket = grouped.class_of;
    int64_t *balance = TRY_ZEROS(balance, c->memory, grouped.count, error);
    for (uint32_t r = 0; r < both.n_rows; r++)
        balance[c->bucket[r]] += r < c->count ? 1 : -1;
    for (uint32_t r = 0; r < c->count && c->report->holds; r++)
        if (balance[c->bucket[r]] > 0)
            cover_match_wrong(c->report, r, UINT32_MAX);
    for (uint32_t i = 0; i < grouped.count; i++)
        c->report->n_wrong_rows += balance[i] > 0 ? (uint32_t)balance[i] : 0;
    return cover_match_unite(c, error);
}

/* In a tree, the cells released at or below a node need as many original values below it: counting
 * from the leaves up finds out. Ranges count at the root. */
static kith_status count_column(cover *c, uint32_t index, kith_error *error)
{
    const cover_cells *cells = &c->cells[index];
    const tree *t = &cells->column->hierarchy->tree;
    uint64_t *spare = TRY_ZEROS(spare, c->memory, t->n_nodes, error);
    for (uint32_t r = 0; r < c->n_data; r++) {
        uint32_t leaf = cover_cells_leaf(cells, c->rows[r]);
        if (leaf != CELL_ABSENT) /* a row that no cell can stand for */
            spare[leaf == UINT32_MAX ? tree_root(t) : leaf]++;
    }
    for (uint32_t r = c->count; r-- > 0;) {
        const cell_set set = cover_cells_set(cells, r);
        if (set.kind == CELL_NOTHING)
            cover_match_wrong(c->report, r, index);
        spare[set.kind == CELL_NODE ? set.a : tree_root(t)]--;
    }
    TRY(ranks_sum(c->ranks, spare, t->n_nodes, error));
    for (uint32_t node = 0; node < t->n_nodes; node++) {
        if ((int64_t)spare[node] < 0)
            c->report->holds = false;
        if (node != tree_root(t))
            spare[t->parent[node]] += spare[node];
    }
    return cover_match_unite(c, error);
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

/* A row of the data, to be sorted by place_index_key. */
typedef struct keyed_row {
    uint64_t key;
    uint32_t row; /* index into c->rows */
} keyed_row;

/* Which rows of the data, in some order, fit which places. */
typedef struct fitting {
    uint64_t *start;   /* [n_data + 1] as in matching_graph */
    uint32_t *edge;    /* NULL: they are too many */
    uint32_t *fits;    /* [places] rows of the data that fit each */
    uint32_t n_lonely; /* rows of the data that fit none */
    bool whole;        /* all rows of the data were looked at */
} fitting;

/* Adds a row of the data, item i of the graph; `found` are the places that may fit it. */
static kith_status add_fitting(fitting *f, uint32_t i, uint64_t *capacity, uint32_t data_row,
                               const uint32_t *found, uint32_t n, cover *c, const places *p,
                               kith_error *error)
{
    uint64_t used = f->start[i];
    uint32_t n_fit = 0;
    if (used + n > max_edges)
        f->edge = NULL;
    if (f->edge != NULL)
        TRY_GROW(f->edge, *capacity, used + n, c->memory, error);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t wrong;
        if (!cover_match_row(c, p->classes.first[found[k]], data_row, &wrong))
            continue;
        f->fits[found[k]]++;
        n_fit++;
        if (f->edge != NULL)
            f->edge[used++] = found[k];
    }
    f->n_lonely += n_fit == 0;
    f->start[i + 1] = used;
    return KITH_OK;
}

/* Where edges are too many to be kept, they are still counted, unless even that takes too long. */
static kith_status find_fitting(fitting *f, cover *c, const places *p, kith_error *error)
{
    uint64_t capacity = 1024;
    uint32_t *found = TRY_ARRAY(found, c->memory, p->classes.count, error);
    keyed_row *sorted = TRY_ARRAY(sorted, c->memory, c->n_data, error);
    f->start = TRY_ZEROS(f->start, c->memory, c->n_data + (size_t)1, error);
    f->edge = TRY_ARRAY(f->edge, c->memory, capacity, error);
    f->fits = TRY_ZEROS(f->fits, c->memory, p->classes.count, error);
    for (uint32_t r = 0; r < c->n_data; r++) {
        sorted[r].key = place_index_key(p->index, c->bucket[c->count + r], c->rows[r]);
        sorted[r].row = r;
    }
    if (c->n_data > 0)
        qsort(sorted, c->n_data, sizeof *sorted, sort_uint64_uint32);
    f->whole = true;
    for (uint32_t i = 0; i < c->n_data && f->whole; i++) {
        const uint32_t r = sorted[i].row;
        const uint32_t n = place_index_find(p->index, c->bucket[c->count + r], c->rows[r], found);
        TRY(add_fitting(f, i, &capacity, c->rows[r], found, n, c, p, error));
        c->report->n_steps = place_index_steps(p->index);
        f->whole = c->report->n_steps <= max_steps;
    }
    /* They may be few on every rank, and too many on all together. */
    uint64_t sums[] = {c->report->n_steps, f->start[c->n_data], !f->whole, f->edge == NULL};
    TRY(ranks_sum(c->ranks, sums, 4, error));
    c->report->n_steps = sums[0];
    f->whole = sums[2] == 0 && sums[0] <= max_steps;
    if (sums[3] > 0 || sums[1] > max_edges)
        f->edge = NULL;
    return KITH_OK;
}

/* A look at each row and each record alone: places need as many rows of the data that fit as they
 * have room, and rows of the data, unless they need not be in the release, a place. */
static kith_status check_alone(cover *c, const fitting *f, const places *p, kith_error *error)
{
    for (uint32_t i = 0; i < p->classes.count && c->report->holds; i++)
        if (f->fits[i] < p->classes.size[i])
            cover_match_wrong(c->report, p->classes.first[i], UINT32_MAX);
    if (c->count == c->n_data && f->n_lonely > 0) {
        c->report->holds = false;
        c->report->n_wrong_rows = f->n_lonely;
    }
    return cover_match_unite(c, error);
}

/* The rows of the data that fit each place: item[start[p]] … item[start[p + 1] - 1]. */
static kith_status turn_around(uint64_t **start, uint32_t **item, const matching_graph *g,
                               arena *memory, kith_error *error)
{
    const uint64_t n_edges = g->start[g->n_items];
    *start = TRY_ZEROS(*start, memory, g->n_places + (size_t)2, error);
    *item = TRY_ARRAY(*item, memory, n_edges, error);
    for (uint64_t e = 0; e < n_edges; e++)
        (*start)[g->edge[e] + 2]++;
    for (uint32_t p = 1; p < g->n_places; p++)
        (*start)[p + 1] += (*start)[p];
    for (uint32_t i = 0; i < g->n_items; i++)
        for (uint64_t e = g->start[i]; e < g->start[i + 1]; e++)
            (*item)[(*start)[g->edge[e] + 1]++] = i;
    return KITH_OK;
}

/* Some rows of the release are left without one of the data. Names the first that may be: if a row
 * of the data moves from one place to another, the former has one too few instead. So the row does
 * not depend on which assignment was found. */
static kith_status name_unfilled(cover *c, const places *p, const matching_graph *g,
                                 const uint32_t *place_of, kith_error *error)
{
    uint64_t *start = NULL;
    uint32_t *item = NULL, n = 0, first = UINT32_MAX;
    uint32_t *left = TRY_ARRAY(left, c->memory, g->n_places, error);
    uint32_t *queue = TRY_ARRAY(queue, c->memory, g->n_places, error);
    bool *queued = TRY_ZEROS(queued, c->memory, g->n_places, error);
    TRY(turn_around(&start, &item, g, c->memory, error));
    memcpy(left, g->room, g->n_places * sizeof *left);
    for (uint32_t i = 0; i < g->n_items; i++)
        if (place_of[i] != UINT32_MAX)
            left[place_of[i]]--;
    for (uint32_t i = 0; i < g->n_places; i++)
        if ((queued[i] = left[i] > 0))
            queue[n++] = i;
    for (uint32_t k = 0; k < n; k++) {
        first = p->classes.first[queue[k]] < first ? p->classes.first[queue[k]] : first;
        for (uint64_t e = start[queue[k]]; e < start[queue[k] + 1]; e++) {
            const uint32_t other = place_of[item[e]];
            if (other == UINT32_MAX || queued[other])
                continue;
            queued[other] = true;
            queue[n++] = other;
        }
    }
    cover_match_wrong(c->report, first, UINT32_MAX);
    return KITH_OK;
}

/* A shuffled release is true if its rows can be assigned to those of the data one to one. */
static kith_status check_matching(cover *c, kith_error *error)
{
    places p;
    uint32_t *columns = TRY_ARRAY(columns, c->memory, c->n_columns, error);
    for (uint32_t i = 0; i < c->n_columns; i++)
        columns[i] = c->cells[i].column->release;
    TRY(classes_make(&p.classes, c->memory, c->release, columns, c->n_columns, error));
    uint32_t *bucket = TRY_ARRAY(bucket, c->memory, p.classes.count, error);
    for (uint32_t i = 0; i < p.classes.count; i++)
        bucket[i] = c->bucket[p.classes.first[i]];
    const place_list list = {.cells = c->cells,
                             .n_columns = c->n_columns,
                             .n_places = p.classes.count,
                             .n_buckets = bucket_count(c),
                             .row = p.classes.first,
                             .bucket = bucket};
    TRY(place_index_new(&p.index, &list, c->memory, error));
    uint32_t *place_of = TRY_ARRAY(place_of, c->memory, c->n_data, error);
    fitting f = {0};
    TRY(find_fitting(&f, c, &p, error));
    if (f.whole && f.edge == NULL)
        TRY(check_alone(c, &f, &p, error));
    if (!f.whole || f.edge == NULL) {
        /* The check for releases that cannot be matched. It is necessary but not sufficient: each
         * column is looked at alone. */
        c->report->check = COVER_COUNTED;
        for (uint32_t i = 0; i < c->n_columns && c->report->holds; i++)
            if (c->cells[i].same == NULL && !c->cells[i].column->mean)
                TRY(count_column(c, i, error));
        return KITH_OK;
    }
    matching_graph g = {c->n_data, p.classes.count, f.start, f.edge, p.classes.size};
    TRY(matching_solve(&g, place_of, &c->report->n_wrong_rows, c->memory, error));
    c->report->n_wrong_rows -= c->n_data - c->count; /* that are not in the sample */
    if (c->report->n_wrong_rows > 0)
        TRY(name_unfilled(c, &p, &g, place_of, error));
    return cover_match_unite(c, error);
}

kith_status cover_match_rows(cover *c, kith_error *error)
{
    c->report->check = COVER_MATCHED;
    /* Buckets first: they are cheap, find most errors, and keep the graph small. */
    TRY(make_buckets(c, error));
    return c->report->holds ? check_matching(c, error) : KITH_OK;
}

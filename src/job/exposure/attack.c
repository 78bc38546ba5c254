#include "job/exposure/attack.h"

#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "job/exposure/guess.h"
#include "study/holders.h"
#include "table/intern.h"

/* Rows of a table, by their numbers. */
typedef struct rows {
    const attack_table *from;
    uint32_t count;
    uint32_t *rows; /* of the prepared table, or of the table itself */
} rows;

/* The columns of the view: those that enter it, each followed by the levels above. */
typedef struct columns {
    guess_column *all; /* [count] */
    uint32_t count, room;
    uint32_t n_base;   /* columns at the level at which they enter */
    const char **name; /* [n_base] */
    uint32_t *base;    /* [n_base] number in all */
} columns;

/* --- rows --- */

static kith_status all_rows(rows *r, const attack_table *from, arena *memory, kith_error *error)
{
    *r = (rows){.from = from,
                .count = from->prepared != NULL ? from->prepared->n_rows : from->table->n_rows};
    r->rows = TRY_ARRAY(r->rows, memory, r->count, error);
    for (uint32_t i = 0; i < r->count; i++)
        r->rows[i] = i;
    return KITH_OK;
}

/* --- labels that both tables share --- */

/* The number of a label; a missing cell has one that no text has. */
static kith_status number_of(uint32_t *number, intern *labels, const char *text, kith_error *error)
{
    return text == NULL ? intern_add(labels, "", 1, number, error)
                        : intern_add(labels, text, strlen(text), number, error);
}

/* The cells of a column of the table. */
static kith_status number_cells(uint32_t *out, const rows *r, uint32_t source, intern *labels,
                                arena *scratch, kith_error *error)
{
    const column *from = &r->from->table->columns[source];
    const uint32_t missing = from->values.count;
    uint32_t *number = TRY_ARRAY(number, scratch, (size_t)missing + 1, error);
    memset(number, 0xff, ((size_t)missing + 1) * sizeof *number);
    for (uint32_t i = 0; i < r->count; i++) {
        const prepared *p = r->from->prepared;
        const uint32_t row = p == NULL ? r->rows[i] : p->rows[r->rows[i]];
        const uint32_t code = from->codes[row] == TABLE_MISSING ? missing : from->codes[row];
        const char *text = code == missing ? NULL : dictionary_text(&from->values, code);
        if (number[code] == UINT32_MAX)
            TRY(number_of(&number[code], labels, text, error));
        out[i] = number[code];
    }
    return KITH_OK;
}

/* The nodes of a quasi-identifier at a level. leaves[] gets how many leaves they have. */
static kith_status number_nodes(uint32_t *out, const rows *r, const prepared_column *from,
                                uint32_t level, intern *labels, uint32_t *leaves, arena *scratch,
                                kith_error *error)
{
    const tree *t = &from->hierarchy->tree;
    const uint32_t *cells = r->from->prepared->problem.attributes[from->attribute].cells;
    uint32_t *number = TRY_ARRAY(number, scratch, t->n_nodes, error);
    memset(number, 0xff, t->n_nodes * sizeof *number);
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t node = cells[r->rows[i]];
        if (t->level[node] < level)
            node = tree_up(t, t->first[node], level);
        if (number[node] == UINT32_MAX) {
            TRY(number_of(&number[node], labels, from->hierarchy->label[node], error));
            leaves[number[node]] = tree_size(t, node);
        }
        out[i] = number[node];
    }
    return KITH_OK;
}

/* --- columns --- */

static kith_status attack_add_column(columns *all, guess_column *made, kith_error *error,
                                     arena *memory)
{
    TRY_GROW(all->all, all->room, all->count + (size_t)1, memory, error);
    all->all[all->count++] = *made;
    return KITH_OK;
}

typedef struct both {
    rows view, known;
    arena *memory;
} both;

static kith_status begin_column(const both *b, uint32_t **view, uint32_t **known, intern *labels,
                                arena *scratch, kith_error *error)
{
    *view = TRY_ARRAY(*view, b->memory, b->view.count, error);
    *known = TRY_ARRAY(*known, b->memory, b->known.count, error);
    return intern_init(labels, scratch, NULL, error);
}

static kith_status add_cells(columns *all, const both *b, uint32_t source_of_view,
                             uint32_t source_of_known, arena *scratch, kith_error *error)
{
    intern labels;
    uint32_t *view = NULL, *known = NULL;
    TRY(begin_column(b, &view, &known, &labels, scratch, error));
    TRY(number_cells(view, &b->view, source_of_view, &labels, scratch, error));
    TRY(number_cells(known, &b->known, source_of_known, &labels, scratch, error));
    guess_column made = {
        .column = all->n_base, .n_labels = labels.count, .view = view, .known = known};
    return attack_add_column(all, &made, error, b->memory);
}

static kith_status add_level(columns *all, const both *b, const prepared_column *of_view,
                             const prepared_column *of_known, uint32_t level, arena *scratch,
                             kith_error *error)
{
    const size_t room =
        (size_t)of_view->hierarchy->tree.n_nodes + of_known->hierarchy->tree.n_nodes;
    intern labels;
    uint32_t *view = NULL, *known = NULL;
    uint32_t *leaves = TRY_ZEROS(leaves, b->memory, room, error);
    TRY(begin_column(b, &view, &known, &labels, scratch, error));
    TRY(number_nodes(view, &b->view, of_view, level, &labels, leaves, scratch, error));
    TRY(number_nodes(known, &b->known, of_known, level, &labels, leaves, scratch, error));
    guess_column made = {.column = all->n_base,
                         .level = level,
                         .n_labels = labels.count,
                         .view = view,
                         .known = known,
                         .leaves = holders_is_public(of_view->study) ? leaves : NULL};
    return attack_add_column(all, &made, error, b->memory);
}

/* A quasi-identifier from the level at which it enters the view to the one below its root. */
static kith_status add_levels(columns *all, const both *b, const prepared_column *of_view,
                              const prepared_column *of_known, arena *scratch, kith_error *error)
{
    const prepared *p = b->view.from->prepared;
    const uint32_t *base = p->study->joint.pregeneralize;
    const uint32_t root = of_view->hierarchy->tree.n_levels - 1,
                   other_root = of_known->hierarchy->tree.n_levels - 1,
                   top = root < other_root ? root : other_root;
    uint32_t level = base == NULL ? 0 : base[of_view->study - p->study->columns];
    if (level >= top)
        level = top == 0 ? 0 : top - 1;
    do
        TRY(add_level(all, b, of_view, of_known, level, scratch, error));
    while (++level < top);
    return KITH_OK;
}

static kith_status add_base(columns *all, const both *b, uint32_t i, arena *scratch,
                            kith_error *error)
{
    const attack_table *data = b->view.from, *other = b->known.from;
    const prepared_column *of_view = NULL, *of_known = NULL;
    const char *name = data->table->columns[i].name;
    uint32_t source = i, other_source = UINT32_MAX;
    if (data->prepared != NULL) {
        of_view = &data->prepared->columns[i];
        of_known = prepare_find(other->prepared, of_view->study);
        name = of_view->study->name;
        source = of_view->source;
        other_source = of_known == NULL ? UINT32_MAX : of_known->source;
    } else if (data->left_out[i]) {
        return KITH_OK;
    } else {
        other_source = table_find(other->table, name);
    }
    if (other_source == UINT32_MAX)
        return error_set(error, KITH_DATA, "%s has no column %s", other->name, name);
    all->name[all->n_base] = name;
    all->base[all->n_base] = all->count;
    TRY(of_view != NULL && of_view->attribute != PREPARE_NONE
            ? add_levels(all, b, of_view, of_known, scratch, error)
            : add_cells(all, b, source, other_source, scratch, error));
    all->n_base++;
    return KITH_OK;
}

/* --- the attacks --- */

typedef struct findings {
    double *by_frequency, *by_cooccurrence; /* [n_base] */
    double *by_shape; /* [count] of all levels; NULL: no column has more than one */
} findings;

static kith_status attack(findings *f, const columns *all, const both *b, context *c,
                          kith_error *error)
{
    guess_column *base = TRY_ARRAY(base, b->memory, all->n_base, error);
    for (uint32_t i = 0; i < all->n_base; i++) {
        base[i] = all->all[all->base[i]];
        base[i].leaves = NULL;
    }
    const guess_tables flat = {b->view.count, b->known.count, all->n_base, base},
                       deep = {b->view.count, b->known.count, all->count, all->all};
    f->by_frequency = TRY_ALLOC(arena_zalloc(b->memory, flat.n_columns, sizeof(double)), error);
    f->by_cooccurrence = TRY_ALLOC(arena_zalloc(b->memory, flat.n_columns, sizeof(double)), error);
    TRY(guess_by_frequency(f->by_frequency, &flat, c, error));
    TRY(guess_by_cooccurrence(f->by_cooccurrence, &flat, c, error));
    if (flat.n_columns == deep.n_columns)
        return KITH_OK;
    f->by_shape = TRY_ALLOC(arena_zalloc(b->memory, deep.n_columns, sizeof(double)), error);
    return guess_by_cooccurrence(f->by_shape, &deep, c, error);
}

static uint32_t count_values(const guess_column *g, uint32_t n_rows, bool *seen)
{
    uint32_t count = 0;
    memset(seen, 0, g->n_labels * sizeof *seen);
    for (uint32_t i = 0; i < n_rows; i++) {
        count += !seen[g->view[i]];
        seen[g->view[i]] = true;
    }
    return count;
}

static kith_status attack_put_findings(kith_document *d, document_node *root, const findings *f,
                                       const columns *all, const both *b, kith_error *error)
{
    document_node *node = document_object(d, root, "exposure");
    document_put_text(d, node, "known", b->known.from->name);
    document_put_count(d, node, "records", b->view.count);
    document_put_count(d, node, "known_records", b->known.count);
    document_node *list = document_array(d, node, "columns");
    uint32_t room = 1;
    for (uint32_t i = 0; i < all->count; i++)
        room = all->all[i].n_labels > room ? all->all[i].n_labels : room;
    bool *seen = TRY_ARRAY(seen, b->memory, room, error);
    for (uint32_t i = 0; i < all->n_base; i++) {
        const uint32_t first = all->base[i],
                       end = i + 1 < all->n_base ? all->base[i + 1] : all->count;
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "column", all->name[i]);
        document_put_count(d, one, "level", all->all[first].level);
        document_put_count(d, one, "values", count_values(&all->all[first], b->view.count, seen));
        document_put_number(d, one, "by_frequency", f->by_frequency[i]);
        document_put_number(d, one, "by_cooccurrence", f->by_cooccurrence[i]);
        if (f->by_shape == NULL)
            continue;
        document_put_number(d, one, "by_shape", f->by_shape[first]);
        document_node *levels = document_array(d, one, "levels");
        for (uint32_t l = first + 1; l < end; l++) {
            document_node *level = document_object(d, levels, NULL);
            document_put_count(d, level, "level", all->all[l].level);
            document_put_count(d, level, "values", count_values(&all->all[l], b->view.count, seen));
            document_put_number(d, level, "by_shape", f->by_shape[l]);
        }
    }
    return KITH_OK;
}

static kith_status attack_run(kith_document *d, document_node *root, const both *b, arena *scratch,
                              context *c, kith_error *error)
{
    columns all = {0};
    findings f = {0};
    const attack_table *data = b->view.from;
    const uint32_t n = data->prepared != NULL ? data->prepared->n_columns : data->table->n_columns;
    all.name = TRY_ARRAY(all.name, b->memory, n, error);
    all.base = TRY_ARRAY(all.base, b->memory, n, error);
    for (uint32_t i = 0; i < n; i++)
        TRY(add_base(&all, b, i, scratch, error));
    TRY(attack(&f, &all, b, c, error));
    return attack_put_findings(d, root, &f, &all, b, error);
}

kith_status attack_put(kith_document *d, document_node *root, const attack_table *data,
                       const attack_table *known, context *c, kith_error *error)
{
    both b = {.memory = c->memory};
    if (known == NULL) {
        /* the second half of the rows, after a shuffle, is the attacker's */
        enum { STREAM = 1 << 20 }; /* columns have those below */
        rng coins;
        rng_init(&coins, c->seed, STREAM);
        TRY(all_rows(&b.view, data, c->memory, error));
        rng_shuffle(&coins, b.view.rows, b.view.count);
        const uint32_t half = (b.view.count + 1) / 2;
        b.known = (rows){.from = data, .count = b.view.count - half, .rows = b.view.rows + half};
        b.view.count = half;
    } else {
        TRY(all_rows(&b.view, data, c->memory, error));
        TRY(all_rows(&b.known, known, c->memory, error));
    }
    if (b.view.count == 0 || b.known.count == 0)
        return KITH_OK; /* there is nothing to name, or nothing to name it by */
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    return attack_run(d, root, &b, scratch, c, error);
}

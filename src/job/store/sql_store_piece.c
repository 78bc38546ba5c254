/* The conditions of a piece in SQL: of each attribute some leaves, and perhaps wildcards. */
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/text_stream.h"
#include "job/store/sql_store_internal.h"
#include "search/division.h"

/* Which values of a column a piece may have. */
typedef struct chosen {
    bool *codes; /* [values + 1] last: missing */
    uint32_t n, first, last;
} chosen;

/* A value that is no leaf belongs to the piece only if division_piece says so. */
static bool may_have(const division_condition *c, const tree *t, uint32_t node)
{
    const bool leaf = t->end[node] - t->first[node] == 1;
    const bool meets = t->first[node] < c->end && c->first < t->end[node];
    return c->any || (node == tree_root(t) && !leaf ? c->wildcards : meets) ||
           (!leaf && c->wildcards);
}

static kith_status choose(chosen *k, const sql_store *s, const prepared_column *col, uint32_t piece,
                          arena *memory, kith_error *error)
{
    const division_condition c = division_condition_of(s->pieces.division, piece, col->attribute);
    const tree *t = s->pieces.problem->attributes[col->attribute].tree;
    const uint32_t *nodes = s->pieces.cells[col->attribute];
    const uint32_t count = s->table.columns[col->source].values.count;
    *k = (chosen){.codes = arena_zalloc(memory, count + (size_t)1, sizeof *k->codes)};
    TRY_ALLOC(k->codes, error);
    for (uint32_t code = 0; code <= count; code++) {
        k->codes[code] = may_have(&c, t, nodes[code]);
        if (!k->codes[code] || code == count)
            continue;
        k->first = k->n == 0 ? code : k->first;
        k->last = code;
        k->n++;
    }
    return KITH_OK;
}

/* "cell IN (…)"; lists may be long. */
static const char *list_values(const char *cell, const dictionary *values, const chosen *k,
                               const postgres *db, arena *memory)
{
    char *text = NULL;
    size_t size = 0;
    bool failed = false;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    fprintf(out, "%s IN (", cell);
    for (uint32_t code = k->first; code <= k->last && !failed; code++) {
        const char *literal =
            k->codes[code] ? postgres_literal(db, memory, dictionary_text(values, code)) : "";
        failed = literal == NULL;
        if (!failed && k->codes[code])
            fprintf(out, "%s%s", code == k->first ? "" : ", ", literal);
    }
    fputc(')', out);
    if (text_stream_close(out, &text, NULL) != KITH_OK)
        return NULL;
    const char *copy = failed ? NULL : arena_strdup(memory, text);
    free(text);
    return copy;
}

/* "cell BETWEEN … AND …" where the server orders values as the dictionary does, else a list. */
static const char *some_values(const sql_store *s, uint32_t i, const chosen *k, arena *memory)
{
    const postgres_column *server = &s->data->columns[s->at[i]];
    const dictionary *values = &s->table.columns[i].values;
    const postgres *db = s->data->db;
    if (!server->texts && values->whole != NULL && k->last - k->first + 1 == k->n) {
        const char *low = postgres_literal(db, memory, dictionary_text(values, k->first));
        const char *high = postgres_literal(db, memory, dictionary_text(values, k->last));
        return low == NULL || high == NULL
                   ? NULL
                   : arena_printf(memory, "%s BETWEEN %s AND %s", server->cell, low, high);
    }
    return list_values(server->cell, values, k, db, memory);
}

/* NULL: out of memory; "": all values. */
static const char *condition(const sql_store *s, uint32_t i, const chosen *k, arena *memory)
{
    const uint32_t count = s->table.columns[i].values.count;
    const char *cell = s->data->columns[s->at[i]].cell;
    const bool misses = s->n_missing[i] > 0, missing = misses && k->codes[count];
    if (k->n == count && missing == misses)
        return "";
    if (k->n == 0)
        return missing ? arena_printf(memory, "%s IS NULL", cell) : "false";
    if (k->n == count)
        return arena_printf(memory, "%s IS NOT NULL", cell);
    const char *some = some_values(s, i, k, memory);
    return !missing || some == NULL ? some : arena_printf(memory, "(%s OR %s IS NULL)", some, cell);
}

kith_status sql_store_where(const char **where, const sql_store *s, uint32_t piece, arena *memory,
                            kith_error *error)
{
    const prepared *p = s->pieces.values;
    *where = s->kept;
    for (uint32_t i = 0; s->pieces.division != NULL && i < p->n_columns; i++) {
        chosen k;
        if (p->columns[i].attribute == PREPARE_NONE)
            continue;
        TRY(choose(&k, s, &p->columns[i], piece, memory, error));
        const char *one = TRY_ALLOC(condition(s, p->columns[i].source, &k, memory), error);
        if (one[0] != '\0')
            *where = TRY_ALLOC(arena_printf(memory, "%s%s%s", *where,
                                            (*where)[0] == '\0' ? " WHERE " : " AND ", one),
                               error);
    }
    return KITH_OK;
}

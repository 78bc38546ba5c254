#include "job/history/row_order.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "crypto/digest.h"

/* A row by what it holds: 128 bits, so that different rows do not meet. */
typedef struct hashed_row {
    unsigned char hash[crypto_generichash_BYTES_MIN];
    uint32_t row;
} hashed_row;

/* Dictionaries are sorted, so equal tables have equal dictionaries and codes. */
static void hash_as_it_stands(unsigned char out[ROW_ORDER_BYTES], const kith_table *table)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, ROW_ORDER_BYTES);
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const column *c = &table->columns[i];
        crypto_generichash_update(&state, (const unsigned char *)c->name, strlen(c->name) + 1);
        crypto_generichash_update(&state, (const unsigned char *)c->values.bytes,
                                  c->values.offsets[c->values.count]);
        crypto_generichash_update(&state, (const unsigned char *)c->codes,
                                  (size_t)table->n_rows * sizeof *c->codes);
    }
    crypto_generichash_final(&state, out, ROW_ORDER_BYTES);
}

static int compare_hashes(const void *a, const void *b)
{
    const hashed_row *x = a, *y = b;
    return memcmp(x->hash, y->hash, sizeof x->hash);
}

/* Codes stand for texts only together with the dictionaries. */
static void hash_sorted(unsigned char out[ROW_ORDER_BYTES], const kith_table *table,
                        const hashed_row *rows)
{
    digest d;
    digest_init(&d, "kith rows in any order", ROW_ORDER_BYTES);
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const column *c = &table->columns[i];
        digest_part(&d, c->name, strlen(c->name));
        digest_part(&d, c->values.bytes, c->values.offsets[c->values.count]);
    }
    for (uint32_t row = 0; row < table->n_rows; row++)
        digest_part(&d, rows[row].hash, sizeof rows[row].hash);
    digest_final(&d, out);
}

kith_status row_order_make(row_order *o, const kith_table *table, bool aligned, arena *memory,
                           kith_error *error)
{
    *o = (row_order){.order = NULL};
    hash_as_it_stands(o->ordered, table);
    if (aligned) {
        memcpy(o->rows, o->ordered, sizeof o->rows);
        return KITH_OK;
    }
    uint32_t *order = TRY_ARRAY(order, memory, table->n_rows, error);
    hashed_row *rows = calloc(table->n_rows + (size_t)1, sizeof *rows);
    uint32_t *codes = calloc(table->n_columns + (size_t)1, sizeof *codes);
    if (rows != NULL && codes != NULL) {
        for (uint32_t row = 0; row < table->n_rows; row++) {
            for (uint32_t i = 0; i < table->n_columns; i++)
                codes[i] = table->columns[i].codes[row];
            crypto_generichash(rows[row].hash, sizeof rows[row].hash, (const unsigned char *)codes,
                               table->n_columns * sizeof *codes, NULL, 0);
            rows[row].row = row;
        }
        qsort(rows, table->n_rows, sizeof *rows, compare_hashes);
        hash_sorted(o->rows, table, rows);
        for (uint32_t i = 0; i < table->n_rows; i++)
            order[i] = rows[i].row;
        o->order = order;
    }
    free(rows);
    free(codes);
    return o->order == NULL ? error_nomem(error) : KITH_OK;
}

kith_status row_order_apply(const kith_table **out, const row_order *o, const kith_table *table,
                            arena *memory, kith_error *error)
{
    *out = table;
    if (o->order == NULL)
        return KITH_OK;
    kith_table *turned = TRY_ALLOC(arena_alloc(memory, sizeof *turned), error);
    uint32_t *from = TRY_ARRAY(from, memory, table->n_rows, error);
    TRY(table_room(turned, table, table->n_rows, memory, error));
    for (uint32_t row = 0; row < table->n_rows; row++)
        from[row] = table->source_rows == NULL ? o->order[row] : table->source_rows[o->order[row]];
    for (uint32_t i = 0; i < table->n_columns; i++)
        for (uint32_t row = 0; row < table->n_rows; row++)
            turned->columns[i].codes[row] = table->columns[i].codes[o->order[row]];
    turned->source_rows = from;
    CHECK(table_check(turned));
    *out = turned;
    return KITH_OK;
}

#include "job/result/mapping_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/error.h"
#include "table/uri.h"

enum { NUMBER_BYTES = 24 };

struct mapping_file {
    const prepared *prepared;
    table_writer *out;
    uint32_t width;          /* columns of the mapping */
    const char **cells;      /* [width] */
    char *scratch;           /* [n_columns of the release][RELEASE_CELL_BYTES] */
    const uint32_t *persons; /* [n_persons] columns of the table */
    uint32_t n_persons;
};

/* Only a plain file can be protected from other readers. */
static bool plain_file(const char *path)
{
    struct stat status;
    return strcmp(path, "-") != 0 && uri_is_path(path) &&
           (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

/* The columns in the order of the header comment. */
static kith_status list_names(const mapping_file *m, const char **names, arena *memory,
                              kith_error *error)
{
    const prepared *p = m->prepared;
    uint32_t at = 0;
    names[at++] = "confidential_row";
    names[at++] = "release_row";
    for (uint32_t i = 0; i < m->n_persons; i++)
        names[at++] = p->table->columns[m->persons[i]].name;
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const char *name = p->columns[i].study->name;
        names[at++] = name;
        if (p->columns[i].attribute == PREPARE_NONE)
            continue;
        names[at] = arena_printf(memory, "%s_released", name);
        TRY_ALLOC(names[at++], error);
    }
    names[at] = "_kith_class";
    return KITH_OK;
}

kith_status mapping_file_open(mapping_file **result, const prepared *p, const char *path,
                              char separator, bool overwrite, context *c, kith_error *error)
{
    mapping_file *m = TRY_ZEROS(m, c->memory, 1, error);
    m->prepared = p;
    if (path != NULL && !plain_file(path))
        return error_set(error, KITH_INVALID,
                         "a mapping is confidential and goes to a plain file, "
                         "not to %s",
                         path);
    /* The columns that identify persons for m-invariance, each of them once. */
    const kith_study *study = m->prepared->study;
    uint32_t *persons = TRY_ARRAY(persons, c->memory, study->n_models, error);
    for (uint32_t i = 0; i < study->n_models; i++) {
        if (study->models[i].person == NULL)
            continue;
        uint32_t place = table_find(m->prepared->table, study->models[i].person), known = 0;
        while (known < m->n_persons && persons[known] != place)
            known++;
        if (place != UINT32_MAX && known == m->n_persons)
            persons[m->n_persons++] = place;
    }
    m->persons = persons;
    m->width = 3 + m->n_persons + p->n_columns + p->problem.n_attributes;
    const char **names = TRY_ARRAY(names, c->memory, m->width, error);
    m->cells = TRY_ARRAY(m->cells, c->memory, m->width, error);
    m->scratch = TRY_ALLOC(arena_array(c->memory, p->n_columns, RELEASE_CELL_BYTES), error);
    TRY(list_names(m, names, c->memory, error));
    /* No table reader takes two columns of one name, and verify reads mappings. */
    for (uint32_t i = 1; i < m->width; i++)
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(names[i], names[j]) == 0)
                return error_set(error, KITH_INVALID,
                                 "a mapping would have two columns '%s': rename that of the data",
                                 names[i]);
    *result = m;
    if (path == NULL)
        return KITH_OK;
    TRY(table_writer_open(&m->out, c->memory, path, separator, overwrite, names, m->width, error));
    if (!table_writer_keep_private(m->out))
        return error_set(error, KITH_BUG, "%s is not a file", path);
    return KITH_OK;
}

static const char *original(const column *c, uint32_t row)
{
    return c->codes[row] == TABLE_MISSING ? NULL : dictionary_text(&c->values, c->codes[row]);
}

/* Numbers of one record as texts, all from 1. */
typedef struct record_numbers {
    char row[NUMBER_BYTES], released[NUMBER_BYTES], class[NUMBER_BYTES];
} record_numbers;

static const char *from_1(char *text, uint32_t number)
{
    snprintf(text, NUMBER_BYTES, "%" PRIu64, (uint64_t)number + 1);
    return text;
}

/* The cells of a record; they stay valid until the next one. */
static void fill_cells(mapping_file *m, record_numbers *numbers, const mapping_records *some,
                       uint32_t record)
{
    const prepared *p = some->data;
    const uint32_t row = p->rows[record], class = some->class[record];
    uint32_t at = 0;
    m->cells[at++] = from_1(numbers->row, some->confidential_row[record]);
    m->cells[at++] = from_1(numbers->released, some->release_row[record]);
    for (uint32_t i = 0; i < m->n_persons; i++)
        m->cells[at++] = original(&p->table->columns[m->persons[i]], row);
    for (uint32_t i = 0; i < p->n_columns; i++) {
        m->cells[at++] = original(&p->table->columns[p->columns[i].source], row);
        if (p->columns[i].attribute != PREPARE_NONE)
            m->cells[at++] =
                release_cell(some->release, record, i, m->scratch + (size_t)i * RELEASE_CELL_BYTES);
    }
    m->cells[at++] = class == PARTITION_SUPPRESSED ? NULL : from_1(numbers->class, class);
    ASSERT(at == m->width);
}

kith_status mapping_file_add(mapping_file *m, const mapping_records *some, kith_error *error)
{
    record_numbers numbers;
    for (uint32_t record = 0; record < some->data->n_rows; record++) {
        fill_cells(m, &numbers, some, record);
        TRY(table_writer_row(m->out, m->cells, error));
    }
    return KITH_OK;
}

/* Each cell: the length of the text with its NUL, and the text; 0: missing. */
kith_status mapping_file_pack(mapping_file *m, const mapping_records *some, uint32_t first,
                              bytes_writer *to, kith_error *error)
{
    record_numbers numbers;
    const uint32_t left = some->data->n_rows - first;
    for (uint32_t i = 0; i < left && i < MAPPING_FILE_BLOCK; i++) {
        fill_cells(m, &numbers, some, first + i);
        for (uint32_t k = 0; k < m->width; k++) {
            const uint32_t n = m->cells[k] == NULL ? 0 : (uint32_t)strlen(m->cells[k]) + 1;
            bytes_write(to, &n, sizeof n);
            bytes_write(to, m->cells[k], n);
        }
    }
    return bytes_written(to, error);
}

kith_status mapping_file_take(mapping_file *m, const void *bytes, size_t n_bytes, kith_error *error)
{
    const char *at = bytes, *end = at + n_bytes;
    while (at < end) {
        for (uint32_t k = 0; k < m->width; k++) {
            uint32_t n;
            memcpy(&n, at, sizeof n);
            at += sizeof n;
            m->cells[k] = n == 0 ? NULL : at;
            at += n;
        }
        TRY(table_writer_row(m->out, m->cells, error));
    }
    return KITH_OK;
}

kith_status mapping_file_finish(mapping_file *m, kith_error *error)
{
    return table_writer_finish(m->out, error);
}

kith_status mapping_file_stage(mapping_file *m, stage *s, kith_error *error)
{
    return table_writer_stage(m->out, s, error);
}

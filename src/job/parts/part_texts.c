#include "job/parts/part_texts.h"

#include <string.h>

#include "core/error.h"

/* The class column counts for cm and pmi. As a quasi-identifier it is there already, and an
 * identifying one is not released. */
static bool is_label(const kith_study *study, const study_column *s)
{
    return s->role == ROLE_INSENSITIVE && study->class_column != NULL &&
           strcmp(s->name, study->class_column) == 0;
}

static kith_status add_column(part_texts *t, const char *name, kith_error *error)
{
    part_texts_column *to = &t->columns[t->n_columns++];
    to->name = name;
    return intern_init(&to->seen, t->context->memory, NULL, error);
}

kith_status part_texts_new(part_texts **texts, const kith_study *study, bool with_label, context *c,
                           kith_error *error)
{
    part_texts *t = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *t), error);
    t->context = c;
    t->columns = TRY_ALLOC(arena_zalloc(c->memory, study->n_columns, sizeof *t->columns), error);
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].role == ROLE_QUASI_IDENTIFYING)
            TRY(add_column(t, study->columns[i].name, error));
    t->n_quasi = t->n_columns;
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].role == ROLE_SENSITIVE ||
            (with_label && is_label(study, &study->columns[i])))
            TRY(add_column(t, study->columns[i].name, error));
    *texts = t;
    return KITH_OK;
}

static kith_status find_column(uint32_t *found, const kith_table *rows, const char *name,
                               kith_error *error)
{
    *found = table_find(rows, name);
    return *found != UINT32_MAX
               ? KITH_OK
               : error_set(error, KITH_DATA, "%s has no column %s", rows->source, name);
}

/* How often each text of a column occurs; the last number counts missing cells. */
static kith_status count_codes(uint64_t **counts, const column *c, uint32_t n_rows, arena *memory,
                               kith_error *error)
{
    *counts = TRY_ALLOC(arena_zalloc(memory, (size_t)c->values.count + 1, sizeof **counts), error);
    for (uint32_t row = 0; row < n_rows; row++)
        (*counts)[c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row]]++;
    return KITH_OK;
}

static kith_status survey_column(part_texts_column *to, const column *from, uint32_t n_rows,
                                 arena *memory, arena *scratch, kith_error *error)
{
    uint64_t *counts = NULL;
    TRY(count_codes(&counts, from, n_rows, scratch, error));
    for (uint32_t code = 0; code < from->values.count; code++) {
        uint32_t at;
        if (counts[code] == 0)
            continue;
        const uint32_t n_before = to->seen.count;
        TRY(intern_add(&to->seen, dictionary_text(&from->values, code),
                       dictionary_length(&from->values, code), &at, error));
        TRY_GROW(to->n_seen, to->n_seen_room, to->seen.count, memory, error);
        to->n_seen[at] = (at == n_before ? 0 : to->n_seen[at]) + counts[code];
    }
    to->n_missing += counts[from->values.count];
    return KITH_OK;
}

kith_status part_texts_survey(part_texts *t, const kith_table *rows, kith_error *error)
{
    kith_status status = KITH_OK;
    arena *memory = t->context->memory, *scratch = TRY_ALLOC(arena_new_like(memory), error);
    t->n_rows += rows->n_rows;
    for (uint32_t i = 0; i < t->n_columns && status == KITH_OK; i++) {
        uint32_t at = 0;
        status = find_column(&at, rows, t->columns[i].name, error);
        if (status == KITH_OK)
            status = survey_column(&t->columns[i], &rows->columns[at], rows->n_rows, memory,
                                   scratch, error);
    }
    arena_free(scratch);
    return status;
}

static void free_table(void *table)
{
    kith_table_free(table);
}

/* The texts of all ranks, one after the other. */
static kith_status list_texts(const char ***cells, uint32_t *n_cells, const crew_bytes *texts,
                              uint32_t n_ranks, arena *memory, kith_error *error)
{
    size_t n = 0;
    for (uint32_t r = 0; r < n_ranks; r++)
        for (size_t i = 0; i < texts[r].n_bytes; i++)
            n += ((const char *)texts[r].bytes)[i] == '\0';
    if (n >= TABLE_MISSING)
        return error_set(error, KITH_INVALID, "a column of the release has too many texts");
    *cells = TRY_ALLOC(arena_array(memory, n, sizeof **cells), error);
    *n_cells = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        const char *bytes = texts[r].bytes;
        for (size_t at = 0; at < texts[r].n_bytes; at += strlen(bytes + at) + 1)
            (*cells)[(*n_cells)++] = bytes + at;
    }
    return KITH_OK;
}

/* Puts together what the ranks have seen of a column. All ranks do it in the same way. */
static kith_status unite_column(part_texts_column *to, context *c, arena *letters,
                                kith_error *error)
{
    const uint32_t n_ranks = crew_size(c->crew);
    crew_bytes *texts = TRY_ALLOC(arena_array(letters, n_ranks, sizeof *texts), error);
    crew_bytes *counts = TRY_ALLOC(arena_array(letters, n_ranks, sizeof *counts), error);
    const char **cells = NULL;
    uint32_t n_cells = 0, at = 0;
    TRY(crew_gather(c->crew, to->seen.bytes, to->seen.used, texts, letters, error));
    TRY(crew_gather(c->crew, to->n_seen, to->seen.count * sizeof *to->n_seen, counts, letters,
                    error));
    TRY(crew_sum(c->crew, &to->n_missing, 1, error));
    TRY(list_texts(&cells, &n_cells, texts, n_ranks, letters, error));
    kith_table *all;
    const kith_column_spec spec = {.name = to->name, .type = KITH_TYPE_STRING};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    TRY(kith_table_from_cells(&all, cells, n_cells, &options, error));
    if (!arena_defer(c->memory, free_table, all))
        return error_nomem(error);
    to->values = all->columns[0].values;
    to->counts =
        TRY_ALLOC(arena_zalloc(c->memory, (size_t)to->values.count + 1, sizeof *to->counts), error);
    for (uint32_t r = 0; r < n_ranks; r++) {
        const char *from = counts[r].bytes;
        for (size_t i = 0; i < counts[r].n_bytes / sizeof(uint64_t); i++, at++) {
            uint64_t count;
            memcpy(&count, from + i * sizeof count, sizeof count);
            to->counts[all->columns[0].codes[at]] += count;
        }
    }
    to->counts[to->values.count] = to->n_missing;
    return KITH_OK;
}

kith_status part_texts_finish(part_texts *t, kith_error *error)
{
    kith_status status = crew_sum(t->context->crew, &t->n_rows, 1, error);
    for (uint32_t i = 0; i < t->n_columns && status == KITH_OK; i++) {
        arena *letters = TRY_ALLOC(arena_new_like(t->context->memory), error);
        status = unite_column(&t->columns[i], t->context, letters, error);
        arena_free(letters);
    }
    return status;
}

/* The codes become those of the whole in `codes`, which may be where they are. */
static kith_status recode_column(column *to, const part_texts_column *c, const kith_table *rows,
                                 uint32_t *codes, arena *memory, kith_error *error)
{
    const dictionary old = to->values;
    uint32_t *code_of = TRY_ALLOC(arena_array(memory, old.count, sizeof *code_of), error);
    for (uint32_t code = 0; code < old.count; code++)
        code_of[code] = dictionary_find(&c->values, NULL, dictionary_text(&old, code));
    for (uint32_t row = 0; row < rows->n_rows; row++) {
        const uint32_t code = to->codes[row];
        codes[row] = code == TABLE_MISSING ? TABLE_MISSING : code_of[code];
        if (code != TABLE_MISSING && codes[row] == UINT32_MAX)
            return error_set(error, KITH_BUG, "%s has changed while it was assessed", rows->source);
    }
    arena_release(memory, code_of, old.count * sizeof *code_of);
    to->values = c->values;
    to->codes = codes;
    return KITH_OK;
}

static bool is_recoded(const column *c, const part_texts_column *whole)
{
    return c->values.bytes == whole->values.bytes;
}

kith_status part_texts_recode(const part_texts *t, kith_table *recoded, const kith_table *rows,
                              arena *memory, kith_error *error)
{
    *recoded = *rows;
    recoded->columns =
        TRY_ALLOC(arena_array(memory, rows->n_columns, sizeof *recoded->columns), error);
    memcpy(recoded->columns, rows->columns, rows->n_columns * sizeof *recoded->columns);
    for (uint32_t i = 0; i < t->n_columns; i++) {
        uint32_t at;
        TRY(find_column(&at, rows, t->columns[i].name, error));
        if (is_recoded(&rows->columns[at], &t->columns[i]))
            continue;
        uint32_t *codes = TRY_ALLOC(arena_array(memory, rows->n_rows, sizeof *codes), error);
        TRY(recode_column(&recoded->columns[at], &t->columns[i], rows, codes, memory, error));
    }
    return KITH_OK;
}

kith_status part_texts_rewrite(const part_texts *t, kith_table *rows, kith_error *error)
{
    for (uint32_t i = 0; i < t->n_columns; i++) {
        uint32_t at;
        TRY(find_column(&at, rows, t->columns[i].name, error));
        if (!is_recoded(&rows->columns[at], &t->columns[i]))
            TRY(recode_column(&rows->columns[at], &t->columns[i], rows, rows->columns[at].codes,
                              t->context->memory, error));
    }
    return KITH_OK;
}

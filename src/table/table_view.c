#include "table/table_view.h"

#include "core/error.h"
#include "table/source.h"
#include "table/typed_value.h"

/* A view in the making. */
typedef struct viewer {
    arena *memory;
    const kith_table *from;
    const kith_table_options *options;
    const kith_column_spec *specs; /* [n_columns] what is wanted */
    uint32_t *pick;                /* [n_columns] columns of `from` */
    size_t n_columns;
} viewer;

/* Would this text be kept as it is? */
static bool stays(const kith_table_options *options, const char *text, size_t length)
{
    const char *trimmed = text;
    size_t left = length;
    if (options->trim)
        typed_value_trim(&trimmed, &left);
    return left == length && !table_builder_means_missing(options, text, length);
}

/* Is the column already what is wanted? A dictionary of dates does not tell in which format it was
 * read. */
static bool fits(const viewer *v, const column *c, const kith_column_spec *wanted)
{
    const dictionary *d = &c->values;
    if (d->type != wanted->type || d->type == KITH_TYPE_DATE ||
        d->mark != typed_value_mark(wanted->type, wanted->date_format))
        return false;
    for (uint32_t code = 0; code < d->count; code++)
        if (!stays(v->options, dictionary_text(d, code), dictionary_length(d, code)))
            return false;
    return true;
}

/* Reads one column again, from its codes and texts. */
static kith_status convert(const viewer *v, column *to, const column *c,
                           const kith_column_spec *wanted, kith_error *error)
{
    const dictionary *d = &c->values;
    table_builder *b;
    kith_table *made;
    size_t wrong = 0;
    const char **texts = TRY_ARRAY(texts, v->memory, d->count, error);
    for (uint32_t code = 0; code < d->count; code++)
        texts[code] = dictionary_text(d, code);
    TRY(table_builder_new(&b, v->memory, v->from->source, wanted, 1, v->options, error));
    TRY(table_builder_reserve(b, v->from->n_rows, error));
    const table_builder_piece values = {.texts = texts, .count = d->count};
    kith_status status =
        table_builder_codes(b, 0, 0, &values, c->codes, v->from->n_rows, &wrong, error);
    if (status != KITH_OK) {
        /* A message about a cell that could not be read, with its place. */
        const uint64_t line = status == KITH_DATA ? table_line(v->from, (uint32_t)wrong) : 0;
        if (line == 0 || error == NULL)
            return source_at_row(v->from->source, wrong + 1, status, error);
        kith_error plain = *error;
        error_at(error, status, table_file(v->from, (uint32_t)wrong), line, 0, "%s", plain.message);
        return plain.hint[0] == '\0' ? status : error_hint(error, status, "%s", plain.hint);
    }
    table_builder_rows(b, v->from->n_rows);
    TRY(table_builder_finish(b, &made, error));
    *to = made->columns[0];
    to->place = c->place;
    return KITH_OK;
}

kith_status table_view(const kith_table **view, arena *memory, const kith_table *from,
                       const kith_table_options *options, kith_error *error)
{
    viewer v = {.memory = memory, .from = from, .options = options};
    const char **names = TRY_ARRAY(names, v.memory, from->n_columns, error);
    for (uint32_t i = 0; i < from->n_columns; i++)
        names[i] = from->columns[i].name;
    const source s = {.uri = from->separator != 0 ? from->source : NULL,
                      .name = from->source,
                      .options = v.options,
                      .scratch = v.memory};
    TRY(source_pick(&s, names, from->n_columns, &v.specs, &v.pick, &v.n_columns, error));
    kith_table *made = TRY_ALLOC(arena_alloc(memory, sizeof *made), error);
    *made = *from;
    made->memory = NULL; /* everything belongs to the caller's arena */
    made->owners = NULL;
    made->n_columns = (uint32_t)v.n_columns;
    made->columns = TRY_ARRAY(made->columns, memory, v.n_columns, error);
    for (size_t i = 0; i < v.n_columns; i++) {
        const column *c = &from->columns[v.pick[i]];
        if (fits(&v, c, &v.specs[i]))
            made->columns[i] = *c;
        else
            TRY(convert(&v, &made->columns[i], c, &v.specs[i], error));
    }
    CHECK(table_check(made));
    *view = made;
    return KITH_OK;
}

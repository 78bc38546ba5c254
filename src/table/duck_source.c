#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/duck_parts.h"
#include "table/duck_stream.h"
#include "table/source.h"
#include "table/uri.h"

enum { QUOTE_BYTES = 200 };

/* How a column is read: as it is, as its text, or not at all. */
typedef enum reading { READ_PLAIN, READ_AS_TEXT, REFUSED } reading;

static reading how_to_read(int type)
{
    switch (type) {
    case DUCK_TYPE_TIME:
    case DUCK_TYPE_INTERVAL:
    case DUCK_TYPE_HUGEINT:
    case DUCK_TYPE_UUID:
    case DUCK_TYPE_BIT:
    case DUCK_TYPE_TIME_TZ:
    case DUCK_TYPE_UHUGEINT: return READ_AS_TEXT;
    case DUCK_TYPE_BLOB:
    case DUCK_TYPE_LIST:
    case DUCK_TYPE_STRUCT:
    case DUCK_TYPE_MAP:
    case DUCK_TYPE_UNION:
    case DUCK_TYPE_ARRAY: return REFUSED;
    case DUCK_TYPE_NULL: return READ_AS_TEXT;
    default: return type <= DUCK_TYPE_LAST_KNOWN ? READ_PLAIN : REFUSED;
    }
}

static kith_status refuse_column(const source *s, const char *name, int type, kith_error *error)
{
    char quoted[QUOTE_BYTES];
    text_quote(quoted, sizeof quoted, name, strlen(name));
    const char *what = type == DUCK_TYPE_BLOB     ? "binary data"
                       : type == DUCK_TYPE_LIST   ? "lists"
                       : type == DUCK_TYPE_ARRAY  ? "lists"
                       : type == DUCK_TYPE_STRUCT ? "structures"
                       : type == DUCK_TYPE_MAP    ? "maps"
                                                  : "values of another kind";
    error_set(error, KITH_DATA, "%s: column '%s' has %s, expected texts, numbers or dates", s->name,
              quoted, what);
    return error_hint(error, KITH_DATA, "leave it out of the study, or turn it into plain columns");
}

/* SELECT "a", CAST("b" AS VARCHAR) AS "b" FROM …: names come from the source itself. */
static kith_status select_wanted(const source *s, const duck_session *session,
                                 const duck_relation *r, const uint32_t *pick, size_t count,
                                 duck_prepared *statement, kith_error *error)
{
    const bool json = uri_which(s->uri) == URI_JSON;
    const char **parts = TRY_ALLOC(arena_array(s->scratch, count, sizeof *parts), error);
    for (size_t i = 0; i < count; i++) {
        const char *name = r->names[pick[i]];
        const reading how = how_to_read(r->types[pick[i]]);
        if (how == REFUSED)
            return refuse_column(s, name, r->types[pick[i]], error);
        name = TRY_ALLOC(duck_session_quote(s->scratch, name, '"'), error);
        parts[i] = how == READ_PLAIN || json
                       ? name
                       : arena_printf(s->scratch, "CAST(%s AS VARCHAR) AS %s", name, name);
        TRY_ALLOC(parts[i], error);
    }
    const char *list = TRY_ALLOC(duck_session_join(s->scratch, parts, count), error);
    const char *from = TRY_ALLOC(duck_parts_from(s, r), error);
    return duck_session_prepare(
        session, arena_printf(s->scratch, "SELECT %s FROM %s", count == 0 ? "true" : list, from),
        statement, error);
}

/* An error of DuckDB reaches the reader of the stream without the name of the data. */
static kith_status read_rows(const source *s, const duck_session *session, duck_prepared statement,
                             const kith_column_spec *specs, size_t count, kith_table **table,
                             kith_error *error)
{
    struct ArrowArrayStream stream;
    kith_table_options options = *s->options;
    source rows = *s;
    options.columns = specs;
    options.n_columns = count;
    rows.options = &options;
    duck_stream *self = TRY_ALLOC(arena_alloc(s->scratch, sizeof *self), error);
    TRY(duck_stream_open(&stream, self, s, session, statement, error));
    const kith_status status = arrow_source_read(&rows, &stream, table, error);
    return status != KITH_OK && self->reason[0] != '\0'
               ? duck_session_failed(session, "read", KITH_DATA, self->reason, error)
               : status;
}

kith_status duck_source_read(const source *s, kith_table **table, kith_error *error)
{
    duck_session *session = NULL;
    duck_relation relation = {0};
    duck_prepared statement = NULL;
    const kith_column_spec *specs = NULL;
    uint32_t *pick = NULL;
    size_t count = 0;
    TRY(duck_relation_open(&relation, &session, s, error));
    TRY(source_pick(s, relation.names, relation.width, &specs, &pick, &count, error));
    TRY(select_wanted(s, session, &relation, pick, count, &statement, error));
    TRY(read_rows(s, session, statement, specs, count, table, error));
    for (uint32_t i = 0; i < (*table)->n_columns; i++)
        (*table)->columns[i].place = pick[i];
    return KITH_OK;
}

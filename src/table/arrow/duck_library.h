/* DuckDB, loaded at run time: Kith works without it, and needs it only for Parquet, JSON and
 * DuckDB's own databases. The functions are those of its C API, declared as its documentation
 * describes them. */
#ifndef TABLE_ARROW_DUCK_LIBRARY_H
#define TABLE_ARROW_DUCK_LIBRARY_H

#include <stdint.h>

#include <kith/arrow.h>
#include <kith/status.h>

/* Objects of DuckDB, which only it looks into. */
typedef struct duck_database *duck_database;
typedef struct duck_connection *duck_connection;
typedef struct duck_config *duck_config;
typedef struct duck_prepared *duck_prepared;
typedef struct duck_pending *duck_pending;
typedef struct duck_chunk *duck_chunk;
typedef struct duck_logical_type *duck_logical_type;
typedef struct duck_arrow_options *duck_arrow_options;
typedef struct duck_error_data *duck_error_data;
typedef uint64_t duck_index;

typedef enum duck_state { DUCK_SUCCESS, DUCK_ERROR } duck_state;
typedef enum duck_pending_state {
    DUCK_PENDING_READY,
    DUCK_PENDING_NOT_READY,
    DUCK_PENDING_ERROR,
    DUCK_PENDING_NO_TASKS
} duck_pending_state;

/* The caller has room for a result, and DuckDB fills it; only its size matters here. */
typedef struct duck_result {
    duck_index counts[3];
    void *inside[3];
} duck_result;

/* Types that need a look: whole numbers, and those that tables cannot take as they are. */
enum {
    DUCK_TYPE_TINYINT = 2,
    DUCK_TYPE_UBIGINT = 9,
    DUCK_TYPE_TIME = 14,
    DUCK_TYPE_INTERVAL = 15,
    DUCK_TYPE_HUGEINT = 16,
    DUCK_TYPE_BLOB = 18,
    DUCK_TYPE_LIST = 24,
    DUCK_TYPE_STRUCT = 25,
    DUCK_TYPE_MAP = 26,
    DUCK_TYPE_UUID = 27,
    DUCK_TYPE_UNION = 28,
    DUCK_TYPE_BIT = 29,
    DUCK_TYPE_TIME_TZ = 30,
    DUCK_TYPE_UHUGEINT = 32,
    DUCK_TYPE_ARRAY = 33,
    DUCK_TYPE_LAST_KNOWN = DUCK_TYPE_ARRAY,
    DUCK_TYPE_NULL = 36 /* of a column that has no values */
};

/* X(result, name, arguments): duckdb_<name> of the library. */
#define DUCK_FUNCTIONS(X)                                                                          \
    X(const char *, library_version, (void))                                                       \
    X(void, free, (void *))                                                                        \
    X(duck_state, create_config, (duck_config *))                                                  \
    X(duck_state, set_config, (duck_config, const char *, const char *))                           \
    X(void, destroy_config, (duck_config *))                                                       \
    X(duck_state, open_ext, (const char *, duck_database *, duck_config, char **))                 \
    X(void, close, (duck_database *))                                                              \
    X(duck_state, connect, (duck_database, duck_connection *))                                     \
    X(void, interrupt, (duck_connection))                                                          \
    X(void, disconnect, (duck_connection *))                                                       \
    X(duck_state, query, (duck_connection, const char *, duck_result *))                           \
    X(const char *, result_error, (duck_result *))                                                 \
    X(void, destroy_result, (duck_result *))                                                       \
    X(char *, value_varchar, (duck_result *, duck_index, duck_index))                              \
    X(duck_state, prepare, (duck_connection, const char *, duck_prepared *))                       \
    X(const char *, prepare_error, (duck_prepared))                                                \
    X(void, destroy_prepare, (duck_prepared *))                                                    \
    X(duck_index, prepared_statement_column_count, (duck_prepared))                                \
    X(const char *, prepared_statement_column_name, (duck_prepared, duck_index))                   \
    X(int, prepared_statement_column_type, (duck_prepared, duck_index))                            \
    X(duck_logical_type, prepared_statement_column_logical_type, (duck_prepared, duck_index))      \
    X(void, destroy_logical_type, (duck_logical_type *))                                           \
    X(duck_state, pending_prepared_streaming, (duck_prepared, duck_pending *))                     \
    X(duck_pending_state, pending_execute_task, (duck_pending))                                    \
    X(duck_state, execute_pending, (duck_pending, duck_result *))                                  \
    X(const char *, pending_error, (duck_pending))                                                 \
    X(void, destroy_pending, (duck_pending *))                                                     \
    X(duck_chunk, fetch_chunk, (duck_result))                                                      \
    X(void, destroy_data_chunk, (duck_chunk *))                                                    \
    X(void, connection_get_arrow_options, (duck_connection, duck_arrow_options *))                 \
    X(void, destroy_arrow_options, (duck_arrow_options *))                                         \
    X(duck_error_data, to_arrow_schema,                                                            \
      (duck_arrow_options, duck_logical_type *, const char **, duck_index, struct ArrowSchema *))  \
    X(duck_error_data, data_chunk_to_arrow, (duck_arrow_options, duck_chunk, struct ArrowArray *)) \
    X(bool, error_data_has_error, (duck_error_data))                                               \
    X(const char *, error_data_message, (duck_error_data))                                         \
    X(void, destroy_error_data, (duck_error_data *))                                               \
    X(duck_state, arrow_scan, (duck_connection, const char *, struct ArrowArrayStream *))

typedef struct duck_library {
#define DUCK_MEMBER(result, name, arguments) result(*name) arguments;
    DUCK_FUNCTIONS(DUCK_MEMBER)
#undef DUCK_MEMBER
} duck_library;

/* Finds libduckdb.so: at $KITH_DUCKDB, a file or a directory, if that is set; else beside the
 * program or library that this is part of, in the directory duckdb beside that one's own, where
 * `make duckdb` puts it, and where the system looks. It stays loaded. KITH_INVALID with a hint if
 * there is none, or if it is too old; `shown` is the data that needs it. Safe in several threads.
 */
kith_status duck_library_get(const duck_library **library, const char *shown,
                             kith_error *error) KITH_MUST_USE;

#endif

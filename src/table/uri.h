/* Taking data URIs apart. */
#ifndef TABLE_URI_H
#define TABLE_URI_H

#include <kith/status.h>

#include "core/arena.h"

typedef enum uri_kind { URI_CSV, URI_SQLITE, URI_POSTGRES } uri_kind;

uri_kind uri_which(const char *uri);

/* What may be shown: a path or URI without its password, "standard input" for "-". NULL if out of
 * memory. */
const char *uri_shown(arena *memory, const char *uri);

/* Splits a database URI into the address without our parameter `table` and the decoded table name.
 * "sqlite:" is dropped from the address, whose other parameters are refused for SQLite. */
kith_status uri_split(arena *memory, const char *uri, const char **address, const char **table,
                      kith_error *error);

#endif

#include "table/uri.h"

#include <string.h>
#include <strings.h>

#include <kith/application.h>
#include <kith/table.h>

#include "core/error.h"
#include "core/system/temporary_file.h"

static const char sqlite[] = "sqlite:", duckdb[] = "duckdb:";

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Does the name of a file end so, in upper or lower case, with something before it? */
static bool ends(const char *name, size_t length, const char *ending)
{
    const size_t tail = strlen(ending);
    return length > tail && name[length - tail - 1] != '/' &&
           strncasecmp(name + length - tail, ending, tail) == 0;
}

uri_kind uri_which(const char *uri)
{
    if (begins(uri, sqlite))
        return URI_SQLITE;
    if (begins(uri, duckdb))
        return URI_DUCKDB;
    if (begins(uri, "postgresql://") || begins(uri, "postgres://"))
        return URI_POSTGRES;
    const size_t length = temporary_file_stem(uri);
    if (ends(uri, length, ".parquet"))
        return URI_PARQUET;
    if (ends(uri, length, ".json") || ends(uri, length, ".ndjson") || ends(uri, length, ".jsonl"))
        return URI_JSON;
    return URI_CSV;
}

bool uri_is_path(const char *uri)
{
    const uri_kind kind = uri_which(uri);
    return kind != URI_SQLITE && kind != URI_DUCKDB && kind != URI_POSTGRES;
}

/* Replaces `length` bytes at `from` by three asterisks. */
static char *mask(arena *memory, const char *uri, size_t from, size_t length)
{
    return arena_printf(memory, "%.*s***%s", (int)from, uri, uri + from + length);
}

static int hex(char c)
{
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

/* In place; false if an escape is broken or hides a NUL. */
static bool decode(char *text)
{
    char *to = text;
    for (; *text != '\0'; text++) {
        if (*text != '%') {
            *to++ = *text;
            continue;
        }
        int high = hex(text[1]), low = high < 0 ? -1 : hex(text[2]);
        if (low < 0 || (high == 0 && low == 0))
            return false;
        *to++ = (char)(high * 16 + low);
        text += 2;
    }
    *to = '\0';
    return true;
}

/* Where the parameters of an address begin, at a question mark, or its end. libpq takes everything
 * before an @ that comes before any slash for user and password, question marks included. */
static size_t parameters_at(const char *uri)
{
    const char *authority = strstr(uri, "://") + 3;
    const char *at = authority + strcspn(authority, "@/");
    const char *from = *at == '@' ? at : authority;
    return (size_t)(from - uri) + strcspn(from, "?");
}

/* user:SECRET@host. If the password has an unescaped slash or @, which libpq does not understand,
 * it ends later than libpq says: the last @ before the parameters counts. */
static const char *mask_user(arena *memory, const char *uri)
{
    const char *authority = strstr(uri, "://") + 3, *query = strrchr(authority, '?');
    size_t length = strcspn(authority, "/");
    if (query != NULL && (size_t)(query - authority) > length)
        length = (size_t)(query - authority);
    const char *at = memrchr(authority, '@', length);
    const char *colon = at == NULL ? NULL : memchr(authority, ':', (size_t)(at - authority));
    if (colon == NULL)
        return uri;
    return mask(memory, uri, (size_t)(colon + 1 - uri), (size_t)(at - colon - 1));
}

/* password=SECRET, and other keys that end in "password", such as sslpassword. Keys may have
 * escapes, too. */
static bool is_secret(const char *key, size_t length)
{
    static const char word[] = "password";
    char plain[64];
    if (length >= sizeof plain)
        return false; /* longer than any key */
    memcpy(plain, key, length);
    plain[length] = '\0';
    return decode(plain) && strlen(plain) >= strlen(word) &&
           strcmp(plain + strlen(plain) - strlen(word), word) == 0;
}

static const char *mask_parameters(arena *memory, const char *uri)
{
    size_t at = parameters_at(uri);
    while (uri != NULL && uri[at] != '\0') {
        const size_t key = at + 1, length = strcspn(uri + key, "=&"), value = key + length + 1;
        const size_t end = key + strcspn(uri + key, "&");
        at = end;
        if (uri[key + length] == '=' && is_secret(uri + key, length)) {
            uri = mask(memory, uri, value, end - value);
            at = value + strlen("***");
        }
    }
    return uri;
}

const char *uri_shown(arena *memory, const char *uri)
{
    if (strcmp(uri, "-") == 0)
        return "standard input";
    if (uri_which(uri) != URI_POSTGRES)
        return arena_strdup(memory, uri);
    /* In this order: an @ in a parameter must not pass for the one behind a password. */
    uri = mask_parameters(memory, uri);
    return uri == NULL ? NULL : mask_user(memory, uri);
}

/* Takes a parameter ("table=") out of the query in place; *value is its value, as it was if it is
 * not there. */
static kith_status take(arena *memory, char *query, const char *key, char **value,
                        kith_error *error)
{
    const size_t key_length = strlen(key);
    char *to = query;
    if (*query == '\0')
        return KITH_OK;
    for (char *part = query + 1; *part != '\0';) {
        size_t length = strcspn(part, "&");
        bool last = part[length] == '\0';
        if (begins(part, key)) {
            *value =
                TRY_ALLOC(arena_strndup(memory, part + key_length, length - key_length), error);
        } else {
            *to = to == query ? '?' : '&';
            memmove(to + 1, part, length);
            to += length + 1;
        }
        part += length + !last;
    }
    *to = '\0';
    return KITH_OK;
}

kith_status uri_split(arena *memory, const char *uri, const char **address, const char **table,
                      kith_error *error)
{
    const bool in_file = uri_which(uri) != URI_POSTGRES;
    const char *shown = uri_shown(memory, uri);
    char *copy = arena_strdup(memory, in_file ? strchr(uri, ':') + 1 : uri);
    if (copy == NULL || shown == NULL)
        return error_nomem(error);
    char *query = in_file ? strrchr(copy, '?') : copy + parameters_at(copy);
    char *name = NULL;
    if (query != NULL)
        TRY(take(memory, query, "table=", &name, error));
    if (name == NULL || name[0] == '\0') {
        error_set(error, KITH_INVALID, "%s names no table", shown);
        return error_hint(error, KITH_INVALID, "add ?table=NAME to it");
    }
    if (!decode(name))
        return error_set(error, KITH_INVALID, "%s: broken percent escape in the table's name",
                         shown);
    if (in_file && *query != '\0')
        return error_set(error, KITH_INVALID, "%s: unknown parameter %s, expected only table=NAME",
                         shown, query + 1);
    if (copy[0] == '\0')
        return error_set(error, KITH_INVALID, "%s names no file", shown);
    *address = copy;
    *table = name;
    return KITH_OK;
}

/* Cuts a list at its commas and decodes its items. */
static kith_status cut_list(arena *memory, char *list, const char *const **items, size_t *n_items,
                            kith_error *error)
{
    size_t count = 1;
    for (const char *c = list; *c != '\0'; c++)
        count += *c == ',';
    const char **made = TRY_ARRAY(made, memory, count, error);
    *n_items = 0;
    for (char *next = list; next != NULL;) {
        char *item = strsep(&next, ",");
        if (item[0] == '\0' || !decode(item))
            return error_set(error, KITH_INVALID,
                             "order= needs names of columns, with commas "
                             "between them");
        made[(*n_items)++] = item;
    }
    *items = made;
    return KITH_OK;
}

kith_status uri_take_order(arena *memory, const char *uri, const char **rest,
                           const char *const **columns, size_t *n_columns, kith_error *error)
{
    char *copy = TRY_ALLOC(arena_strdup(memory, uri), error), *list = NULL;
    *n_columns = 0;
    *columns = NULL;
    *rest = copy;
    TRY(take(memory, copy + parameters_at(copy), "order=", &list, error));
    return list == NULL ? KITH_OK : cut_list(memory, list, columns, n_columns, error);
}

char *kith_data_shown(const char *uri)
{
    arena *memory = arena_new();
    const char *shown = memory == NULL ? NULL : uri_shown(memory, uri);
    char *copy = shown == NULL ? NULL : strdup(shown);
    arena_free(memory);
    return copy;
}

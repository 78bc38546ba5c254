#include "query/query_parser.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/text.h"

kith_status query_refuse(kith_error *error, query_place place, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_at(error, KITH_INVALID, "query", place.line, place.column, "%s", message);
}

static const char *const keywords[] = {"select", "from", "where", "group", "by",  "order",
                                       "limit",  "and",  "or",    "not",   "in",  "between",
                                       "is",     "null", "as",    "asc",   "desc"};

/* SQL that people may try; each is refused by its name. */
static const char *const unsupported[] = {
    "distinct", "having", "join",   "inner",  "left",   "right",  "outer",
    "cross",    "on",     "union",  "except", "exists", "like",   "ilike",
    "case",     "offset", "with",   "over",   "insert", "update", "delete",
    "drop",     "alter",  "create", "attach", "pragma", "copy",   "intersect"};

static bool listed(const char *const *words, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(words[i], text) == 0)
            return true;
    return false;
}

kith_status query_parser_advance(query_parser *p)
{
    return query_lexer_next(&p->lexer, &p->token, p->error);
}

bool query_parser_at_keyword(const query_parser *p, const char *word)
{
    return p->token.kind == TOKEN_NAME && strcasecmp(p->token.text, word) == 0;
}

bool query_parser_at_symbol(const query_parser *p, const char *symbol)
{
    return p->token.kind == TOKEN_SYMBOL && strcmp(p->token.text, symbol) == 0;
}

kith_status query_parser_unexpected(const query_parser *p, const char *expected)
{
    char quoted[80];
    const query_token *t = &p->token;
    if (t->kind == TOKEN_END)
        return query_refuse(p->error, t->place, "the query ends where %s is expected", expected);
    if (t->kind == TOKEN_NAME &&
        listed(unsupported, sizeof unsupported / sizeof *unsupported, t->text))
        return query_refuse(p->error, t->place, "%s is not supported", t->text);
    text_quote(quoted, sizeof quoted, t->text, strlen(t->text));
    return query_refuse(p->error, t->place, "expected %s, found '%s'", expected, quoted);
}

kith_status query_parser_take_keyword(query_parser *p, const char *word)
{
    char expected[16];
    size_t i = 0;
    for (; word[i] != '\0' && i + 1 < sizeof expected; i++)
        expected[i] = (char)(word[i] - 'a' + 'A');
    expected[i] = '\0';
    return query_parser_at_keyword(p, word) ? query_parser_advance(p)
                                            : query_parser_unexpected(p, expected);
}

kith_status query_parser_take_symbol(query_parser *p, const char *symbol)
{
    return query_parser_at_symbol(p, symbol) ? query_parser_advance(p)
                                             : query_parser_unexpected(p, symbol);
}

kith_status query_parser_take_name(query_parser *p, query_name *name, const char *expected)
{
    const bool plain = p->token.kind == TOKEN_NAME &&
                       !listed(keywords, sizeof keywords / sizeof *keywords, p->token.text);
    if (!plain && p->token.kind != TOKEN_QUOTED)
        return query_parser_unexpected(p, expected);
    if (plain && listed(unsupported, sizeof unsupported / sizeof *unsupported, p->token.text))
        return query_parser_unexpected(p, expected);
    *name = (query_name){p->token.text, p->token.place};
    return query_parser_advance(p);
}

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

/* --- words --- */

/* ASCII only: what isalpha says depends on the locale. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

/* Moves on by some bytes, and counts lines and characters. */
static void skip(query_parser *p, size_t bytes)
{
    for (; bytes > 0; bytes--, p->at++) {
        if (*p->at == '\n') {
            p->place.line++;
            p->place.column = 1;
        } else if (((unsigned char)*p->at & 0xc0) != 0x80) /* not inside a UTF-8 character */
            p->place.column++;
    }
}

/* A text or name between quotes, in which the quote itself is doubled. */
static kith_status read_quoted(query_parser *p, char quote)
{
    size_t length = 0, bytes = 1;
    char *out = TRY_ALLOC(arena_alloc(p->memory, strlen(p->at)), p->error);
    for (;; bytes++) {
        if (p->at[bytes] == '\0')
            return query_refuse(p->error, p->token.place, "this %s does not end: %c is missing",
                                quote == '"' ? "name" : "text", quote);
        if (p->at[bytes] == quote && p->at[++bytes] != quote)
            break;
        out[length++] = p->at[bytes];
    }
    out[length] = '\0';
    p->token.kind = quote == '"' ? TOKEN_QUOTED : TOKEN_TEXT;
    p->token.text = out;
    skip(p, bytes);
    return KITH_OK;
}

/* Bytes of a number: digits[.digits][e[+-]digits], or .digits; 0: there is none. */
static size_t number_bytes(const char *at)
{
    size_t n = 0, digits = 0;
    while (is_digit(at[n]))
        n++, digits++;
    if (at[n] == '.')
        for (n++; is_digit(at[n]); n++)
            digits++;
    if (digits == 0)
        return 0;
    if (at[n] == 'e' || at[n] == 'E') {
        size_t sign = at[n + 1] == '+' || at[n + 1] == '-';
        if (is_digit(at[n + 1 + sign]))
            for (n += 1 + sign; is_digit(at[n]);)
                n++;
    }
    return n;
}

static size_t name_bytes(const char *at)
{
    size_t n = 0;
    while (is_letter(at[n]) || (n > 0 && is_digit(at[n])))
        n++;
    return n;
}

static size_t symbol_bytes(const char *at)
{
    static const char *const pairs[] = {"<>", "!=", "<=", ">="};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strncmp(at, pairs[i], 2) == 0)
            return 2;
    return strchr("(),*=<>+-;", *at) != NULL;
}

kith_status query_parser_advance(query_parser *p)
{
    query_token *token = &p->token;
    size_t bytes;
    skip(p, strspn(p->at, " \t\r\n"));
    *token = (query_token){TOKEN_END, "", p->place};
    if (*p->at == '\0')
        return KITH_OK;
    if (*p->at == '\'' || *p->at == '"')
        return read_quoted(p, *p->at);
    if ((bytes = number_bytes(p->at)) > 0) {
        token->kind = TOKEN_NUMBER;
        if (is_letter(p->at[bytes]))
            return query_refuse(p->error, token->place,
                                "a number ends in a letter; texts and dates "
                                "are written in 'quotes'");
    } else if ((bytes = name_bytes(p->at)) > 0)
        token->kind = TOKEN_NAME;
    else if ((bytes = symbol_bytes(p->at)) > 0)
        token->kind = TOKEN_SYMBOL;
    else {
        char quoted[16];
        text_quote(quoted, sizeof quoted, p->at, 1);
        return query_refuse(p->error, token->place, "unexpected character '%s'", quoted);
    }
    token->text = TRY_ALLOC(arena_strndup(p->memory, p->at, bytes), p->error);
    skip(p, bytes);
    return KITH_OK;
}

/* --- what the next one is --- */

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

#include "query/query_lexer.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"

void query_lexer_init(query_lexer *l, const char *text, arena *memory)
{
    *l = (query_lexer){text, {1, 1}, memory};
}

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
static void advance(query_lexer *l, size_t bytes)
{
    for (; bytes > 0; bytes--, l->at++) {
        if (*l->at == '\n') {
            l->place.line++;
            l->place.column = 1;
        } else if (((unsigned char)*l->at & 0xc0) != 0x80) /* not inside a UTF-8 character */
            l->place.column++;
    }
}

/* A text or name between quotes, in which the quote itself is doubled. */
static kith_status read_quoted(query_lexer *l, query_token *token, char quote, kith_error *error)
{
    size_t length = 0, bytes = 1;
    char *out = TRY_ALLOC(arena_alloc(l->memory, strlen(l->at)), error);
    for (;; bytes++) {
        if (l->at[bytes] == '\0')
            return query_refuse(error, token->place, "this %s does not end: %c is missing",
                                quote == '"' ? "name" : "text", quote);
        if (l->at[bytes] == quote && l->at[++bytes] != quote)
            break;
        out[length++] = l->at[bytes];
    }
    out[length] = '\0';
    token->kind = quote == '"' ? TOKEN_QUOTED : TOKEN_TEXT;
    token->text = out;
    advance(l, bytes);
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

kith_status query_lexer_next(query_lexer *l, query_token *token, kith_error *error)
{
    size_t bytes;
    advance(l, strspn(l->at, " \t\r\n"));
    *token = (query_token){TOKEN_END, "", l->place};
    if (*l->at == '\0')
        return KITH_OK;
    if (*l->at == '\'' || *l->at == '"')
        return read_quoted(l, token, *l->at, error);
    if ((bytes = number_bytes(l->at)) > 0) {
        token->kind = TOKEN_NUMBER;
        if (is_letter(l->at[bytes]))
            return query_refuse(error, token->place,
                                "a number ends in a letter; texts and dates "
                                "are written in 'quotes'");
    } else if ((bytes = name_bytes(l->at)) > 0)
        token->kind = TOKEN_NAME;
    else if ((bytes = symbol_bytes(l->at)) > 0)
        token->kind = TOKEN_SYMBOL;
    else {
        char quoted[16];
        text_quote(quoted, sizeof quoted, l->at, 1);
        return query_refuse(error, token->place, "unexpected character '%s'", quoted);
    }
    token->text = TRY_ALLOC(arena_strndup(l->memory, l->at, bytes), error);
    advance(l, bytes);
    return KITH_OK;
}

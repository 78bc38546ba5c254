/* The words of a query. */
#ifndef QUERY_QUERY_LEXER_H
#define QUERY_QUERY_LEXER_H

#include "query/query.h"

typedef enum query_token_kind {
    TOKEN_END,
    TOKEN_NAME,   /* also keywords */
    TOKEN_QUOTED, /* a name "in quotes", never a keyword */
    TOKEN_NUMBER,
    TOKEN_TEXT,
    TOKEN_SYMBOL /* one of ( ) , * = <> != < <= > >= + - ; */
} query_token_kind;

typedef struct query_token {
    query_token_kind kind;
    const char *text; /* without quotes */
    query_place place;
} query_token;

typedef struct query_lexer {
    const char *at;
    query_place place;
    arena *memory;
} query_lexer;

void query_lexer_init(query_lexer *l, const char *text, arena *memory);

/* KITH_INVALID for quotes that do not end and characters that no query has. */
kith_status query_lexer_next(query_lexer *l, query_token *token, kith_error *error) KITH_MUST_USE;

#endif

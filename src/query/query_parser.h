/* The words of a query, and the state of its parser. */
#ifndef QUERY_QUERY_PARSER_H
#define QUERY_QUERY_PARSER_H

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

typedef struct query_parser {
    query *q;
    const char *at;    /* the rest of the text */
    query_place place; /* of `at` */
    query_token token; /* the one before, not yet taken */
    arena *memory;
    kith_error *error;
    uint32_t n_literals, depth;
    size_t atom_capacity;
} query_parser;

/* Takes the next token. KITH_INVALID for quotes that do not end and characters that no query has.
 */
kith_status query_parser_advance(query_parser *p) KITH_MUST_USE;

bool query_parser_at_keyword(const query_parser *p, const char *word); /* in lower case */
bool query_parser_at_symbol(const query_parser *p, const char *symbol);

/* "expected X, found Y", at the next token. */
kith_status query_parser_unexpected(const query_parser *p, const char *expected) KITH_MUST_USE;

kith_status query_parser_take_keyword(query_parser *p, const char *word) KITH_MUST_USE;
kith_status query_parser_take_symbol(query_parser *p, const char *symbol) KITH_MUST_USE;
/* A name that is not a keyword; `expected` is for the message. */
kith_status query_parser_take_name(query_parser *p, query_name *name,
                                   const char *expected) KITH_MUST_USE;

#endif

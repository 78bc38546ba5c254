/* The query language of the virtual database: a part of SQL, parsed into plain structs.
 *
 *     SELECT item [, item]… [FROM name] [WHERE condition]
 *       [GROUP BY column [, column]…] [ORDER BY item [ASC | DESC] [, …]] [LIMIT n]
 *
 *     item:       column | count(*) | sum(column) | avg(…) | min(…) | max(…), each [AS name]
 *     condition:  column = <> != < <= > >= literal | column [NOT] IN (literal, …)
 *                 | column [NOT] BETWEEN literal AND literal | column IS [NOT] NULL
 *                 | condition AND | OR condition | NOT condition | (condition)
 *     literal:    a number, or a 'text' in which '' is a quote; dates are texts
 *
 * Keywords and functions are not case-sensitive. Names that are keywords or have other characters
 * than letters, digits and _ are written "in quotes". No text of a query ever reaches a database.
 */
#ifndef QUERY_QUERY_H
#define QUERY_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

enum {
    QUERY_MAX_BYTES = 65536,
    QUERY_MAX_DEPTH = 100,     /* of nested conditions */
    QUERY_MAX_ATOMS = 256,     /* conditions on single columns */
    QUERY_MAX_LITERALS = 1000, /* in all lists together */
    QUERY_MAX_ITEMS = 64       /* also of GROUP BY and ORDER BY */
};

/* Where something stands in the text: line and character, from 1. */
typedef struct query_place {
    uint32_t line, column;
} query_place;

typedef enum query_function {
    QUERY_COLUMN, /* no function */
    QUERY_COUNT,
    QUERY_SUM,
    QUERY_AVG,
    QUERY_MIN,
    QUERY_MAX
} query_function;
const char *query_function_name(query_function f); /* "count", … */

typedef struct query_item {
    query_function function;
    const char *column; /* NULL: count(*) */
    const char *title;  /* the name after AS, or "sum(age)" */
    query_place place;
} query_item;

typedef struct query_literal {
    bool is_number;   /* written without quotes */
    const char *text; /* as written, without quotes */
    query_place place;
} query_literal;

typedef enum query_operator {
    QUERY_EQUAL,
    QUERY_UNEQUAL,
    QUERY_LESS,
    QUERY_LESS_EQUAL,
    QUERY_GREATER,
    QUERY_GREATER_EQUAL,
    QUERY_IN,
    QUERY_BETWEEN,
    QUERY_IS_NULL
} query_operator;

/* A condition on one column. */
typedef struct query_atom {
    query_operator op;
    const char *column;
    query_literal *literals; /* one; two for BETWEEN, some for IN, none for IS NULL */
    uint32_t n_literals;
    query_place place;
} query_atom;

typedef enum query_connective { QUERY_ATOM, QUERY_NOT, QUERY_AND, QUERY_OR } query_connective;

typedef struct query_condition {
    query_connective connective;
    uint32_t atom;                              /* QUERY_ATOM: its number */
    const struct query_condition *left, *right; /* NOT has only the left one */
} query_condition;

typedef struct query_name {
    const char *text;
    query_place place;
} query_name;

typedef struct query_order {
    uint32_t item; /* of the SELECT list */
    bool descending;
} query_order;

/* Invariants: n_items > 0; with an aggregate or a group every plain column of the list is in a
 * group; orders name items of the list. */
typedef struct query {
    query_item *items;
    uint32_t n_items;
    query_name from;              /* text NULL: left out */
    const query_condition *where; /* NULL: all records */
    query_atom *atoms;
    uint32_t n_atoms;
    query_name *groups;
    uint32_t n_groups;
    query_order *orders;
    uint32_t n_orders;
    int64_t limit;  /* -1: none */
    bool aggregate; /* has aggregates or groups; otherwise it asks for rows */
} query;

/* Parses `text`. KITH_INVALID with line, character, what was found and what was expected. The query
 * lives in `memory`. */
kith_status query_parse(query *q, const char *text, arena *memory, kith_error *error) KITH_MUST_USE;

/* KITH_INVALID "query:LINE:COLUMN: …" for errors found later, as in names of columns. */
kith_status query_refuse(kith_error *error, query_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

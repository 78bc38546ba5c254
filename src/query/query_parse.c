/* A parser by recursive descent: one function per line of the grammar in query.h. */
#include <string.h>
#include <strings.h>

#include "core/check.h"
#include "core/error.h"
#include "core/text.h"
#include "query/query_parser.h"

/* --- SELECT list --- */

const char *query_function_name(query_function f)
{
    static const char *const names[] = {"", "count", "sum", "avg", "min", "max"};
    return names[f];
}

static bool find_function(const char *text, query_function *function)
{
    for (*function = QUERY_COUNT; *function <= QUERY_MAX; ++*function)
        if (strcasecmp(query_function_name(*function), text) == 0)
            return true;
    return false;
}

static kith_status parse_item(query_parser *p, query_item *item)
{
    query_name name;
    *item = (query_item){.place = p->token.place};
    if (query_parser_at_symbol(p, "*"))
        return query_refuse(p->error, p->token.place, "name the columns: * is not supported");
    const bool plain = p->token.kind == TOKEN_NAME;
    TRY(query_parser_take_name(p, &name, "a column or an aggregate"));
    if (query_parser_at_symbol(p, "(")) {
        if (!plain || !find_function(name.text, &item->function))
            return query_refuse(p->error, name.place,
                                "no function '%s': count, sum, avg, min and max", name.text);
        /* (column) or (*) */
        query_name column;
        TRY(query_parser_advance(p)); /* the parenthesis */
        if (item->function == QUERY_COUNT) {
            TRY(query_parser_take_symbol(p, "*"));
        } else {
            TRY(query_parser_take_name(p, &column, "a column"));
            item->column = column.text;
        }
        TRY(query_parser_take_symbol(p, ")"));
        item->title = TRY_ALLOC(
            arena_printf(p->memory, "%s(%s)", name.text, item->column == NULL ? "*" : item->column),
            p->error);
    } else
        item->column = item->title = name.text;
    if (!query_parser_at_keyword(p, "as"))
        return KITH_OK;
    TRY(query_parser_advance(p));
    TRY(query_parser_take_name(p, &name, "a name"));
    item->title = name.text;
    return KITH_OK;
}

/* Behind the last of n items: takes a comma; *more says whether there was one. */
static kith_status take_comma(query_parser *p, uint32_t n, bool *more)
{
    *more = query_parser_at_symbol(p, ",");
    if (!*more)
        return KITH_OK;
    TRY(query_parser_advance(p));
    if (n < QUERY_MAX_ITEMS)
        return KITH_OK;
    return query_refuse(p->error, p->token.place, "more than %d items in a list", QUERY_MAX_ITEMS);
}

/* --- conditions: NOT binds closest, then AND, then OR --- */

static kith_status parse_literal(query_parser *p, query_literal *literal)
{
    *literal = (query_literal){.place = p->token.place};
    if (++p->n_literals > QUERY_MAX_LITERALS)
        return query_refuse(p->error, p->token.place, "more than %d values", QUERY_MAX_LITERALS);
    if (p->token.kind == TOKEN_TEXT) {
        literal->text = p->token.text;
        return query_parser_advance(p);
    }
    const bool minus = query_parser_at_symbol(p, "-");
    if (minus || query_parser_at_symbol(p, "+"))
        TRY(query_parser_advance(p));
    if (p->token.kind == TOKEN_QUOTED)
        return query_refuse(p->error, p->token.place,
                            "\"%s\" is a name; a text is written in single quotes", p->token.text);
    if (p->token.kind != TOKEN_NUMBER)
        return query_parser_unexpected(p, "a number or a 'text'");
    literal->is_number = true;
    literal->text = minus ? arena_printf(p->memory, "-%s", p->token.text) : p->token.text;
    TRY_ALLOC(literal->text, p->error);
    return query_parser_advance(p);
}

static bool find_comparison(const query_parser *p, query_operator *op)
{
    static const struct {
        const char *symbol;
        query_operator op;
    } symbols[] = {{"=", QUERY_EQUAL},         {"<>", QUERY_UNEQUAL},    {"!=", QUERY_UNEQUAL},
                   {"<", QUERY_LESS},          {"<=", QUERY_LESS_EQUAL}, {">", QUERY_GREATER},
                   {">=", QUERY_GREATER_EQUAL}};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (query_parser_at_symbol(p, symbols[i].symbol)) {
            *op = symbols[i].op;
            return true;
        }
    return false;
}

static kith_status add_condition(query_parser *p, const query_condition **out, query_condition c)
{
    query_condition *made = TRY_ALLOC(arena_alloc(p->memory, sizeof *made), p->error);
    *made = c;
    *out = made;
    return KITH_OK;
}

/* What follows the column of an atom; *negated: NOT IN, NOT BETWEEN, IS NOT NULL. */
static kith_status parse_operator(query_parser *p, query_atom *atom, bool *negated)
{
    if (find_comparison(p, &atom->op)) {
        TRY(query_parser_advance(p));
        if (query_parser_at_keyword(p, "null"))
            return query_refuse(p->error, p->token.place,
                                "no value equals NULL: write IS NULL or IS NOT NULL");
        atom->n_literals = 1;
        return parse_literal(p, atom->literals);
    }
    if (query_parser_at_keyword(p, "is")) {
        atom->op = QUERY_IS_NULL;
        TRY(query_parser_advance(p));
        *negated = query_parser_at_keyword(p, "not");
        if (*negated)
            TRY(query_parser_advance(p));
        return query_parser_take_keyword(p, "null");
    }
    *negated = query_parser_at_keyword(p, "not");
    if (*negated)
        TRY(query_parser_advance(p));
    if (query_parser_at_keyword(p, "in")) {
        atom->op = QUERY_IN;
        atom->literals = NULL;
        TRY(query_parser_advance(p));
        /* The list of IN, between its parentheses. */
        size_t capacity = 0;
        TRY(query_parser_take_symbol(p, "("));
        if (query_parser_at_keyword(p, "select"))
            return query_refuse(p->error, p->token.place,
                                "queries inside queries are not supported");
        for (;;) {
            TRY_GROW(atom->literals, capacity, atom->n_literals + (size_t)1, p->memory, p->error);
            TRY(parse_literal(p, &atom->literals[atom->n_literals++]));
            if (!query_parser_at_symbol(p, ","))
                return query_parser_take_symbol(p, ")");
            TRY(query_parser_advance(p));
        }
    }
    if (!query_parser_at_keyword(p, "between"))
        return query_parser_unexpected(p, "=, <>, <, >, IN, BETWEEN or IS NULL");
    atom->op = QUERY_BETWEEN;
    atom->n_literals = 2;
    TRY(query_parser_advance(p));
    TRY(parse_literal(p, &atom->literals[0]));
    TRY(query_parser_take_keyword(p, "and"));
    return parse_literal(p, &atom->literals[1]);
}

static kith_status parse_atom(query_parser *p, const query_condition **out)
{
    query *q = p->q;
    query_name column;
    query_atom atom = {0};
    bool negated = false;
    atom.place = p->token.place;
    TRY(query_parser_take_name(p, &column, "a column"));
    atom.column = column.text;
    atom.literals = TRY_ALLOC(arena_array(p->memory, 2, sizeof *atom.literals), p->error);
    TRY(parse_operator(p, &atom, &negated));
    if (q->n_atoms == QUERY_MAX_ATOMS)
        return query_refuse(p->error, atom.place, "more than %d conditions", QUERY_MAX_ATOMS);
    TRY_GROW(q->atoms, p->atom_capacity, q->n_atoms + (size_t)1, p->memory, p->error);
    q->atoms[q->n_atoms] = atom;
    TRY(add_condition(p, out, (query_condition){QUERY_ATOM, q->n_atoms++, NULL, NULL}));
    if (!negated)
        return KITH_OK;
    return add_condition(p, out, (query_condition){QUERY_NOT, 0, *out, NULL});
}

static kith_status parse_where(query_parser *p, const query_condition **out);

static kith_status parse_not(query_parser *p, const query_condition **out)
{
    if (query_parser_at_symbol(p, "(")) {
        TRY(query_parser_advance(p));
        TRY(parse_where(p, out));
        return query_parser_take_symbol(p, ")");
    }
    if (!query_parser_at_keyword(p, "not"))
        return parse_atom(p, out);
    TRY(query_parser_advance(p));
    if (++p->depth > QUERY_MAX_DEPTH)
        return query_refuse(p->error, p->token.place, "conditions are nested more than %d deep",
                            QUERY_MAX_DEPTH);
    TRY(parse_not(p, out));
    p->depth--;
    return add_condition(p, out, (query_condition){QUERY_NOT, 0, *out, NULL});
}

static kith_status parse_and(query_parser *p, const query_condition **out)
{
    TRY(parse_not(p, out));
    while (query_parser_at_keyword(p, "and")) {
        const query_condition *right;
        TRY(query_parser_advance(p));
        TRY(parse_not(p, &right));
        TRY(add_condition(p, out, (query_condition){QUERY_AND, 0, *out, right}));
    }
    return KITH_OK;
}

static kith_status parse_where(query_parser *p, const query_condition **out)
{
    if (++p->depth > QUERY_MAX_DEPTH)
        return query_refuse(p->error, p->token.place, "conditions are nested more than %d deep",
                            QUERY_MAX_DEPTH);
    TRY(parse_and(p, out));
    while (query_parser_at_keyword(p, "or")) {
        const query_condition *right;
        TRY(query_parser_advance(p));
        TRY(parse_and(p, &right));
        TRY(add_condition(p, out, (query_condition){QUERY_OR, 0, *out, right}));
    }
    p->depth--;
    return KITH_OK;
}

/* --- GROUP BY, ORDER BY, LIMIT --- */

static kith_status parse_orders(query_parser *p)
{
    query *q = p->q;
    q->orders = TRY_ALLOC(arena_array(p->memory, QUERY_MAX_ITEMS, sizeof *q->orders), p->error);
    for (bool more = true; more;) {
        /* An item of the SELECT list, by its title or written again. */
        query_order *order = &q->orders[q->n_orders];
        query_item item;
        *order = (query_order){0};
        TRY(parse_item(p, &item));
        ASSERT(item.title != NULL);
        while (order->item < q->n_items && strcasecmp(q->items[order->item].title, item.title) != 0)
            order->item++;
        if (order->item == q->n_items)
            return query_refuse(p->error, item.place,
                                "ORDER BY takes an item of the SELECT list, which has no %s",
                                item.title);
        order->descending = query_parser_at_keyword(p, "desc");
        if (order->descending || query_parser_at_keyword(p, "asc"))
            TRY(query_parser_advance(p));
        TRY(take_comma(p, ++q->n_orders, &more));
    }
    return KITH_OK;
}

/* --- the whole --- */

static bool is_group(const query *q, const char *column)
{
    for (uint32_t i = 0; i < q->n_groups; i++)
        if (strcmp(q->groups[i].text, column) == 0)
            return true;
    return false;
}

static kith_status parse_query(query_parser *p)
{
    TRY(query_parser_advance(p));
    TRY(query_parser_take_keyword(p, "select"));
    query *q = p->q;
    q->items = TRY_ALLOC(arena_array(p->memory, QUERY_MAX_ITEMS, sizeof *q->items), p->error);
    for (bool more = true; more;) {
        TRY(parse_item(p, &q->items[q->n_items]));
        q->aggregate = q->aggregate || q->items[q->n_items].function != QUERY_COLUMN;
        TRY(take_comma(p, ++q->n_items, &more));
    }
    if (query_parser_at_keyword(p, "from")) {
        TRY(query_parser_advance(p));
        TRY(query_parser_take_name(p, &p->q->from, "the name of the study"));
        if (query_parser_at_symbol(p, ","))
            return query_refuse(p->error, p->token.place, "joins are not supported");
    }
    if (query_parser_at_keyword(p, "where")) {
        TRY(query_parser_advance(p));
        TRY(parse_where(p, &p->q->where));
    }
    if (query_parser_at_keyword(p, "group")) {
        TRY(query_parser_advance(p));
        TRY(query_parser_take_keyword(p, "by"));
        q->aggregate = true;
        q->groups = TRY_ALLOC(arena_array(p->memory, QUERY_MAX_ITEMS, sizeof *q->groups), p->error);
        for (bool more = true; more;) {
            TRY(query_parser_take_name(p, &q->groups[q->n_groups], "a column"));
            TRY(take_comma(p, ++q->n_groups, &more));
        }
    }
    if (query_parser_at_keyword(p, "order")) {
        TRY(query_parser_advance(p));
        TRY(query_parser_take_keyword(p, "by"));
        TRY(parse_orders(p));
    }
    if (query_parser_at_keyword(p, "limit")) {
        TRY(query_parser_advance(p));
        const char *text = p->token.text;
        if (p->token.kind != TOKEN_NUMBER || !text_integer(text, strlen(text), &p->q->limit))
            return query_parser_unexpected(p, "a whole number");
        TRY(query_parser_advance(p));
    }
    if (query_parser_at_symbol(p, ";"))
        TRY(query_parser_advance(p));
    if (p->token.kind != TOKEN_END)
        return query_parser_unexpected(p, "the end of the query");
    for (uint32_t i = 0; p->q->aggregate && i < p->q->n_items; i++)
        if (p->q->items[i].function == QUERY_COLUMN && !is_group(p->q, p->q->items[i].column))
            return query_refuse(p->error, p->q->items[i].place,
                                "column %s is next to an aggregate: it must be in GROUP BY",
                                p->q->items[i].column);
    return KITH_OK;
}

kith_status query_parse(query *q, const char *text, arena *memory, kith_error *error)
{
    const size_t length = strlen(text);
    *q = (query){.limit = -1};
    if (length > QUERY_MAX_BYTES)
        return error_set(error, KITH_INVALID, "a query of %zu bytes is too long: at most %d",
                         length, QUERY_MAX_BYTES);
    if (text_utf8_error(text, length) < length)
        return error_set(error, KITH_INVALID, "the query is not valid UTF-8");
    query_parser p = {.q = q, .at = text, .place = {1, 1}, .memory = memory, .error = error};
    return parse_query(&p);
}

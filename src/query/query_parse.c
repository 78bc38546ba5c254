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

static kith_status too_many(const query_parser *p)
{
    return query_refuse(p->error, p->token.place, "more than %d items in a list", QUERY_MAX_ITEMS);
}

static kith_status parse_items(query_parser *p)
{
    query *q = p->q;
    q->items = TRY_ALLOC(arena_array(p->memory, QUERY_MAX_ITEMS, sizeof *q->items), p->error);
    for (;;) {
        if (q->n_items == QUERY_MAX_ITEMS)
            return too_many(p);
        TRY(parse_item(p, &q->items[q->n_items]));
        q->aggregate = q->aggregate || q->items[q->n_items].function != QUERY_COLUMN;
        q->n_items++;
        if (!query_parser_at_symbol(p, ","))
            return KITH_OK;
        TRY(query_parser_advance(p));
    }
}

/* --- GROUP BY, ORDER BY, LIMIT --- */

static kith_status parse_groups(query_parser *p)
{
    query *q = p->q;
    q->aggregate = true;
    q->groups = TRY_ALLOC(arena_array(p->memory, QUERY_MAX_ITEMS, sizeof *q->groups), p->error);
    for (;;) {
        if (q->n_groups == QUERY_MAX_ITEMS)
            return too_many(p);
        TRY(query_parser_take_name(p, &q->groups[q->n_groups++], "a column"));
        if (!query_parser_at_symbol(p, ","))
            return KITH_OK;
        TRY(query_parser_advance(p));
    }
}

/* An item of the SELECT list, by its title or written again. */
static kith_status parse_order(query_parser *p, query_order *order)
{
    query_item item;
    *order = (query_order){0};
    TRY(parse_item(p, &item));
    ASSERT(item.title != NULL);
    while (order->item < p->q->n_items &&
           strcasecmp(p->q->items[order->item].title, item.title) != 0)
        order->item++;
    if (order->item == p->q->n_items)
        return query_refuse(p->error, item.place,
                            "ORDER BY takes an item of the SELECT list, "
                            "which has no %s",
                            item.title);
    order->descending = query_parser_at_keyword(p, "desc");
    return order->descending || query_parser_at_keyword(p, "asc") ? query_parser_advance(p)
                                                                  : KITH_OK;
}

static kith_status parse_orders(query_parser *p)
{
    query *q = p->q;
    q->orders = TRY_ALLOC(arena_array(p->memory, QUERY_MAX_ITEMS, sizeof *q->orders), p->error);
    for (;;) {
        if (q->n_orders == QUERY_MAX_ITEMS)
            return too_many(p);
        TRY(parse_order(p, &q->orders[q->n_orders++]));
        if (!query_parser_at_symbol(p, ","))
            return KITH_OK;
        TRY(query_parser_advance(p));
    }
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
    TRY(parse_items(p));
    if (query_parser_at_keyword(p, "from")) {
        TRY(query_parser_advance(p));
        TRY(query_parser_take_name(p, &p->q->from, "the name of the study"));
        if (query_parser_at_symbol(p, ","))
            return query_refuse(p->error, p->token.place, "joins are not supported");
    }
    if (query_parser_at_keyword(p, "where")) {
        TRY(query_parser_advance(p));
        TRY(query_parse_where(p, &p->q->where));
    }
    if (query_parser_at_keyword(p, "group")) {
        TRY(query_parser_advance(p));
        TRY(query_parser_take_keyword(p, "by"));
        TRY(parse_groups(p));
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

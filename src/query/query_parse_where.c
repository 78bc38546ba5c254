/* Conditions: NOT binds closest, then AND, then OR. */
#include "core/error.h"
#include "query/query_parser.h"

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

/* The list of IN, between its parentheses. */
static kith_status parse_list(query_parser *p, query_atom *atom)
{
    size_t capacity = 0;
    TRY(query_parser_take_symbol(p, "("));
    if (query_parser_at_keyword(p, "select"))
        return query_refuse(p->error, p->token.place, "queries inside queries are not supported");
    for (;;) {
        TRY_GROW(atom->literals, capacity, atom->n_literals + (size_t)1, p->memory, p->error);
        TRY(parse_literal(p, &atom->literals[atom->n_literals++]));
        if (!query_parser_at_symbol(p, ","))
            return query_parser_take_symbol(p, ")");
        TRY(query_parser_advance(p));
    }
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
        return parse_list(p, atom);
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

static kith_status parse_not(query_parser *p, const query_condition **out)
{
    if (query_parser_at_symbol(p, "(")) {
        TRY(query_parser_advance(p));
        TRY(query_parse_where(p, out));
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

kith_status query_parse_where(query_parser *p, const query_condition **out)
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

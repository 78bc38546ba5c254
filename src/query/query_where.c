#include "query/query_where.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/text.h"
#include "table/typed_value.h"

/* The three truth values of SQL. */
typedef enum truth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_UNKNOWN } truth;

/* --- atoms --- */

/* A literal in the form in which values are compared. */
typedef struct operand {
    const char *text;
    double number;
} operand;

/* Where a query gives an ISO date, the column's own format may differ. */
static bool read_date(const query_domain *d, const query_literal *literal, locale_t c_locale,
                      double *number)
{
    int64_t seconds;
    const size_t length = strlen(literal->text);
    if (literal->is_number)
        return false;
    if (!typed_value_iso_date(literal->text, length, &seconds) &&
        (d->date_format == NULL ||
         !typed_value_date(literal->text, length, d->date_format, c_locale, &seconds)))
        return false;
    *number = (double)seconds;
    return true;
}

static kith_status read_operand(operand *o, const query_domain *d, const query_literal *literal,
                                locale_t c_locale, kith_error *error)
{
    char quoted[80];
    *o = (operand){.text = literal->text};
    text_quote(quoted, sizeof quoted, literal->text, strlen(literal->text));
    switch (d->type) {
    case KITH_TYPE_STRING:
        if (!literal->is_number)
            return KITH_OK;
        return query_refuse(error, literal->place, "column %s has texts: write '%s' in quotes",
                            d->name, quoted);
    case KITH_TYPE_DATE:
        if (read_date(d, literal, c_locale, &o->number))
            return KITH_OK;
        return query_refuse(error, literal->place,
                            "column %s has dates: expected a date such as '2024-03-09', found '%s'",
                            d->name, quoted);
    default:
        if (literal->is_number && text_decimal(o->text, strlen(o->text), &o->number))
            return KITH_OK;
        return query_refuse(error, literal->place,
                            "column %s has numbers: expected a number, found the text '%s'",
                            d->name, quoted);
    }
}

/* Below 0, 0 or above 0, as the value is less than, equal to or greater than the operand. */
static int compare_value(const query_domain *d, uint32_t position, const operand *o)
{
    if (d->numbers == NULL)
        return strcmp(d->texts[position], o->text);
    return d->numbers[position] < o->number ? -1 : d->numbers[position] > o->number;
}

static bool atom_holds(const query_atom *atom, const query_domain *d, uint32_t position,
                       const operand *operands)
{
    if (atom->op == QUERY_IN) {
        for (uint32_t i = 0; i < atom->n_literals; i++)
            if (compare_value(d, position, &operands[i]) == 0)
                return true;
        return false;
    }
    const int order = compare_value(d, position, &operands[0]);
    switch (atom->op) {
    case QUERY_EQUAL: return order == 0;
    case QUERY_UNEQUAL: return order != 0;
    case QUERY_LESS: return order < 0;
    case QUERY_LESS_EQUAL: return order <= 0;
    case QUERY_GREATER: return order > 0;
    case QUERY_GREATER_EQUAL: return order >= 0;
    default: return order >= 0 && compare_value(d, position, &operands[1]) <= 0; /* BETWEEN */
    }
}

/* Answers of an atom for all values, the missing one last. */
static kith_status answer_atom(unsigned char *answers, const query_atom *atom,
                               const query_domain *d, locale_t c_locale, arena *memory,
                               kith_error *error)
{
    const bool is_null = atom->op == QUERY_IS_NULL;
    operand *operands = TRY_ALLOC(arena_array(memory, atom->n_literals, sizeof *operands), error);
    for (uint32_t i = 0; i < atom->n_literals; i++)
        TRY(read_operand(&operands[i], d, &atom->literals[i], c_locale, error));
    for (uint32_t v = 0; v < d->n_values; v++)
        answers[v] = !is_null && atom_holds(atom, d, v, operands) ? TRUTH_TRUE : TRUTH_FALSE;
    answers[d->n_values] = is_null ? TRUTH_TRUE : TRUTH_UNKNOWN;
    return KITH_OK;
}

/* --- signatures --- */

/* Refines the signatures of a column by one more atom: values keep a signature if they had the same
 * before and have the same answer now. */
static kith_status refine(query_where_column *c, uint32_t n_positions, const unsigned char *answers,
                          arena *memory, kith_error *error)
{
    uint32_t next = 0;
    uint32_t *renamed =
        TRY_ALLOC(arena_array(memory, (size_t)3 * c->n_signatures, sizeof *renamed), error);
    memset(renamed, 0xff, (size_t)3 * c->n_signatures * sizeof *renamed);
    for (uint32_t v = 0; v < n_positions; v++) {
        uint32_t *name = &renamed[3 * c->signature_of[v] + answers[v]];
        if (*name == UINT32_MAX)
            *name = next++;
        c->signature_of[v] = *name;
    }
    c->n_signatures = next;
    return KITH_OK;
}

uint32_t query_where_find(const query_where *w, uint32_t domain)
{
    for (uint32_t c = 0; c < w->n_columns; c++)
        if (w->columns[c].domain == domain)
            return c;
    return UINT32_MAX;
}

static kith_status add_column(query_where *w, uint32_t domain, const query_domain *d, arena *memory,
                              kith_error *error)
{
    query_where_column *c = &w->columns[w->n_columns++];
    *c = (query_where_column){.domain = domain, .n_signatures = 1};
    c->signature_of =
        TRY_ALLOC(arena_zalloc(memory, (size_t)d->n_values + 1, sizeof *c->signature_of), error);
    return KITH_OK;
}

/* --- combinations --- */

static truth negate(truth t)
{
    return t == TRUTH_UNKNOWN ? t : t == TRUTH_TRUE ? TRUTH_FALSE : TRUTH_TRUE;
}

static truth evaluate(const query_condition *c, const unsigned char *atoms)
{
    switch (c->connective) {
    case QUERY_ATOM: return atoms[c->atom];
    case QUERY_NOT: return negate(evaluate(c->left, atoms));
    default: break;
    }
    const truth left = evaluate(c->left, atoms), right = evaluate(c->right, atoms);
    const truth decisive = c->connective == QUERY_AND ? TRUTH_FALSE : TRUTH_TRUE;
    if (left == decisive || right == decisive)
        return decisive;
    return left == TRUTH_UNKNOWN || right == TRUTH_UNKNOWN ? TRUTH_UNKNOWN : negate(decisive);
}

/* Evaluates the condition for every combination of signatures. `representative[c][s]` is a position
 * of column c with signature s; answers[i] are those of atom i. */
static kith_status fill_combinations(query_where *w, const query *q, const uint32_t *atom_domains,
                                     const query_domain *domains, unsigned char *const *answers,
                                     arena *memory, kith_error *error)
{
    uint32_t **representative =
        TRY_ALLOC(arena_array(memory, w->n_columns, sizeof *representative), error);
    unsigned char *atoms = TRY_ALLOC(arena_alloc(memory, q->n_atoms), error);
    uint64_t n = 1;
    for (uint32_t c = 0; c < w->n_columns; c++) {
        query_where_column *column = &w->columns[c];
        representative[c] =
            TRY_ALLOC(arena_array(memory, column->n_signatures, sizeof **representative), error);
        for (uint32_t v = 0; v <= domains[column->domain].n_values; v++)
            representative[c][column->signature_of[v]] = v;
        column->stride = (uint32_t)n;
        n *= column->n_signatures;
        if (n > QUERY_MAX_COMBINATIONS)
            return error_set(error, KITH_INVALID,
                             "the condition is too complex: more than %d combinations of answers",
                             QUERY_MAX_COMBINATIONS);
    }
    w->n_combinations = (uint32_t)n;
    w->holds = TRY_ALLOC(arena_array(memory, n, sizeof *w->holds), error);
    for (uint32_t i = 0; i < w->n_combinations; i++) {
        for (uint32_t a = 0; a < q->n_atoms; a++) {
            const uint32_t c = query_where_find(w, atom_domains[a]);
            ASSERT(w->columns[c].stride > 0 && w->columns[c].n_signatures > 0);
            const uint32_t s = i / w->columns[c].stride % w->columns[c].n_signatures;
            atoms[a] = answers[a][representative[c][s]];
        }
        w->holds[i] = q->where == NULL || evaluate(q->where, atoms) == TRUTH_TRUE;
    }
    return KITH_OK;
}

static kith_status compile(query_where *w, const query *q, const query_domain *domains,
                           const uint32_t *atom_domains, locale_t c_locale, arena *memory,
                           kith_error *error)
{
    unsigned char **answers = TRY_ALLOC(arena_array(memory, q->n_atoms, sizeof *answers), error);
    w->columns = TRY_ALLOC(arena_array(memory, q->n_atoms, sizeof *w->columns), error);
    for (uint32_t a = 0; a < q->n_atoms; a++) {
        const query_domain *d = &domains[atom_domains[a]];
        answers[a] = TRY_ALLOC(arena_alloc(memory, (size_t)d->n_values + 1), error);
        TRY(answer_atom(answers[a], &q->atoms[a], d, c_locale, memory, error));
        if (query_where_find(w, atom_domains[a]) == UINT32_MAX)
            TRY(add_column(w, atom_domains[a], d, memory, error));
        TRY(refine(&w->columns[query_where_find(w, atom_domains[a])], d->n_values + 1, answers[a],
                   memory, error));
    }
    return fill_combinations(w, q, atom_domains, domains, answers, memory, error);
}

kith_status query_where_compile(query_where *w, const query *q, const query_domain *domains,
                                const uint32_t *atom_domains, arena *memory, kith_error *error)
{
    *w = (query_where){0};
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return error_nomem(error);
    kith_status status = compile(w, q, domains, atom_domains, c_locale, memory, error);
    freelocale(c_locale);
    return status;
}

/* --- records --- */

/* Sums over the signatures of the columns from `column` on; the signatures of those before it are
 * in `combination`, with the product of their shares. */
static void walk(const query_where *w, const query_cell_shares *cells, uint32_t column,
                 uint32_t combination, double share, query_truth *t)
{
    if (column == w->n_columns) {
        t->expected += w->holds[combination] ? share : 0;
        t->certain = t->certain && w->holds[combination];
        t->possible = t->possible || w->holds[combination];
        return;
    }
    const query_cell_shares *cell = &cells[column];
    for (uint32_t i = 0; i < cell->n; i++)
        walk(w, cells, column + 1, combination + cell->signatures[i] * w->columns[column].stride,
             share * cell->shares[i], t);
}

query_truth query_where_evaluate(const query_where *w, const query_cell_shares *cells)
{
    query_truth t = {.certain = true};
    walk(w, cells, 0, 0, 1, &t);
    if (t.certain) /* exactly, whatever the sum of shares was rounded to */
        t.expected = 1;
    return t;
}

#include "query/query_split.h"

#include <locale.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/text.h"
#include "table/typed_value.h"

/* The three truth values of SQL. */
typedef enum truth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_UNKNOWN } truth;

/* --- atoms --- */

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

static kith_status read_operand(query_operand *o, const query_domain *d,
                                const query_literal *literal, locale_t c_locale, kith_error *error)
{
    char quoted[80];
    *o = (query_operand){.text = literal->text};
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

static bool atom_holds(const query_atom *atom, const query_domain *d, const query_part *part,
                       const query_operand *operands)
{
    if (atom->op == QUERY_IN) {
        for (uint32_t i = 0; i < atom->n_literals; i++)
            if (query_split_compare(d, part, &operands[i]) == 0)
                return true;
        return false;
    }
    const int order = query_split_compare(d, part, &operands[0]);
    switch (atom->op) {
    case QUERY_EQUAL: return order == 0;
    case QUERY_UNEQUAL: return order != 0;
    case QUERY_LESS: return order < 0;
    case QUERY_LESS_EQUAL: return order <= 0;
    case QUERY_GREATER: return order > 0;
    case QUERY_GREATER_EQUAL: return order >= 0;
    default: return order >= 0 && query_split_compare(d, part, &operands[1]) <= 0; /* BETWEEN */
    }
}

/* What an atom says of a part. */
static truth answer_atom(const query_atom *atom, const query_domain *d, const query_part *part,
                         const query_operand *operands)
{
    const bool is_null = atom->op == QUERY_IS_NULL;
    if (part->missing)
        return is_null ? TRUTH_TRUE : TRUTH_UNKNOWN;
    return !is_null && atom_holds(atom, d, part, operands) ? TRUTH_TRUE : TRUTH_FALSE;
}

/* --- signatures --- */

uint32_t query_where_find(const query_where *w, uint32_t domain)
{
    for (uint32_t c = 0; c < w->n_columns; c++)
        if (w->columns[c].domain == domain)
            return c;
    return UINT32_MAX;
}

/* A column with its parts, which all literals of its atoms cut. */
static kith_status query_where_add_column(query_where *w, const query *q,
                                          const uint32_t *atom_domains,
                                          query_operand *const *operands, uint32_t domain,
                                          const query_domain *d, arena *memory, kith_error *error)
{
    query_where_column *c = &w->columns[w->n_columns++];
    query_parts parts;
    uint32_t n = 0;
    size_t n_all = 0;
    for (uint32_t a = 0; a < q->n_atoms; a++)
        n_all += q->atoms[a].n_literals;
    query_operand *literals = TRY_ARRAY(literals, memory, n_all, error);
    for (uint32_t a = 0; a < q->n_atoms; a++)
        for (uint32_t i = 0; i < q->atoms[a].n_literals && atom_domains[a] == domain; i++)
            literals[n++] = operands[a][i];
    TRY(query_split(&parts, d, literals, n, memory, error));
    *c = (query_where_column){
        .domain = domain, .n_signatures = 1, .first_part = parts.first, .parts = parts.all};
    return KITH_OK;
}

/* What the parts of each value say of a cell. */
static kith_status share_values(query_where_column *c, uint32_t n_values, arena *memory,
                                kith_error *error)
{
    const uint32_t n_parts = c->first_part[n_values + 1];
    uint32_t *at = TRY_ARRAY(at, memory, c->n_signatures, error);
    uint32_t *signatures = TRY_ARRAY(signatures, memory, n_parts, error);
    double *shares = TRY_ARRAY(shares, memory, n_parts, error);
    c->of_value = TRY_ARRAY(c->of_value, memory, (size_t)n_values + 1, error);
    memset(at, 0xff, c->n_signatures * sizeof *at);
    for (uint32_t v = 0; v <= n_values; v++) {
        uint32_t n = 0;
        for (uint32_t i = c->first_part[v]; i < c->first_part[v + 1]; i++) {
            const query_part *part = &c->parts[i];
            if (at[part->signature] == UINT32_MAX) {
                signatures[n] = part->signature;
                shares[n] = 0;
                at[part->signature] = n++;
            }
            shares[at[part->signature]] += part->share;
        }
        for (uint32_t i = 0; i < n; i++)
            at[signatures[i]] = UINT32_MAX;
        c->of_value[v] = (query_cell_shares){n, signatures, shares};
        signatures += n;
        shares += n;
    }
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

/* Evaluates the condition for every combination of signatures. `representative[c][s]` is a part
 * of column c with signature s; answers[i] are those of atom i. */
static kith_status fill_combinations(query_where *w, const query *q, const uint32_t *atom_domains,
                                     const query_domain *domains, unsigned char *const *answers,
                                     arena *memory, kith_error *error)
{
    uint32_t **representative = TRY_ARRAY(representative, memory, w->n_columns, error);
    unsigned char *atoms = TRY_ALLOC(arena_alloc(memory, q->n_atoms), error);
    uint64_t n = 1;
    for (uint32_t c = 0; c < w->n_columns; c++) {
        query_where_column *column = &w->columns[c];
        representative[c] =
            TRY_ALLOC(arena_array(memory, column->n_signatures, sizeof **representative), error);
        const uint32_t n_parts = column->first_part[domains[column->domain].n_values + 1];
        for (uint32_t i = 0; i < n_parts; i++)
            representative[c][column->parts[i].signature] = i;
        column->stride = (uint32_t)n;
        n *= column->n_signatures;
        if (n > QUERY_MAX_COMBINATIONS)
            return error_set(error, KITH_INVALID,
                             "the condition is too complex: more than %d combinations of answers",
                             QUERY_MAX_COMBINATIONS);
    }
    w->n_combinations = (uint32_t)n;
    w->holds = TRY_ARRAY(w->holds, memory, n, error);
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

kith_status query_where_compile(query_where *w, const query *q, const query_domain *domains,
                                const uint32_t *atom_domains, arena *memory, kith_error *error)
{
    const locale_t c_locale = text_c_locale();
    *w = (query_where){0};
    if (c_locale == (locale_t)0)
        return error_nomem(error);
    unsigned char **answers = TRY_ARRAY(answers, memory, q->n_atoms, error);
    query_operand **operands = TRY_ARRAY(operands, memory, q->n_atoms, error);
    w->columns = TRY_ARRAY(w->columns, memory, q->n_atoms, error);
    for (uint32_t a = 0; a < q->n_atoms; a++) {
        operands[a] = TRY_ARRAY(operands[a], memory, q->atoms[a].n_literals, error);
        for (uint32_t i = 0; i < q->atoms[a].n_literals; i++)
            TRY(read_operand(&operands[a][i], &domains[atom_domains[a]], &q->atoms[a].literals[i],
                             c_locale, error));
    }
    for (uint32_t a = 0; a < q->n_atoms; a++) {
        const uint32_t domain = atom_domains[a];
        const query_domain *d = &domains[domain];
        if (query_where_find(w, domain) == UINT32_MAX)
            TRY(query_where_add_column(w, q, atom_domains, operands, domain, d, memory, error));
        query_where_column *c = &w->columns[query_where_find(w, domain)];
        const uint32_t n_parts = c->first_part[d->n_values + 1];
        answers[a] = TRY_ALLOC(arena_alloc(memory, n_parts), error);
        for (uint32_t i = 0; i < n_parts; i++)
            answers[a][i] = (unsigned char)answer_atom(&q->atoms[a], d, &c->parts[i], operands[a]);
        /* Refines the signatures of a column by one more atom: parts keep a signature if they had
         * the same before and have the same answer now. */
        uint32_t next = 0;
        uint32_t *renamed = TRY_ARRAY(renamed, memory, (size_t)3 * c->n_signatures, error);
        memset(renamed, 0xff, (size_t)3 * c->n_signatures * sizeof *renamed);
        for (uint32_t i = 0; i < n_parts; i++) {
            uint32_t *name = &renamed[3 * c->parts[i].signature + answers[a][i]];
            if (*name == UINT32_MAX)
                *name = next++;
            c->parts[i].signature = *name;
        }
        c->n_signatures = next;
    }
    for (uint32_t c = 0; c < w->n_columns; c++)
        TRY(share_values(&w->columns[c], domains[w->columns[c].domain].n_values, memory, error));
    return fill_combinations(w, q, atom_domains, domains, answers, memory, error);
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

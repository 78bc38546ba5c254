/* The risk of a sample as a document. */

#include "job/analysis/sample_risk.h"

enum { TOP = 5 };

static void put_uniqueness(kith_document *d, document_node *parent, const char *key,
                           const sample_risk *r, double people)
{
    document_node *node = document_object(d, parent, key);
    document_put_count(d, node, "sample_uniques", r->n_singles);
    document_put_number(d, node, "zayatz", r->unique.zayatz);
    document_put_number(d, node, "pitman", r->unique.pitman);
    document_put_number(d, node, "snb", r->unique.snb);
    document_put_number(d, node, "dankar", r->unique.dankar);
    document_put_text(d, node, "dankar_took", r->unique.dankar_took);
    document_put_number(d, node, "share", r->unique.dankar / people);
}

static void put_individual(kith_document *d, document_node *parent, const char *key,
                           const sample_risk *r)
{
    if (!r->has_individual) {
        document_put_null(d, parent, key);
        return;
    }
    document_node *node = document_object(d, parent, key);
    document_put_number(d, node, "highest", r->individual.highest);
    document_put_number(d, node, "mean", r->individual.mean);
    document_put_number(d, node, "expected", r->individual.expected);
    document_put_count(d, node, "records_at_risk", r->individual.n_above);
}

/* The rows with the highest scores, the first ones of equal ones. rows[i] is the row of the data
 * behind record i; NULL: records are rows. */
static void put_top(kith_document *d, document_node *parent, const sample_risk *of,
                    const uint32_t *rows, uint32_t n_rows)
{
    const special_uniques *s = &of->special;
    uint32_t top[TOP], n = 0;
    for (uint32_t i = 0; i < n_rows; i++) {
        if (s->scores[i] == 0 || (n == TOP && s->scores[i] <= s->scores[top[TOP - 1]]))
            continue;
        uint32_t at = n < TOP ? n++ : TOP - 1;
        for (; at > 0 && s->scores[top[at - 1]] < s->scores[i]; at--)
            top[at] = top[at - 1];
        top[at] = i;
    }
    document_node *list = document_array(d, parent, "top");
    for (uint32_t i = 0; i < n; i++) {
        document_node *one = document_object(d, list, NULL);
        document_put_count(d, one, "row", (rows == NULL ? top[i] : rows[top[i]]) + (uint64_t)1);
        document_put_number(d, one, "score", s->scores[top[i]]);
        document_put_number(d, one, "dis", of->dis_scores[top[i]]);
        document_put_count(d, one, "sets", s->sets_of[top[i]]);
    }
}

static void put_special(kith_document *d, document_node *parent, const char *key,
                        const sample_risk *of, const prepared *p, bool released)
{
    const special_uniques *s = &of->special;
    document_node *node = document_object(d, parent, key);
    const uint32_t n_rows = p->n_rows;
    double sum = 0, contributions = 0;
    for (uint32_t i = 0; i < n_rows; i++)
        sum += s->scores[i];
    document_put_count(d, node, "records", s->n_records);
    document_node *sets = document_array(d, node, "sets");
    for (uint32_t size = 1; size <= s->max_size; size++)
        document_put_count(d, sets, NULL, s->n_sets[size]);
    document_put_number(d, node, "mean_score", n_rows > 0 ? sum / n_rows : 0);
    document_put_number(d, node, "dis", of->dis.dis);
    document_put_number(d, node, "dis_highest", of->dis.highest);
    document_put_number(d, node, "dis_mean", of->dis.mean);
    document_node *columns = document_array(d, node, "columns");
    for (uint32_t j = 0; j < p->problem.n_attributes; j++)
        contributions += s->column_scores[j];
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        document_node *one = document_object(d, columns, NULL);
        document_put_text(d, one, "column", p->columns[p->quasi[j]].study->name);
        document_put_number(d, one, "share",
                            contributions > 0 ? s->column_scores[j] / contributions : 0);
    }
    put_top(d, node, of, released ? NULL : p->rows, n_rows);
}

static void put_disclosure(kith_document *d, document_node *parent, const char *key,
                           const disclosure *one)
{
    document_node *node = document_object(d, parent, key);
    document_put_number(d, node, "highest", one->highest);
    document_put_number(d, node, "mean", one->mean);
    document_put_count(d, node, "certain_records", one->n_certain);
}

void sample_risk_put(kith_document *d, document_node *root, const sample_risk_report *r)
{
    const double n_rows = (double)prepare_whole_rows(r->data);
    if (r->population > 0) {
        document_node *node = document_object(d, root, "population");
        document_put_number(d, node, "size", r->population);
        document_put_number(d, node, "share", n_rows / r->population);
        put_uniqueness(d, node, "before", &r->before, r->population);
        put_uniqueness(d, node, "after", &r->after, r->population);
        node = document_object(d, root, "individual");
        document_put_text(d, node, "weights", r->task->weights.name);
        put_individual(d, node, "before", &r->before);
        put_individual(d, node, "after", &r->after);
    }
    if (r->task->max_size > 0) {
        document_node *node = document_object(d, root, "special_uniques");
        document_put_count(d, node, "max_size", r->before.special.max_size);
        document_put_number(d, node, "fraction", r->fraction);
        put_special(d, node, "before", &r->before, r->data, false);
        put_special(d, node, "after", &r->after, r->data, true);
    }
    document_node *list = document_array(d, root, "disclosure");
    for (uint32_t s = 0; s < r->n_sensitive; s++) {
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "column", r->sensitive[s]);
        document_put_number(d, one, "overall", r->before.disclosures[s].overall);
        put_disclosure(d, one, "before", &r->before.disclosures[s]);
        put_disclosure(d, one, "after", &r->after.disclosures[s]);
    }
}

#include "job/joint/joint_disclosures.h"

#include "job/joint/joint_domain.h"
#include "protocol/supports.h"
#include "study/holders.h"

disclosure_case joint_disclosures_case(const kith_study *study)
{
    uint32_t holder, one, other;
    uint64_t traits = 0;
    for (uint32_t i = 0; i < study->n_models; i++) {
        const model_spec *m = &study->models[i];
        if (m->id != MODEL_K_ANONYMITY && m->id != MODEL_DOMINANCE)
            traits |= TRAIT_VALUE_MODELS;
        if (supports_by_trimming(m))
            traits |= TRAIT_BY_FREQUENCY;
    }
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (joint_domain_unites(study, i))
            traits |= TRAIT_UNITED_VALUES | TRAIT_SECRET_LABELS;
        if (holders_may_miss(study, i))
            traits |= TRAIT_MISSING;
        if (holders_release(study, i) && study->columns[i].role != ROLE_QUASI_IDENTIFYING)
            traits |= TRAIT_RELEASED_CELLS;
    }
    disclosure_case c = {.options = &study->joint, .n_parties = study->n_parties, .traits = traits};
    if (prepare_counts_values(study))
        c.traits |= TRAIT_DISTRIBUTIONS;
    if (study->search.finish != FINISH_MERGE)
        c.traits |= TRAIT_HYBRID_FINISH;
    if (study->search.n_restarts > 1)
        c.traits |= TRAIT_RESTARTS;
    if (study->joint.protocol->traits != NULL)
        c.traits |= study->joint.protocol->traits(study);
    if (study->joint.partition == PARTITION_VERTICAL &&
        holders_of_cells(study, &holder, &one, &other) && holder != HOLDERS_NONE)
        c.pivot = holder;
    return c;
}

ledger_words joint_disclosures_explain(const void *reader, const char *step, const char *what)
{
    const joint_disclosures_reader *r = reader;
    const disclosure_line *lines[DISCLOSURES_MAX + 1];
    const disclosure_line *line = disclosures_find(&r->study, r->self, step, what);
    ledger_words words = {.says = disclosures_say(step, what)};
    if (line == NULL)
        return words;
    disclosures_list(lines, &r->study);
    while (lines[words.number] != line)
        words.number++;
    words.number++; /* people count from 1 on */
    words.promise = line->what;
    return words;
}

/* Adds "discloses"; with `self` also whether that party learns each. */
static void put_lines(kith_document *d, document_node *parent, const disclosure_case *c,
                      const uint32_t *self)
{
    const disclosure_line *lines[DISCLOSURES_MAX + 1];
    document_node *list = document_array(d, parent, "discloses");
    disclosures_list(lines, c);
    for (size_t i = 0; lines[i] != NULL; i++) {
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "to", disclosures_audience(lines[i]->to));
        document_put_text(d, one, "what", lines[i]->what);
        if (self != NULL)
            document_put_flag(d, one, "to_this_party", disclosures_reach(lines[i]->to, c, *self));
    }
}

void joint_disclosures_announce(const void *reader, kith_document *d, document_node *root)
{
    const joint_disclosures_reader *r = reader;
    put_lines(d, root, &r->study, &r->self);
}

void joint_disclosures_put(kith_document *d, document_node *parent, const kith_study *study)
{
    const disclosure_case c = joint_disclosures_case(study);
    put_lines(d, parent, &c, NULL);
}

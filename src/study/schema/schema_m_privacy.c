/* The model m-privacy, which joint runs over rows keep unless the study says otherwise:
 *
 *     - {model: m-privacy, k: 3, values: 2}
 *
 * Without the records of any one site k are left of a class, and `values` different values of every
 * sensitive column that a model looks at. */
#include "core/findings.h"
#include "study/schema/schema.h"

/* Where columns are split every site has every record, and the other protocols cannot keep a model
 * about sites. */
bool schema_m_privacy_kept(const protocol_options *o)
{
    return o->partition == PARTITION_HORIZONTAL && o->protocol->rows != NULL;
}

/* Less than the default is allowed and worth a warning. Where a class may belong to one site alone,
 * k = 1 would ask for nothing. */
static void check_records(study_draft *d)
{
    const model_spec *m = &d->m_privacy;
    if (m->line == 0 || m->k >= PROTOCOL_MIN_OTHERS)
        return;
    if (d->study->joint.protocol->one_site && m->k == 1)
        findings_add(d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, (size_t)m->line, 0,
                     "m-privacy: k = 1 asks for nothing with the protocol %s; expected at "
                     "least 2, or 0, which takes the default back",
                     options_protocol_name(&d->study->joint));
    else
        findings_add(d->walk->findings, KITH_SEVERITY_WARNING, d->walk->file, (size_t)m->line, 0,
                     "m-privacy with k = %u: a site that takes its own records off a class may "
                     "find %s of another site there; without this line k is %d",
                     m->k, m->k == 2 ? "no more than two records" : "a single record",
                     PROTOCOL_MIN_OTHERS);
}

static void refuse_values(study_draft *d, const char *why)
{
    findings_add(d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, (size_t)d->m_privacy.line,
                 0, "m-privacy: %s", why);
}

/* `values` that the study gives must ask for something, and be kept. */
static void check_values(study_draft *d, bool looks_at_values)
{
    const model_spec *m = &d->m_privacy;
    if (m->other_values == SCHEMA_NOT_GIVEN)
        return;
    if (!looks_at_values)
        refuse_values(d, "values is for studies with a model about sensitive values, such as "
                         "l-diversity");
    else if (m->k == 0)
        refuse_values(d, "with k = 0 nothing is asked for, and values has no effect");
    else if (m->other_values == 1)
        refuse_values(d, "values = 1 asks for nothing; expected at least 2, or 0, which takes the "
                         "default back");
    else if (m->other_values > 1 && d->study->joint.overlap == OVERLAP_MATCHED)
        refuse_values(d, "with overlap: matched a site can also take away the records that others "
                         "have of those whom it has, too, and nobody can tell which values are "
                         "left then");
    else if (m->other_values > 1 && d->study->joint.private_diversity)
        refuse_values(d, "values need the counts that private_diversity hides; the protocols weave "
                         "and mondrian keep them without opening counts");
}

/* Where others may be left with one value, a site knows what they have. */
static void warn_of_one_value(study_draft *d, uint32_t values)
{
    const bool hidden = d->study->joint.private_diversity;
    const bool matched = d->study->joint.overlap == OVERLAP_MATCHED;
    if (values > 0)
        return;
    findings_add(d->walk->findings, KITH_SEVERITY_WARNING, d->walk->file, (size_t)d->m_privacy.line,
                 0,
                 "a site that takes its own records off a class may find that all others have the "
                 "same sensitive value: m-privacy does not ask for values%s",
                 matched  ? " with overlap: matched"
                 : hidden ? " with private_diversity; the protocols weave and mondrian do"
                          : "; without this line it asks for 2");
}

void schema_m_privacy(study_draft *d)
{
    protocol_options *o = &d->study->joint;
    model_spec *m = &d->m_privacy;
    const bool given = m->line > 0, kept = schema_m_privacy_kept(o);
    const bool looks = schema_looks_at_values(d);
    const bool asks = !o->private_diversity && o->overlap != OVERLAP_MATCHED;
    uint32_t values = kept && looks && asks ? PROTOCOL_OTHER_VALUES : 0;
    if (kept && given) {
        check_records(d);
        check_values(d, looks);
        if (m->other_values != SCHEMA_NOT_GIVEN)
            values = m->other_values;
    }
    if (given && m->k == 0)
        values = 0;
    if (kept && looks && !(given && m->k == 0)) /* of which check_records warns */
        warn_of_one_value(d, values);
    if (!given)
        o->other_values = values;
    for (uint32_t i = 0; i < d->n_site_models; i++)
        if (d->site_models[i].id == MODEL_M_PRIVACY)
            d->site_models[i].other_values = values;
}

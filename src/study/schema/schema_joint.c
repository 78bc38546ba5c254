/* Keys of joint runs: how the table is split, by which protocol, and how that one runs.
 *
 *     partition: horizontal | vertical | hybrid    rows, columns, or both at several sites
 *     protocol: weave                              or another that is built
 *
 * The protocol says which of the other keys it has. Every key that has no effect is refused: these keys decide what the parties disclose to each other, and a user who sets
 * one relies on it. */
#include "study/schema/schema.h"

#include <string.h>

#include "core/findings.h"
#include "protocol/supports.h"
#include "study/holders.h"

#define FOR_ALL(number, name, all) [number] = (all),
static const bool for_all[JOINT_KEYS] = {SCHEMA_JOINT_KEYS(FOR_ALL)};

static bool has_key(const protocol_module *m, int key)
{
    for (const char *const *k = m->keys; !for_all[key] && *k != NULL; k++)
        if (strcmp(*k, schema_joint_key(key)) == 0)
            return true;
    return for_all[key];
}

/* Sets the protocol that the study names. */
static void read_protocol(study_draft *d, const yaml_node_t *node)
{
    const char *built[PROTOCOL_MODULES + 1] = {NULL};
    char list[128];
    size_t choice;
    for (size_t i = 0; protocol_modules[i] != NULL; i++)
        built[i] = protocol_modules[i]->name;
    for (const char *const *absent = protocol_absent; *absent != NULL && node != NULL; absent++)
        if (yaml_walk_is_text(node) &&
            strcmp((const char *)node->data.scalar.value, *absent) == 0) {
            yaml_walk_list(list, sizeof list, built, ", ");
            yaml_walk_problem(d->walk, node,
                              "protocol: %s is not in this build of kith, which has %s", *absent,
                              list);
            return;
        }
    if (yaml_walk_choice(d->walk, node, "protocol", built, &choice))
        d->study->joint.protocol = protocol_modules[choice];
}

/* The protocol for data that is split like this, of a study that names none. */
static void use_default(study_draft *d, const yaml_node_t *node)
{
    const protocol_module *m = protocol_module_for(d->study->joint.partition);
    if (m != NULL)
        d->study->joint.protocol = m;
    else
        yaml_walk_problem(d->walk, node, "partition: this kith was built without a protocol for %s",
                          options_partition_name(d->study->joint.partition));
}

/* Reads partition and protocol, and sets the algorithm that goes with them. A study may name one of
 * the two: a partition has a default protocol, and a protocol without partition means rows. */
void schema_joint_begin(study_draft *d, const yaml_node_t *const *nodes)
{
    protocol_options *o = &d->study->joint;
    size_t choice;
    *o = (protocol_options){.protocol = &protocol_module_none,
                            .master = PROTOCOL_MASTER_EXTERNAL,
                            .n_replicas = 1,
                            .drop_unmatched = true,
                            .min_others = d->m_privacy.line == 0 ? PROTOCOL_MIN_OTHERS : 0,
                            .n_site_models = d->n_site_models,
                            .site_models = d->site_models};
    if (yaml_walk_choice(d->walk, nodes[JOINT_PARTITION], "partition",
                         options_partitions + PARTITION_HORIZONTAL, &choice))
        o->partition = (partition_kind)(choice + PARTITION_HORIZONTAL);
    read_protocol(d, nodes[JOINT_PROTOCOL]);
    if (o->protocol != &protocol_module_none && nodes[JOINT_PARTITION] == NULL)
        o->partition = PARTITION_HORIZONTAL;
    if (o->protocol == &protocol_module_none && o->partition != PARTITION_NONE)
        use_default(d, nodes[JOINT_PARTITION]);
    if (!schema_m_privacy_kept(o))
        o->min_others = 0;
    d->engine = o->protocol->engine;
    d->study->search.regions = o->protocol->regions;
}

/* Explains why a key has no effect on data that is split like this; NULL if it may have one. */
static const char *misplaced(int key, partition_kind kind)
{
    bool rows = kind == PARTITION_HORIZONTAL, columns = kind == PARTITION_VERTICAL;
    switch (key) {
    case JOINT_OVERLAP:
    case JOINT_MATCH:
        return rows ? NULL
                    : "overlap and match are for horizontal data: sites that hold columns need one "
                      "row per person";
    case JOINT_NAME: return columns ? NULL : "name is for vertical data";
    case JOINT_POOLS: return columns ? NULL : "pools is for vertical data";
    case JOINT_NOISE: return columns ? NULL : "noise is for vertical data";
    case JOINT_IDS:
        return rows ? "ids is for columns at several sites: rows are not joined here" : NULL;
    case JOINT_UNMATCHED:
        return rows ? "unmatched is for columns at several sites: rows are not joined here" : NULL;
    case JOINT_BLUR:
    case JOINT_QUIET:
    case JOINT_REWEAVE:
        return columns
                   ? "blur, quiet and reweave are for horizontal data: the joint tree of columns "
                     "opens no counts"
                   : NULL;
    case JOINT_HIDE_SIZES:
        return columns ? "hide_sizes is for horizontal data: sites that hold columns of the same "
                         "records know how many there are"
                       : NULL;
    case JOINT_WITHHOLD:
        return columns ? "withhold is for horizontal data: here the clusters are public record by "
                         "record"
                       : NULL;
    case JOINT_PRIVATE_DIVERSITY:
        return columns ? "private_diversity is for horizontal data: here one site holds all "
                         "sensitive columns, and no other site learns counts of their values"
                       : NULL;
    default: return NULL;
    }
}

/* A key without effect is an error: a user who sets `hide_sizes` and gets no hidden sizes would
 * publish more than was meant. */
static void check_uses(study_draft *d, const yaml_node_t *const *nodes)
{
    const protocol_options *o = &d->study->joint;
    for (int key = JOINT_PROTOCOL + 1; key < JOINT_KEYS; key++) {
        const char *why = misplaced(key, o->partition), *able[PROTOCOL_MODULES + 1] = {NULL};
        if (nodes[key] != NULL && why != NULL)
            yaml_walk_problem(d->walk, nodes[key], "%s", why);
        const bool of_persons =
            key == JOINT_HIDE_SIZES && o->overlap == OVERLAP_MATCHED && !o->protocol->by_master;
        if (nodes[key] == NULL || why != NULL || has_key(o->protocol, key) || of_persons)
            continue;
        size_t count = 0;
        for (const protocol_module *const *m = protocol_modules; *m != NULL; m++)
            if (has_key(*m, key))
                able[count++] = (*m)->name;
        char list[64];
        yaml_walk_list(list, sizeof list, able, ", ");
        yaml_walk_problem(
            d->walk, nodes[key], "%s is for the protocol %s, not for %s", schema_joint_key(key),
            count > 0 ? list : "that this kith was built without", options_protocol_name(o));
    }
}

/* Flags differ only in their key and in where they go. */
static void read_flags(study_draft *d, const yaml_node_t *const *nodes)
{
    protocol_options *o = &d->study->joint;
    const struct {
        int key;
        bool *flag;
    } flags[] = {{JOINT_HIDE_SIZES, &o->hide_sizes},
                 {JOINT_PRIVATE_DIVERSITY, &o->private_diversity},
                 {JOINT_PUBLISH_INSENSITIVE, &o->publish_insensitive},
                 {JOINT_BLUR, &o->blur},
                 {JOINT_QUIET, &o->quiet},
                 {JOINT_AGAIN, &o->again}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        yaml_walk_flag(d->walk, nodes[flags[i].key], schema_joint_key(flags[i].key), flags[i].flag);
}

/* `aligned`, or the column whose cells identify persons. The study need not list that column,
 * because columns that a study does not list are identifying. */
static void read_ids(study_draft *d, const yaml_node_t *node)
{
    const char *text;
    if (!yaml_walk_text(d->walk, node, "ids", &text))
        return;
    if (strcmp(text, "aligned") == 0) {
        d->study->joint.ids_aligned = true;
        if (d->study->joint.partition == PARTITION_HYBRID)
            yaml_walk_problem(d->walk, node,
                              "ids: aligned is for vertical data: here sites hold different rows, "
                              "which a column must join");
        return;
    }
    const study_column *c = schema_find_column(d, text);
    if (c != NULL && c->role != ROLE_IDENTIFYING)
        yaml_walk_problem(d->walk, node, "ids: column '%s' is not identifying (line %zu)", c->name,
                          c->line);
    d->study->id_column = text;
}

/* Without `ids` rows are joined by the only identifying column that the study lists. If it lists
 * several, the user must choose; schema_holders reports it. */
static void default_ids(study_draft *d)
{
    const protocol_options *o = &d->study->joint;
    uint32_t count = 0;
    if (o->ids_aligned || d->study->id_column != NULL || o->partition < PARTITION_VERTICAL)
        return;
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        if (d->columns[i].role == ROLE_IDENTIFYING) {
            d->study->id_column = d->columns[i].name;
            count++;
        }
    if (count > 1)
        d->study->id_column = NULL;
}

/* Keys whose values must fit to other keys. */
static void read_rest(study_draft *d, const yaml_node_t *const *nodes)
{
    static const char *const publish[] = {"joint", "own-rows", "virtual", NULL};
    static const char *const unmatched[] = {"drop", "error", NULL};
    protocol_options *o = &d->study->joint;
    size_t choice;
    if (yaml_walk_choice(d->walk, nodes[JOINT_PUBLISH], "publish", publish, &choice)) {
        o->own_rows = choice > 0;
        o->virtual_rows = choice == 2;
    }
    if (o->virtual_rows && o->protocol->suppresses)
        yaml_walk_problem(d->walk, nodes[JOINT_PUBLISH],
                          "publish: virtual is not for the protocol %s", options_protocol_name(o));
    if (o->own_rows && o->partition != PARTITION_HORIZONTAL)
        yaml_walk_problem(d->walk, nodes[JOINT_PUBLISH],
                          "publish: %s is for horizontal data: here no site has whole rows",
                          o->virtual_rows ? "virtual" : "own-rows");
    yaml_walk_whole(d->walk, nodes[JOINT_ROWS], "rows", 1, &o->max_rows);
    const uint32_t k = models_minimum_size(d->study->models, d->study->n_models);
    if (o->blur && has_key(o->protocol, JOINT_BLUR) && k < PROTOCOL_BLUR_SHARE)
        yaml_walk_problem(d->walk, nodes[JOINT_BLUR],
                          "blur: thresholds rise by up to k / %d, which is nothing with k = %u",
                          PROTOCOL_BLUR_SHARE, k);
    if (o->quiet && o->blur)
        yaml_walk_problem(d->walk, nodes[JOINT_QUIET],
                          "quiet: true and blur: true cannot be combined");
    yaml_walk_whole(d->walk, nodes[JOINT_REWEAVE], "reweave", 0, &o->reweave);
    schema_share(d, nodes[JOINT_NOISE], "noise", "a share from 0 to 1", &o->noise);
    read_ids(d, nodes[JOINT_IDS]);
    default_ids(d);
    if (yaml_walk_choice(d->walk, nodes[JOINT_UNMATCHED], "unmatched", unmatched, &choice))
        o->drop_unmatched = choice == 0;
}

bool schema_looks_at_values(const study_draft *d)
{
    for (uint32_t i = 0; i < d->study->n_models; i++)
        if (d->study->models[i].id != MODEL_K_ANONYMITY &&
            d->study->models[i].id != MODEL_DOMINANCE)
            return true;
    return false;
}

/* Warns about what the parties reveal to each other before the protocol begins: where the domain of
 * a column is made from the values that occur, they must exchange them, because all need the same
 * tree. With an encrypted view, or with one holder for each column, they need not. */
static void warn_of_domains(study_draft *d)
{
    const protocol_options *o = &d->study->joint;
    if (o->protocol->rows == NULL || o->partition != PARTITION_HORIZONTAL)
        return;
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        if (d->columns[i].role == ROLE_QUASI_IDENTIFYING && !holders_public_values(d->study, i))
            findings_add(d->walk->findings, KITH_SEVERITY_WARNING, d->walk->file,
                         d->columns[i].line, 0,
                         "the values of column '%s' come from the data: in a joint run all parties "
                         "learn which ones occur, and the last one at how many sites; a hierarchy "
                         "file or a range keeps them secret",
                         d->columns[i].name);
}

/* A study without partition and protocol: everything about joint runs would have no effect. */
static void check_alone(study_draft *d, const yaml_node_t *const *nodes)
{
    const protocol_options *o = &d->study->joint;
    schema_holders(d, d->place);
    for (int key = JOINT_PROTOCOL + 1; key < JOINT_KEYS; key++)
        if (nodes[key] != NULL)
            yaml_walk_problem(d->walk, nodes[key],
                              "%s is for joint runs: say how the table is split, as in "
                              "'partition: horizontal'",
                              schema_joint_key(key));
    for (uint32_t i = 0; i < o->n_site_models; i++)
        yaml_walk_problem(d->walk, d->place,
                          "the model %s of line %zu is for joint runs: say how the table is split, "
                          "as in 'partition: horizontal'",
                          model_name(o->site_models[i].id), (size_t)o->site_models[i].line);
    if (d->m_privacy.line > 0 && d->m_privacy.k == 0)
        yaml_walk_problem(d->walk, d->place,
                          "the model m-privacy of line %zu is for joint runs: say how the table is "
                          "split, as in 'partition: horizontal'",
                          (size_t)d->m_privacy.line);
}

void schema_joint(study_draft *d, const yaml_node_t *root, const yaml_node_t *const *nodes)
{
    const yaml_node_t *place = nodes[JOINT_PROTOCOL] != NULL    ? nodes[JOINT_PROTOCOL]
                               : nodes[JOINT_PARTITION] != NULL ? nodes[JOINT_PARTITION]
                                                                : root;
    const protocol_options *o = &d->study->joint;
    const protocol_module *able = protocol_module_for(o->partition);
    d->place = root;
    schema_regions(d);
    if (nodes[JOINT_PARTITION] == NULL && nodes[JOINT_PROTOCOL] == NULL) {
        check_alone(d, nodes);
        return;
    }
    if (o->protocol == &protocol_module_none)
        return; /* partition or protocol was not readable, which has been reported */
    if (!supports_partition(o))
        yaml_walk_problem(
            d->walk, place, "protocol %s cannot work on data that is split %sly; %s can",
            options_protocol_name(o), o->partition == PARTITION_HYBRID ? "hybrid" : "vertical",
            able == NULL ? "none of this kith" : able->name);
    schema_overlap(d, nodes);
    check_uses(d, nodes);
    read_flags(d, nodes);
    read_rest(d, nodes);
    if (o->protocol->read_keys != NULL)
        o->protocol->read_keys(d, place, nodes);
    schema_check_supported(d, place);
    schema_m_privacy(d);
    if (o->protocol->read_more_keys != NULL)
        o->protocol->read_more_keys(d, place, nodes);
    schema_holders(d, root);
    warn_of_domains(d);
    if (nodes[JOINT_PUBLISH_INSENSITIVE] == NULL)
        schema_holders_left_out(d);
    if (o->protocol->warn != NULL)
        o->protocol->warn(d, place);
}

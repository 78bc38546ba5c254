/* Keys of joint runs: how the table is split, by which protocol, and how that one runs.
 *
 *     partition: horizontal | vertical | hybrid    rows, columns, or both at several sites
 *     protocol: weave | clustering | encrypted-view | mondrian | id-based
 *
 * SCHEMA_JOINT_KEYS says which protocol has which of the other keys. Every key that has no
 * effect is refused: these keys decide what the parties disclose to each other, and a user who sets
 * one relies on it. */
#include "study/schema/schema.h"

#include <string.h>

#include "core/findings.h"
#include "protocol/supports.h"
#include "study/holders.h"

enum {
    WEAVE = 1 << PROTOCOL_WEAVE,
    CLUSTERING = 1 << PROTOCOL_CLUSTERING,
    VIEW = 1 << PROTOCOL_ENCRYPTED_VIEW,
    MONDRIAN = 1 << PROTOCOL_MONDRIAN,
    ID_BASED = 1 << PROTOCOL_ID_BASED,
    ALL = WEAVE | CLUSTERING | VIEW | MONDRIAN | ID_BASED
};

/* Which protocols a key is for. */
#define USE(number, name, protocols) [number] = (protocols),
static const unsigned uses[JOINT_KEYS] = {SCHEMA_JOINT_KEYS(USE)};

/* The protocol that works on data which is split this way; schema_joint refuses the others. */
static protocol_id default_protocol(partition_kind kind)
{
    return kind == PARTITION_HYBRID ? PROTOCOL_ENCRYPTED_VIEW : PROTOCOL_WEAVE;
}

/* Reads partition and protocol, and sets the algorithm that goes with them. A study may name one of
 * the two: a partition has a default protocol, and a protocol without partition means rows. */
void schema_joint_begin(study_draft *d, const yaml_node_t *const *nodes)
{
    static const char *const engines[PROTOCOLS] = {[PROTOCOL_WEAVE] = "weave",
                                                   [PROTOCOL_CLUSTERING] = "sequential",
                                                   [PROTOCOL_MONDRIAN] = "mondrian",
                                                   [PROTOCOL_ID_BASED] = "weave"};
    protocol_options *o = &d->study->joint;
    size_t choice;
    *o = (protocol_options){.master = PROTOCOL_MASTER_EXTERNAL,
                            .n_replicas = 1,
                            .withhold = OPTIONS_WITHHOLD,
                            .drop_unmatched = true,
                            .min_others = d->m_privacy.line == 0 ? PROTOCOL_MIN_OTHERS : 0,
                            .n_site_models = d->n_site_models,
                            .site_models = d->site_models};
    if (yaml_walk_choice(d->walk, nodes[JOINT_PARTITION], "partition",
                         options_partitions + PARTITION_HORIZONTAL, &choice))
        o->partition = (partition_kind)(choice + PARTITION_HORIZONTAL);
    o->protocol = default_protocol(o->partition);
    const yaml_node_t *named = nodes[JOINT_PROTOCOL];
    if (schema_lists_available(d, named) &&
        yaml_walk_choice(d->walk, named, "protocol", options_protocols, &choice)) {
        o->protocol = (protocol_id)choice;
        if (nodes[JOINT_PARTITION] == NULL)
            o->partition = PARTITION_HORIZONTAL;
    }
    if (!schema_m_privacy_kept(o))
        o->min_others = 0;
    /* Joint clustering and joint trees are algorithms of their own; with an encrypted view the
     * master runs the study's. */
    if (o->partition != PARTITION_NONE && o->protocol != PROTOCOL_ENCRYPTED_VIEW)
        d->engine = engines[o->protocol];
    d->study->search.regions = o->partition != PARTITION_NONE && o->protocol == PROTOCOL_MONDRIAN;
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
        const char *why = misplaced(key, o->partition), *able[PROTOCOLS + 1] = {NULL};
        if (nodes[key] != NULL && why != NULL)
            yaml_walk_problem(d->walk, nodes[key], "%s", why);
        const bool of_persons = key == JOINT_HIDE_SIZES && o->overlap == OVERLAP_MATCHED &&
                                o->protocol != PROTOCOL_ENCRYPTED_VIEW;
        if (nodes[key] == NULL || why != NULL || uses[key] >> o->protocol & 1 || of_persons)
            continue;
        size_t count = 0;
        for (protocol_id id = 0; id < PROTOCOLS; id++)
            if (uses[key] >> id & 1)
                able[count++] = options_protocol_name(id);
        char list[64];
        yaml_walk_list(list, sizeof list, able, ", ");
        yaml_walk_problem(d->walk, nodes[key], "%s is for the protocol %s, not for %s",
                          schema_joint_key(key), list, options_protocol_name(o->protocol));
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
    protocol_options *o = &d->study->joint;
    size_t choice;
    if (yaml_walk_choice(d->walk, nodes[JOINT_PUBLISH], "publish", publish, &choice)) {
        o->own_rows = choice > 0;
        o->virtual_rows = choice == 2;
    }
    if (o->virtual_rows && o->protocol == PROTOCOL_ID_BASED)
        yaml_walk_problem(d->walk, nodes[JOINT_PUBLISH],
                          "publish: virtual is not for the protocol id-based");
    if (o->own_rows && o->partition != PARTITION_HORIZONTAL)
        yaml_walk_problem(d->walk, nodes[JOINT_PUBLISH],
                          "publish: %s is for horizontal data: here no site has whole rows",
                          o->virtual_rows ? "virtual" : "own-rows");
    yaml_walk_whole(d->walk, nodes[JOINT_ROWS], "rows", 1, &o->max_rows);
    const uint32_t k = models_minimum_size(d->study->models, d->study->n_models);
    if (o->blur && o->protocol == PROTOCOL_WEAVE && k < PROTOCOL_BLUR_SHARE)
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
    schema_mondrian_alpha(d, nodes[JOINT_ALPHA]);
}

/* private_diversity hides the counts that diversity by frequency looks at; there must be such a
 * model, and no other that would need them open. */
static void check_private(study_draft *d, const yaml_node_t *node)
{
    const protocol_options *o = &d->study->joint;
    uint32_t hidden = 0, others = 0;
    if (node == NULL || !o->private_diversity || o->protocol != PROTOCOL_CLUSTERING ||
        o->partition != PARTITION_HORIZONTAL)
        return;
    for (uint32_t i = 0; i < d->study->n_models; i++) {
        const model_spec *m = &d->study->models[i];
        bool by_frequency = m->id == MODEL_L_DIVERSITY && m->variant == VARIANT_FREQUENCY;
        hidden += by_frequency;
        if (by_frequency || m->id == MODEL_K_ANONYMITY)
            continue;
        others++;
        yaml_walk_problem(d->walk, node,
                          "private_diversity is for l-diversity by frequency, not for the "
                          "model of line %zu",
                          (size_t)m->line);
    }
    if (hidden + others == 0)
        yaml_walk_problem(d->walk, node,
                          "private_diversity hides the counts of l-diversity by frequency, which "
                          "this study does not ask for");
}

bool schema_looks_at_values(const study_draft *d)
{
    for (uint32_t i = 0; i < d->study->n_models; i++)
        if (d->study->models[i].id != MODEL_K_ANONYMITY &&
            d->study->models[i].id != MODEL_DOMINANCE)
            return true;
    return false;
}

/* Reads `withhold`: from 1, which withholds nothing, to the smallest class that there may be. */
static void read_withhold(study_draft *d, const yaml_node_t *node)
{
    protocol_options *o = &d->study->joint;
    uint32_t k = 0;
    if (o->protocol != PROTOCOL_CLUSTERING || o->partition != PARTITION_HORIZONTAL ||
        !yaml_walk_whole(d->walk, node, "withhold", 1, &o->withhold))
        return;
    for (uint32_t i = 0; i < d->study->n_models; i++) {
        uint32_t size = model_minimum_size(&d->study->models[i]);
        k = size > k ? size : k;
    }
    if (o->withhold > k)
        yaml_walk_problem(d->walk, node,
                          "withhold: expected at most %u, the size of the smallest class, found %u",
                          k, o->withhold);
    if (d->study->search.finish == FINISH_MERGE && schema_looks_at_values(d) &&
        !o->private_diversity)
        yaml_walk_problem(d->walk, node,
                          "withhold is for the finish hybrid: with finish: merge clusters keep "
                          "models about sensitive values all the time, and none is withheld");
}

/* Warns about what the parties reveal to each other before the protocol begins: where the domain of
 * a column is made from the values that occur, they must exchange them, because all need the same
 * tree. With an encrypted view, or with one holder for each column, they need not. */
static void warn_of_domains(study_draft *d)
{
    const protocol_options *o = &d->study->joint;
    if (o->protocol == PROTOCOL_ENCRYPTED_VIEW || o->protocol == PROTOCOL_ID_BASED ||
        o->partition != PARTITION_HORIZONTAL)
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

/* Warns of what clustering over rows tells the sites about each other's records. */
static void warn_of_small_clusters(study_draft *d, const yaml_node_t *place)
{
    const protocol_options *o = &d->study->joint;
    if (o->protocol != PROTOCOL_CLUSTERING || o->partition != PARTITION_HORIZONTAL)
        return;
    if (o->withhold < 2)
        yaml_walk_warning(d->walk, place,
                          "clustering over rows with withhold: 1 tells all parties the "
                          "quasi-identifiers of single records of others (in a test of up to 62%% "
                          "of them); withhold: 2 does not, and the protocol weave tells least");
    else
        yaml_walk_warning(d->walk, place,
                          "clustering over rows tells all parties sizes and closures of clusters "
                          "of as few as %u records, many of them with a single record of another "
                          "party; the protocol weave tells less",
                          o->withhold);
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
    d->place = root;
    schema_mondrian_grid(d);
    if (nodes[JOINT_PARTITION] == NULL && nodes[JOINT_PROTOCOL] == NULL) {
        check_alone(d, nodes);
        return;
    }
    if (o->partition == PARTITION_NONE)
        return; /* the partition was not readable, which has been reported */
    if (!supports_partition(o))
        yaml_walk_problem(d->walk, place,
                          "protocol %s cannot work on data that is split %sly; %s can",
                          options_protocol_name(o->protocol),
                          o->partition == PARTITION_HYBRID ? "hybrid" : "vertical",
                          options_protocol_name(default_protocol(o->partition)));
    schema_overlap(d, nodes);
    check_uses(d, nodes);
    read_flags(d, nodes);
    read_rest(d, nodes);
    schema_view(d, nodes);
    schema_lists(d, place, nodes);
    schema_check_supported(d, place);
    schema_m_privacy(d);
    check_private(d, nodes[JOINT_PRIVATE_DIVERSITY]);
    schema_column_tree(d, nodes);
    read_withhold(d, nodes[JOINT_WITHHOLD]);
    schema_holders(d, root);
    warn_of_domains(d);
    if (nodes[JOINT_PUBLISH_INSENSITIVE] == NULL)
        schema_holders_left_out(d);
    warn_of_small_clusters(d, place);
    if (o->protocol == PROTOCOL_ENCRYPTED_VIEW) /* which shows what occurs together */
        yaml_walk_warning(
            d->walk, place,
            "encrypted-view: treat the master and every other site as able to read the table, "
            "sensitive columns included, except for near-unique values (in a test they named "
            "all diseases, 9 of 10 jobs and 6 of 10 zip codes); only pregeneralize bounds it; "
            "'kith describe DATA STUDY --exposure' measures it");
}

/* The entries are hashed as they are made; the canonical form itself is never stored, because the
 * tree of a hierarchy file may have millions of nodes. */
#include "study/study_digest.h"

#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/error.h"
#include "core/sort.h"
#include "core/text.h"
#include "study/digest_list.h"

/* One hash over everything, and one per key for the list of entries. */
typedef struct hash {
    crypto_generichash_state all;
    digest_list list;
} hash;

/* The length goes first, so that two entries cannot be split in another way into the same bytes. */
static void put_bytes(hash *h, const char *bytes, size_t length)
{
    unsigned char prefix[8];
    bytes_put(prefix, length, sizeof prefix);
    crypto_generichash_update(&h->all, prefix, sizeof prefix);
    crypto_generichash_update(&h->all, (const unsigned char *)bytes, length);
}

/* One entry of the canonical form. */
static void put_text(hash *h, const char *path, const char *value)
{
    put_bytes(h, path, strlen(path));
    put_bytes(h, value, strlen(value));
    digest_list_put(&h->list, path, value);
}

static void put_count(hash *h, const char *path, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    put_text(h, path, text);
}

/* Numbers are written in one way, so that 5, 5.0 and 5e0 are the same study. */
static void put_number(hash *h, const char *path, double value)
{
    char text[32];
    text_format_decimal(text, value == 0 ? 0 : value); /* no minus zero */
    put_text(h, path, text);
}

/* The same for the millions of nodes of a tree, which belong to the entry that was put last. */
static void put_of_node(hash *h, const char *path, const char *value)
{
    put_bytes(h, path, strlen(path));
    put_bytes(h, value, strlen(value));
    digest_list_more(&h->list, path, value);
}

/* Decimal digits, as put_count has them. */
static const char *digits_of(char text[11], uint32_t value)
{
    char *at = text + 10;
    *at = '\0';
    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    return at;
}

/* A file's tree and labels: parents of all nodes in their canonical order. */
static void put_tree(hash *h, const kith_hierarchy *loaded)
{
    const tree *t = &loaded->tree;
    char digits[11];
    put_count(h, "hierarchy.leaves", t->n_leaves);
    put_count(h, "hierarchy.levels", t->n_levels);
    for (uint32_t node = 0; node < t->n_nodes; node++) {
        put_of_node(h, "node.parent", digits_of(digits, t->parent[node]));
        put_of_node(h, "node.label", loaded->label[node]);
    }
}

/* What a hierarchy is made from. The path of a file is left out: parties keep their files where
 * they like, and the tree is compared instead. */
static void put_hierarchy(hash *h, const hierarchy_spec *spec, const kith_hierarchy *loaded)
{
    static const char *const kinds[] = {
        [HIERARCHY_SUPPRESS] = "suppress",   [HIERARCHY_FILE] = "file",
        [HIERARCHY_INTERVALS] = "intervals", [HIERARCHY_MASK] = "mask",
        [HIERARCHY_DATES] = "dates",         [HIERARCHY_ORDER] = "order",
    };
    char character[2] = {spec->mask_character, '\0'};
    put_text(h, "hierarchy", kinds[spec->kind]);
    switch (spec->kind) {
    case HIERARCHY_SUPPRESS: break;
    case HIERARCHY_FILE:
        if (loaded != NULL)
            put_tree(h, loaded);
        break;
    case HIERARCHY_INTERVALS:
        for (uint32_t i = 0; i < spec->count; i++)
            put_number(h, "hierarchy.width", spec->widths[i]);
        put_number(h, "hierarchy.origin", spec->origin);
        put_count(h, "hierarchy.snap", spec->snap);
        break;
    case HIERARCHY_MASK:
        put_text(h, "hierarchy.side", spec->mask_left ? "left" : "right");
        put_text(h, "hierarchy.character", character);
        break;
    case HIERARCHY_DATES:
        /* Days have always been 0, and a digest must not change; times of day came later. */
        for (uint32_t i = 0; i < spec->count; i++)
            put_count(h, "hierarchy.unit",
                      spec->units[i] >= DATE_DAY ? (uint64_t)(spec->units[i] - DATE_DAY)
                                                 : 100 + (uint64_t)spec->units[i]);
        break;
    case HIERARCHY_ORDER:
        for (uint32_t i = 0; i < spec->count; i++)
            put_count(h, "hierarchy.group", spec->groups[i]);
        break;
    }
}

/* Leaves out zero, which means that the study does not have the key. */
static void put_some(hash *h, const char *path, double value)
{
    if (value > 0)
        put_number(h, path, value);
}

/* Only what has an effect for the role: parties need not agree on the type of a column that no
 * party reads. */
static void study_digest_put_column(hash *h, const study_column *c, const kith_hierarchy *loaded)
{
    put_text(h, "column", c->name);
    put_count(h, "column.role", c->role);
    /* Where the key of pseudonyms is, and what it is, is no part of a study. */
    if (c->recoding.has_top)
        put_number(h, "column.top", c->recoding.top);
    if (c->recoding.has_bottom)
        put_number(h, "column.bottom", c->recoding.bottom);
    put_some(h, "column.round", c->recoding.round);
    if (c->recoding.key_file != NULL)
        put_text(h, "column.pseudonym", "blake2b-128");
    if (c->role == ROLE_IDENTIFYING)
        return;
    put_count(h, "column.type", c->type);
    put_text(h, "column.format",
             c->date_format != NULL && strcmp(c->date_format, "%Y-%m-%d") != 0 ? c->date_format
                                                                               : "");
    if (c->role == ROLE_QUASI_IDENTIFYING || c->has_hierarchy)
        put_hierarchy(h, &c->hierarchy, loaded);
    if (c->role != ROLE_QUASI_IDENTIFYING)
        return;
    put_count(h, "column.domain", c->domain.kind);
    if (c->domain.kind == DOMAIN_RANGE) {
        put_number(h, "column.domain.low", c->domain.low);
        put_number(h, "column.domain.high", c->domain.high);
    }
    put_some(h, "column.step", c->step);
    put_number(h, "column.weight", c->weight);
    if (c->mean)
        put_text(h, "column.microaggregate", "mean");
    put_some(h, "column.min_level", c->min_level);
    if (c->max_level != STUDY_ANY_LEVEL)
        put_count(h, "column.max_level", c->max_level);
}

/* k-anonymity has no variant, l or attribute; its short form is part of the format. */
static void put_model(hash *h, const model_spec *m)
{
    put_text(h, "model", model_name(m->id));
    if (m->id == MODEL_K_ANONYMITY) {
        put_count(h, "model.k", m->k);
        return;
    }
    put_text(h, "model.variant", model_variant_name(m->variant));
    put_number(h, "model.l", m->l);
    put_text(h, "model.attribute", m->attribute != NULL ? m->attribute : "");
    /* Numbers that a model does not have are 0 and left out. The paths of populations and earlier
     * releases are left out, too: they are data, and each party may keep them elsewhere. */
    put_some(h, "model.k", m->k);
    put_some(h, "model.c", m->c);
    put_some(h, "model.t", m->t);
    put_some(h, "model.alpha", m->alpha);
    put_some(h, "model.p", m->p);
    put_some(h, "model.min", m->min);
    put_some(h, "model.max", m->max);
    put_some(h, "model.epsilon", m->epsilon);
    put_some(h, "model.delta", m->delta);
    put_some(h, "model.beta", m->beta);
    put_some(h, "model.m", m->m);
    put_some(h, "model.share", m->share);
    for (uint32_t i = 0; i < m->n_values; i++)
        put_text(h, "model.value", m->values[i]);
    put_some(h, "model.values", m->other_values);
    put_some(h, "model.previous", m->n_previous);
    if (m->person != NULL)
        put_text(h, "model.id", m->person);
}

/* Keys of algorithms at their defaults are left out, so that a key which a later version adds does
 * not change the digest of studies that do not use it. */
static void put_search(hash *h, const kith_study *s)
{
    const search_spec *spec = &s->search;
    put_text(h, "algorithm", s->algorithm);
    if (spec->n_restarts > 1)
        put_count(h, "restarts", spec->n_restarts);
    if (spec->max_passes > 0)
        put_count(h, "max_passes", spec->max_passes);
    if (spec->finish == FINISH_MERGE)
        put_text(h, "finish", "merge");
    if (spec->block > 0) /* 1 is not the default of every protocol */
        put_count(h, "block", spec->block);
    if (spec->effort != EFFORT_NORMAL)
        put_count(h, "effort", spec->effort);
    if (spec->effort == EFFORT_SECONDS)
        put_number(h, "effort.seconds", spec->seconds);
    if (spec->piece > 0)
        put_count(h, "piece", spec->piece);
    if (spec->relaxed)
        put_text(h, "mondrian", "relaxed");
    if (spec->by_hierarchy)
        put_text(h, "order", "hierarchy");
    else if (spec->all_ordered && spec->regions)
        put_text(h, "order", "value");
    if (spec->ranges != spec->regions) /* regions are released as ranges by default */
        put_text(h, "ranges", spec->ranges ? "true" : "false");
}

/* Sorted, because the order of missing values has no effect. */
static kith_status put_missing(hash *h, const kith_study *s, kith_error *error)
{
    const char **sorted = TRY_ARRAY(sorted, s->memory, s->n_missing_values, error);
    for (uint32_t i = 0; i < s->n_missing_values; i++)
        sorted[i] = s->missing_values[i];
    qsort(sorted, s->n_missing_values, sizeof *sorted, sort_text);
    put_count(h, "missing", s->missing);
    for (uint32_t i = 0; i < s->n_missing_values; i++)
        put_text(h, "missing_value", sorted[i]);
    put_count(h, "trim", s->trim);
    put_some(h, "sample", s->sample);
    if (s->population > 0)
        put_number(h, "population", s->population);
    if (s->unit_row)
        put_text(h, "unit", "");
    for (uint32_t i = 0; i < s->n_unit; i++)
        put_text(h, "unit", s->columns[s->unit[i]].name);
    if (s->refuse_intersections)
        put_count(h, "intersections", 1);
    return KITH_OK;
}

/* Keys at their defaults are left out, as for the keys of algorithms. */
static void put_joint(hash *h, const kith_study *s)
{
    const protocol_options *o = &s->joint;
    if (o->partition == PARTITION_NONE)
        return;
    put_text(h, "partition", options_partition_name(o->partition));
    put_text(h, "protocol", options_protocol_name(o));
    put_some(h, "publish", o->own_rows + o->virtual_rows);
    put_some(h, "publish_insensitive", o->publish_insensitive);
    put_some(h, "hide_sizes", o->hide_sizes);
    put_some(h, "withhold", o->withhold); /* older versions withheld nothing: never left out */
    put_some(h, "private_diversity", o->private_diversity);
    put_some(h, "noise", o->noise);
    if (o->ids_aligned || s->id_column != NULL)
        put_text(h, "ids", o->ids_aligned ? "" : s->id_column);
    if (o->master != PROTOCOL_MASTER_EXTERNAL)
        put_count(h, "master", o->master);
    if (o->n_replicas > 1)
        put_count(h, "replicas", o->n_replicas);
    for (uint32_t i = 0; o->pregeneralize != NULL && i < s->n_columns; i++)
        put_count(h, "pregeneralize", o->pregeneralize[i]);
    put_some(h, "unmatched", !o->drop_unmatched);
    put_some(h, "m-privacy", o->min_others);
    put_some(h, "m-privacy values", o->other_values);
    put_some(h, "blur", o->blur);
    put_some(h, "reweave", o->reweave);
    if (o->protocol->regions)
        put_number(h, "alpha", o->alpha);
    put_some(h, "again", o->again);
    put_some(h, "rows", o->max_rows);
    if (o->overlap != OVERLAP_UNKNOWN)
        put_text(h, "overlap", options_overlaps[o->overlap]);
    if (o->overlap == OVERLAP_MATCHED)
        put_text(h, "match", options_matches[o->match]);
    put_some(h, "quiet", o->quiet);
    put_some(h, "name", o->name);
    put_some(h, "pools", o->pools);
    for (uint32_t i = 0; i < o->n_site_models; i++)
        put_model(h, &o->site_models[i]);
    put_some(h, "lists", o->lists);
    if (o->protocol->suppresses && !o->hashing)
        put_text(h, "hashing", "off");
    if (s->pkg_text != NULL)
        put_text(h, "pkg", s->pkg_text);
    if (s->pkg_period != NULL)
        put_text(h, "period", s->pkg_period);
}

/* The order of these calls is part of the format: parties with another version of Kith compare
 * digests. New entries are left out at their defaults, and existing ones are never moved. */
kith_status study_digest(kith_study *s, const kith_hierarchy *const *loaded, kith_error *error)
{
    hash h;
    if (sodium_init() < 0)
        return error_set(error, KITH_BUG, "libsodium cannot be initialised");
    digest_list_begin(&h.list, s->memory);
    crypto_generichash_init(&h.all, NULL, 0, 32);
    put_text(&h, "kith study", "1");
    put_text(&h, "study", s->name);
    for (uint32_t i = 0; i < s->n_columns; i++)
        study_digest_put_column(&h, &s->columns[i], loaded[i]);
    for (uint32_t i = 0; i < s->n_models; i++)
        put_model(&h, &s->models[i]);
    put_text(&h, "measure", measure_at(s->measure)->name);
    if (s->measure == MEASURE_WMI)
        put_number(&h, "w", s->w);
    put_number(&h, "suppression", s->suppression);
    put_text(&h, "class", s->class_column != NULL ? s->class_column : "");
    put_search(&h, s);
    TRY(put_missing(&h, s, error));
    put_joint(&h, s);
    /* Without parties there is no entry, so that the digest of such a study stays as it was before
     * studies could have parties. */
    for (uint32_t i = 0; i < s->n_parties; i++) {
        put_text(&h, "party", s->parties[i].name);
        put_text(&h, "party.address", s->parties[i].address);
        put_text(&h, "party.key", s->parties[i].key);
        for (uint32_t j = 0; j < s->parties[i].n_columns; j++)
            put_text(&h, "party.column", s->columns[s->parties[i].columns[j]].name);
    }
    if (s->n_parties > 0) {
        put_count(&h, "timeout", s->timeout_ms);
        put_count(&h, "limit", s->limit_ms);
    }
    for (uint32_t i = 0; i < s->n_clients; i++) {
        put_text(&h, "client", s->clients[i].name);
        put_text(&h, "client.key", s->clients[i].key);
    }
    put_some(&h, "queries.rows", s->query_rows);
    if (s->queries_per_day != STUDY_PER_DAY)
        put_count(&h, "queries.per_day", s->queries_per_day);
    crypto_generichash_final(&h.all, s->digest, 32);
    return digest_list_end(&h.list, s, error);
}

/* The schema of a study: each section of the file is read by a function of its own into the draft.
 *
 * The order of the sections in the file does not matter; they are read in the order that
 * schema_study calls for, because later ones refer to earlier ones (models name columns, the
 * default algorithm depends on the measure). A reader that finds a problem reports it and goes on.
 */
#ifndef STUDY_SCHEMA_SCHEMA_H
#define STUDY_SCHEMA_SCHEMA_H

#include "study/study.h"
#include "study/yaml/yaml_walk.h"

enum { SCHEMA_COLUMNS = 4096, SCHEMA_MODELS = 256 };

/* A number that the study does not give, where 0 is one. */
#define SCHEMA_NOT_GIVEN UINT32_MAX

/* A study while its file is read. Problems become findings and reading goes on, so that one run
 * reports all of them; the study is thrown away at the end if there was one. */
typedef struct study_draft {
    yaml_walk *walk;
    const char *directory; /* where relative paths start */
    const study_source *from;
    kith_study *study;
    study_column *columns;          /* [study->n_columns], the study's own, writable */
    model_spec *models;             /* [study->n_models], the study's own, writable */
    uint32_t n_site_models;         /* those about sites, which are not among study->models */
    model_spec *site_models;        /* writable */
    model_spec m_privacy;           /* as the study gives it; line 0 if it does not */
    const yaml_node_t *suppression; /* where it is set, or NULL */
    const yaml_node_t *levels;      /* where they are set, or NULL */
    const char *engine;             /* what the protocol runs, if it has its own; else NULL */
    const yaml_node_t *place;       /* of the whole study, for messages about none of its keys */
} study_draft;

/* The keys of sections, each in the file that reads it; they end with a NULL name. */
extern const yaml_key schema_keys[]; /* the study's own, in schema.c */
extern const yaml_key schema_columns_keys[], schema_hierarchy_keys[], schema_utility_keys[],
    schema_parties_keys[], schema_queries_keys[];

/* The keys of the top level that only a joint run can have, and those of searches, with NULL at the
 * end. `particular`: without those that mean the same for all protocols. */
void schema_joint_keys(const char *names[YAML_WALK_KEYS], bool particular);

/* schema_places.c: finds a key of another section than `what` that is spelt like the word, or
 * exactly so, and writes its path ("utility.suppression"). False: there is none. */
bool schema_places_find(char *text, size_t size, const char *what, const char *word, bool exactly);

/* schema_m_privacy.c: do classes keep m-privacy unless the study says otherwise? */
bool schema_m_privacy_kept(const protocol_options *o);
/* Checks the model and sets what is the default. After schema_joint's flags. */
void schema_m_privacy(study_draft *d);

/* schema_columns.c */
void schema_columns(study_draft *d, const yaml_node_t *node);
/* Column with this name, or NULL. */
study_column *schema_find_column(study_draft *d, const char *name);
/* The same for a node of the file, with a problem (and a suggestion) if there is none. */
study_column *schema_refer_column(study_draft *d, const yaml_node_t *node, const char *what);
/* Reads a mapping from names of quasi-identifying columns to values. */
void schema_each_column(study_draft *d, const yaml_node_t *node, const char *what,
                        void (*read)(study_draft *d, study_column *c, const yaml_node_t *value));

/* schema_recoding.c: keys that change values, into column->recoding. */
enum { RECODING_TOP, RECODING_BOTTOM, RECODING_ROUND, RECODING_PSEUDONYM, RECODING_KEYS };
void schema_recoding(study_draft *d, study_column *c,
                     const yaml_node_t *const nodes[RECODING_KEYS]);
/* Refuses them in studies of joint runs. After schema_joint. */
void schema_recoding_alone(study_draft *d);

/* schema_microaggregate.c; node may be NULL. After the column's levels. */
void schema_microaggregate(study_draft *d, study_column *c, const yaml_node_t *node);
/* Refuses what does not go with means, when models and parties are known. */
void schema_microaggregate_check(study_draft *d);

/* schema_hierarchy.c: what stands behind `hierarchy:` and `domain:`. False after a problem.
 * `directory` is where relative paths start. */
bool schema_hierarchy(hierarchy_spec *spec, yaml_walk *walk, const yaml_node_t *node,
                      const char *directory);
bool schema_domain(domain_spec *domain, yaml_walk *walk, const yaml_node_t *node, kith_type type);

/* schema_privacy.c */
void schema_privacy(study_draft *d, const yaml_node_t *node);

/* schema_unit.c: whom the models count; node may be NULL. After columns and models, before the
 * algorithm. */
void schema_unit(study_draft *d, const yaml_node_t *node);
/* After models, algorithm and protocol; node may be NULL. */
void schema_intersections(study_draft *d, const yaml_node_t *node);
/* Refuses several rows of a person where the protocol of a joint run cannot count them. After
 * schema_overlap. */
void schema_unit_joint(study_draft *d, const yaml_node_t *node);

/* schema_overlap.c: who is at several sites; before schema_check_supported. */
void schema_overlap(study_draft *d, const yaml_node_t *const *nodes);

/* schema_utility.c; node may be NULL: defaults. */
void schema_utility(study_draft *d, const yaml_node_t *node);

/* schema_levels.c: the levels of all quasi-identifiers; node may be NULL. After schema_columns. */
void schema_levels(study_draft *d, const yaml_node_t *node);
/* Checks that bounds on levels can be kept, when everything else is known. */
void schema_levels_check(study_draft *d, const yaml_node_t *root);

/* Keys of searches and joint runs: each has one line with its number, its name, and what it is for.
 */
#define SCHEMA_KEY_NUMBER(number, name, use) number,

/* schema_search.c: the algorithm, and the keys that are for a single one. */
#define SCHEMA_SEARCH_KEYS(KEY)                        \
    KEY(SEARCH_ALGORITHM, "algorithm", NULL)           \
    KEY(SEARCH_RESTARTS, "restarts", "sequential")     \
    KEY(SEARCH_MAX_PASSES, "max_passes", "sequential") \
    KEY(SEARCH_FINISH, "finish", "sequential")         \
    KEY(SEARCH_BLOCK, "block", "sequential")           \
    KEY(SEARCH_EFFORT, "effort", "weave")              \
    KEY(SEARCH_PIECE, "piece", "weave")                \
    KEY(SEARCH_MONDRIAN, "mondrian", "mondrian")       \
    KEY(SEARCH_ORDER, "order", "mondrian")             \
    KEY(SEARCH_RANGES, "ranges", "mondrian")
enum { SCHEMA_SEARCH_KEYS(SCHEMA_KEY_NUMBER) SEARCH_KEYS };
/* nodes[] has SEARCH_KEYS entries, NULL for keys that the study does not have; `root` is the whole
 * study, to which problems without a key of their own point. */
void schema_search(study_draft *d, const yaml_node_t *root, const yaml_node_t *const *nodes);
/* "flash, ola" of the algorithms whose bits (by their number in the registry) are set. */
enum { SCHEMA_ALGORITHMS = 256 };
const char *schema_algorithms(char text[SCHEMA_ALGORITHMS], uint32_t able);

/* schema_joint.c: keys of joint runs, in two parts: the first before the algorithm is read, the
 * second after everything else; and whether all protocols have a key. nodes[] has JOINT_KEYS entries. */
#define SCHEMA_JOINT_KEYS(KEY)                                  \
    KEY(JOINT_PARTITION, "partition", false)                    \
    KEY(JOINT_PROTOCOL, "protocol", false)                      \
    KEY(JOINT_HIDE_SIZES, "hide_sizes", false)                  \
    KEY(JOINT_WITHHOLD, "withhold", false)                      \
    KEY(JOINT_NOISE, "noise", false)                            \
    KEY(JOINT_PRIVATE_DIVERSITY, "private_diversity", false)    \
    KEY(JOINT_PUBLISH, "publish", false)                        \
    KEY(JOINT_PUBLISH_INSENSITIVE, "publish_insensitive", true) \
    KEY(JOINT_IDS, "ids", false)                                \
    KEY(JOINT_MASTER, "master", false)                          \
    KEY(JOINT_REPLICAS, "replicas", false)                      \
    KEY(JOINT_PREGENERALIZE, "pregeneralize", false)            \
    KEY(JOINT_UNMATCHED, "unmatched", false)                    \
    KEY(JOINT_BLUR, "blur", false)                              \
    KEY(JOINT_QUIET, "quiet", false)                            \
    KEY(JOINT_NAME, "name", false)                              \
    KEY(JOINT_POOLS, "pools", false)                            \
    KEY(JOINT_REWEAVE, "reweave", false)                        \
    KEY(JOINT_OVERLAP, "overlap", true)                         \
    KEY(JOINT_MATCH, "match", false)                            \
    KEY(JOINT_AGAIN, "again", true)                             \
    KEY(JOINT_ROWS, "rows", true)                               \
    KEY(JOINT_ALPHA, "alpha", false)                            \
    KEY(JOINT_LISTS, "lists", false)                            \
    KEY(JOINT_HASHING, "hashing", false)                        \
    KEY(JOINT_PKG, "pkg", false)                                \
    KEY(JOINT_PERIOD, "period", false)
enum { SCHEMA_JOINT_KEYS(SCHEMA_KEY_NUMBER) JOINT_KEYS };
void schema_joint_begin(study_draft *d, const yaml_node_t *const *nodes);
void schema_joint(study_draft *d, const yaml_node_t *root, const yaml_node_t *const *nodes);
/* Does the study ask for a model that looks at sensitive values? */
bool schema_looks_at_values(const study_draft *d);

/* schema_joint_supported.c: models, measure and algorithm that the protocol cannot do; `place` is
 * that of the protocol. */
void schema_check_supported(study_draft *d, const yaml_node_t *place);

/* schema_regions.c: checks that every column that the protocol cuts has a grid, and that `step` is
 * given for no other. */
void schema_regions(study_draft *d);

/* schema_holders.c: checks that every column that is needed is held by the right parties. */
void schema_holders(study_draft *d, const yaml_node_t *root);
/* Warns of insensitive columns that a joint release leaves out. */
void schema_holders_left_out(study_draft *d);

/* schema_parties.c; the nodes may be NULL. */
enum { PARTY_NAME, PARTY_ADDRESS, PARTY_KEY, PARTY_COLUMNS };
void schema_parties(study_draft *d, const yaml_node_t *parties, const yaml_node_t *timeout,
                    const yaml_node_t *limit);
/* The name and the key of a party or client; what is wrong stays NULL. `node` may be NULL. */
void schema_parties_name(study_draft *d, const yaml_node_t *node, const char **name);
void schema_parties_key(study_draft *d, const yaml_node_t *node, const char **key);
void schema_parties_address(study_draft *d, const yaml_node_t *node, const char **address);

/* schema_queries.c; both nodes may be NULL. After schema_parties and schema_joint. */
void schema_queries(study_draft *d, const yaml_node_t *clients, const yaml_node_t *queries);

/* schema.c: the path of a file that a study names: relative ones start at the study's directory, so
 * that a study works from everywhere. NULL if out of memory, which the walk remembers, or after a
 * problem at `node`: the file may not be read. */
const char *schema_path(yaml_walk *walk, const yaml_node_t *node, const char *directory,
                        const char *path);
/* A name that is shown to people: without control characters, which a terminal would obey. */
bool schema_name(yaml_walk *walk, const yaml_node_t *node, const char *what, const char **name);
/* A number from 0 to 1, which messages call `expected`. */
bool schema_share(study_draft *d, const yaml_node_t *node, const char *what, const char *expected,
                  double *share);
/* Texts that were refused are NULL and equal to nothing. */
bool schema_same_text(const char *a, const char *b);
/* The name of a key of joint runs or of searches, as the study has it. */
const char *schema_joint_key(int key);
const char *schema_search_key(int key);
/* The whole file. */
void schema_study(study_draft *d, const yaml_node_t *root);

#endif

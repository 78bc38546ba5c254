/* A protocol for joint runs, as the rest of Kith sees it: one struct, which src/modules/<protocol>/
 * defines. The list of those that are built is written by CMake (cmake/protocols.cmake), and nothing
 * outside src/modules knows one by its name. */
#ifndef PROTOCOL_MODULE_H
#define PROTOCOL_MODULE_H

#include <kith/status.h>

#include "protocol/options.h"

struct arena;
struct columns_result;
struct columns_task;
struct disclosure_line;
struct disclosure_saying;
struct document_node;
struct estimation;
struct id_keys;
struct joint_run;
struct kith_document;
struct kith_study;
struct party;
struct rows_result;
struct rows_task;
struct simulation;
struct study_draft;
struct yaml_node_s;

typedef struct protocol_module {
    const char *name;        /* as studies write it */
    unsigned partitions;     /* 1 << PARTITION_…: how the data may be split */
    const char *const *keys; /* of studies, apart from those of all protocols; NULL at the end */
    const char *engine;      /* the algorithm whose keys it has; NULL: that of the study runs */

    /* What kind of protocol it is. */
    bool by_master;       /* a party, or one without data, runs the search on encrypted data */
    bool suppresses;      /* as many rows as it must: there is nothing to minimize */
    bool regions;         /* classes are regions of a public grid */
    bool counts_persons;  /* who have several rows */
    bool matches_persons; /* and who are at several sites */
    bool one_site;        /* a class may belong to one site alone, unless m-privacy forbids it */
    unsigned steady;      /* 1 << PARTITION_…: more records hardly take more rounds */

    /* Can it check the model without opening the data? */
    bool (*supports_model)(const protocol_options *o, const model_spec *model);
    /* Called while a study is read, for the keys that the protocol alone has (`nodes`: [JOINT_KEYS]
     * of schema.h): before and after the models are checked, and at last, to warn of what it
     * discloses. Each may be NULL; `place` is that of the protocol in the study. */
    void (*read_keys)(struct study_draft *d, const struct yaml_node_s *place,
                      const struct yaml_node_s *const *nodes);
    void (*read_more_keys)(struct study_draft *d, const struct yaml_node_s *place,
                           const struct yaml_node_s *const *nodes);
    void (*warn)(struct study_draft *d, const struct yaml_node_s *place);
    /* What a party with many rows should know before a run over rows; may be NULL. */
    const char *most_rows;

    /* What it discloses, in the order of a run, without what goes before the protocol and after it;
     * its own traits of a study (NULL: none); and entries of ledgers in words. Both lists end with
     * an empty element. */
    const struct disclosure_line *disclosures;
    uint64_t (*traits)(const struct kith_study *study);
    const struct disclosure_saying *sayings;

    /* Runs it: on rows (rows.h), on columns (columns.h), or all of it, and then the other two are
     * NULL. */
    kith_status (*rows)(struct rows_result *result, struct party *p, const struct rows_task *task,
                        kith_error *error);
    kith_status (*columns)(struct columns_result *result, struct party *p,
                           const struct columns_task *task, kith_error *error);
    kith_status (*run)(struct joint_run *j, kith_error *error);
    /* Loads the key for the study's key generator; NULL where studies have none. */
    kith_status (*load_key)(const struct id_keys **keys, struct arena *memory,
                            const struct kith_study *study, uint32_t self, const char *path,
                            kith_error *error);

    /* Finds the figures of an estimate by a model of the cost; NULL: by rehearsals. */
    kith_status (*estimate)(struct estimation *e, kith_error *error);
    /* Adds what a rehearsal shows of single phases to its summary; may be NULL. */
    kith_status (*put_phases)(struct kith_document *d, struct document_node *to,
                              const struct simulation *s, kith_error *error);
} protocol_module;

/* Those that are built, in the order in which documents and messages list them, and NULL. */
extern const protocol_module *const protocol_modules[];
/* The names of the others, and NULL. */
extern const char *const protocol_absent[];
enum { PROTOCOL_MODULES = 16 }; /* the most that there may be */

/* The protocol of studies that are not for joint runs: it can do nothing. */
extern const protocol_module protocol_module_none;

/* The protocol that works on data which is split like this if the study names none; NULL: there is
 * none in this build. */
const protocol_module *protocol_module_for(partition_kind kind);

#endif

/* A study: what is to be anonymized, how privately, and how well. Read from a YAML file. */
#ifndef KITH_STUDY_H
#define KITH_STUDY_H

#include <stdint.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_study kith_study;

/* Reads and checks a study with the hierarchy files that it names. Everything wrong goes to
 * `findings` (may be NULL), the first problem also to `error`. */
KITH_API KITH_MUST_USE kith_status kith_study_load(kith_study **study, const char *path,
                                                   kith_findings *findings, kith_error *error);
/* The same from a text in memory; `directory` is where its relative paths start. */
KITH_API KITH_MUST_USE kith_status kith_study_parse(kith_study **study, const char *text,
                                                    size_t length, const char *directory,
                                                    kith_findings *findings, kith_error *error);
KITH_API void kith_study_free(kith_study *study);

KITH_API const char *kith_study_name(const kith_study *study);

/* How to read this study's columns from a source; valid while the study lives. */
KITH_API kith_table_options kith_study_table_options(const kith_study *study);

/* BLAKE2b-256 over the canonical form, hierarchies included, as 64 hexadecimal digits and NUL. */
KITH_API void kith_study_digest(const kith_study *study, char digest[65]);

/* Checks a study against data: columns, types, values without a place in their hierarchy, models
 * that this table cannot meet. */
KITH_API KITH_MUST_USE kith_status kith_study_check(const kith_study *study, const char *data_uri,
                                                    const kith_run *run, kith_findings *findings,
                                                    kith_error *error);

/* Writes a commented first study for a table to `text` (release with free()): roles from what
 * kith_describe suggests, ARX hierarchy files found beside the data. `study_directory` is where the
 * study will stand, so that paths are relative to it. */
KITH_API KITH_MUST_USE kith_status kith_study_init(char **text, const char *data_uri,
                                                   const char *study_directory, char separator,
                                                   const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif

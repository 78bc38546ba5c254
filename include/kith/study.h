/* A study: what is to be anonymized, how privately, and how well. Read from a YAML file. */
#ifndef KITH_STUDY_H
#define KITH_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/document.h>
#include <kith/hierarchy.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_study kith_study;

/* Reads a study from a YAML file, and checks it with the hierarchy files that it names.
 * Returns: KITH_OK, or the first problem; KITH_INVALID and KITH_DATA if the study is wrong.
 * Out: *study, freed by kith_study_free; `findings` gets everything wrong (may be NULL).
 * In: `path`, where relative paths of the study start; "-" is standard input, for which they start
 * at the working directory. */
KITH_API KITH_MUST_USE kith_status kith_study_read(kith_study **study, const char *path,
                                                   kith_findings *findings, kith_error *error);
/* Makes a study of a YAML text of `length` bytes, and checks it with the hierarchy files that it
 * names.
 * Returns: KITH_OK, or the first problem; KITH_INVALID and KITH_DATA if the study is wrong.
 * Out: *study, freed by kith_study_free; `findings` gets everything wrong (may be NULL).
 * In: `directory`, where relative paths of the text start. */
KITH_API KITH_MUST_USE kith_status kith_study_parse(kith_study **study, const char *text,
                                                    size_t length, const char *directory,
                                                    kith_findings *findings, kith_error *error);
KITH_API void kith_study_free(kith_study *study);

/* Whether a file that a study names may be opened: for programs that take studies from others. */
typedef bool (*kith_may_read_fn)(void *user, const char *path);
/* Makes a study of a YAML text of `length` bytes, for programs that take it from others.
 * Returns: KITH_OK, or the first problem, which may be a file that may not be read.
 * Out: *study, freed by kith_study_free; `findings` gets everything wrong (may be NULL).
 * In: `directory`, where relative paths of the text start; `may_read`, asked with `user` for every
 * file that the text names. Nothing is asked later, so the files are opened by paths that were
 * permitted once. */
KITH_API KITH_MUST_USE kith_status kith_study_parse_guarded(kith_study **study, const char *text,
                                                            size_t length, const char *directory,
                                                            kith_may_read_fn may_read, void *user,
                                                            kith_findings *findings,
                                                            kith_error *error);

/* One value of a study. The path is keys joined by dots, and items of lists are named by their
 * number, from 0, or by their name or model: "utility.suppression", "privacy.0.k",
 * "columns.age.type"; a parameter that only one privacy model has may stand alone: "k". The value
 * is a single one, as it is written in a study. This struct never changes, because callers make
 * arrays of it. */
typedef struct kith_setting {
    const char *path;
    const char *value;
} kith_setting;

/* A hierarchy for one column of a study. This struct never changes, either. */
typedef struct kith_column_hierarchy {
    const char *column;
    const kith_hierarchy *hierarchy;
} kith_column_hierarchy;

typedef struct kith_change_options {
    size_t size;
    const kith_setting *settings; /* keys that the study has, or may have */
    size_t n_settings;
    const kith_column_hierarchy *hierarchies; /* in the place of what the study says */
    size_t n_hierarchies;
} kith_change_options;

/* Makes a study with other values, other hierarchies, or both, and checks it.
 * Returns: KITH_OK, or the first problem; KITH_INVALID and KITH_DATA if the result is wrong.
 * Out: *changed, freed by kith_study_free; it shares nothing with `study` and the hierarchies.
 * `findings` gets everything wrong (may be NULL).
 * In: `study`, which stays as it is.
 *
 * Hierarchies count as if a file had them: the digest covers their labels, and values that they
 * lack are found in the same way. They stay with the study when it is changed again; its text does
 * not have them, so that simulations with processes refuse it.
 *
 * Findings about the study have a path instead of a line, since the text is in no file. */
KITH_API KITH_MUST_USE kith_status kith_study_change(kith_study **changed, const kith_study *study,
                                                     const kith_change_options *options,
                                                     kith_findings *findings, kith_error *error);

KITH_API const char *kith_study_name(const kith_study *study);
/* The YAML text that it was read from, comments included; after kith_study_change with the values
 * that were set. */
KITH_API const char *kith_study_text(const kith_study *study);

/* How to read this study's columns from a source. Fills `options`, whose size the caller has set by
 * KITH_INIT; its arrays are valid while the study lives. */
KITH_API KITH_MUST_USE kith_status kith_study_table_options(kith_table_options *options,
                                                            const kith_study *study,
                                                            kith_error *error);

/* BLAKE2b-256 over the canonical form, hierarchies included, as 64 hexadecimal digits and NUL. */
KITH_API void kith_study_digest(char digest[65], const kith_study *study);

typedef struct kith_check_options {
    size_t size;
    const kith_input *data;
    const char *as; /* the data is what this party holds in a joint run; NULL: the whole table */
} kith_check_options;

/* Checks a study against data: columns, types, values without a place in their hierarchy, models
 * that this table cannot meet.
 * Returns: KITH_OK, KITH_DATA if the data does not fit, or why it could not be read.
 * Out: `findings` gets everything wrong or remarkable (may be NULL). In: `options` with data.
 *
 * With `as` only what the party holds is checked, and its identifiers
 * where rows are joined by them; models are about all sites together. */
KITH_API KITH_MUST_USE kith_status kith_study_check(const kith_study *study,
                                                    const kith_check_options *options,
                                                    const kith_run *run, kith_findings *findings,
                                                    kith_error *error);

typedef struct kith_draft_options {
    size_t size;
    const kith_input *data; /* hierarchy files are looked for beside a file */
    const char *output; /* file for the study, whose paths are relative to it; NULL: none, and they
                         * are relative to the current directory */
    bool overwrite;
} kith_draft_options;

/* Drafts a commented first study for a table: roles by what its columns look like, ARX hierarchy
 * files found next to the data.
 * Returns: KITH_OK, or why the data could not be read or the study not be written.
 * Out: *text (may be NULL), the study, freed by kith_free; the output is written complete or not at
 * all. In: `options` with data. */
KITH_API KITH_MUST_USE kith_status kith_study_draft(char **text, const kith_draft_options *options,
                                                    const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif

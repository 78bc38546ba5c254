/* What the program and the console need besides the jobs: fingerprints, files, texts of studies. */
#ifndef KITH_APPLICATION_H
#define KITH_APPLICATION_H

#include <stddef.h>
#include <stdint.h>

#include <kith/document.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/unstable.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The forms of a fingerprint, of a key or a study, in which people compare it: {"hex", "grouped",
 * "words"}: 64 digits, the same in groups of four, and 32 words. Reads any of them, in any case;
 * "sha256:" may come first. KITH_INVALID if it is none. */
KITH_API KITH_MUST_USE kith_status kith_fingerprint_describe(kith_document **document,
                                                             const char *fingerprint,
                                                             kith_error *error);

/* Adds a warning if the last run of this study with the key `key` ended before it published
 * anything, with what it disclosed. Such a run does not keep this party from running the study
 * again. Reads the list next to the key (KEY.runs), and no data. */
KITH_API KITH_MUST_USE kith_status kith_party_earlier_runs(kith_findings *findings,
                                                           const kith_study *study, const char *key,
                                                           kith_error *error);

/* For editors: the text of a study as a document of mappings, lists and texts, as they stand.
 * Whether it is a right study does not matter; KITH_INVALID if it is no YAML that studies take. */
KITH_API KITH_MUST_USE kith_status kith_study_outline(kith_document **outline, const char *text,
                                                      size_t length, kith_error *error);
/* Changes one value in such a text: `path` is as in kith_setting, `yaml` a value in one line as it
 * is written in a study ("5", "{mask: right}"). A key that is not there is added; a path that ends
 * with ".+" adds an item to a list; `yaml` NULL removes a key or an item. All else stays as it was
 * written, comments included. Release `changed` with kith_free. */
KITH_API KITH_MUST_USE kith_status kith_study_edit(char **changed, const char *text,
                                                   const char *path, const char *yaml,
                                                   kith_error *error);

/* Writes a text, such as that of a document, to a file: completely or not at all, in place of an
 * older file. A last line without an end gets one. "-" is standard output; it, devices and pipes
 * are written as they are. */
KITH_API KITH_MUST_USE kith_status kith_file_write(const char *path, const char *text,
                                                   kith_error *error);
/* The same for a text that tells more than a release, such as a summary: only the owner of the file
 * can read it. */
KITH_API KITH_MUST_USE kith_status kith_file_write_private(const char *path, const char *text,
                                                           kith_error *error);

/* A data URI as people may see it: without a password. Release with kith_free; NULL if out of
 * memory. */
KITH_API char *kith_data_shown(const char *uri);

/* Reads an amount of memory with its unit, such as "500MB" or "1.5GB". KITH_INVALID if it is none,
 * or less than 1MB. */
KITH_API KITH_MUST_USE kith_status kith_memory_parse(uint64_t *bytes, const char *text,
                                                     kith_error *error);

#ifdef __cplusplus
}
#endif
#endif

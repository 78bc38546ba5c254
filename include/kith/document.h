/* A document is what a command has to say, as a tree of named values: it prints as JSON, and its
 * values can be read by path. Summaries, descriptions and verdicts are documents. */
#ifndef KITH_DOCUMENT_H
#define KITH_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include <kith/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_document kith_document;

KITH_API void kith_document_free(kith_document *document);

/* Paths are keys and indices joined by dots: "loss.lm", "models.0.holds", "columns.3.name".
 * A missing path or another type yields the fallback; texts belong to the document. Counts are
 * numbers, too: they are exact up to 2^53; the JSON text has all digits of larger ones. */
KITH_API double kith_document_number(const kith_document *document, const char *path,
                                     double fallback);
KITH_API const char *kith_document_text(const kith_document *document, const char *path,
                                        const char *fallback);
KITH_API bool kith_document_flag(const kith_document *document, const char *path, bool fallback);
/* Number of elements of the array or object at `path` ("" is the document itself), 0 if none. */
KITH_API size_t kith_document_n_items(const kith_document *document, const char *path);
KITH_API bool kith_document_has(const kith_document *document, const char *path);
/* Key of the index-th member of the object at `path`, NULL if there is none. */
KITH_API const char *kith_document_key(const kith_document *document, const char *path,
                                       size_t index);

/* JSON text, indented if `pretty`, without a final line end; release with kith_free. NULL if out of
 * memory. */
KITH_API char *kith_document_json(const kith_document *document, bool pretty);

/* {"problems": n, "warnings": n, "findings": [{"severity", "file", "line", "column", "path",
 * "text"}]}, where a file, line, column or path that does not apply is left out. Counts include
 * what the list could not keep. */
KITH_API KITH_MUST_USE kith_status kith_findings_describe(kith_document **document,
                                                          const kith_findings *findings,
                                                          kith_error *error);

#ifdef __cplusplus
}
#endif
#endif

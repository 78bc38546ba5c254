/* Building documents. A failed allocation is remembered and reported once, by document_status, so
 * that code that builds a document need not check every call. */
#ifndef CORE_DOCUMENT_H
#define CORE_DOCUMENT_H

#include <stdint.h>

#include <kith/document.h>

/* A place inside a document to which members are added: an object or an array. */
typedef struct document_node document_node;

kith_document *document_new(void); /* NULL if out of memory */
document_node *document_root(kith_document *document);

/* `parent` may be NULL after a failed allocation: the call does nothing and returns NULL. `key` is
 * ignored in an array. NaN, infinities and a NULL text become null; bytes of a text that are not
 * UTF-8 become U+FFFD. */
document_node *document_object(kith_document *document, document_node *parent, const char *key);
document_node *document_array(kith_document *document, document_node *parent, const char *key);
void document_put_number(kith_document *document, document_node *parent, const char *key,
                         double value);
void document_put_count(kith_document *document, document_node *parent, const char *key,
                        uint64_t value);
void document_put_text(kith_document *document, document_node *parent, const char *key,
                       const char *value);
void document_put_flag(kith_document *document, document_node *parent, const char *key, bool value);
void document_put_null(kith_document *document, document_node *parent, const char *key);
/* Adds a copy of the value at `path` of another document, null if that has none. */
void document_copy(kith_document *document, document_node *parent, const char *key,
                   const kith_document *from, const char *path);

/* Reads a file that kith wrote; KITH_DATA if it is not a JSON object. Free with
 * kith_document_free. */
kith_status document_read(kith_document **document, const char *path,
                          kith_error *error) KITH_MUST_USE;

/* The same for a text; messages call it `name`. */
kith_status document_parse(kith_document **document, const char *text, const char *name,
                           kith_error *error) KITH_MUST_USE;

kith_status document_status(const kith_document *document, kith_error *error);
/* Passes a document to `*result`, which may be NULL, if the job that made it ended with KITH_OK, and
 * frees it otherwise; returns that status. */
kith_status document_hand_over(kith_document **result, kith_document *document, kith_status status);
/* The same for a document whose last key has been added: with document_status. */
kith_status document_finish(kith_document **result, kith_document *document,
                            kith_error *error) KITH_MUST_USE;

#endif

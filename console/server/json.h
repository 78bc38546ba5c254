/* JSON of requests and answers: cJSON with errors that name the member. */
#ifndef CONSOLE_SERVER_JSON_H
#define CONSOLE_SERVER_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include <kith/document.h>
#include <kith/status.h>

/* Leaves a function that returns a kith_status as soon as a call fails. */
#define TRY(call)                         \
    do {                                  \
        const kith_status tried = (call); \
        if (tried != KITH_OK)             \
            return tried;                 \
    } while (0)

/* Fills the error and returns the status. */
kith_status json_fail(kith_error *error, kith_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Parses a text of at most 64 levels that holds an object and nothing else. Free with cJSON_Delete.
 */
kith_status json_parse(cJSON **object, const char *text, size_t length, kith_error *error);

/* Members of a request. The first fails if there is no such text, or an empty one. */
kith_status json_need_text(const char **text, const cJSON *object, const char *name,
                           kith_error *error);
const char *json_text_or(const cJSON *object, const char *name, const char *fallback);
double json_number_or(const cJSON *object, const char *name, double fallback);
/* A whole number from `least` to `most`, at most 2^53; anything else fails, also if it is not
 * there.
 */
kith_status json_need_count(uint64_t *count, const cJSON *object, const char *name, uint64_t least,
                            uint64_t most, kith_error *error);
bool json_flag(const cJSON *object, const char *name);

/* Puts a document of the library below `name`. */
kith_status json_add_document(cJSON *object, const char *name, const kith_document *document,
                              kith_error *error);
/* Puts findings below "findings", as kith_findings_describe lists them. */
kith_status json_add_findings(cJSON *object, const kith_findings *findings, kith_error *error);

#endif

/* JSON of requests and answers. */
#include "console/server/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

kith_status json_fail(kith_error *error, kith_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    error->hint[0] = '\0';
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

/* A NUL, also as \u0000: texts would end there, and a name would be another one. */
static bool has_nul(const char *text, size_t length)
{
    if (memchr(text, '\0', length) != NULL)
        return true;
    for (size_t i = 0; i + 5 < length; i++) {
        if (text[i] != '\\')
            continue;
        if (memcmp(text + i + 1, "u0000", 5) == 0)
            return true;
        i++; /* what a backslash escapes begins nothing */
    }
    return false;
}

/* cJSON recurses: the depth is bounded before it sees the text. */
static bool is_shallow(const char *text, size_t length)
{
    size_t depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && (text[i] == '{' || text[i] == '['))
            depth++;
        else if (!quoted && (text[i] == '}' || text[i] == ']') && depth > 0)
            depth--;
        if (depth > MAX_DEPTH)
            return false;
    }
    return true;
}

kith_status json_parse(cJSON **object, const char *text, size_t length, kith_error *error)
{
    const char *end = NULL;
    *object = NULL;
    if (has_nul(text, length))
        return json_fail(error, KITH_INVALID,
                         "the request has a text with a NUL, which no name "
                         "and no text may have");
    if (!is_shallow(text, length))
        return json_fail(error, KITH_INVALID, "the request is not JSON that the console takes");
    *object = cJSON_ParseWithLengthOpts(text, length, &end, 0);
    while (end != NULL && end < text + length && strchr(" \t\r\n", *end) != NULL)
        end++;
    if (cJSON_IsObject(*object) && end == text + length)
        return KITH_OK;
    cJSON_Delete(*object);
    *object = NULL;
    return json_fail(error, KITH_INVALID, "the request is not a JSON object");
}

const char *json_text_or(const cJSON *object, const char *name, const char *fallback)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(member) ? member->valuestring : fallback;
}

kith_status json_need_text(const char **text, const cJSON *object, const char *name,
                           kith_error *error)
{
    *text = json_text_or(object, name, "");
    if ((*text)[0] == '\0')
        return json_fail(error, KITH_INVALID, "the request lacks '%s'", name);
    return KITH_OK;
}

double json_number_or(const cJSON *object, const char *name, double fallback)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(member) ? member->valuedouble : fallback;
}

kith_status json_need_count(uint64_t *count, const cJSON *object, const char *name, uint64_t least,
                            uint64_t most, kith_error *error)
{
    const double number = json_number_or(object, name, -1);
    /* Also not a number fails here: what a double cannot hold must not be converted. */
    if (!(number >= (double)least && number <= (double)most) || floor(number) != number)
        return json_fail(error, KITH_INVALID, "'%s': expected a whole number from %llu to %llu",
                         name, (unsigned long long)least, (unsigned long long)most);
    *count = (uint64_t)number;
    return KITH_OK;
}

bool json_flag(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, name));
}

kith_status json_add_document(cJSON *object, const char *name, const kith_document *document,
                              kith_error *error)
{
    char *text = kith_document_json(document, false);
    const bool added = text != NULL && cJSON_AddRawToObject(object, name, text) != NULL;
    kith_free(text);
    return added ? KITH_OK : json_fail(error, KITH_NOMEM, "out of memory");
}

kith_status json_add_findings(cJSON *object, const kith_findings *findings, kith_error *error)
{
    kith_document *document = NULL;
    TRY(kith_findings_describe(&document, findings, error));
    const kith_status added = json_add_document(object, "findings", document, error);
    kith_document_free(document);
    return added;
}

#include "core/document.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/text.h"

/* A document_node is a cJSON item in disguise, so that no other file sees cJSON. */
struct kith_document {
    cJSON *root;
    bool failed;
    /* cJSON's arrays are lists. Where the last element was found, the search for the next one
     * begins: reading all of them by index takes one pass. Elements are never removed. Several
     * threads may read a document. */
    pthread_mutex_t lock;
    struct cursor {
        const cJSON *list, *item;
        size_t index;
    } cursors[4]; /* for lists inside lists */
    size_t next_cursor;
};

/* Takes the root; NULL if there is none, or no memory. */
static kith_document *own(cJSON *root)
{
    kith_document *document = root == NULL ? NULL : calloc(1, sizeof *document);
    if (document == NULL) {
        cJSON_Delete(root);
        return NULL;
    }
    document->root = root;
    pthread_mutex_init(&document->lock, NULL);
    return document;
}

kith_document *document_new(void)
{
    return own(cJSON_CreateObject());
}

void kith_document_free(kith_document *document)
{
    if (document == NULL)
        return;
    cJSON_Delete(document->root);
    pthread_mutex_destroy(&document->lock);
    free(document);
}

document_node *document_root(kith_document *document)
{
    return (document_node *)document->root;
}

/* Adds an item to an object or array and takes it over. `item` may be NULL after a failed
 * allocation, which document_status reports later. */
static document_node *attach(kith_document *document, document_node *parent, const char *key,
                             cJSON *item)
{
    cJSON *container = (cJSON *)parent;
    ASSERT(container == NULL || cJSON_IsArray(container) ||
           (cJSON_IsObject(container) && key != NULL));
    if (container != NULL && item != NULL &&
        (cJSON_IsArray(container) ? cJSON_AddItemToArray(container, item)
                                  : cJSON_AddItemToObject(container, key, item)))
        return (document_node *)item;
    cJSON_Delete(item);
    document->failed = true;
    return NULL;
}

document_node *document_object(kith_document *document, document_node *parent, const char *key)
{
    return attach(document, parent, key, cJSON_CreateObject());
}

document_node *document_array(kith_document *document, document_node *parent, const char *key)
{
    return attach(document, parent, key, cJSON_CreateArray());
}

void document_put_number(kith_document *document, document_node *parent, const char *key,
                         double value)
{
    attach(document, parent, key, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

void document_put_count(kith_document *document, document_node *parent, const char *key,
                        uint64_t value)
{
    /* As text of digits, so that large counts do not turn into 1e+15. */
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    cJSON *item = cJSON_CreateRaw(digits);
    if (item != NULL)
        item->valuedouble = (double)value;
    attach(document, parent, key, item);
}

/* JSON is UTF-8, but file names may hold any bytes. Bytes that are not UTF-8 become U+FFFD. Returns
 * a text to be freed. */
static char *valid_copy(const char *value)
{
    size_t length = strlen(value);
    char *copy = length > SIZE_MAX / 3 - 1 ? NULL : malloc(3 * length + 1);
    if (copy == NULL)
        return NULL;
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        size_t good = text_utf8_error(value + i, length - i);
        memcpy(copy + used, value + i, good);
        used += good;
        i += good;
        if (i < length) {
            memcpy(copy + used, "\xef\xbf\xbd", 3);
            used += 3;
            i++;
        }
    }
    copy[used] = '\0';
    return copy;
}

void document_put_text(kith_document *document, document_node *parent, const char *key,
                       const char *value)
{
    if (value == NULL) {
        document_put_null(document, parent, key);
        return;
    }
    char *clean = valid_copy(value);
    attach(document, parent, key, clean == NULL ? NULL : cJSON_CreateString(clean));
    free(clean);
}

void document_put_flag(kith_document *document, document_node *parent, const char *key, bool value)
{
    attach(document, parent, key, cJSON_CreateBool(value));
}

void document_put_null(kith_document *document, document_node *parent, const char *key)
{
    attach(document, parent, key, cJSON_CreateNull());
}

kith_status document_status(const kith_document *document, kith_error *error)
{
    return document->failed ? error_nomem(error) : KITH_OK;
}

kith_status document_hand_over(kith_document **result, kith_document *document, kith_status status)
{
    if (status == KITH_OK && result != NULL)
        *result = document;
    else
        kith_document_free(document);
    return status;
}

kith_status document_finish(kith_document **result, kith_document *document, kith_error *error)
{
    return document_hand_over(result, document, document_status(document, error));
}

/* Returns the text of the whole file, to be freed, or NULL with errno set. JSON has no NUL bytes,
 * so "up to the first NUL" reads everything. */
static char *read_whole(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return NULL;
    char *text = NULL;
    size_t room = 0;
    ssize_t length = getdelim(&text, &room, '\0', in);
    int failed = length < 0 && !feof(in) ? errno : 0;
    fclose(in);
    if (failed == 0 && length >= 0)
        return text;
    free(text);
    errno = failed;
    return failed == 0 ? strdup("") : NULL;
}

kith_status document_parse(kith_document **document, const char *text, const char *name,
                           kith_error *error)
{
    errno = 0; /* cJSON does not distinguish bad JSON from a failed malloc; errno does */
    cJSON *root = cJSON_Parse(text);
    if (root == NULL && errno == ENOMEM)
        return error_nomem(error);
    if (!cJSON_IsObject(root)) {
        cJSON_Delete(root);
        return error_set(error, KITH_DATA, "%s is not a JSON object", name);
    }
    *document = TRY_ALLOC(own(root), error);
    return KITH_OK;
}

kith_status document_read(kith_document **document, const char *path, kith_error *error)
{
    char *text = read_whole(path);
    if (text == NULL)
        return error_errno(error, errno, "read", path);
    kith_status status = document_parse(document, text, path, error);
    free(text);
    return status;
}

/* The cursor of a list, or one that is free for it. */
static struct cursor *cursor_of(kith_document *document, const cJSON *list)
{
    const size_t n = sizeof document->cursors / sizeof *document->cursors;
    for (size_t i = 0; i < n; i++)
        if (document->cursors[i].list == list)
            return &document->cursors[i];
    struct cursor *fresh = &document->cursors[document->next_cursor++ % n];
    *fresh = (struct cursor){.list = list, .item = list->child};
    return fresh;
}

/* The element of an array or object with this index, or NULL. */
static const cJSON *nth(const kith_document *document, const cJSON *list, size_t index)
{
    kith_document *own_cursors = (kith_document *)document; /* no value of the document changes */
    if (list->child == NULL)
        return NULL;
    pthread_mutex_lock(&own_cursors->lock);
    struct cursor *c = cursor_of(own_cursors, list);
    if (index < c->index)
        *c = (struct cursor){.list = list, .item = list->child};
    for (; c->index < index && c->item->next != NULL; c->index++)
        c->item = c->item->next;
    const cJSON *found = c->index == index ? c->item : NULL;
    pthread_mutex_unlock(&own_cursors->lock);
    return found;
}

/* The member whose key is the first `length` bytes of `key`, which may be long: names of columns
 * are. */
static const cJSON *member(const kith_document *document, const cJSON *item, const char *key,
                           size_t length)
{
    if (cJSON_IsArray(item)) {
        char text[24], *end;
        if (length >= sizeof text)
            return NULL;
        memcpy(text, key, length);
        text[length] = '\0';
        const unsigned long index = strtoul(text, &end, 10);
        return end == text || *end != '\0' ? NULL : nth(document, item, index);
    }
    for (const cJSON *at = cJSON_IsObject(item) ? item->child : NULL; at != NULL; at = at->next)
        if (at->string != NULL && strncmp(at->string, key, length) == 0 &&
            at->string[length] == '\0')
            return at;
    return NULL;
}

/* Keys may contain dots themselves (names of columns do): if no member has the text up to the next
 * dot as its key, tries the text up to the dot after it, and so on. */
static const cJSON *find_below(const kith_document *document, const cJSON *item, const char *path)
{
    if (item == NULL || *path == '\0')
        return item;
    for (size_t length = strcspn(path, ".");; length += 1 + strcspn(path + length + 1, ".")) {
        const cJSON *child = member(document, item, path, length);
        const cJSON *found =
            child == NULL ? NULL
                          : find_below(document, child, path + length + (path[length] == '.'));
        if (found != NULL || path[length] == '\0')
            return found;
    }
}

static const cJSON *document_find(const kith_document *document, const char *path)
{
    return document == NULL ? NULL : find_below(document, document->root, path);
}

double kith_document_number(const kith_document *document, const char *path, double fallback)
{
    const cJSON *item = document_find(document, path);
    return cJSON_IsNumber(item) || cJSON_IsRaw(item) ? item->valuedouble : fallback;
}

const char *kith_document_text(const kith_document *document, const char *path,
                               const char *fallback)
{
    const cJSON *item = document_find(document, path);
    return cJSON_IsString(item) ? item->valuestring : fallback;
}

bool kith_document_flag(const kith_document *document, const char *path, bool fallback)
{
    const cJSON *item = document_find(document, path);
    return cJSON_IsBool(item) ? cJSON_IsTrue(item) != 0 : fallback;
}

size_t kith_document_n_items(const kith_document *document, const char *path)
{
    const cJSON *item = document_find(document, path);
    return cJSON_IsArray(item) || cJSON_IsObject(item) ? (size_t)cJSON_GetArraySize(item) : 0;
}

bool kith_document_has(const kith_document *document, const char *path)
{
    return document_find(document, path) != NULL;
}

const char *kith_document_key(const kith_document *document, const char *path, size_t index)
{
    const cJSON *item = document_find(document, path);
    const cJSON *at = cJSON_IsObject(item) ? nth(document, item, index) : NULL;
    return at == NULL ? NULL : at->string;
}

void document_copy(kith_document *document, document_node *parent, const char *key,
                   const kith_document *from, const char *path)
{
    const cJSON *item = document_find(from, path);
    attach(document, parent, key, item == NULL ? cJSON_CreateNull() : cJSON_Duplicate(item, true));
}

char *kith_document_json(const kith_document *document, bool pretty)
{
    if (document == NULL)
        return NULL;
    return pretty ? cJSON_Print(document->root) : cJSON_PrintUnformatted(document->root);
}

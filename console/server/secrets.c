/* Which files hold secrets. */
#include "console/server/secrets.h"

#include <fts.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <sodium.h>

#include <kith/application.h>
#include <kith/study.h>

#include "console/server/files.h"
#include "console/server/json.h"

/* MAX_KEY: the library takes no longer key of pseudonyms. CHOICES: a file of private choices has so
 * many random bytes and nothing else. */
enum { HEAD = 4096, MAX_KEY = 64, CHOICES = 32, MAX_STUDY = 1 << 20, MAX_DEPTH = 5 };

struct secrets_key {
    dev_t device;
    ino_t inode;
    size_t length; /* of the bytes; 0: they are not compared */
    unsigned char bytes[MAX_KEY];
};

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static bool has_secret_name(const char *path)
{
    static const char *const endings[] = {".key", ".choices", ".pem", ".runs"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(path, endings[i]))
            return true;
    return false;
}

/* Also through links: what they lead to may have such a name. */
static bool leads_to_secret_name(const char *path)
{
    char *real = realpath(path, NULL);
    const bool found = has_secret_name(path) || (real != NULL && has_secret_name(real));
    free(real);
    return found;
}

/* The first bytes of a regular file; 0 if it is none or cannot be read. */
static size_t read_head(unsigned char *bytes, size_t room, const char *path, struct stat *status)
{
    if (stat(path, status) != 0 || !S_ISREG(status->st_mode))
        return 0;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    setvbuf(file, NULL, _IONBF, 0); /* no copy that would not be wiped */
    const size_t length = fread(bytes, 1, room, file);
    fclose(file);
    return length;
}

/* As many random bytes are no text: a control character or a byte beyond ASCII is among them but
 * for one file in 10^13. */
static bool is_random(const unsigned char *bytes, size_t length)
{
    static const char spaces[] = {'\t', '\r', '\n'};
    for (size_t i = 0; i < length; i++)
        if ((bytes[i] < 0x20 && memchr(spaces, bytes[i], sizeof spaces) == NULL) ||
            bytes[i] >= 0x7f)
            return true;
    return false;
}

static bool begins_secretly(const unsigned char *head, size_t length)
{
    static const char pem[] = "PRIVATE KEY-----";
    static const char *const lines[] = {"kith key generator secret ", "kith private identity key ",
                                        "kith partial identity key "};
    if (memmem(head, length, pem, sizeof pem - 1) != NULL)
        return true;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (length >= strlen(lines[i]) && memcmp(head, lines[i], strlen(lines[i])) == 0)
            return true;
    return length == CHOICES && is_random(head, length);
}

static bool is_key(const struct secrets_key *key, const unsigned char *head, size_t length,
                   const struct stat *status)
{
    if (key->device == status->st_dev && key->inode == status->st_ino)
        return true;
    return key->length > 0 && key->length == length && memcmp(key->bytes, head, length) == 0;
}

bool secrets_hold(const secrets_named *named, const char *path)
{
    unsigned char head[HEAD];
    struct stat status = {0};
    if (leads_to_secret_name(path))
        return true;
    const size_t length = read_head(head, sizeof head, path, &status);
    bool found = begins_secretly(head, length);
    for (size_t i = 0; i < named->count && !found; i++)
        found = is_key(&named->keys[i], head, length, &status);
    sodium_memzero(head, sizeof head);
    return found;
}

static struct secrets_key *new_key(secrets_named *named)
{
    if (named->count == named->capacity) {
        const size_t room = named->capacity == 0 ? 8 : 2 * named->capacity;
        struct secrets_key *keys = calloc(room, sizeof *keys);
        if (keys == NULL)
            return NULL;
        if (named->count > 0) {
            memcpy(keys, named->keys, named->count * sizeof *keys);
            sodium_memzero(named->keys, named->count * sizeof *keys);
        }
        free(named->keys);
        named->keys = keys;
        named->capacity = room;
    }
    return &named->keys[named->count++];
}

/* A key that is not there keeps nothing secret. Only one below the directory is read: of others
 * links are known, but no copies. */
static kith_status add_key(secrets_named *named, const char *study, const char *name,
                           kith_error *error)
{
    char path[2 * HEAD];
    unsigned char bytes[MAX_KEY + 1];
    struct stat status;
    const char *slash = strrchr(study, '/');
    const int folder = name[0] == '/' || slash == NULL ? 0 : (int)(slash + 1 - study);
    if (snprintf(path, sizeof path, "%.*s%s", folder, study, name) >= (int)sizeof path ||
        stat(path, &status) != 0)
        return KITH_OK;
    struct secrets_key *key = new_key(named);
    if (key == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    key->device = status.st_dev;
    key->inode = status.st_ino;
    const size_t length = files_is_below(path) ? read_head(bytes, sizeof bytes, path, &status) : 0;
    if (length <= MAX_KEY) {
        key->length = length;
        memcpy(key->bytes, bytes, length);
    }
    sodium_memzero(bytes, sizeof bytes);
    return KITH_OK;
}

/* What is no YAML is no study, and names nothing. */
static kith_status add_keys(secrets_named *named, const char *study, const char *text,
                            size_t length, kith_error *error)
{
    kith_document *outline = NULL;
    kith_error ignored;
    if (kith_study_outline(&outline, text, length, &ignored) != KITH_OK)
        return ignored.status == KITH_NOMEM ? json_fail(error, KITH_NOMEM, "out of memory")
                                            : KITH_OK;
    kith_status status = KITH_OK;
    for (size_t i = 0; i < kith_document_n_items(outline, "columns") && status == KITH_OK; i++) {
        char at[48];
        snprintf(at, sizeof at, "columns.%zu.pseudonym", i);
        const char *name = kith_document_text(outline, at, "");
        if (name[0] != '\0')
            status = add_key(named, study, name, error);
    }
    kith_document_free(outline);
    return status;
}

static kith_status read_study(secrets_named *named, const char *path, kith_error *error)
{
    struct stat status;
    char *text = malloc(MAX_STUDY);
    if (text == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    const size_t length = read_head((unsigned char *)text, MAX_STUDY, path, &status);
    const kith_status added = add_keys(named, path, text, length, error);
    free(text);
    return added;
}

static kith_status visit(secrets_named *named, FTS *tree, FTSENT *entry, kith_error *error)
{
    const bool hidden = entry->fts_level > 0 && entry->fts_name[0] == '.';
    if (hidden || entry->fts_level > MAX_DEPTH) {
        fts_set(tree, entry, FTS_SKIP);
        return KITH_OK;
    }
    const bool file = entry->fts_info == FTS_F || entry->fts_info == FTS_SL;
    if (!file || !(ends_with(entry->fts_name, ".yaml") || ends_with(entry->fts_name, ".yml")))
        return KITH_OK;
    return files_is_below(entry->fts_path) ? read_study(named, entry->fts_path, error) : KITH_OK;
}

kith_status secrets_collect(secrets_named *named, kith_error *error)
{
    char here[] = ".";
    FTS *tree = fts_open((char *[]){here, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    *named = (secrets_named){0};
    if (tree == NULL)
        return json_fail(error, KITH_IO, "cannot list the directory");
    kith_status status = KITH_OK;
    for (FTSENT *entry; status == KITH_OK && (entry = fts_read(tree)) != NULL;)
        status = visit(named, tree, entry, error);
    fts_close(tree);
    return status;
}

void secrets_wipe(secrets_named *named)
{
    if (named->count > 0)
        sodium_memzero(named->keys, named->count * sizeof *named->keys);
    free(named->keys);
    *named = (secrets_named){0};
}

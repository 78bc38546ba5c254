#include "study/digest_list.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

void digest_list_begin(digest_list *list, arena *memory)
{
    memset(list, 0, sizeof *list);
    list->memory = memory;
}

/* Closes the current entry: its hash is final. */
static void digest_list_finish(digest_list *list)
{
    if (list->path[0] == '\0' || list->nomem)
        return;
    if (list->count == list->room) {
        size_t room = arena_capacity(list->room, list->count + 1);
        study_entry *larger =
            arena_resize_array(list->memory, list->entries, list->room, room, sizeof *larger);
        list->nomem = larger == NULL;
        if (list->nomem)
            return;
        list->entries = larger;
        list->room = room;
    }
    study_entry *e = &list->entries[list->count++];
    e->path = arena_strdup(list->memory, list->path);
    list->nomem = e->path == NULL;
    crypto_generichash_final(&list->values, e->hash, sizeof e->hash);
}

/* Does a text start like this? */
static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Long names are cut: an entry only says where to look. */
static void join(char *path, const char *a, const char *b)
{
    snprintf(path, DIGEST_PATH, "%.120s%.120s", a, b);
    path[text_utf8_error(path, strlen(path))] = '\0';
}

/* Consecutive values under the same path go into one entry: the nodes of a hierarchy would
 * otherwise be millions of entries. */
void digest_list_put(digest_list *list, const char *canonical, const char *value)
{
    char path[DIGEST_PATH];
    /* The name of an entry as a user of the study would write it: "columns.age.type",
     * "privacy.1.k". Entries that begin a section (column, party, model) name the section for those
     * that follow. */
    char number[16];
    if (strcmp(canonical, "column") == 0)
        join(list->section, "columns.", value);
    if (strcmp(canonical, "party") == 0)
        join(list->section, "parties.", value);
    if (strcmp(canonical, "model") == 0) {
        snprintf(number, sizeof number, "%u", list->n_models++);
        join(list->section, "privacy.", number);
    }
    if (strcmp(canonical, "column") == 0 || strcmp(canonical, "party") == 0 ||
        strcmp(canonical, "model") == 0)
        join(path, list->section, "");
    else if (starts(canonical, "column.") || starts(canonical, "party.") ||
             starts(canonical, "model."))
        join(path, list->section, strchr(canonical, '.'));
    else if (starts(canonical, "hierarchy") || starts(canonical, "node."))
        join(path, list->section, ".hierarchy");
    else
        join(path, canonical, "");
    if (strcmp(path, list->path) != 0) {
        digest_list_finish(list);
        memcpy(list->path, path, sizeof path);
        crypto_generichash_init(&list->values, NULL, 0, sizeof list->entries->hash);
    }
    digest_list_more(list, canonical, value);
}

void digest_list_more(digest_list *list, const char *canonical, const char *value)
{
    crypto_generichash_update(&list->values, (const unsigned char *)canonical,
                              strlen(canonical) + 1);
    crypto_generichash_update(&list->values, (const unsigned char *)value, strlen(value) + 1);
}

kith_status digest_list_end(digest_list *list, kith_study *study, kith_error *error)
{
    digest_list_finish(list);
    if (list->nomem)
        return error_nomem(error);
    study->entries = list->entries;
    study->n_entries = list->count;
    return KITH_OK;
}

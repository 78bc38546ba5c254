/* Links for single files. */
#include "console/server/links.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/server/files.h"
#include "console/server/guard.h"
#include "console/server/json.h"

enum { KEPT = 64 };

struct links {
    pthread_mutex_t lock;
    size_t next; /* place of the next one: the oldest */
    char tokens[KEPT][GUARD_TOKEN_SIZE];
    char *paths[KEPT]; /* NULL: used or never given */
};

links *links_new(void)
{
    links *all = calloc(1, sizeof *all);
    if (all != NULL)
        pthread_mutex_init(&all->lock, NULL);
    return all;
}

void links_free(links *all)
{
    if (all == NULL)
        return;
    for (size_t i = 0; i < KEPT; i++)
        free(all->paths[i]);
    pthread_mutex_destroy(&all->lock);
    free(all);
}

kith_status links_add(links *all, const char *path, cJSON *out, kith_error *error)
{
    TRY(files_check_readable(path, error));
    char *copy = strdup(path);
    if (copy == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    char address[GUARD_TOKEN_SIZE + 16];
    pthread_mutex_lock(&all->lock);
    const size_t i = all->next;
    all->next = (i + 1) % KEPT;
    free(all->paths[i]);
    all->paths[i] = copy;
    guard_token_make(all->tokens[i]);
    snprintf(address, sizeof address, "/file/%s", all->tokens[i]);
    pthread_mutex_unlock(&all->lock);
    cJSON_AddStringToObject(out, "address", address);
    return KITH_OK;
}

char *links_take(links *all, const char *link)
{
    char *path = NULL;
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < KEPT && path == NULL; i++)
        if (all->paths[i] != NULL && guard_token_equal(all->tokens[i], link)) {
            path = all->paths[i];
            all->paths[i] = NULL;
        }
    pthread_mutex_unlock(&all->lock);
    return path;
}

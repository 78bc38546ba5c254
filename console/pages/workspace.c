/* What pages keep between requests. */
#include "console/pages/workspace.h"

#include <pthread.h>
#include <stdlib.h>

struct workspace {
    pthread_mutex_t lock;
};

workspace *workspace_new(void)
{
    workspace *space = calloc(1, sizeof *space);
    if (space != NULL)
        pthread_mutex_init(&space->lock, NULL);
    return space;
}

void workspace_free(workspace *space)
{
    if (space == NULL)
        return;
    pthread_mutex_destroy(&space->lock);
    free(space);
}

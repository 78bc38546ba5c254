/* The console: its pages on the server, until a signal ends it. */
#include "console/console.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "console/pages/pages.h"
#include "console/pages/workspace.h"
#include "console/server/json.h"
#include "console/server/server.h"
#include "console/server/temporary.h"

static const route *const tables[] = {
    page_shell_routes,    page_data_routes,  page_hierarchies_routes,
    page_study_routes,    page_run_routes,   page_release_routes,
    page_together_routes, page_party_routes, NULL};

kith_status console_serve(const console_options *options, kith_error *error)
{
    if (chdir(options->directory) != 0)
        return json_fail(error, KITH_IO, "%s: %s", options->directory, strerror(errno));
    if (!options->read_only)
        temporary_begin();
    /* All threads inherit the mask: the signals wait for this one. */
    sigset_t ends;
    int signal_number;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    workspace *space = workspace_new();
    if (space == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    const server_options serving = {.port = options->port,
                                    .read_only = options->read_only,
                                    .tables = tables,
                                    .workspace = space,
                                    .tell = options->tell,
                                    .user = options->user};
    server *s = NULL;
    const kith_status status = server_start(&s, &serving, error);
    if (status == KITH_OK) {
        sigwait(&ends, &signal_number);
        server_stop(s);
    }
    workspace_free(space);
    return status;
}

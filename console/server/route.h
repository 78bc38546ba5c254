/* Routes: what a page can ask. Each page has a table of them and a function for each. */
#ifndef CONSOLE_SERVER_ROUTE_H
#define CONSOLE_SERVER_ROUTE_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include <kith/status.h>

#include "console/server/jobs.h"
#include "console/server/links.h"

/* What a route may use; it lives as long as the server. */
typedef struct surroundings {
    jobs *jobs;
    links *links;
    struct workspace *workspace; /* what pages keep between requests: pages/workspace.h */
    bool read_only;
} surroundings;

typedef struct request {
    surroundings *around;
    const cJSON *body;  /* an object, as the page sent it */
    const char *upload; /* ROUTE_UPLOAD: a temporary file with the body; rename it, or it goes */
    const char *name;   /* ROUTE_UPLOAD: what the page calls it, decoded, not checked */
} request;

enum {
    ROUTE_ALWAYS = 1, /* also with --read-only */
    ROUTE_UPLOAD = 2  /* the body is a file */
};

/* Fills the object `out`, or the error. Runs in a thread of the server: what may take longer than a
 * moment is a job (jobs.h). */
typedef kith_status route_answer(const request *r, cJSON *out, kith_error *error);

typedef struct route {
    const char *path; /* "/api/…"; asked by POST */
    unsigned flags;
    route_answer *answer;
} route;

#endif

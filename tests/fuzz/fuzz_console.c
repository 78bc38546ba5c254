/* Any bytes as a request to the console: headers are judged, a body is refused with a message, or a
 * route answers with JSON. The first byte chooses what is asked; routes that start jobs are left
 * out, because they read data by calls that have targets of their own. */
#include "support/fuzz_input.h"

#include <kith/application.h>

#include "console/pages/pages.h"
#include "console/pages/workspace.h"
#include "console/server/files.h"
#include "console/server/guard.h"
#include "console/server/json.h"

enum { MAX_LENGTH = 1 << 14, PORT = 4000 };

static const char *const asked[] = {"/api/study/check",      "/api/study/edit", "/api/study/open",
                                    "/api/hierarchies/open", "/api/link",       "/api/job",
                                    "/api/job/stop"};
enum { N_ASKED = sizeof asked / sizeof *asked };

static const route *find(const char *path)
{
    const route *const tables[] = {page_shell_routes, page_study_routes, page_hierarchies_routes};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const route *r = tables[i]; r->path != NULL; r++)
            if (strcmp(r->path, path) == 0)
                return r;
    require(false);
    return NULL;
}

/* A text that an edit gives back can be read and edited again. */
static void check_edit(const cJSON *out)
{
    kith_document *outline = NULL;
    const char *text = json_text_or(out, "text", "");
    require(kith_study_outline(&outline, text, strlen(text), NULL) == KITH_OK);
    kith_document_free(outline);
}

static void ask(surroundings *around, const char *path, const char *text, size_t length)
{
    kith_error error = {0};
    cJSON *body = NULL, *out = cJSON_CreateObject();
    require(out != NULL);
    kith_status status = json_parse(&body, text, length, &error);
    if (status == KITH_OK) {
        const request r = {.around = around, .body = body};
        status = find(path)->answer(&r, out, &error);
        if (status == KITH_OK && strcmp(path, "/api/study/edit") == 0)
            check_edit(out);
    }
    require(status == KITH_OK || error.message[0] != '\0');
    char *printed = cJSON_PrintUnformatted(out);
    require(printed != NULL);
    cJSON_free(printed);
    cJSON_Delete(out);
    cJSON_Delete(body);
}

/* Lines of the input as headers and paths. What passes is ours; what passes as a path stays here.
 */
static void judge(const uint8_t *data, size_t size)
{
    char *lines[4] = {NULL};
    for (size_t i = 0; i < 4 && size > 0; i++)
        lines[i] = fuzz_line(&data, &size);
    const guard_headers headers = {
        .host = lines[0], .origin = lines[1], .fetch_site = lines[2], .length = lines[3]};
    if (guard_refuses(&headers, PORT) == NULL)
        require(strcmp(headers.host, "127.0.0.1:4000") == 0 ||
                strcmp(headers.host, "localhost:4000") == 0);
    size_t length;
    if (guard_length(&length, headers.length))
        require(length < 1000000000000000);
    kith_error error;
    for (size_t i = 0; i < 4 && lines[i] != NULL; i++)
        if (files_check(lines[i], &error) == KITH_OK)
            require(lines[i][0] != '/' && strncmp(lines[i], "..", 2) != 0 &&
                    strstr(lines[i], "/../") == NULL);
    for (size_t i = 0; i < 4; i++)
        free(lines[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static surroundings around;
    if (around.jobs == NULL) {
        around.jobs = jobs_new();
        around.links = links_new();
        around.workspace = workspace_new();
        require(around.jobs != NULL && around.links != NULL && around.workspace != NULL);
    }
    if (size == 0 || size > MAX_LENGTH)
        return 0;
    if (data[0] % (N_ASKED + 1) == N_ASKED)
        judge(data + 1, size - 1);
    else
        ask(&around, asked[data[0] % (N_ASKED + 1)], (const char *)data + 1, size - 1);
    return 0;
}

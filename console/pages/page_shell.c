/* What all pages need: files of the directory, uploads, links, jobs. */
#include "console/pages/pages.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kith/version.h>

#include "console/server/files.h"
#include "console/server/json.h"
#include "console/server/temporary.h"

/* {} to {"files": […], "directory", "version", "readOnly"}. With --read-only only reports are
 * listed. */
static kith_status list_files(const request *r, cJSON *out, kith_error *error)
{
    char *here = realpath(".", NULL);
    cJSON_AddStringToObject(out, "directory", here == NULL ? "" : here);
    free(here);
    cJSON_AddStringToObject(out, "version", kith_version());
    cJSON_AddBoolToObject(out, "readOnly", r->around->read_only);
    cJSON *list = cJSON_AddArrayToObject(out, "files");
    if (list == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    TRY(files_list(list, error));
    if (!r->around->read_only)
        return KITH_OK;
    for (int i = cJSON_GetArraySize(list) - 1; i >= 0; i--)
        if (strcmp(json_text_or(cJSON_GetArrayItem(list, i), "kind", ""), "report") != 0)
            cJSON_DeleteItemFromArray(list, i);
    return KITH_OK;
}

/* The body is the file, its name a header: to {"path"}. Does not replace a file. */
static kith_status take_upload(const request *r, cJSON *out, kith_error *error)
{
    static const char folder[] = "hierarchies/";
    if (strncmp(r->name, folder, sizeof folder - 1) == 0 && mkdir("hierarchies", 0777) != 0 &&
        errno != EEXIST)
        return json_fail(error, KITH_IO, "hierarchies: %s", strerror(errno));
    TRY(files_check(r->name, error));
    if (!temporary_share(r->upload) || link(r->upload, r->name) != 0)
        return json_fail(error, KITH_IO, "%.300s: %s", r->name,
                         errno == EEXIST ? "there is such a file already" : strerror(errno));
    cJSON_AddStringToObject(out, "path", r->name);
    return KITH_OK;
}

/* {"path"} to {"address"}, which shows or downloads the file once. With --read-only reports alone.
 */
static kith_status give_link(const request *r, cJSON *out, kith_error *error)
{
    const char *path;
    TRY(json_need_text(&path, r->body, "path", error));
    const size_t length = strlen(path);
    if (r->around->read_only && (length < 5 || strcmp(path + length - 5, ".html") != 0))
        return json_fail(error, KITH_INVALID, "this console shows reports only (--read-only)");
    return links_add(r->around->links, path, out, error);
}

/* {"job"} to what jobs_describe says. */
static kith_status tell_job(const request *r, cJSON *out, kith_error *error)
{
    uint64_t number;
    TRY(json_need_count(&number, r->body, "job", 1, UINT_MAX, error));
    return jobs_describe(r->around->jobs, (unsigned)number, out, error);
}

static kith_status stop_job(const request *r, cJSON *out, kith_error *error)
{
    (void)out;
    uint64_t number;
    TRY(json_need_count(&number, r->body, "job", 1, UINT_MAX, error));
    return jobs_stop(r->around->jobs, (unsigned)number, error);
}

const route page_shell_routes[] = {
    {"/api/files", ROUTE_ALWAYS, list_files}, {"/api/upload", ROUTE_UPLOAD, take_upload},
    {"/api/link", ROUTE_ALWAYS, give_link},   {"/api/job", 0, tell_job},
    {"/api/job/stop", 0, stop_job},           {NULL, 0, NULL}};

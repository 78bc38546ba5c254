/* Answers on the wire: their headers, the same for all of a kind. */
#ifndef CONSOLE_SERVER_REPLY_H
#define CONSOLE_SERVER_REPLY_H

#include <cjson/cJSON.h>
#include <microhttpd.h>

#include <kith/status.h>

#include "console/server/assets.h"

/* A file of console/web. */
enum MHD_Result reply_asset(struct MHD_Connection *connection, const asset *a);
/* A JSON object. */
enum MHD_Result reply_json(struct MHD_Connection *connection, unsigned code, const cJSON *object);
/* {"error", "hint", "kind"} for a call that failed. */
enum MHD_Result reply_error(struct MHD_Connection *connection, const kith_error *error);
/* {"error"} with a code of HTTP. */
enum MHD_Result reply_refusal(struct MHD_Connection *connection, unsigned code, const char *reason);
/* A file of the directory: HTML is shown in a sandbox of its own, all else is a download. */
enum MHD_Result reply_file(struct MHD_Connection *connection, const char *path);

#endif

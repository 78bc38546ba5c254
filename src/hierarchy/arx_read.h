/* Hierarchy files in ARX's format: one row per leaf, leaf first, root last, separated by `;`, tab
 * or `,`; cells may be quoted as in CSV. */
#ifndef HIERARCHY_ARX_READ_H
#define HIERARCHY_ARX_READ_H

#include "hierarchy/arx_scan.h"
#include "hierarchy/draft.h"

/* Fills a draft from the bytes of a file. Everything wrong goes to `findings` (not NULL), and the
 * draft is usable only if no problem was added. Separator 0: detect. `text` is overwritten, since
 * quoted cells are unescaped in place. */
kith_status arx_read_text(draft *d, const char *file, char *text, size_t length, char separator,
                          kith_findings *findings, kith_error *error);

/* The same from rows, of which there is one at least. d->file is for messages. */
kith_status arx_read_rows(draft *d, arx_rows *rows, kith_findings *findings, kith_error *error);

/* Reads the file, "-" being standard input, and parses it. `encoding` is that of the text where no
 * byte-order mark says it (text_feed.h); NULL: UTF-8. */
kith_status arx_read(draft *d, const char *path, char separator, const char *encoding,
                     kith_findings *findings, kith_error *error);

#endif

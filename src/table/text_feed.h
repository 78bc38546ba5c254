/* CSV text as UTF-8, whatever the encoding of the file. */
#ifndef TABLE_TEXT_FEED_H
#define TABLE_TEXT_FEED_H

#include "table/byte_feed.h"

/* Looks at the first bytes and hands out UTF-8. A byte-order mark says that the text is UTF-8,
 * UTF-16 or UTF-32 (of the last two it is taken off); else `encoding` says it, a name that
 * iconv knows, or NULL for UTF-8. UTF-8 is passed on as it is and is not checked here. Files that
 * are no text, such as databases and spreadsheets, are refused with a hint. `name` is for messages;
 * it must live as long as the arena. */
kith_status text_feed_open(byte_feed *f, arena *memory, byte_feed bytes, const char *encoding,
                           const char *name, kith_error *error);

/* For messages about text that is not UTF-8. */
#define TEXT_FEED_HINT \
    "if the file is in another encoding, name it: --encoding WINDOWS-1252, for instance"

#endif

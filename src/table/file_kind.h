/* Files that are no text, told by their first bytes or by their names. */
#ifndef TABLE_FILE_KIND_H
#define TABLE_FILE_KIND_H

#include <stddef.h>

#include <kith/status.h>

/* KITH_DATA, with a hint what to do instead, if a file that begins with these bytes is a database,
 * a spreadsheet, an archive or the like; a few hundred bytes are enough. */
kith_status file_kind_refuse(const char *head, size_t length, const char *name, kith_error *error);

/* KITH_INVALID, with a hint, if a file of this name is expected to be a spreadsheet, a database or
 * the like: CSV under such a name is of no use to anyone. */
kith_status file_kind_refuse_ending(const char *path, kith_error *error);

#endif

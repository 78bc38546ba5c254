/* The profiles by name; kith_generate itself is in <kith/anonymize.h>. */
#ifndef GENERATE_GENERATE_H
#define GENERATE_GENERATE_H

#include "core/arena.h"

#include <kith/status.h>
#include "core/system/output.h"
#include "generate/network.h"

/* All profiles, in the order in which messages list them; ends with NULL. */
extern const profile *const generate_profiles[];

/* The files that stand beside the data: the study and its hierarchies. */
typedef struct companions companions;

/* Opens and writes them for the data file `output` ("-": there are none). One that exists already
 * with the same bytes is left alone; another one is refused unless `overwrite`. */
kith_status write_companions(companions **c, arena *memory, const profile *p, const network *net,
                             const char *output, bool overwrite, kith_error *error);
/* Makes them appear. */
kith_status write_companions_commit(companions *c, kith_error *error);
/* Path of the index-th file; the study is the last one. NULL behind the end. */
const char *write_companions_path(const companions *c, size_t index);

#endif

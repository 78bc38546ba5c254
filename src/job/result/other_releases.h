/* Other releases of a study that lie beside a new one: a reader of two releases of one table can
 * compare them. */
#ifndef JOB_RESULT_OTHER_RELEASES_H
#define JOB_RESULT_OTHER_RELEASES_H

#include "core/document.h"

/* "other_releases": the files in the directory of `output` whose companions name this study, in the
 * order of their names, without `output` itself, which is replaced. Nothing is added if there are
 * none, or if `output` is not a file. */
void other_releases_put(kith_document *d, document_node *to, const char *output, const char *study);

#endif

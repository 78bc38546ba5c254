/* Releases are written in the form of their input: leaves of a hierarchy file get the texts that
 * the data has of their values. */
#ifndef HIERARCHY_OWN_TEXTS_H
#define HIERARCHY_OWN_TEXTS_H

#include "hierarchy/draft.h"

/* A number or date that the data writes in another way than the file takes the place of the label
 * of its leaf; if the leaf has a text of the data already, it gets a leaf of its own beside it. The
 * file's label stays where that would make one label stand for two sets: the text is a label of the
 * file already, or the leaf's label is repeated above it. The draft has been validated. */
kith_status own_texts_take(draft *d, const dictionary *values, kith_error *error);

#endif

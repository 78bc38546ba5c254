/* The canonical form of a study and its digest.
 *
 * The form is a sequence of entries, each a path and a value, both with their length in front. It
 * depends on what the study says, not on how: order of keys, comments, defaults written out,
 * spelling of numbers and places of hierarchy files do not matter; order of columns and models,
 * which the algorithms see, does. Keys of algorithms at their defaults are left
 * out. */
#ifndef STUDY_STUDY_DIGEST_H
#define STUDY_STUDY_DIGEST_H

#include "study/study.h"

/* Fills digest and entries of the study. loaded[i] is the hierarchy of the file that column i
 * names, NULL where there is none. */
kith_status study_digest(kith_study *study, const kith_hierarchy *const *loaded,
                         kith_error *error) KITH_MUST_USE;

#endif

/* Which persons of a site count there, where several sites may have rows of one (`overlap:
 * matched`).
 *
 * The sites compare the columns of the unit as unit_texts.h writes them, under everybody's
 * encryption (smc/sets/homes.h). A row that lacks one of these cells is a person of its own, at
 * home. */
#ifndef JOB_JOINT_JOINT_HOMES_H
#define JOB_JOINT_JOINT_HOMES_H

#include "core/document.h"
#include "job/joint/joint_run.h"

/* *home: [rows of j->table] whether the person of the row counts here; NULL if the study says that
 * no person is at two sites, or says nothing about it. From then on j->table has the columns of the
 * unit as they were compared. All parties call it at the same time, with rows that the study drops
 * blank. */
kith_status joint_homes_find(joint_run *j, const bool **home, kith_error *error) KITH_MUST_USE;

/* Adds to the warnings of a summary: that no person was found at two sites, if that is so. */
void joint_homes_warn(kith_document *d, document_node *warnings, const joint_run *j);

#endif

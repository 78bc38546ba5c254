/* The earlier runs of a party.
 *
 * A second run of a study on changed data, or with other parameters, discloses differences: a class
 * that grew by one row shows that row. So each party keeps a list of its runs beside its key,
 * readable by its owner only, with digests of study and data. A run that would show a difference
 * needs `again: true` in the study, which all parties see. */
#ifndef JOB_JOINT_RUN_HISTORY_H
#define JOB_JOINT_RUN_HISTORY_H

#include "study/study.h"
#include "table/table.h"

/* KITH_INVALID if an earlier run of a study with this name had other data or parameters. */
kith_status run_history_check(const char *key_path, const kith_study *study,
                              const kith_table *table, kith_error *error);
/* Adds this run. Call it before anything is sent: a run that fails later has disclosed something,
 * too. */
kith_status run_history_add(const char *key_path, const kith_study *study, const kith_table *table,
                            kith_error *error);

#endif

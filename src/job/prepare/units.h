/* Whom models count: the persons to whom rows belong, by the study's key `unit`. */
#ifndef JOB_PREPARE_UNITS_H
#define JOB_PREPARE_UNITS_H

#include "job/prepare/prepare.h"
#include "table/rows/row_groups.h"

/* Numbers the persons of the rows that are kept, and for each sensitive attribute the pairs of a
 * person and a value. A row that lacks a cell in a column of the unit is a person of its own, and
 * is counted (p->unknown). Leaves the problem without units where no person has several rows: it
 * then is that of the same table without the key. A party of a joint run has units, if the study
 * says what they are, and homes, if p->joint has them. Of a part of a table the numbers are its
 * own, except of its values, which have those of all rows. After make_sensitive. */
kith_status units_make(prepared *p, context *c, kith_error *error) KITH_MUST_USE;

/* The same for all rows of a table that a slice refers to (prepare_units.number), into `u`: `rows`
 * has the columns of the unit, after the study's changes of values, and values[n_sensitive][rows]
 * are what the rows show of the sensitive attributes of `p`. */
kith_status units_number(prepare_units *u, const prepared *p, const kith_table *rows,
                         const uint32_t *const *values, context *c,
                         kith_error *error) KITH_MUST_USE;

/* The persons of the rows that the study keeps of a party's table: unit and n_units of a problem
 * with these records; nothing if the study has no unit. */
kith_status units_of_kept_rows(problem *mine, const kith_study *study, const kith_table *table,
                               context *c, kith_error *error) KITH_MUST_USE;

/* Gives a problem units that have been numbered, as in `units`, which it refers to afterwards; its
 * sensitive attributes, here to be changed, get their pairs. */
kith_status units_bind(problem *p, sensitive_attribute *sensitive, const row_groups *units,
                       arena *memory, arena *scratch, kith_error *error) KITH_MUST_USE;

/* KITH_DATA, with figures, if a model needs one value of each person and some have several. */
kith_status units_check_models(const prepared *p, context *c, kith_error *error) KITH_MUST_USE;
/* The first such model; UINT32_MAX: none. */
uint32_t units_refused_model(const problem *p);
/* The same error; `who` has several values. */
kith_status units_refuse_model(const char *who, const model_spec *m, kith_error *error);

/* Fills problem.common, if the study says `intersections: refuse`. KITH_DATA if no attribute that a
 * model protects has one value for each person: there would be nothing to refuse. */
kith_status units_ask_common(prepared *p, context *c, kith_error *error) KITH_MUST_USE;

/* Tells how many rows lack a value, "" or "s", and the column of the first of them. */
#define UNITS_UNKNOWN "%u row%s without a value of %s: each counts as a person of its own"
/* Warns of kept rows whose person is not known. A table that lacks a column of the unit has no
 * warning. */
void units_warn(kith_findings *findings, const kith_study *study, const kith_table *table);

#endif

/* Classes that are shown alike are one class of the release. Where each record counts, a union of good
 * classes is good. Persons of two classes may be the same: of four persons two may show a value in one
 * class, and the other two in the other, so that all of them show it in the union; and with guests
 * a union may break m-privacy. So such unions are made, and asked about; one that is not good is united
 * with the nearest class, until all are good.
 *
 * Leaks:  what is given, to all parties, for every union: whether it keeps the models (aggregate).
 * Cost:   one question of the joint tree about every union, joint_tree_rules_ask, each time. */
#ifndef PROTOCOL_JOINT_RULES_UNITED_CLASSES_H
#define PROTOCOL_JOINT_RULES_UNITED_CLASSES_H

#include "protocol/joint_rules/joint_tree_rules.h"

/* Classes whose sizes are known; `mine` has the records in the order of persons. Changes
 * nothing where a union cannot break a model. `what` names the entry of the ledger. */
kith_status united_classes_make(rows_result *result, party *p, const problem *mine,
                                const joint_tree_rules *rules, const char *what, arena *memory,
                                kith_error *error) KITH_MUST_USE;

#endif

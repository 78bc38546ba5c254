/* Blocks of questions that do not show how many of them are real (SDC 8.2.3).
 *
 * Every block is about exactly `block` clusters, with repetition: those of the records that need a
 * question, and random ones, in random order. About each of them the same is asked, whatever the
 * reason: the joint closure in all attributes where it is not at its lowest level already. So the
 * others see a list of clusters, and nothing else.
 *
 * Random ones are first those of other records of the site that need a question, in random order
 * and each once: which of them are real now, and which are asked again or early, makes no
 * difference to the list. If the site has too few, clusters of random records of all sites follow,
 * those more often whose cost was one at which the site's own records needed a question.
 *
 * The choices come from the private generator of the site, through a stream cipher, because the
 * others see them. A repeated run with the same choices pads alike: otherwise what both runs ask
 * would be what is real. */
#ifndef PROTOCOL_ROWS_ROWS_PADDING_H
#define PROTOCOL_ROWS_ROWS_PADDING_H

#include "protocol/rows/rows_state.h"

/* One cluster that a block asks about. */
typedef struct rows_question {
    uint32_t cluster;
    uint32_t question; /* which of the collected ones, or ROWS_PADDING */
} rows_question;

#define ROWS_PADDING UINT32_MAX

/* Fills up a block whose first `count` entries are real, and shuffles it. *count becomes
 * v->block_pass.block, or stays if there is no cluster that could be asked about. */
kith_status rows_padding_fill(rows_state *v, rows_question *block, uint32_t *count,
                              kith_error *error);

/* Marks the attributes that a padded block asks about for a cluster; false if there are none. */
bool rows_padding_attributes(const rows_state *v, uint32_t cluster, bool *wanted);

#endif

/* Sequential clustering of records that lie at several sites.
 *
 * From:   SDC Algorithm 3, with 6.1 for diversity, 6.2 for site diversity, 8.2.2 and 8.2.3 for
 *         private diversity and hidden sizes; several records at a time by the rule of
 *         search/cluster/block_pass.h, of which block 1 is the paper; small clusters as in
 *         rows_finish_rounds.h or, as in the paper, by merging them with each other.
 * Model:  semi-honest, that of the primitives: m > 2: no two of the pivot (or party 0) and the two
 *         parties after it may collude. With two parties each subtracts its own part of what all
 *         learn and has the other's.
 * Output: sizes and closures of the final classes at all parties; to each the classes of its own
 *         records.
 * Leaks:  to all "sum" (aggregate), "lca" (aggregate) and, from these or from the party whose turn
 *         it was, "sizes and closures of clusters" (aggregate): of all clusters at first, of those
 *         that changed after every turn and split, as in Proposition 8.9, which speaks of one
 *         clustering; of clusters with fewer records than `withhold` the size only. Of these,
 *         "clusters with one foreign record" (aggregate) bound that record; without withholding
 *         "single foreign records" (aggregate) are its quasi-identifiers, since clusters shrink to
 *         a record alone and answers may be about one. To all but the pivot "questions of the
 *         pivot" (choice): that it has a record in a cluster whose closure in an attribute could
 *         change by it. To the pivot the answers, "lca" again. To all with the hybrid finish "costs
 *         of dissolving clusters" (aggregate). Where models look at sensitive values "counts of
 *         sensitive values" (aggregate) in the same clusters; with private diversity only
 *         "dominates" (aggregate), whether classes of the end are diverse. For models about sites
 *         "threshold" (aggregate) and "or" (aggregate): whether a class, or a node of a hierarchy
 *         of theirs, has records of enough sites, of some site, or of too few others. Where persons
 *         count, in the place of what models about values and sites tell "classes keep the models"
 *         (aggregate): whether all records, and classes of the end, do. With restarts
 *         all of this of every start, but for what is asked about nodes and n.
 * Cost:   sum.share (masked), sum.result (aggregate): one call for n and one for the report, one
 *         for the sizes of the first clusters and of those split in a pass, one for every round of
 *         the hybrid finish, with hidden sizes one per pass. One lca for the first clusters, for
 *         those split in a pass and for every block of questions: shared.share (masked), logic.test
 *         (masked), logic.result (aggregate) or, if m = 2, ot.columns (masked), logic.choice
 *         (masked), ot.trees (masked), ot.offer (blinded), ot.answer (blinded). Per block
 *         cluster.count (choice), cluster.ask (choice): m-1 messages each, of 12 bytes per
 *         question; 3 rounds if m > 2. Per turn cluster.changes (aggregate), cluster.state
 *         (aggregate): m-1 messages of what has changed; 1 round. With diversity cluster.values
 *         (aggregate): 2m-2 messages, m rounds, for first and for split clusters; private,
 *         compare.result (aggregate), gmw.triple (masked), gmw.and (masked), gmw.open (masked).
 *         Where persons count the same for every check of all classes, or, for small k and no
 *         model but sizes, m > 2, at_least.test (masked) and at_least.result (aggregate). Before
 *         an error that all parties know, leave.together (control).
 *
 * Steps of SDC Algorithm 3 and where they are:
 *
 *   step    what                                   function
 *   1       n, the number of all records           count_records (rows_clustering.c)
 *   2       random first clusters                  first_clusters; site_choices_distribute,
 *                                                  rows_diversity_distribute (6.1.1)
 *   3       their sizes and closures               rows_exchange_compute
 *   4       each party in turn is the pivot        run_pass (rows_clustering.c)
 *   5, 18   each record of the pivot               lead, lead_lap (rows_turn.c)
 *   6       closures without the record            block_pass_collect, ask (rows_turn.c)
 *   7-17    best cluster, move                     block_pass_visit_collected: visit
 *                                                  (block_pass.c), clusters_best, clusters_move
 *   19      changed clusters to the next party     rows_exchange_share (here: to all parties)
 *   20      end of the pass                        run_pass
 *   21-24   large clusters are split               split_large; site_choices_halve,
 *                                                  rows_diversity_halve (6.1.2)
 *   23      sizes and closures of the halves       rows_exchange_compute
 *   25      again, if a record has moved           improve; sequential_end_pass
 *   26-30   small clusters are merged              rows_finish; finish_merge_small, or the
 *                                                  rounds of rows_finish_rounds.h
 *   31      the anonymized classes                 rows_finish_classes; job/joint publishes the
 *                                                  records with their sensitive values
 *   6.2     site diversity                         rows_site_models_prune, rows_site_models_raise,
 *                                                  rows_repair
 *   8.2.2   private diversity                      rows_repair
 *   8.2.3   hidden sizes                           site_choices_next_laps, rows_padding_fill */
#ifndef PROTOCOL_ROWS_ROWS_CLUSTERING_H
#define PROTOCOL_ROWS_ROWS_CLUSTERING_H

#include "protocol/rows.h"

/* What a recorder is told of: sets of records whose size and closure a party comes to know. */
typedef enum rows_event {
    ROWS_CLUSTER, /* a cluster, from the primitives or from the pivot */
    ROWS_ANSWER,  /* a cluster without one of the party's own records; to the pivot */
} rows_event;

/* For audits: hears what one party learns about the records of others. */
typedef struct rows_recorder {
    /* `own` of the `size` records are the party's; `nodes` by attribute are their closure. */
    void (*heard)(void *user, rows_event event, uint32_t size, uint32_t own, const uint32_t *nodes);
    void *user;
} rows_recorder;

/* Does the protocol keep the model, of classes or of sites? */
bool rows_clustering_supports(const model_spec *model);

rows_protocol rows_clustering;
/* The same with a recorder, which may be NULL. */
kith_status rows_clustering_recorded(rows_result *result, party *p, const rows_task *task,
                                     const rows_recorder *recorder,
                                     kith_error *error) KITH_MUST_USE;

#endif

/* kith_compare: all protocols on the same data, so that the parties can choose one. */
#include <kith/kith.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/document.h"
#include "core/error.h"
#include "job/prepare/recode.h"
#include "job/joint/joint_disclosures.h"
#include "job/joint/joint_summary.h"
#include "job/simulate/simulate.h"

/* Keys of a study that are removed from its variants: first those of joint runs in general, then
 * those of a single protocol or algorithm. Without a joint run all of them are meaningless; one
 * protocol would refuse the keys of another. */
static const char *const joint_only[] = {"ids",
                                         "publish_insensitive",
                                         "again",
                                         "rows",
                                         "protocol",
                                         "algorithm",
                                         "effort",
                                         "piece",
                                         "restarts",
                                         "max_passes",
                                         "finish",
                                         "block",
                                         "mondrian",
                                         "order",
                                         "ranges",
                                         "hide_sizes",
                                         "withhold",
                                         "noise",
                                         "publish",
                                         "master",
                                         "replicas",
                                         "unmatched",
                                         "blur",
                                         "quiet",
                                         "name",
                                         "reweave",
                                         "alpha",
                                         "lists",
                                         "hashing",
                                         "pkg",
                                         "period",
                                         "parties",
                                         "partition",
                                         "timeout",
                                         "limit",
                                         "pregeneralize",
                                         "private_diversity",
                                         NULL};
static const char *const *const particular = joint_only + 3; /* from "protocol" on */

/* The state of a comparison; every run adds an object to "ways". */
typedef struct comparison {
    const kith_study *study;
    const kith_simulate_options *options;
    context context;
    partition_kind partition;
    const char *directory; /* where runs are kept, or a private one */
    kith_document *document;
    document_node *ways;
    kith_document *first; /* summary of the first run that worked, which has the baseline */
} comparison;

/* True if the protocol can run on such a partition. */
static bool fits(protocol_id id, partition_kind kind)
{
    return id == PROTOCOL_ENCRYPTED_VIEW || kind == PARTITION_HORIZONTAL ||
           (kind == PARTITION_VERTICAL && (id == PROTOCOL_CLUSTERING || id == PROTOCOL_WEAVE));
}

/* The study itself if it is for this protocol, otherwise one without the keys that only its own
 * protocol understands. */
static kith_status make_variant(kith_study **variant, const comparison *c, protocol_id id,
                                kith_error *error)
{
    const char *text = c->study->text;
    bool own = c->study->joint.partition == c->partition && c->study->joint.protocol == id;
    char lines[96];
    snprintf(lines, sizeof lines, "partition: %s\nprotocol: %s\n",
             options_partition_name(c->partition), options_protocol_name(id));
    if (!own)
        TRY(simulate_study_variant(&text, c->context.memory, c->study, particular, lines, error));
    return study_parse_like(variant, c->study, text, NULL, error);
}

/* Copies the figures of a release from a summary; `prefix` is the path of the object that has them.
 */
static void put_loss(kith_document *d, document_node *to, const kith_document *from,
                     const char *prefix)
{
    char path[64];
    snprintf(path, sizeof path, "%sobjective", prefix);
    document_put_number(d, to, "objective", kith_document_number(from, path, NAN));
    snprintf(path, sizeof path, "%sloss.lm", prefix);
    document_put_number(d, to, "lm", kith_document_number(from, path, NAN));
    snprintf(path, sizeof path, "%sclasses", prefix);
    document_put_count(d, to, "classes", (uint64_t)kith_document_number(from, path, 0));
}

/* Adds the figures of a joint run and what it discloses. */
static void put_run(comparison *c, document_node *to, const kith_study *variant,
                    const kith_document *summary)
{
    kith_document *d = c->document;
    put_loss(d, to, summary, "");
    document_put_count(d, to, "calls", (uint64_t)joint_summary_calls(summary));
    document_put_count(d, to, "rounds",
                       (uint64_t)kith_document_number(summary, "protocol.rounds", 0));
    document_put_count(d, to, "messages",
                       (uint64_t)kith_document_number(summary, "protocol.messages", 0));
    document_put_count(d, to, "bytes",
                       (uint64_t)kith_document_number(summary, "protocol.bytes", 0));
    document_put_number(d, to, "seconds", kith_document_number(summary, "seconds.run", NAN));
    joint_disclosures_put(d, to, variant);
}

/* Adds what the sites reach alone, from the run that computed it. */
static void put_baseline(comparison *c)
{
    const kith_document *summary = c->first;
    if (summary == NULL || !kith_document_has(summary, "baseline"))
        return;
    document_node *to = document_object(c->document, c->ways, NULL);
    document_put_text(c->document, to, "way", "each site alone");
    put_loss(c->document, to, summary, "baseline.");
    document_put_flag(c->document, to, "holds",
                      kith_document_flag(summary, "baseline.holds", false));
    document_put_count(c->document, to, "failed_sites",
                       (uint64_t)kith_document_number(summary, "baseline.failed_sites", 0));
    document_put_number(c->document, to, "seconds",
                        kith_document_number(summary, "seconds.baseline", NAN));
}

/* Progress of a run, with the protocol in front: several runs look alike otherwise. */
typedef struct named_run {
    const kith_run *run;
    const char *protocol;
} named_run;

static bool on_progress(void *user, const char *phase, double done)
{
    const named_run *n = user;
    char text[160];
    snprintf(text, sizeof text, "%s: %.120s", n->protocol, phase);
    return n->run->progress(n->run->user, text, done);
}

/* The first run that works also computes the baseline, which does not depend on the protocol. */
static kith_status run_variant(comparison *c, const kith_study *variant, document_node *to,
                               kith_error *error)
{
    kith_simulate_options options = *c->options;
    kith_document *summary = NULL;
    options.directory = TRY_ALLOC(arena_printf(c->context.memory, "%s/%s", c->directory,
                                               options_protocol_name(variant->joint.protocol)),
                                  error);
    options.baseline = c->first == NULL && variant->joint.n_site_models == 0;
    named_run named = {c->context.run, options_protocol_name(variant->joint.protocol)};
    kith_run run = *c->context.run;
    if (run.progress != NULL) {
        run.progress = on_progress;
        run.user = &named;
    }
    TRY(kith_simulate(&summary, variant, &options, &run, error));
    put_run(c, to, variant, summary);
    if (c->first == NULL)
        c->first = summary;
    else
        kith_document_free(summary);
    return KITH_OK;
}

/* True if an error tells something about the protocol: it refuses the study or cannot satisfy the
 * models. Other errors, such as a full disk, end the comparison. */
static bool is_answer(kith_status status)
{
    return status == KITH_INVALID || status == KITH_INFEASIBLE;
}

/* The message without "<memory>:6:11: ", a position in a text that the user has not seen. */
static const char *reason(const char *message)
{
    if (strncmp(message, "<memory>:", 9) != 0)
        return message;
    const char *blank = strchr(message, ' ');
    return blank == NULL ? message : blank + 1;
}

/* Adds the result of one protocol, or why it refuses the study. */
static kith_status try_protocol(comparison *c, protocol_id id, kith_error *error)
{
    kith_study *variant = NULL;
    kith_error why = {.status = KITH_OK};
    document_node *to = document_object(c->document, c->ways, NULL);
    document_put_text(c->document, to, "way", options_protocol_name(id));
    kith_status status = make_variant(&variant, c, id, &why);
    if (status == KITH_OK)
        status = run_variant(c, variant, to, &why);
    kith_study_free(variant);
    /* Processes have one exit status for bad input and for a refusal. It is a refusal here: bad
     * input has been found before. */
    if (is_answer(status) || status == KITH_DATA) {
        document_put_text(c->document, to, "refused", reason(why.message));
        return KITH_OK;
    }
    if (status != KITH_OK && error != NULL)
        *error = why;
    return status;
}

/* Anonymizes the whole table without a joint run. */
static kith_status anonymize_all(kith_document **summary, const comparison *c, kith_error *error)
{
    const kith_table *table = NULL;
    kith_table *texts = NULL;
    kith_study *variant = NULL;
    const char *text;
    TRY(simulate_study_variant(&text, c->context.memory, c->study, joint_only, "", error));
    TRY(study_parse_like(&variant, c->study, text, NULL, error));
    kith_table_options options = study_table_options(variant);
    const table_input input = simulate_input(c->options);
    kith_status status =
        table_input_read(&table, &input, &options, c->context.run, c->context.memory, error);
    if (status == KITH_OK)
        status = kith_anonymize_table(&texts, summary, variant, table, c->context.run, error);
    kith_table_free(texts);
    kith_study_free(variant);
    return status;
}

/* Adds the result for all data in one place, the reference for the protocols. */
static kith_status try_one_place(comparison *c, kith_error *error)
{
    kith_document *summary = NULL;
    kith_error why = {.status = KITH_OK};
    document_node *to = document_object(c->document, c->ways, NULL);
    document_put_text(c->document, to, "way", "one place");
    kith_status status = anonymize_all(&summary, c, &why);
    if (is_answer(status)) {
        document_put_text(c->document, to, "refused", reason(why.message));
        return KITH_OK;
    }
    if (status != KITH_OK) {
        if (error != NULL)
            *error = why;
        return status;
    }
    put_loss(c->document, to, summary, "");
    document_put_number(c->document, to, "seconds",
                        kith_document_number(summary, "seconds.search", NAN));
    kith_document_free(summary);
    return KITH_OK;
}

static kith_status compare_all(comparison *c, kith_error *error)
{
    document_node *root = document_root(c->document);
    simulate_split split; /* as kith_simulate would choose it */
    TRY(simulate_split_read(&split, c->context.memory, c->study, c->study->joint.partition,
                            c->options->split, c->options->n_sites, error));
    c->partition = split.partition;
    document_put_text(c->document, root, "kith", kith_version());
    document_put_text(c->document, root, "command", "compare");
    document_put_text(c->document, root, "study", kith_study_name(c->study));
    document_put_text(c->document, root, "measure", measure_at(c->study->measure)->name);
    document_put_text(c->document, root, "partition", options_partition_name(c->partition));
    document_put_count(c->document, root, "sites", c->options->n_sites);
    c->ways = document_array(c->document, root, "ways");
    if (c->study->joint.n_site_models == 0) /* in one place there are no sites */
        TRY(try_one_place(c, error));
    for (int id = 0; id < PROTOCOLS; id++)
        if (fits((protocol_id)id, c->partition))
            TRY(try_protocol(c, (protocol_id)id, error));
    put_baseline(c);
    return document_status(c->document, error);
}

kith_status kith_compare(kith_document **result, const kith_study *study,
                         const kith_simulate_options *options, const kith_run *run,
                         kith_error *error)
{
    kith_simulate_options own;
    comparison c = {.study = study, .options = &own};
    TRY(simulate_options_take(&own, options, error));
    TRY(recode_refuse_joint(study, error));
    TRY(context_init(&c.context, run, error));
    c.document = document_new();
    kith_status status = c.document == NULL ? error_nomem(error) : KITH_OK;
    if (status == KITH_OK && own.directory == NULL)
        status = simulate_files_private_directory(&c.directory, c.context.memory, error);
    else if (status == KITH_OK)
        status = simulate_files_make_directory(c.directory = own.directory, error);
    if (status == KITH_OK)
        status = compare_all(&c, error);
    kith_document_free(c.first);
    context_wipe(&c.context);
    if (status == KITH_OK)
        *result = c.document;
    else
        kith_document_free(c.document);
    return status;
}

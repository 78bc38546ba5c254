/* kith_compare: all protocols on the same data, so that the parties can choose one. */
#include <errno.h>
#include <kith/kith.h>
#include <kith/simulate.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/document.h"
#include "core/error.h"
#include "job/prepare/recode.h"
#include "job/joint/joint_disclosures.h"
#include "job/joint/joint_summary.h"
#include "job/rehearse/simulate.h"
#include "study/schema/schema.h"

/* A way that is no protocol: all data in one place. */
#define ONE_PLACE (&protocol_module_none)

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

/* The study itself if it is for this protocol, otherwise one without the keys that only its own
 * protocol understands. ONE_PLACE: without those of a joint run. */
static kith_status make_variant(kith_study **variant, const comparison *c,
                                const protocol_module *way, kith_error *error)
{
    const protocol_options *own = &c->study->joint;
    const char *text = c->study->text, *dropped[YAML_WALK_KEYS];
    char lines[96] = "";
    schema_joint_keys(dropped, way != ONE_PLACE);
    if (way != ONE_PLACE)
        snprintf(lines, sizeof lines, "partition: %s\nprotocol: %s\n",
                 options_partition_name(c->partition), way->name);
    if (own->partition != c->partition || own->protocol != way)
        TRY(simulate_study_variant(&text, c->context.memory, c->study, dropped, lines, error));
    return study_parse_like(variant, c->study, text, NULL, error);
}

/* Copies the figures of a release from a summary; `at` is the path of the object that has
 * them, with a dot. */
static void put_loss(kith_document *d, document_node *to, const kith_document *from, const char *at)
{
    static const char *const figures[][2] = {
        {"objective", "objective"}, {"lm", "loss.lm"}, {"classes", "classes"}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s%s", at, figures[i][1]);
        document_copy(d, to, figures[i][0], from, path);
    }
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
    document_copy(c->document, to, "holds", summary, "baseline.holds");
    document_copy(c->document, to, "failed_sites", summary, "baseline.failed_sites");
    document_copy(c->document, to, "seconds", summary, "seconds.baseline");
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
                                               options_protocol_name(&variant->joint)),
                                  error);
    options.baseline = c->first == NULL && variant->joint.n_site_models == 0;
    named_run named = {c->context.run, options_protocol_name(&variant->joint)};
    kith_run run = *c->context.run;
    if (run.progress != NULL) {
        run.progress = on_progress;
        run.user = &named;
    }
    TRY(kith_simulate(&summary, variant, &options, &run, error));
    kith_document *d = c->document;
    put_loss(d, to, summary, "");
    document_put_count(d, to, "calls", (uint64_t)joint_summary_calls(summary));
    document_copy(d, to, "rounds", summary, "protocol.rounds");
    document_copy(d, to, "messages", summary, "protocol.messages");
    document_copy(d, to, "bytes", summary, "protocol.bytes");
    document_copy(d, to, "seconds", summary, "seconds.run");
    joint_disclosures_put(d, to, variant);
    if (c->first == NULL)
        c->first = summary;
    else
        kith_document_free(summary);
    return KITH_OK;
}

/* The message without "<memory>:6:11: ", a position in a text that the user has not seen. */
static const char *reason(const char *message)
{
    if (strncmp(message, "<memory>:", 9) != 0)
        return message;
    const char *blank = strchr(message, ' ');
    return blank == NULL ? message : blank + 1;
}

/* Anonymizes the whole table without a joint run, as the reference for the protocols. */
static kith_status run_in_one_place(comparison *c, const kith_study *variant, document_node *to,
                                    kith_error *error)
{
    const kith_table *table = NULL;
    kith_table *texts = NULL;
    kith_document *summary = NULL;
    const kith_table_options options = study_table_options(variant);
    TRY(table_input_read(&table, c->options->input, &options, c->context.run, c->context.memory,
                         error));
    TRY(kith_anonymize_table(&texts, &summary, variant, table, c->context.run, error));
    kith_table_free(texts);
    put_loss(c->document, to, summary, "");
    document_copy(c->document, to, "seconds", summary, "seconds.search");
    kith_document_free(summary);
    return KITH_OK;
}

/* Adds the result of a protocol or of ONE_PLACE, or why it refuses the study. */
static kith_status try_way(comparison *c, const protocol_module *way, kith_error *error)
{
    kith_study *variant = NULL;
    kith_error why = {.status = KITH_OK};
    document_node *to = document_object(c->document, c->ways, NULL);
    document_put_text(c->document, to, "way", way == ONE_PLACE ? "one place" : way->name);
    kith_status status = make_variant(&variant, c, way, &why);
    if (status == KITH_OK)
        status = (way == ONE_PLACE ? run_in_one_place : run_variant)(c, variant, to, &why);
    kith_study_free(variant);
    /* Does the error tell something about the way? It refuses the study or cannot satisfy the
     * models. Other errors, such as a full disk, end the comparison. Processes have one exit status
     * for bad input and for a refusal. It is a refusal here: bad input has been found before. */
    if (status == KITH_INVALID || status == KITH_INFEASIBLE ||
        (status == KITH_DATA && way != ONE_PLACE)) {
        document_put_text(c->document, to, "refused", reason(why.message));
        return KITH_OK;
    }
    if (status != KITH_OK && error != NULL)
        *error = why;
    return status;
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
        TRY(try_way(c, ONE_PLACE, error));
    for (const protocol_module *const *m = protocol_modules; *m != NULL; m++)
        if ((*m)->partitions >> c->partition & 1)
            TRY(try_way(c, *m, error));
    put_baseline(c);
    return document_status(c->document, error);
}

kith_status kith_compare(kith_document **result, const kith_study *study,
                         const kith_simulate_options *options, const kith_run *run,
                         kith_error *error)
{
    kith_simulate_options own;
    kith_input input;
    comparison c = {.study = study, .options = &own};
    TRY(simulate_options_take(&own, &input, options, error));
    TRY(recode_refuse_joint(study, error));
    TRY(context_init(&c.context, run, error));
    c.document = document_new();
    kith_status status = c.document == NULL ? error_nomem(error) : KITH_OK;
    if (status == KITH_OK && own.directory == NULL)
        status = simulate_files_private_directory(&c.directory, c.context.memory, error);
    else if (status == KITH_OK && mkdir(c.directory = own.directory, 0777) != 0 && errno != EEXIST)
        status = error_errno(error, errno, "make", own.directory);
    if (status == KITH_OK)
        status = compare_all(&c, error);
    kith_document_free(c.first);
    context_wipe(&c.context);
    return document_hand_over(result, c.document, status);
}

/* kith_study_join: a study for a joint run, from one without parties and the files of the parties.
 * The text of the study stays as it is, comments included; the list of parties is added at its
 * end. */
#include <kith/joint.h>
#include <kith/study.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/findings.h"
#include "core/options.h"
#include "core/system/output.h"
#include "core/system/text_stream.h"
#include "study/schema/party_file.h"
#include "study/study.h"
#include "study/yaml/yaml_walk.h"

typedef struct joining {
    const kith_join_options *options;
    arena *memory;
    kith_findings *findings;
} joining;

/* Two keys `parties` would be an error in a line that the user has not written. */
static kith_status refuse_parties(const joining *j, const char *text, size_t length,
                                  kith_error *error)
{
    yaml_walk *walk;
    const yaml_node_t *root = NULL, *key, *value;
    const size_t before = kith_findings_n_problems(j->findings);
    TRY(yaml_walk_parse(&walk, &root, j->memory, j->options->base, text, length, j->findings,
                        error));
    const size_t count = root == NULL ? 0 : yaml_walk_pairs(walk, root, "the study");
    for (size_t i = 0; i < count; i++) {
        const char *name = "";
        yaml_walk_pair(walk, root, i, &key, &value);
        if (yaml_walk_is_text(key) && yaml_walk_raw(walk, key, "a key", &name) &&
            strcmp(name, "parties") == 0)
            yaml_walk_problem(walk, key, "the study has parties already");
    }
    if (walk->nomem)
        return error_nomem(error);
    return findings_status(j->findings, before, KITH_INVALID, error);
}

static kith_status put_all(FILE *out, const joining *j, const char *base, size_t length,
                           kith_error *error)
{
    kith_status status = KITH_OK;
    fwrite(base, 1, length, out);
    if (length > 0 && base[length - 1] != '\n')
        fputc('\n', out);
    fputs("parties:\n", out);
    for (size_t i = 0; i < j->options->n_parties; i++) {
        kith_status one =
            party_file_copy(out, j->options->parties[i], j->memory, j->findings, error);
        if (one != KITH_OK && one != KITH_INVALID)
            return one;
        status = one != KITH_OK ? one : status; /* all files are looked at */
    }
    return status;
}

/* The whole text; free() it. */
static kith_status compose(char **text, const joining *j, kith_error *error)
{
    char *base = NULL;
    size_t length = 0, size;
    TRY(study_read_file(&base, &length, j->options->base, error));
    kith_status status = refuse_parties(j, base, length, error);
    FILE *out = status == KITH_OK ? open_memstream(text, &size) : NULL;
    if (status == KITH_OK && out == NULL)
        status = error_nomem(error);
    if (status == KITH_OK)
        status = put_all(out, j, base, length, error);
    free(base);
    if (out == NULL)
        return status;
    const kith_status closed = text_stream_close(out, text, status == KITH_OK ? error : NULL);
    return status == KITH_OK ? closed : status;
}

/* Composes the study, checks it as a whole, then writes it. */
static kith_status join(char **text, const kith_join_options *options, arena *memory,
                        kith_findings *findings, kith_error *error)
{
    const joining j = {options, memory, findings};
    TRY(compose(text, &j, error));
    const kith_join_options *o = j.options;
    const char *place = o->output != NULL ? o->output : o->base;
    const char *directory = TRY_ALLOC(study_directory_of(place, j.memory), error);
    kith_study *study = NULL;
    TRY(study_parse_as(&study, place, *text, directory, j.findings, error));
    kith_study_free(study);
    if (o->output == NULL)
        return KITH_OK;
    output *out;
    TRY(output_open(&out, j.memory, o->output, o->overwrite, error));
    output_text(out, *text);
    return output_commit(out, error);
}

kith_status kith_study_join(char **text, const kith_join_options *options, kith_findings *findings,
                            kith_error *error)
{
    kith_join_options own;
    char *made = NULL;
    TRY(OPTIONS_TAKE(kith_join_options, overwrite, &own, options, error));
    TRY(options_need(own.base, "base", error));
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    kith_findings *spare FINDINGS_SCOPED = NULL;
    kith_findings *all = TRY_ALLOC(findings_or_own(findings, &spare), error);
    const kith_status status = join(&made, &own, memory, all, error);
    if (status == KITH_OK && text != NULL)
        *text = made;
    else
        free(made);
    return status;
}

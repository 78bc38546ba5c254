#include "modules/id_based/pkg_generator.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check.h"
#include "core/error.h"
#include "core/system/output.h"
#include "crypto/pairing/ibe_joint.h"
#include "crypto/secret_memory.h"

kith_status pkg_generator_paths(pkg_generator *g, arena *memory, const char *directory,
                                kith_error *error)
{
    *g = (pkg_generator){.parameters.path = NULL};
    g->parameters.path = TRY_ALLOC(arena_printf(memory, "%s/parameters.pkg", directory), error);
    g->secret.path = TRY_ALLOC(arena_printf(memory, "%s/master.key", directory), error);
    return KITH_OK;
}

/* The parameters appear last: without their secret they would be of no use. */
static kith_status write_both(const pkg_generator *g, arena *memory, bool overwrite,
                              kith_error *error)
{
    output *out;
    const char *text = TRY_ALLOC(
        ibe_text_format_parameters(memory, &g->parameters.heading, g->parameters.parameters),
        error);
    TRY(output_open(&out, memory, g->parameters.path, overwrite, error));
    output_text(out, text);
    TRY(output_finish(out, error));
    TRY(pkg_file_write(&g->secret, memory, overwrite, error));
    kith_status status = output_commit(out, error);
    if (status != KITH_OK && !overwrite)
        unlink(g->secret.path);
    return status;
}

kith_status pkg_generator_make(arena *memory, const char *directory, const char *name,
                               bool overwrite, kith_error *error)
{
    pkg_generator g;
    TRY(pkg_generator_paths(&g, memory, directory, error));
    g.parameters.parameters =
        TRY_ALLOC(arena_alloc(memory, sizeof *g.parameters.parameters), error);
    g.secret.master = TRY_ALLOC(secret_memory_array(memory, 1, sizeof *g.secret.master), error);
    ibe_generate(g.parameters.parameters, g.secret.master);
    g.parameters.heading.kind = IBE_TEXT_PARAMETERS;
    if (name != NULL)
        snprintf(g.parameters.heading.name, IBE_TEXT_NAME, "%s", name);
    ibe_text_digest(&g.parameters.heading.parameters, g.parameters.parameters);
    g.secret.heading.kind = IBE_TEXT_MASTER;
    g.secret.heading.parameters = g.parameters.heading.parameters;
    const bool made = mkdir(directory, 0700) == 0;
    if (!made && errno != EEXIST)
        return error_errno(error, errno, "make", directory);
    kith_status status = write_both(&g, memory, overwrite, error);
    if (status != KITH_OK && made)
        rmdir(directory);
    if (status == KITH_INVALID) /* a file exists: name the consequences of --force */
        error_hint(error, status,
                   "--force makes a new generator; all keys of the old one become useless");
    return status;
}

kith_status pkg_generator_read(pkg_generator *g, arena *memory, const char *directory,
                               kith_error *error)
{
    TRY(pkg_generator_paths(g, memory, directory, error));
    TRY(pkg_file_read(&g->parameters, memory, g->parameters.path, IBE_TEXT_PARAMETERS, error));
    TRY(pkg_file_read(&g->secret, memory, g->secret.path, IBE_TEXT_MASTER, error));
    if (ibe_text_digest_equal(&g->secret.heading.parameters, &g->parameters.heading.parameters))
        return KITH_OK;
    return error_set(error, KITH_DATA, "%s is the secret of other parameters than %s",
                     g->secret.path, g->parameters.path);
}

/* --- joining --- */

kith_status pkg_generator_join(pkg_file *out, ibe_parameters *first, arena *memory,
                               const pkg_file *files, uint32_t n, kith_error *error)
{
    ibe_digest digests[IBE_TEXT_PARTS];
    scalar_q weight;
    ASSERT(n >= 2 && n <= IBE_TEXT_PARTS);
    /* What cannot be joined: the weights need every generator once. */
    for (uint32_t i = 0; i < n; i++) {
        if (files[i].heading.n_parts > 0) {
            error_set(error, KITH_INVALID, "%s is already joined from several generators",
                      files[i].path);
            return error_hint(error, KITH_INVALID, "join the parameters of all generators at once");
        }
        for (uint32_t k = 0; k < i; k++)
            if (ibe_text_digest_equal(&files[i].heading.parameters, &files[k].heading.parameters))
                return error_set(error, KITH_INVALID, "%s and %s are of the same generator",
                                 files[k].path, files[i].path);
        if (!ibe_parameters_consistent(files[i].parameters))
            return error_set(error, KITH_DATA,
                             "%s is not consistent: its generator did not make it as it should",
                             files[i].path);
    }
    ibe_parameters *joined = TRY_ALLOC(arena_alloc(memory, sizeof *joined), error);
    ibe_parameters *part = TRY_ALLOC(arena_alloc(memory, sizeof *part), error);
    for (uint32_t i = 0; i < n; i++)
        digests[i] = files[i].heading.parameters;
    for (uint32_t i = 0; i < n; i++) {
        ibe_joint_weight(&weight, digests, n, i);
        ibe_joint_parameters(part, files[i].parameters, &weight);
        if (i == 0 && first != NULL)
            *first = *part;
        if (i == 0)
            *joined = *part;
        else
            ibe_parameters_join(joined, joined, part);
    }
    out->parameters = joined;
    out->heading = (ibe_heading){.kind = IBE_TEXT_PARAMETERS, .n_parts = n};
    ibe_text_digest(&out->heading.parameters, joined);
    memcpy(out->heading.parts, digests, n * sizeof *digests);
    /* In one order, so that all who join them get the same file. */
    ibe_joint_sort(out->heading.parts, n);
    return KITH_OK;
}

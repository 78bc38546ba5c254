/* Key generators, for the public interface. */
#include <kith/pkg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "core/text.h"
#include "crypto/pairing/ibe_joint.h"
#include "crypto/secret_memory.h"
#include "modules/id_based/pkg_generator.h"

static kith_status check_name(const char *what, const char *text, kith_error *error)
{
    char quoted[80];
    if (ibe_text_is_name(text))
        return KITH_OK;
    text_quote(quoted, sizeof quoted, text, strlen(text));
    return error_set(error, KITH_INVALID,
                     "%s has 1 to 63 bytes of UTF-8 without control characters; found '%s'", what,
                     quoted);
}

/* Every job has an arena of its own, and secrets are wiped with it. */
static arena *pkg_begin(void)
{
    return sodium_init() < 0 ? NULL : arena_new();
}

kith_status kith_pkg_init(const char *directory, const kith_pkg_init_options *options,
                          kith_error *error)
{
    kith_pkg_init_options own;
    TRY(OPTIONS_TAKE(kith_pkg_init_options, overwrite, &own, options, error));
    if (own.name != NULL)
        TRY(check_name("a generator's name", own.name, error));
    arena *memory ARENA_SCOPED = TRY_ALLOC(pkg_begin(), error);
    return pkg_generator_make(memory, directory, own.name, own.overwrite, error);
}

/* --- issuing --- */

/* The key of the generator alone, or its partial key for the parameters of all. */
static kith_status extract(pkg_file *key, bool *fits, arena *memory, const pkg_generator *g,
                           const kith_pkg_issue_options *o, const ibe_identity *v,
                           kith_error *error)
{
    const uint32_t n = (uint32_t)o->n_others + 1;
    pkg_file all[IBE_TEXT_PARTS] = {g->parameters}, joined = {.path = NULL};
    ibe_digest digests[IBE_TEXT_PARTS] = {g->parameters.heading.parameters};
    scalar_q weight;
    if (o->n_others == 0) {
        ibe_extract(key->key, g->parameters.parameters, g->secret.master, v);
        key->heading.parameters = g->parameters.heading.parameters;
        *fits = ibe_key_fits(key->key, g->parameters.parameters, v);
        return KITH_OK;
    }
    for (uint32_t i = 1; i < n; i++) {
        TRY(pkg_file_read(&all[i], memory, o->others[i - 1], IBE_TEXT_PARAMETERS, error));
        digests[i] = all[i].heading.parameters;
    }
    ibe_parameters *part = TRY_ALLOC(arena_alloc(memory, sizeof *part), error);
    ibe_master *secret = TRY_ALLOC(secret_memory_array(memory, 1, sizeof *secret), error);
    TRY(pkg_generator_join(&joined, part, memory, all, n, error));
    ibe_joint_weight(&weight, digests, n, 0);
    ibe_joint_master(secret, g->secret.master, &weight);
    ibe_extract(key->key, joined.parameters, secret, v);
    key->heading.kind = IBE_TEXT_PARTIAL;
    key->heading.parameters = joined.heading.parameters;
    key->heading.n_parts = 1;
    key->heading.parts[0] = digests[0];
    *fits = ibe_joint_fits(key->key, part, joined.parameters, v);
    return KITH_OK;
}

kith_status kith_pkg_issue(const char *path, const char *directory,
                           const kith_pkg_issue_options *options, kith_error *error)
{
    kith_pkg_issue_options own;
    TRY(OPTIONS_TAKE(kith_pkg_issue_options, overwrite, &own, options, error));
    TRY(options_need(own.name, "name", error));
    TRY(check_name("a party's name", own.name, error));
    if (own.period != NULL)
        TRY(check_name("a period", own.period, error));
    if (own.n_others >= IBE_TEXT_PARTS)
        return error_set(error, KITH_INVALID, "at most %d generators can be joined",
                         IBE_TEXT_PARTS);
    arena *memory ARENA_SCOPED = TRY_ALLOC(pkg_begin(), error);
    /* A key that does not fit means that the generator's files do not belong together. */
    pkg_generator g;
    ibe_identity v;
    bool fits = false;
    const char *period = own.period == NULL ? "" : own.period;
    pkg_file key = {.path = path, .heading.kind = IBE_TEXT_KEY};
    key.key = TRY_ALLOC(secret_memory_array(memory, 1, sizeof *key.key), error);
    snprintf(key.heading.name, IBE_TEXT_NAME, "%s", own.name);
    snprintf(key.heading.period, IBE_TEXT_NAME, "%s", period);
    TRY(pkg_generator_read(&g, memory, directory, error));
    TRY(pkg_file_apart(path, g.secret.path, error));
    TRY(pkg_file_apart(path, g.parameters.path, error));
    for (size_t i = 0; i < own.n_others; i++)
        TRY(pkg_file_apart(path, own.others[i], error));
    ibe_identity_of(&v, own.name, period);
    TRY(extract(&key, &fits, memory, &g, &own, &v, error));
    if (!fits)
        return error_set(error, KITH_DATA, "%s does not fit %s: the key would be of no use",
                         g.secret.path, g.parameters.path);
    return pkg_file_write(&key, memory, own.overwrite, error);
}

/* --- joining --- */

/* Partial keys of one name and period for one set of parameters. */
static kith_status check_alike(const pkg_file *a, const pkg_file *b, kith_error *error)
{
    char one[IBE_TEXT_NAME + 8], other[IBE_TEXT_NAME + 8];
    if (strcmp(a->heading.name, b->heading.name) != 0)
        return error_set(error, KITH_INVALID, "%s is a key of '%s', but %s of '%s'", a->path,
                         a->heading.name, b->path, b->heading.name);
    if (strcmp(a->heading.period, b->heading.period) != 0)
        return error_set(error, KITH_INVALID, "%s is a key of %s, but %s of %s", a->path,
                         pkg_file_period(one, a->heading.period), b->path,
                         pkg_file_period(other, b->heading.period));
    if (ibe_text_digest_equal(&a->heading.parts[0], &b->heading.parts[0]))
        return error_set(error, KITH_INVALID, "%s and %s were issued by the same generator",
                         a->path, b->path);
    return KITH_OK;
}

/* Every generator of the joined parameters must have issued its part. */
static kith_status check_complete(const pkg_file *files, uint32_t n, const pkg_file *joined,
                                  kith_error *error)
{
    char text[IBE_TEXT_DIGEST];
    for (uint32_t i = 0; i < n; i++)
        if (!ibe_text_digest_equal(&files[i].heading.parameters, &joined->heading.parameters))
            return error_set(error, KITH_INVALID, "%s was issued for other parameters than %s",
                             files[i].path, joined->path);
    for (uint32_t k = 0; k < joined->heading.n_parts; k++) {
        bool found = false;
        for (uint32_t i = 0; i < n; i++)
            found = found ||
                    ibe_text_digest_equal(&files[i].heading.parts[0], &joined->heading.parts[k]);
        ibe_text_digest_format(text, &joined->heading.parts[k]);
        if (!found)
            return error_set(error, KITH_INVALID, "the partial key of the generator %s is missing",
                             text);
    }
    return KITH_OK;
}

static kith_status join_keys(const char *path, const pkg_file *files, uint32_t n,
                             const kith_pkg_join_options *o, arena *memory, kith_error *error)
{
    pkg_file joined, key = {.path = path, .heading = files[0].heading};
    ibe_identity v;
    if (o->parameters == NULL) {
        error_set(error, KITH_INVALID, "the parameters that the key is for are not given");
        return error_hint(error, KITH_INVALID, "use --parameters JOINT.pkg");
    }
    TRY(pkg_file_read(&joined, memory, o->parameters, IBE_TEXT_PARAMETERS, error));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            TRY(check_alike(&files[k], &files[i], error));
    TRY(check_complete(files, n, &joined, error));
    key.key = TRY_ALLOC(secret_memory_array(memory, 1, sizeof *key.key), error);
    *key.key = *files[0].key;
    for (uint32_t i = 1; i < n; i++)
        ibe_key_join(key.key, key.key, files[i].key);
    key.heading.kind = IBE_TEXT_KEY;
    key.heading.n_parts = 0;
    ibe_identity_of(&v, key.heading.name, key.heading.period);
    if (!ibe_key_fits(key.key, joined.parameters, &v))
        return error_set(error, KITH_DATA,
                         "the partial keys do not make a key for %s: one of them is wrong",
                         joined.path);
    return pkg_file_write(&key, memory, o->overwrite, error);
}

static kith_status join(const char *path, const char *const *paths, uint32_t n,
                        const kith_pkg_join_options *o, arena *memory, kith_error *error)
{
    pkg_file files[IBE_TEXT_PARTS], joined = {.path = NULL};
    for (uint32_t i = 0; i < n; i++)
        TRY(pkg_file_apart(path, paths[i], error));
    if (o->parameters != NULL)
        TRY(pkg_file_apart(path, o->parameters, error));
    TRY(pkg_file_read(&files[0], memory, paths[0], IBE_TEXT_UNKNOWN, error));
    const ibe_text_kind kind = files[0].heading.kind;
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            TRY(pkg_file_read(&files[i], memory, paths[i],
                              kind == IBE_TEXT_PARTIAL ? IBE_TEXT_KEY : kind, error));
        if (files[i].heading.kind != kind ||
            (kind != IBE_TEXT_PARAMETERS && kind != IBE_TEXT_PARTIAL))
            return error_set(
                error, KITH_INVALID,
                "%s is %s; what can be joined are files of public parameters, or partial keys",
                paths[i], ibe_text_kind_name(files[i].heading.kind));
    }
    if (kind == IBE_TEXT_PARTIAL)
        return join_keys(path, files, n, o, memory, error);
    if (o->parameters != NULL)
        return error_set(error, KITH_INVALID, "parameters to verify against are for partial keys");
    TRY(pkg_generator_join(&joined, NULL, memory, files, n, error));
    joined.path = path;
    if (o->name != NULL)
        snprintf(joined.heading.name, IBE_TEXT_NAME, "%s", o->name);
    return pkg_file_write(&joined, memory, o->overwrite, error);
}

kith_status kith_pkg_join(const char *path, const char *const *files, size_t n_files,
                          const kith_pkg_join_options *options, kith_error *error)
{
    kith_pkg_join_options own;
    TRY(OPTIONS_TAKE(kith_pkg_join_options, overwrite, &own, options, error));
    if (own.name != NULL)
        TRY(check_name("a generator's name", own.name, error));
    if (n_files < 2 || n_files > IBE_TEXT_PARTS)
        return error_set(error, KITH_INVALID, "2 to %d files can be joined, not %zu",
                         IBE_TEXT_PARTS, n_files);
    arena *memory ARENA_SCOPED = TRY_ALLOC(pkg_begin(), error);
    return join(path, files, (uint32_t)n_files, &own, memory, error);
}

/* --- describing --- */

static void put_digest(kith_document *d, document_node *to, const char *key, const ibe_digest *of)
{
    char text[IBE_TEXT_DIGEST];
    ibe_text_digest_format(text, of);
    document_put_text(d, to, key, text);
}

static kith_status check_generator(pkg_file *f, arena *memory, const char *path, kith_error *error)
{
    pkg_generator g;
    TRY(pkg_generator_read(&g, memory, path, error));
    *f = g.parameters;
    /* Is the secret that of the parameters? Then a key that it makes fits. */
    ibe_identity v;
    ibe_key key;
    ibe_identity_of(&v, "", "");
    ibe_extract(&key, g.parameters.parameters, g.secret.master, &v);
    const bool fits = ibe_key_fits(&key, g.parameters.parameters, &v);
    secret_memory_wipe(&key, sizeof key);
    return fits ? KITH_OK
                : error_set(error, KITH_DATA, "%s does not fit %s", g.secret.path,
                            g.parameters.path);
}

/* Whether a key belongs to what it says and to these parameters. */
static kith_status check_key(bool *fits, const pkg_file *f, const char *parameters, arena *memory,
                             kith_error *error)
{
    pkg_file p;
    ibe_identity v;
    if (f->heading.kind == IBE_TEXT_PARTIAL)
        return error_set(error, KITH_INVALID,
                         "%s is a partial key: it is verified when it is joined", f->path);
    if (f->heading.kind != IBE_TEXT_KEY)
        return error_set(error, KITH_INVALID,
                         "%s is %s; what can be verified against parameters is a private key",
                         f->path, ibe_text_kind_name(f->heading.kind));
    TRY(pkg_file_read(&p, memory, parameters, IBE_TEXT_PARAMETERS, error));
    ibe_identity_of(&v, f->heading.name, f->heading.period);
    *fits = ibe_text_digest_equal(&f->heading.parameters, &p.heading.parameters) &&
            ibe_key_fits(f->key, p.parameters, &v);
    return KITH_OK;
}

static kith_status pkg_describe(kith_document **document, const char *path, const char *parameters,
                                arena *memory, kith_error *error)
{
    static const char *const names[] = {[IBE_TEXT_PARAMETERS] = "parameters",
                                        [IBE_TEXT_MASTER] = "secret",
                                        [IBE_TEXT_KEY] = "key",
                                        [IBE_TEXT_PARTIAL] = "partial key"};
    struct stat info;
    pkg_file f;
    bool fits = false;
    const bool generator = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    TRY(generator ? check_generator(&f, memory, path, error)
                  : pkg_file_read(&f, memory, path, IBE_TEXT_UNKNOWN, error));
    if (parameters != NULL)
        TRY(check_key(&fits, &f, parameters, memory, error));
    if (f.parameters != NULL && !ibe_parameters_consistent(f.parameters))
        return error_set(error, KITH_DATA,
                         "%s is not consistent: its generator did not make it as it should",
                         f.path);
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_put_text(d, document_root(d), "kind", generator ? "generator" : names[f.heading.kind]);
    if (f.heading.name[0] != '\0')
        document_put_text(d, document_root(d), "name", f.heading.name);
    if (f.heading.period[0] != '\0')
        document_put_text(d, document_root(d), "period", f.heading.period);
    put_digest(d, document_root(d), "digest", &f.heading.parameters);
    if (f.heading.kind == IBE_TEXT_PARTIAL)
        put_digest(d, document_root(d), "generator", &f.heading.parts[0]);
    else if (f.heading.n_parts > 0) {
        document_node *list = document_array(d, document_root(d), "parts");
        for (uint32_t i = 0; i < f.heading.n_parts; i++)
            put_digest(d, list, NULL, &f.heading.parts[i]);
    }
    if (parameters != NULL)
        document_put_flag(d, document_root(d), "fits", fits);
    return document_finish(document, d, error);
}

kith_status kith_pkg_describe(kith_document **document, const char *path,
                              const kith_pkg_describe_options *options, kith_error *error)
{
    kith_pkg_describe_options own;
    TRY(OPTIONS_TAKE(kith_pkg_describe_options, parameters, &own, options, error));
    arena *memory ARENA_SCOPED = TRY_ALLOC(pkg_begin(), error);
    return pkg_describe(document, path, own.parameters, memory, error);
}

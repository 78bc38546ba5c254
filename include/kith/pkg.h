/* Key generators of the ID-based protocol: who knows a generator's public parameters and a party's
 * name can encrypt to that party; the generator issues the private keys to the names. It can
 * therefore decrypt whatever is sent to any of them. Several generators can be joined, so that none
 * alone can. A study with `pkg: self` needs none.
 *
 * In a library without the protocol id-based all calls return KITH_INVALID. */
#ifndef KITH_PKG_H
#define KITH_PKG_H

#include <stdbool.h>
#include <stddef.h>

#include <kith/document.h>
#include <kith/status.h>
#include <kith/unstable.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_pkg_init_options {
    size_t size;
    const char *name; /* of the generator, for people: up to 63 bytes; NULL: none */
    bool overwrite;   /* a generator that is there: its keys become useless */
} kith_pkg_init_options;

/* Makes a generator in a directory, which is made if need be: parameters.pkg for everybody, and
 * master.key, which only its owner can read. `options` may be NULL. */
KITH_API KITH_MUST_USE kith_status kith_pkg_init(const char *directory,
                                                 const kith_pkg_init_options *options,
                                                 kith_error *error);

typedef struct kith_pkg_issue_options {
    size_t size;
    const char *name;          /* of the party in the study: 1 to 63 bytes */
    const char *period;        /* of the study; NULL: none */
    const char *const *others; /* parameters of other generators: the key is a partial one for the
                                * parameters of all, which kith_pkg_join joins with theirs */
    size_t n_others;           /* up to 15 */
    bool overwrite;
} kith_pkg_issue_options;

/* Issues the private key of a name from the generator in a directory, and writes it, once it has
 * been verified, to a file that only its owner can read. */
KITH_API KITH_MUST_USE kith_status kith_pkg_issue(const char *path, const char *directory,
                                                  const kith_pkg_issue_options *options,
                                                  kith_error *error);

typedef struct kith_pkg_join_options {
    size_t size;
    const char *parameters; /* partial keys: the file of the joined parameters, which the key is
                             * verified against; NULL for parameters */
    const char *name;       /* parameters: of the joined generator, for people; NULL: none */
    bool overwrite;
} kith_pkg_join_options;

/* Joins 2 to 16 files of one kind: the parameters of generators, in any order, or the partial keys
 * that all of them issued to one name. */
KITH_API KITH_MUST_USE kith_status kith_pkg_join(const char *path, const char *const *files,
                                                 size_t n_files,
                                                 const kith_pkg_join_options *options,
                                                 kith_error *error);

typedef struct kith_pkg_describe_options {
    size_t size;
    const char *parameters; /* verify a key against these; NULL: do not */
} kith_pkg_describe_options;

/* {"kind": "parameters" | "secret" | "key" | "partial key", "name", "period", "digest", "parts":
 * […], "generator", "fits"} of a file, or of the directory of a generator ("kind": "generator").
 * `digest` is that of the parameters that it is or belongs to. Parameters are checked for
 * consistency, a generator's secret against its parameters; `fits` says whether a key belongs to
 * its name, its period and `parameters`. `options` may be NULL. */
KITH_API KITH_MUST_USE kith_status kith_pkg_describe(kith_document **document, const char *path,
                                                     const kith_pkg_describe_options *options,
                                                     kith_error *error);

#ifdef __cplusplus
}
#endif
#endif

/* The calls of the protocol id-based, in a library without it. */
#include <kith/pkg.h>

#include "core/error.h"

static kith_status refuse(kith_error *error)
{
    return error_set(error, KITH_INVALID,
                     "key generators are for the protocol id-based, which is not in this build of "
                     "kith");
}

kith_status kith_pkg_init(const char *directory, const kith_pkg_init_options *options,
                          kith_error *error)
{
    (void)directory;
    (void)options;
    return refuse(error);
}

kith_status kith_pkg_issue(const char *path, const char *directory,
                           const kith_pkg_issue_options *options, kith_error *error)
{
    (void)path;
    (void)directory;
    (void)options;
    return refuse(error);
}

kith_status kith_pkg_join(const char *path, const char *const *files, size_t n_files,
                          const kith_pkg_join_options *options, kith_error *error)
{
    (void)path;
    (void)files;
    (void)n_files;
    (void)options;
    return refuse(error);
}

kith_status kith_pkg_describe(kith_document **document, const char *path,
                              const kith_pkg_describe_options *options, kith_error *error)
{
    (void)document;
    (void)path;
    (void)options;
    return refuse(error);
}

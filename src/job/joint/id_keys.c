#include "job/joint/id_keys.h"

#include "core/error.h"

kith_status id_keys_load(const id_keys **out, arena *memory, const kith_study *study, uint32_t self,
                         const char *path, kith_error *error)
{
    *out = NULL;
    if (study->pkg == NULL && path == NULL)
        return KITH_OK;
    if (study->pkg == NULL) {
        error_set(error, KITH_INVALID,
                  "%s: the study has no key generator (pkg), so that a private key is of no use",
                  study->path);
        return error_hint(error, KITH_INVALID, "leave --id-key out");
    }
    if (path == NULL) {
        error_set(error, KITH_INVALID,
                  "the study has a key generator (pkg), but the private key of %s is not given",
                  study->parties[self].name);
        if (study->pkg_period == NULL)
            return error_hint(
                error, KITH_INVALID,
                "use --id-key FILE; the generator makes it by 'kith pkg issue DIR %s'",
                study->parties[self].name);
        return error_hint(
            error, KITH_INVALID,
            "use --id-key FILE; the generator makes it by 'kith pkg issue DIR %s --period %s'",
            study->parties[self].name, study->pkg_period);
    }
    return study->joint.protocol->load_key(out, memory, study, self, path, error);
}

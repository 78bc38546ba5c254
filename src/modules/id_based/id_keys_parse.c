#include "modules/id_based/id_keys_parse.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "modules/id_based/pkg_file.h"

/* Each way in which a key can be the wrong one has its own message. */
static kith_status check_heading(const pkg_file *key, const ibe_heading *parameters,
                                 const kith_study *study, uint32_t self, kith_error *error)
{
    const char *name = study->parties[self].name;
    const char *period = study->pkg_period == NULL ? "" : study->pkg_period;
    char has[IBE_TEXT_NAME + 8], wants[IBE_TEXT_NAME + 8];
    char theirs[IBE_TEXT_DIGEST], ours[IBE_TEXT_DIGEST];
    if (key->heading.kind == IBE_TEXT_PARTIAL) {
        error_set(error, KITH_INVALID, "%s is a partial key: those of all generators make one key",
                  key->path);
        return error_hint(error, KITH_INVALID, "use 'kith pkg join'");
    }
    if (strcmp(key->heading.name, name) != 0)
        return error_set(error, KITH_INVALID,
                         "%s is the private key of '%s', but this party is '%s'", key->path,
                         key->heading.name, name);
    if (strcmp(key->heading.period, period) != 0)
        return error_set(error, KITH_INVALID, "%s is a key of %s, but the study has %s", key->path,
                         pkg_file_period(has, key->heading.period), pkg_file_period(wants, period));
    if (ibe_text_digest_equal(&key->heading.parameters, &parameters->parameters))
        return KITH_OK;
    ibe_text_digest_format(theirs, &key->heading.parameters);
    ibe_text_digest_format(ours, &parameters->parameters);
    return error_set(error, KITH_INVALID,
                     "%s is a key of the generator %s, but the study has %s (%s)", key->path,
                     theirs, ours, study->pkg);
}

kith_status id_keys_parse(const id_keys **out, arena *memory, const kith_study *study,
                          uint32_t self, const char *path, kith_error *error)
{
    id_keys *keys = TRY_ALLOC(secret_memory_array(memory, 1, sizeof *keys), error);
    pkg_file file;
    ibe_heading heading;
    const char *period = study->pkg_period == NULL ? "" : study->pkg_period;
    TRY(ibe_text_parse_parameters(&keys->parameters, &heading, study->pkg_text,
                                  strlen(study->pkg_text), study->pkg, error));
    TRY(pkg_file_read(&file, memory, path, IBE_TEXT_KEY, error));
    TRY(check_heading(&file, &heading, study, self, error));
    keys->key = *file.key;
    for (uint32_t i = 0; i < 2; i++)
        ibe_identity_of(&keys->identities[i], study->parties[i].name, period);
    *out = keys;
    if (ibe_key_fits(&keys->key, &keys->parameters, &keys->identities[self]))
        return KITH_OK;
    return error_set(
        error, KITH_INVALID,
        "%s does not fit the name, the period and the parameters that it states: it is "
        "damaged or forged",
        path);
}

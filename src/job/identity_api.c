/* Keys and certificates of parties, for the public interface. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <kith/joint.h>

#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "core/text.h"
#include "core/system/text_stream.h"
#include "job/fingerprint_api.h"
#include "job/history/choice_secret.h"
#include "study/study.h"
#include "wire/identity.h"

kith_status kith_identity_create(const char *path, const kith_identity_options *options,
                                 kith_error *error)
{
    enum { CLOCKS_DIFFER = 3600, DAY = 86400 }; /* a peer's clock may be an hour behind */
    kith_identity_options own;
    time_t now = time(NULL);
    TRY(OPTIONS_TAKE(kith_identity_options, overwrite, &own, options, error));
    TRY(options_need(own.name, "name", error));
    if (!study_is_party_name(own.name)) {
        char quoted[80];
        text_quote(quoted, sizeof quoted, own.name, strlen(own.name));
        return error_set(
            error, KITH_INVALID,
            "a party's name has 1 to 63 letters, digits, - _ and ., and does not begin "
            "with - or a point; found '%s'",
            quoted);
    }
    if (own.n_days < 1 || own.n_days > 36500)
        return error_set(error, KITH_INVALID, "a certificate is valid for 1 to 36500 days, not %u",
                         own.n_days);
    TRY(identity_create(path, own.name, now - CLOCKS_DIFFER, now + (time_t)own.n_days * DAY,
                        own.overwrite, error));
    const kith_status status = choice_secret_make(path, error);
    if (status != KITH_OK && !own.overwrite)
        unlink(path); /* the key is unused, and the next attempt finds the name free */
    return status;
}

kith_status kith_identity_party(char **text, const char *path, const char *address,
                                kith_error *error)
{
    kith_document *d = NULL;
    size_t size;
    if (address != NULL && (!study_is_address(address) || strpbrk(address, "\"\\\r\n") != NULL))
        return error_set(error, KITH_INVALID, "an address is HOST:PORT, not '%s'", address);
    TRY(kith_identity_describe(&d, path, error));
    FILE *out = open_memstream(text, &size);
    if (out == NULL) {
        kith_document_free(d);
        return error_nomem(error);
    }
    const char *name = kith_document_text(d, "name", "");
    fprintf(out,
            "# The party %s, for 'kith study join'. Nothing in it is secret, but compare the key "
            "by\n# telephone: %s\n",
            name, kith_document_text(d, "grouped", ""));
    /* Names have no characters that YAML would take for its own, but may be words such as null. */
    fprintf(out, "- {name: \"%s\", address: \"%s\", key: \"%s\"}\n", name,
            address != NULL ? address : "HOST:PORT", kith_document_text(d, "key", ""));
    kith_document_free(d);
    return text_stream_close(out, text, error);
}

kith_status kith_identity_describe(kith_document **document, const char *path, kith_error *error)
{
    identity *id = NULL;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    TRY(identity_load(&id, memory, path, error));
    /* The certificate without its key, for people who compare it with a study. */
    char name[256], pin[72], first[32], last[32], why[64];
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    identity_name(id->certificate, name, sizeof name);
    identity_format_pin(pin, id->pin);
    identity_days(id->certificate, first, last);
    document_put_text(d, root, "name", name);
    document_put_text(d, root, "key", pin);
    fingerprint_api_put(d, root, id->pin);
    document_put_text(d, root, "from", first);
    document_put_text(d, root, "until", last);
    document_put_flag(d, root, "valid", identity_stale(id->certificate, why, sizeof why) == NULL);
    return document_finish(document, d, error);
}

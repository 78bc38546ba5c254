/* Any bytes as the file of a party's key, or as the certificate in it: refused with a message, or
 * described with texts that a terminal can show. */
#include "support/fuzz_input.h"

#include <openssl/pem.h>

#include <kith/joint.h>

#include "core/text.h"
#include "wire/identity.h"

static void require_plain(const char *text)
{
    require(text_utf8_error(text, strlen(text)) == strlen(text));
    for (; *text != '\0'; text++)
        require((unsigned char)*text >= 0x20 && *text != 0x7f);
}

/* The certificate that a peer shows is not read from a file. */
static void check_certificate(const uint8_t *data, size_t size)
{
    char name[64], first[32], last[32], why[64];
    unsigned char pin[IDENTITY_PIN];
    const uint8_t *at = data;
    X509 *certificate = d2i_X509(NULL, &at, (long)size);
    if (certificate == NULL)
        return;
    identity_name(certificate, name, sizeof name);
    identity_days(certificate, first, last);
    (void)identity_stale(certificate, why, sizeof why);
    require(identity_pin(certificate, pin));
    require_plain(name);
    require_plain(first);
    require_plain(last);
    X509_free(certificate);
}

/* Without a callback OpenSSL would ask at the terminal. */
static int no_password(char *buffer, int room, int writing, void *user)
{
    (void)buffer, (void)room, (void)writing, (void)user;
    return -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kith_document *d = NULL;
    kith_error error = {0};
    const char *path = fuzz_file("key.pem", data, size);
    const kith_status status = kith_identity_describe(&d, path, &error);
    require(status == KITH_OK || (status == KITH_DATA && strstr(error.message, path) != NULL));
    if (status == KITH_OK)
        require_plain(kith_document_text(d, "name", ""));
    kith_document_free(d);
    check_certificate(data, size);
    BIO *in = BIO_new_mem_buf(data, (int)size); /* or as PEM */
    unsigned char *bytes = NULL;
    long length = 0;
    if (in != NULL &&
        PEM_bytes_read_bio(&bytes, &length, NULL, PEM_STRING_X509, in, no_password, NULL) == 1) {
        check_certificate(bytes, (size_t)length);
        OPENSSL_free(bytes);
    }
    BIO_free(in);
    return 0;
}

/* Files of a key generator as texts: a first line that says what it is, lines "key: value", an
 * empty line, and lines of 64 characters of base64. For example a private key:
 *
 *     kith private identity key 1
 *     name: north
 *     period: 2026-11
 *     parameters: blake2b:4f1c…
 *
 *     tQ3…
 *
 * A text has one form only: a file that was changed anywhere is refused, or does not fit.
 *
 *     kind          lines, in this order
 *     parameters    name (may be absent), digest: of its own bytes, part: one for each generator
 *                   (two or more if they were joined, else none)
 *     secret        parameters
 *     key           name, period (may be absent), parameters
 *     partial key   the same, generator: parameters of the one that issued it */
#ifndef CRYPTO_PAIRING_IBE_TEXT_H
#define CRYPTO_PAIRING_IBE_TEXT_H

#include "crypto/digest.h"
#include "crypto/pairing/ibe.h"

typedef enum ibe_text_kind {
    IBE_TEXT_UNKNOWN,
    IBE_TEXT_PARAMETERS,
    IBE_TEXT_MASTER,
    IBE_TEXT_KEY,
    IBE_TEXT_PARTIAL
} ibe_text_kind;

enum {
    IBE_TEXT_BYTES = 1 << 16, /* no file is longer */
    IBE_TEXT_NAME = 64,       /* with the NUL */
    IBE_TEXT_PARTS = 16,
    IBE_TEXT_DIGEST = 73 /* "blake2b:", 64 hexadecimal digits, NUL */
};

typedef struct ibe_digest {
    unsigned char bytes[DIGEST_BYTES];
} ibe_digest;

/* What is above the empty line. */
typedef struct ibe_heading {
    ibe_text_kind kind;
    char name[IBE_TEXT_NAME];   /* of the generator, or of the party; "": none */
    char period[IBE_TEXT_NAME]; /* "": none */
    ibe_digest parameters;      /* digest of the parameters that it is, or belongs to */
    uint32_t n_parts;           /* parameters: 0 or at least 2; partial key: 1, who issued it */
    ibe_digest parts[IBE_TEXT_PARTS];
} ibe_heading;

/* "public parameters", "private key", … for messages. */
const char *ibe_text_kind_name(ibe_text_kind kind);
/* The kind, by the first line alone. */
ibe_text_kind ibe_text_kind_of(const char *text, size_t length);
/* 1 to 63 bytes of UTF-8 without control characters: a name or period that fits into a line. */
bool ibe_text_is_name(const char *text);

void ibe_text_digest(ibe_digest *out, const ibe_parameters *p);
void ibe_text_digest_format(char text[IBE_TEXT_DIGEST], const ibe_digest *d);
bool ibe_text_digest_equal(const ibe_digest *a, const ibe_digest *b);

/* KITH_DATA with `file` and line for a text that is not of this kind or has not its one form, for
 * invalid elements, and for parameters that are not those of their digest. ibe_text_parse_key takes
 * whole keys and partial ones: heading->kind says which. The caller wipes secrets, also after an
 * error. */
kith_status ibe_text_parse_parameters(ibe_parameters *out, ibe_heading *heading, const char *text,
                                      size_t length, const char *file,
                                      kith_error *error) KITH_MUST_USE;
kith_status ibe_text_parse_master(ibe_master *out, ibe_heading *heading, const char *text,
                                  size_t length, const char *file, kith_error *error) KITH_MUST_USE;
kith_status ibe_text_parse_key(ibe_key *out, ibe_heading *heading, const char *text, size_t length,
                               const char *file, kith_error *error) KITH_MUST_USE;

/* The text of what the heading says, ended by NUL, in memory that is wiped with the arena; NULL if
 * out of memory. */
char *ibe_text_format_parameters(arena *memory, const ibe_heading *heading,
                                 const ibe_parameters *p);
char *ibe_text_format_master(arena *memory, const ibe_heading *heading, const ibe_master *m);
char *ibe_text_format_key(arena *memory, const ibe_heading *heading, const ibe_key *key);

#endif

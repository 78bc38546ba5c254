/* Fingerprints of keys and studies, 32 bytes, in forms that people can compare by telephone. */
#ifndef CORE_FINGERPRINT_H
#define CORE_FINGERPRINT_H

#include <stdbool.h>

enum {
    FINGERPRINT_BYTES = 32,
    FINGERPRINT_GROUPED = 80, /* 16 groups of four digits, blanks between them, and NUL */
    FINGERPRINT_WORDS = 32 * 9
};

/* Reads 64 hexadecimal digits in any case, with blanks, hyphens or colons between them, or 32
 * words; "sha256:" may come first. False if it is neither. */
bool fingerprint_parse(unsigned char bytes[FINGERPRINT_BYTES], const char *text);

/* "1f6d 2b3a …" */
void fingerprint_group(char text[FINGERPRINT_GROUPED],
                       const unsigned char bytes[FINGERPRINT_BYTES]);
/* "apple river …", one word per byte. */
void fingerprint_spell(char text[FINGERPRINT_WORDS], const unsigned char bytes[FINGERPRINT_BYTES]);

#endif

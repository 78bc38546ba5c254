#include "core/fingerprint.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/fingerprint_words.h"

static const char between[] = " \t\r\n-:,.";

static bool parse_digits(unsigned char bytes[FINGERPRINT_BYTES], const char *text)
{
    static const char digits[] = "0123456789abcdef";
    size_t count = 0;
    for (; *text != '\0'; text++) {
        const char *found = strchr(digits, tolower((unsigned char)*text));
        if (found == NULL && strchr(between, *text) != NULL)
            continue;
        if (found == NULL || count == 2 * (size_t)FINGERPRINT_BYTES)
            return false;
        const unsigned value = (unsigned)(found - digits);
        bytes[count / 2] = (unsigned char)(count % 2 == 0 ? value << 4 : bytes[count / 2] | value);
        count++;
    }
    return count == 2 * (size_t)FINGERPRINT_BYTES;
}

static bool parse_words(unsigned char bytes[FINGERPRINT_BYTES], const char *text)
{
    size_t count = 0;
    for (text += strspn(text, between); *text != '\0'; text += strspn(text, between)) {
        const size_t length = strcspn(text, between);
        int number = 0;
        while (number < 256 && (strlen(fingerprint_word[number]) != length ||
                                strncasecmp(fingerprint_word[number], text, length) != 0))
            number++;
        if (number == 256 || count == FINGERPRINT_BYTES)
            return false;
        bytes[count++] = (unsigned char)number;
        text += length;
    }
    return count == FINGERPRINT_BYTES;
}

bool fingerprint_parse(unsigned char bytes[FINGERPRINT_BYTES], const char *text)
{
    static const char prefix[] = "sha256:";
    text += strspn(text, between);
    if (strncasecmp(text, prefix, sizeof prefix - 1) == 0)
        text += sizeof prefix - 1;
    return parse_digits(bytes, text) || parse_words(bytes, text);
}

void fingerprint_group(char text[FINGERPRINT_GROUPED], const unsigned char bytes[FINGERPRINT_BYTES])
{
    for (int i = 0; i < FINGERPRINT_BYTES; i += 2) {
        const int at = i / 2 * 5;
        snprintf(text + at, (size_t)(FINGERPRINT_GROUPED - at), "%02x%02x ", bytes[i],
                 bytes[i + 1]);
    }
    text[FINGERPRINT_GROUPED - 1] = '\0';
}

void fingerprint_spell(char text[FINGERPRINT_WORDS], const unsigned char bytes[FINGERPRINT_BYTES])
{
    size_t used = 0;
    for (int i = 0; i < FINGERPRINT_BYTES; i++)
        used += (size_t)snprintf(text + used, FINGERPRINT_WORDS - used, "%s%s", i == 0 ? "" : " ",
                                 fingerprint_word[bytes[i]]);
}

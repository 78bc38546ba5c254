#include "study/memory_size.h"

#include <string.h>

#include <kith/application.h>

#include "core/error.h"
#include "core/text.h"

static const double MIN_BYTES = 1e6, MAX_BYTES = 1e17;

bool memory_size_parse(const char *text, uint64_t *bytes)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}};
    const size_t digits = strspn(text, "0123456789.");
    double number;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(text + digits, units[i].name) == 0 && text_decimal(text, digits, &number)) {
            number *= units[i].bytes;
            if (number < MIN_BYTES || number > MAX_BYTES)
                return false;
            *bytes = (uint64_t)number;
            return true;
        }
    return false;
}

kith_status memory_size_check(uint64_t bytes, kith_error *error)
{
    if (bytes == 0 || (double)bytes >= MIN_BYTES)
        return KITH_OK;
    return error_set(error, KITH_INVALID, "options.memory_bytes: %llu is less than %.0f",
                     (unsigned long long)bytes, MIN_BYTES);
}

kith_status kith_memory_parse(uint64_t *bytes, const char *text, kith_error *error)
{
    char quoted[80];
    if (memory_size_parse(text, bytes))
        return KITH_OK;
    text_quote(quoted, sizeof quoted, text, strlen(text));
    return error_set(error, KITH_INVALID, "memory: expected " MEMORY_SIZE_EXPECTED ", found '%s'",
                     quoted);
}

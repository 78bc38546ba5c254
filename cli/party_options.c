/* Options that all commands of several parties take. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* "10ms", "1.5s", "2min", "1h", or seconds: the units of a study's times. */
static bool parse_duration(const char *text, uint32_t *milliseconds)
{
    static const struct {
        const char *name;
        double milliseconds;
    } units[] = {{"", 1000}, {"ms", 1}, {"s", 1000}, {"min", 60000}, {"h", 3600000}};
    /* strtod alone would take blanks, signs, exponents and hexadecimal digits. */
    const char *name = text + strspn(text, "0123456789.");
    char *end;
    double value = strtod(text, &end), unit = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i].name) == 0)
            unit = units[i].milliseconds;
    if (end == text || end != name || unit == 0 || value * unit > 86400000.0)
        return false;
    *milliseconds = (uint32_t)(value * unit + 0.5);
    return true;
}

int duration_take(const char *name, const char *text, uint32_t *milliseconds)
{
    if (text == NULL || parse_duration(text, milliseconds))
        return EXIT_DONE;
    return report_usage("--%s takes a time such as 500ms, 20s, 5min or 1h, at most 24h, not '%s'",
                        name, text);
}

int duration_take_wait(const char *text, uint32_t *milliseconds)
{
    int status = duration_take("wait", text, milliseconds);
    if (status == EXIT_DONE && text != NULL && *milliseconds == 0) /* 0 is the default inside */
        return report_usage("--wait takes at least 1ms, not '%s': others need time to appear",
                            text);
    return status;
}

int party_options_check(party_settings *s, const common_options *common)
{
    if (s->options.as == NULL)
        return report_usage("--as NAME says which party of the study this is");
    if (s->options.key == NULL)
        return report_usage("--key FILE names this party's key; 'kith cert init' makes one");
    int status = duration_take_wait(s->wait, &s->options.wait_ms);
    if (status == EXIT_DONE)
        status = duration_take("delay", s->delay, &s->options.delay_ms);
    s->options.overwrite = common->force;
    return status;
}

/* Options that all commands of several parties take. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* "10ms", "1.5s", "2min", or seconds. */
static bool parse_duration(const char *text, uint32_t *milliseconds)
{
    char *end;
    double value = strtod(text, &end);
    double unit = 0;
    if (strcmp(end, "ms") == 0)
        unit = 1;
    else if (strcmp(end, "s") == 0 || *end == '\0')
        unit = 1000;
    else if (strcmp(end, "min") == 0)
        unit = 60000;
    if (end == text || unit == 0 || !(value >= 0) || value * unit > 86400000.0)
        return false;
    *milliseconds = (uint32_t)(value * unit + 0.5);
    return true;
}

int duration_take(const char *name, const char *text, uint32_t *milliseconds)
{
    if (text == NULL || parse_duration(text, milliseconds))
        return EXIT_DONE;
    return report_usage("--%s takes a time such as 500ms, 20s or 5min, not '%s'", name, text);
}

int party_options_check(party_settings *s, const common_options *common)
{
    if (s->options.as == NULL)
        return report_usage("--as NAME says which party of the study this is");
    if (s->options.key == NULL)
        return report_usage("--key FILE names this party's key; 'kith cert init' makes one");
    int status = duration_take("wait", s->wait, &s->options.wait_ms);
    if (status == EXIT_DONE)
        status = duration_take("delay", s->delay, &s->options.delay_ms);
    s->options.overwrite = common->force;
    return status;
}

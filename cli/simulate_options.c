/* Options that all commands take that play through joint runs on this machine. */
#include "cli.h"

int sites_check(uint64_t sites)
{
    if (sites != 1 && sites <= 128)
        return EXIT_DONE;
    return report_usage("--sites takes 2 to 128, not %llu", (unsigned long long)sites);
}

int simulate_settings_check(simulate_settings *s, const help_page *page)
{
    if (s->sites == 0 && s->options.split == NULL)
        return report_missing("--sites N", page);
    int status = sites_check(s->sites);
    s->options.n_sites = (uint32_t)s->sites;
    s->input = data_input(&s->common, s->input.uri);
    s->options.input = &s->input;
    s->options.overwrite = s->common.force;
    if (status == EXIT_DONE)
        status = duration_take("delay", s->delay, &s->options.delay_ms);
    if (status == EXIT_DONE)
        status = save_check(s->common.summary, s->common.force);
    if (status == EXIT_DONE && !s->in_process)
        status = program_path(&s->options.executable);
    return status;
}

/* --report: the result of a command as a page for browsers. */
#include "cli.h"

#include <string.h>

int page_check(common_options *common, const char *study, const char *data)
{
    const kith_report_options *page = &common->page;
    if (page->output == NULL)
        return page->internal
                   ? report_usage("--internal is about a report: give --report FILE, too")
                   : EXIT_DONE;
    if (strcmp(page->output, "-") == 0)
        return report_usage("--report takes a file: standard output is the command's own");
    if (page->internal && data != NULL && strcmp(data, "-") == 0)
        return report_usage("an internal report reads the data once more: it cannot come from "
                            "standard input");
    int status = save_check(page->output, common->force);
    if (status == EXIT_DONE)
        status =
            save_apart("the report", page->output, (const char *[5]){study, data, common->summary});
    if (page->internal)
        common->page_data = data;
    return status;
}

kith_status page_make(const common_options *common, const kith_review *about,
                      const kith_study *study, const kith_run *run, kith_error *error)
{
    kith_report_options page = common->page;
    if (page.output == NULL)
        return KITH_OK;
    page.size = sizeof page;
    if (page.run == NULL)
        page.summary = about->summary;
    kith_input data = KITH_OPTIONS(kith_input, .uri = common->page_data,
                                   .separator = common->separator, .csv = &common->csv);
    kith_input release =
        KITH_OPTIONS(kith_input, .uri = common->page_release, .separator = common->separator);
    if (about->data != NULL) { /* the run's own rows, wherever they came from and go */
        data = (kith_input)KITH_OPTIONS(kith_input, .table = about->data);
        release = (kith_input)KITH_OPTIONS(kith_input, .table = about->release);
        page.lattice = about->lattice;
    }
    page.data = &data;
    page.release = &release;
    page.study = study;
    page.overwrite = common->force;
    if (!page.internal)
        page.lattice = NULL;
    return kith_report(&page, run, error);
}

int page_write(const common_options *common, const kith_document *summary, const kith_study *study,
               const kith_run *run)
{
    kith_error error = {0};
    const kith_review about = {.size = sizeof about, .summary = summary};
    return page_make(common, &about, study, run, &error) == KITH_OK ? EXIT_DONE
                                                                    : report_error(&error);
}

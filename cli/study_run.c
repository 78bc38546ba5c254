/* What all commands do that turn a study into a document. */
#include "cli.h"

int study_run(const char *path, const common_options *common, study_job *job,
              void (*print)(const kith_document *d, const void *arguments), const void *arguments)
{
    int status;
    kith_error error = {0};
    kith_document *d = NULL;
    kith_study *study = study_open(path, &status);
    if (study == NULL)
        return status;
    progress_display *display = progress_begin(common);
    kith_run settings = progress_run(display, common);
    kith_status done = job(&d, study, arguments, &settings, &error);
    if (done == KITH_OK && ranks_first())
        status = page_write(common, d, study, &settings);
    progress_end(display);
    kith_study_free(study);
    if (done != KITH_OK)
        return report_error(&error);
    if (!ranks_first()) {
        kith_document_free(d);
        return EXIT_DONE;
    }
    if (!common->quiet)
        report_warnings(d);
    /* The release is written: its summary is told even where the report could not be. */
    const int told = document_tell(d, common, print, arguments);
    return status != EXIT_DONE ? status : told;
}

/* kith describe: what is in a table. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

enum { SHOWN_NAMES = 40 }; /* of quasi-identifiers */

static const help_page page = {
    .usage = "kith describe DATA [STUDY] [OPTION]…",
    .text = "Shows the columns of a table: type, distinct and missing values, how many records a\n"
            "column makes unique, which role that suggests and why; ranges, quantiles and\n"
            "frequent values; texts that keep a column from being of a type; columns that\n"
            "determine others. For the\n"
            "quasi-identifiers (those of STUDY, else the suggested ones) it tells how well they\n"
            "single out records, and which few columns do so most.\n\n"
            "--exposure attacks an encrypted view of DATA (protocol: encrypted-view) as a site or\n"
            "its master could, who know other records, and tells how many cells they would name.",
    .example = "  kith describe patients.csv\n"
               "  kith describe patients.csv patients.study.yaml --json\n"
               "  kith describe patients.csv patients.study.yaml --exposure --seed 1",
};

static double number(const kith_document *d, size_t index, const char *key)
{
    return kith_document_number(d, path_at("columns.%zu.%s", index, key), 0);
}

static const char *text(const kith_document *d, size_t index, const char *key)
{
    return kith_document_text(d, path_at("columns.%zu.%s", index, key), "");
}

/* How values that are not plain are written; a mark where something else could be meant. */
static void print_type(grid *g, const kith_document *d, size_t index)
{
    const char *type = text(d, index, "type"), *format = text(d, index, "format");
    const char *decimal = text(d, index, "decimal");
    const char *mark =
        kith_document_has(d, path_at("columns.%zu.format_ambiguous", index)) ? "?" : "";
    if (decimal[0] != '\0')
        grid_cell(g, "%s (%s)%s", type, decimal, mark);
    else if (format[0] != '\0')
        grid_cell(g, "%s %s%s", type, format, mark);
    else
        grid_cell(g, "%s", type);
}

static void print_columns(const kith_document *d, bool with_study)
{
    grid *g = grid_new(6, "llrrrl");
    static const char *const heading[] = {"column", "type", "distinct", "missing", "unique"};
    for (size_t i = 0; i < 5; i++)
        grid_cell(g, "%s", heading[i]);
    grid_cell(g, "%s", with_study ? "role (suggested)" : "suggested role");
    for (size_t i = 0; i < kith_document_n_items(d, "columns"); i++) {
        grid_cell(g, "%s", text(d, i, "name"));
        print_type(g, d, i);
        grid_cell(g, "%s", human_count(number(d, i, "distinct")));
        grid_cell(g, "%s", human_count(number(d, i, "missing")));
        grid_cell(g, "%.1f%%", 100 * number(d, i, "unique_share"));
        const char *role = text(d, i, "role"), *suggested = text(d, i, "suggested_role");
        if (!with_study || strcmp(role, suggested) == 0)
            grid_cell(g, "%s", suggested);
        else
            grid_cell(g, "%s (%s)", role, suggested);
    }
    grid_print_free(g);
}

static double quasi(const kith_document *d, const char *key)
{
    return kith_document_number(d, path_at("quasi_identifiers.%s", key), 0);
}

static void print_risk(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "quasi_identifiers.columns");
    const char *from = kith_document_text(d, "quasi_identifiers.from", "");
    wrap_buffer line;
    FILE *out = wrap_begin(&line);
    putchar('\n');
    fprintf(out, "Quasi-identifiers (%s): %s", from, count == 0 ? "none" : "");
    describe_values_list(out, d, "quasi_identifiers.columns", SHOWN_NAMES);
    wrap_end(&line, stdout, 2);
    if (!kith_document_has(d, "quasi_identifiers.classes"))
        return;
    grid *g = grid_new(2, "lr");
    grid_cell(g, "%s", "risk");
    grid_cell(g, "%s", "value");
    grid_cell(g, "different combinations of values");
    grid_cell(g, "%s", human_count(quasi(d, "classes")));
    grid_cell(g, "smallest group of equal records");
    grid_cell(g, "%s", human_count(quasi(d, "smallest_class")));
    if (kith_document_has(d, "quasi_identifiers.persons")) {
        grid_cell(g, "persons to whom the records belong");
        grid_cell(g, "%s", human_count(quasi(d, "persons")));
        grid_cell(g, "fewest persons in a group of equal records");
        grid_cell(g, "%s", human_count(quasi(d, "smallest_class_persons")));
        grid_cell(g, "groups of equal records of one person");
        grid_cell(g, "%s", human_count(quasi(d, "classes_of_one_person")));
    }
    grid_cell(g, "records that are unique");
    grid_cell(g, "%.1f%%", 100 * quasi(d, "unique_share"));
    grid_cell(g, "prosecutor risk, highest");
    grid_cell(g, "%.1f%%", 100 * quasi(d, "risk.prosecutor_highest"));
    grid_cell(g, "prosecutor risk, average (= marketer risk)");
    grid_cell(g, "%.1f%%", 100 * quasi(d, "risk.marketer"));
    grid_print_free(g);
}

static void combination_name(const kith_document *d, size_t index, char *name, size_t size)
{
    const size_t count =
        kith_document_n_items(d, path_at("quasi_identifiers.combinations.%zu.columns", index));
    size_t used = 0;
    name[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        const char *column = kith_document_text(
            d, path_at("quasi_identifiers.combinations.%zu.columns.%zu", index, i), "");
        int wrote = snprintf(name + used, size - used, "%s%s", i == 0 ? "" : ", ", column);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

/* For the encrypted view only. */
static void print_exposed(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "exposed");
    if (count == 0)
        return;
    puts("\nWhat the master of the encrypted view could tell by how often values occur:");
    grid *g = grid_new(4, "lrrr");
    static const char *const heading[] = {"column", "values", "that stand out", "of the records"};
    for (size_t i = 0; i < 4; i++)
        grid_cell(g, "%s", heading[i]);
    for (size_t i = 0; i < count; i++) {
        double level = kith_document_number(d, path_at("exposed.%zu.level", i), 0);
        const char *name = kith_document_text(d, path_at("exposed.%zu.column", i), "");
        if (level > 0)
            grid_cell(g, "%s (level %g)", name, level);
        else
            grid_cell(g, "%s", name);
        grid_cell(g, "%s",
                  human_count(kith_document_number(d, path_at("exposed.%zu.values", i), 0)));
        grid_cell(g, "%s",
                  human_count(kith_document_number(d, path_at("exposed.%zu.exposed", i), 0)));
        grid_cell(g, "%.1f%%", 100 * kith_document_number(d, path_at("exposed.%zu.share", i), 0));
    }
    grid_print_free(g);
    puts("A higher level in 'pregeneralize' merges values before they are encrypted.");
}

/* Says so if combinations were left out, or if there is nothing to show. */
static void print_combinations(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "quasi_identifiers.combinations");
    double size = quasi(d, "combination_size");
    if (!kith_document_has(d, "quasi_identifiers.combination_size"))
        return;
    const char *tried = size >= 3   ? "up to three columns together"
                        : size >= 2 ? "up to two columns together"
                                    : "single columns";
    if (count == 0) {
        printf("\nNo record is unique by %s.\n", tried);
        return;
    }
    printf("\nColumns that single out most records (%s):\n", tried);
    grid *g = grid_new(2, "lr");
    grid_cell(g, "%s", "columns");
    grid_cell(g, "%s", "unique records");
    for (size_t i = 0; i < count; i++) {
        char name[256];
        combination_name(d, i, name, sizeof name);
        grid_cell(g, "%s", name);
        grid_cell(g, "%.1f%%",
                  100 * kith_document_number(
                            d, path_at("quasi_identifiers.combinations.%zu.unique_share", i), 0));
    }
    grid_print_free(g);
}

/* The levels above the one that enters the view, such as "1: 98%, 2: 100%". */
static void print_levels(grid *g, const kith_document *d, size_t index)
{
    char text_of_levels[256] = "";
    size_t used = 0;
    const size_t count = kith_document_n_items(d, path_at("exposure.columns.%zu.levels", index));
    for (size_t i = 0; i < count && used < sizeof text_of_levels - 32; i++) {
        const double level =
            kith_document_number(d, path_at("exposure.columns.%zu.levels.%zu.level", index, i), 0);
        const double share = kith_document_number(
            d, path_at("exposure.columns.%zu.levels.%zu.by_shape", index, i), 0);
        used += (size_t)snprintf(text_of_levels + used, sizeof text_of_levels - used,
                                 "%s%g: %.1f%%", i == 0 ? "" : ", ", level, 100 * share);
    }
    grid_cell(g, "%s", text_of_levels);
}

static void print_exposure(const kith_document *d)
{
    const size_t count = kith_document_n_items(d, "exposure.columns");
    if (count == 0)
        return;
    wrap_buffer line;
    fprintf(wrap_begin(&line),
            "Cells that someone who knows %s of %s would name in an encrypted view of %s:",
            human_counted(kith_document_number(d, "exposure.known_records", 0), "record"),
            kith_document_text(d, "exposure.known", ""),
            human_counted(kith_document_number(d, "exposure.records", 0), "other record"));
    putchar('\n');
    wrap_end(&line, stdout, 0);
    const bool shapes = kith_document_has(d, "exposure.columns.0.by_shape");
    grid *g = grid_new(shapes ? 6 : 4, shapes ? "lrrrrl" : "lrrr");
    static const char *const heading[] = {"column",           "values",           "by frequency",
                                          "by co-occurrence", "with hierarchies", "higher levels"};
    for (size_t i = 0; i < (shapes ? 6 : 4); i++)
        grid_cell(g, "%s", heading[i]);
    for (size_t i = 0; i < count; i++) {
        const double level = kith_document_number(d, path_at("exposure.columns.%zu.level", i), 0);
        const char *name = kith_document_text(d, path_at("exposure.columns.%zu.column", i), "");
        if (level > 0)
            grid_cell(g, "%s (level %g)", name, level);
        else
            grid_cell(g, "%s", name);
        grid_cell(
            g, "%s",
            human_count(kith_document_number(d, path_at("exposure.columns.%zu.values", i), 0)));
        static const char *const shares[] = {"by_frequency", "by_cooccurrence", "by_shape"};
        for (size_t k = 0; k < (shapes ? 3 : 2); k++)
            grid_cell(
                g, "%.1f%%",
                100 * kith_document_number(d, path_at("exposure.columns.%zu.%s", i, shares[k]), 0));
        if (shapes)
            print_levels(g, d, i);
    }
    grid_print_free(g);
    puts("Sites and masters of an encrypted view can do this. Only a higher level in "
         "'pregeneralize'\n"
         "bounds it; sensitive columns have no bound.");
}

static int describe(const kith_describe_options *job, const common_options *common)
{
    kith_document *d = NULL;
    kith_error error;
    progress_display *display = progress_begin(common);
    kith_run run = progress_run(display, common);
    kith_status status = kith_describe(&d, job, &run, &error);
    progress_end(display);
    if (status != KITH_OK)
        return report_error(&error);
    if (common->json)
        document_print(d);
    else {
        printf("%s: %s, %s\n", kith_document_text(d, "data", ""),
               human_counted(kith_document_number(d, "records", 0), "record"),
               human_counted((double)kith_document_n_items(d, "columns"), "column"));
        empty_print(stdout, d);
        putchar('\n');
        if (kith_document_flag(d, "header_looks_like_data", false))
            puts("The first line looks like a row: --no-header takes it for one.\n");
        print_columns(d, job->study != NULL);
        describe_values_spoiled(d);
        describe_values_numbers(d);
        describe_values_frequent(d);
        describe_values_dependencies(d);
        if (job->study == NULL)
            describe_values_reasons(d);
        print_risk(d);
        print_combinations(d);
        print_exposed(d);
        print_exposure(d);
    }
    kith_document_free(d);
    return EXIT_DONE;
}

int cmd_describe(int argc, char **argv)
{
    common_options common = {0};
    kith_describe_options job = KITH_INIT(kith_describe_options);
    const char *known_uri = NULL;
    bool exposure = false;
    const option_spec options[] = {
        {"exposure", 0, OPTION_FLAG, &exposure, NULL, "attack an encrypted view of DATA"},
        {"known", 0, OPTION_TEXT, &known_uri, "DATA",
         "the same, by someone who knows these records, not a random half"},
        OPTION_SEED_ROW(&common),
        OPTION_THREADS_ROW(&common),
        OPTION_JSON_ROW(&common),
        OPTION_CSV_ROWS(&common),
        OPTION_PROGRESS_ROW(&common),
        OPTION_END};
    int status = EXIT_DONE;
    int count = options_parse(&page, options, argc, argv, 1, 2, &status);
    if (count < 0)
        return status;
    if (count == 2)
        status = report_one_input(argv[2], (const char *[3]){argv[1], known_uri});
    if (status != EXIT_DONE)
        return status;
    kith_study *study = count == 2 ? study_open(argv[2], &status) : NULL;
    if (count == 2 && study == NULL)
        return status;
    if (exposure && known_uri == NULL)
        known_uri = "";
    const kith_input data = data_input(&common, argv[1]), known = data_input(&common, known_uri);
    job.data = &data;
    job.study = study;
    job.known = &known;
    status = describe(&job, &common);
    kith_study_free(study);
    return status;
}

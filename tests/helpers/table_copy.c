/* table_copy FROM TO [--force] [--missing TEXT] [--separator C] [--column NAME[:TYPE]]…: reads one
 * data URI and writes another. For tests of sources and sinks; exit statuses as those of kith. */
#include <stdio.h>
#include <string.h>

#include <kith/kith.h>

enum { MAX_COLUMNS = 64 };

static int report(kith_status status, const kith_error *error)
{
    fprintf(stderr, "table_copy: error: %s\n", error->message);
    if (error->hint[0] != '\0')
        fprintf(stderr, "table_copy: hint: %s\n", error->hint);
    return status == KITH_IO || status == KITH_NOMEM ? 5 : 2;
}

/* NAME, NAME:integer, NAME:decimal or NAME:date. */
static kith_column_spec column_of(char *text)
{
    static const char *const types[] = {"string", "integer", "decimal", "date"};
    kith_column_spec spec = {.name = text};
    char *colon = strrchr(text, ':');
    for (int i = 0; colon != NULL && i < 4; i++)
        if (strcmp(colon + 1, types[i]) == 0) {
            spec.type = (kith_type)i;
            *colon = '\0';
        }
    return spec;
}

int main(int argc, char **argv)
{
    kith_error error = {0};
    kith_table *table;
    kith_column_spec columns[MAX_COLUMNS];
    const char *missing[1];
    kith_table_options options = KITH_INIT(kith_table_options);
    char separator = 0;
    bool force = false;
    if (argc < 3)
        return 2;
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--force") == 0) {
            force = true;
        } else if (strcmp(argv[i], "--missing") == 0 && i + 1 < argc) {
            missing[0] = argv[++i];
            options.missing_values = missing;
            options.n_missing_values = 1;
        } else if (strcmp(argv[i], "--separator") == 0 && i + 1 < argc) {
            separator = argv[++i][0];
        } else if (strcmp(argv[i], "--column") == 0 && i + 1 < argc &&
                   options.n_columns < MAX_COLUMNS) {
            columns[options.n_columns++] = column_of(argv[++i]);
            options.columns = columns;
        } else {
            fprintf(stderr, "table_copy: error: unknown argument %s\n", argv[i]);
            return 2;
        }
    }
    kith_status status = kith_table_read(&table, argv[1], &options, NULL, &error);
    if (status != KITH_OK)
        return report(status, &error);
    status = kith_table_write(table, argv[2],
                              &(kith_write_options)KITH_OPTIONS(
                                  kith_write_options, .separator = separator, .overwrite = force),
                              &error);
    kith_table_free(table);
    return status == KITH_OK ? 0 : report(status, &error);
}

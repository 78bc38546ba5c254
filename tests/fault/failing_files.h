/* Files of jobs that fail, in the scratch directory: nothing may be left of them. */
#ifndef FAULT_FAILING_FILES_H
#define FAULT_FAILING_FILES_H

#include "support/scratch.h"

/* Removes the release, its companion (or the directory that holds both) and mapping; nothing else
 * may stand in the scratch directory but the data. */
static inline void failing_files_clear(void)
{
    const char *release = scratch_path("release.csv");
    unlink(scratch_path("release.csv.meta.json"));
    unlink(scratch_path("mapping.csv"));
    if (unlink(release) != 0)
        nftw(release, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
    DIR *directory = opendir(scratch_directory);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            strcmp(entry->d_name, "data.csv") != 0)
            fail_msg("%s was left behind", entry->d_name);
    closedir(directory);
}

/* Rows of made people. */
static inline void failing_files_write_data(uint32_t n_rows)
{
    static const char *const ills[] = {"flu", "cold", "gout"};
    FILE *file = fopen(scratch_path("data.csv"), "w");
    assert_non_null(file);
    fputs("age,zip,note,disease\n", file);
    for (uint32_t i = 0; i < n_rows; i++)
        fprintf(file, "%u,%u,%s,%s\n", 20 + i * 7 % 50, 81000 + i * 37 % 90,
                i % 5 == 0 ? "" : "seen", ills[i % 3]);
    fclose(file);
}

#define FAILING_FILES_STUDY                                                                       \
    "study: small\n"                                                                              \
    "columns:\n"                                                                                  \
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n" \
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"                        \
    "  - {name: note, role: insensitive}\n"                                                       \
    "  - {name: disease, role: sensitive}\n"                                                      \
    "privacy:\n"                                                                                  \
    "  - {model: k-anonymity, k: 2}\n"                                                            \
    "  - {model: t-closeness, variant: equal, t: 0.6, attribute: disease}\n"

#endif

#include "support/joint_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "job/joint/joint_run.h"
#include "study/study.h"
#include "support/built.h"
#include "support/medley.h"

enum { PEOPLE = 36, FEW = 18, ALIKE = 15, COLUMNS = 6, CELL = 8, TEXT = 4096 };

static const char *const names[COLUMNS] = {"id", "age", "zip", "job", "sex", "ill"};

static const char columns_text[] =
    "study: scene\n"
    "columns:\n"
    "  - {name: id, role: identifying}\n"
    "  - {name: age, role: quasi-identifying, type: integer, domain: {range: [20, 59]},\n"
    "     hierarchy: {intervals: [5, 20]}}\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: job, role: quasi-identifying}\n"
    "  - {name: sex, role: quasi-identifying}\n"
    "  - {name: ill, role: sensitive}\n";

#define DIVERSE ", {model: l-diversity, variant: distinct, l: 2, attribute: ill}"
#define FREQUENT ", {model: l-diversity, variant: frequency, l: 1.5, attribute: ill}"
#define CLOSE ", {model: t-closeness, variant: equal, t: 0.6, attribute: ill}"
#define BY_SITES ", {model: l-site-diversity, variant: sites, l: 2}"
#define BY_VALUES ", {model: l-site-diversity, variant: attributes, l: 2, attributes: [sex]}"
#define WITHOUT_ONE ", {model: m-privacy, k: 2}"

joint_scene_spec joint_scenes[] = {
    {"primitives of 2", NULL, 2, 0, "", ""},
    {"primitives of 3", NULL, 3, 0, "", ""},
    {"primitives of 5", NULL, 5, 0, "", ""},
    {"weave of 2", "horizontal", 2, 0, "", "protocol: weave\n"},
    {"weave of 3", "horizontal", 3, 0, "", "protocol: weave\n"},
    {"weave, models, of 2", "horizontal", 2, 0, DIVERSE WITHOUT_ONE, "protocol: weave\n"},
    {"weave, models, of 3", "horizontal", 3, 0, FREQUENT BY_SITES BY_VALUES WITHOUT_ONE,
     "protocol: weave\n"},
    {"weave, counted values, of 3", "horizontal", 3, 0, "",
     "protocol: weave\nutility: {measure: entropy}\n"},
    {"weave, blur, of 3", "horizontal", 3, 0, DIVERSE, "protocol: weave\nblur: true\nreweave: 2\n"},
    {"weave, quiet, of 2", "horizontal", 2, 0, "", "protocol: weave\nquiet: true\n"},
    {"weave, quiet, of 3", "horizontal", 3, 0, DIVERSE BY_SITES,
     "protocol: weave\nquiet: true\nreweave: 1\n"},
    {"weave, reweave, of 5", "horizontal", 5, 0, "", "protocol: weave\nreweave: 2\n"},
    {"rows of 2", "horizontal", 2, 0, "", "protocol: clustering\n"},
    {"rows of 3", "horizontal", 3, 0, FREQUENT, "protocol: clustering\n"},
    {"rows, hidden, of 2", "horizontal", 2, 0, FREQUENT,
     "protocol: clustering\nhide_sizes: true\nprivate_diversity: true\nmax_passes: 3\n"},
    {"rows, hidden, of 3", "horizontal", 3, 0, FREQUENT,
     "protocol: clustering\nhide_sizes: true\nprivate_diversity: true\nmax_passes: 3\n"},
    {"rows, sites, of 3", "horizontal", 3, 0, BY_SITES WITHOUT_ONE, "protocol: clustering\n"},
    {"mondrian of 2", "horizontal", 2, 0, DIVERSE, "protocol: mondrian\n"},
    {"mondrian of 3", "horizontal", 3, 0, BY_SITES, "protocol: mondrian\n"},
    {"id-based", "horizontal", 2, 0, "", "protocol: id-based\nlists: 5\n"},
    {"id-based, own lists", "horizontal", 2, 0, "", "protocol: id-based\nhashing: off\nrows: 9\n"},
    {"tree of columns of 2", "vertical", 2, 0, "", "protocol: weave\n"},
    {"tree of columns of 3", "vertical", 3, 0, FREQUENT, "protocol: weave\n"},
    /* The fifth site has the sensitive column only. */
    {"tree of columns of 5", "vertical", 5, 0, "", "protocol: weave\n"},
    {"tree of columns, models, of 5", "vertical", 5, 0, FREQUENT, "protocol: weave\n"},
    {"tree of columns, aligned, of 4", "vertical", 4, 0, "",
     "protocol: weave\nids: aligned\nname: true\n"},
    {"tree of columns, pools, of 2", "vertical", 2, 0, "", "protocol: weave\npools: true\n"},
    {"columns of 2", "vertical", 2, 0, "", "protocol: clustering\n"},
    {"columns of 3", "vertical", 3, 0, FREQUENT, "protocol: clustering\nnoise: 0.1\n"},
    {"columns, aligned, of 5", "vertical", 5, 0, "",
     "protocol: clustering\nids: aligned\nfinish: hybrid\n"},
    {"view of rows, 2 and a master", "horizontal", 2, 1, DIVERSE, "protocol: encrypted-view\n"},
    {"view of rows, 3", "horizontal", 3, 0, "",
     "protocol: encrypted-view\nmaster: site1\npregeneralize: {zip: 1}\n"},
    {"view of rows, persons, 3 and a master", "horizontal", 3, 1, DIVERSE,
     "protocol: encrypted-view\nunit: id\noverlap: matched\n"},
    {"view of columns, 3 and 2 masters", "vertical", 3, 2, CLOSE,
     "protocol: encrypted-view\nreplicas: 2\n"},
    {"view of both, 4 and a master", "hybrid", 4, 1, DIVERSE, "protocol: encrypted-view\n"},
};
size_t joint_scenes_count = sizeof joint_scenes / sizeof *joint_scenes;

__attribute__((constructor)) static void leave_out_absent(void)
{
    size_t n = 0;
    for (size_t i = 0; i < joint_scenes_count; i++)
        if (joint_scenes[i].partition == NULL ||
            built_protocol(joint_scenes[i].keys, joint_scenes[i].partition))
            joint_scenes[n++] = joint_scenes[i];
    joint_scenes_count = n;
}

static void make_people(char cells[PEOPLE][COLUMNS][CELL])
{
    static const char *const ill[] = {"A1", "A2", "A2", "B1", "C1"};
    rng r;
    rng_init(&r, 5, 0);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        snprintf(cells[i][0], CELL, "p%u", i * 37 % 1000);
        snprintf(cells[i][1], CELL, "%u", 20 + rng_below(&r, 40));
        snprintf(cells[i][2], CELL, "%u", 810 + rng_below(&r, 2) * 10 + rng_below(&r, 3));
        snprintf(cells[i][3], CELL, "job%u", rng_below(&r, 3));
        snprintf(cells[i][4], CELL, "%s", rng_below(&r, 2) == 0 ? "f" : "m");
        snprintf(cells[i][5], CELL, "%s", ill[rng_below(&r, 5)]);
    }
}

static bool is_split_by(const joint_scene_spec *spec, const char *how)
{
    return strcmp(spec->partition, how) == 0;
}

/* The ID-based protocol compares all pairs of whole tuples: few people, and most of them alike. */
static bool is_id_based(const joint_scene_spec *spec)
{
    return strstr(spec->keys, "id-based") != NULL;
}

/* Two rows in succession are of one person. */
static bool has_persons(const joint_scene_spec *spec)
{
    return strstr(spec->keys, "unit:") != NULL;
}

static uint32_t source_of(const joint_scene_spec *spec, uint32_t row, uint32_t j)
{
    if (j == 0 && has_persons(spec))
        return row / 2;
    return is_id_based(spec) && row < ALIKE && j < COLUMNS - 1 ? row % 3 : row;
}

/* Hybrid tables: sites 1 and 2 have the columns of one half of the people, 3 and 4 of the other. */
static bool has_row(const joint_scene *s, uint32_t site, uint32_t row)
{
    const joint_scene_spec *spec = s->spec;
    if ((is_id_based(spec) && row >= FEW) || (s->n_people > 0 && row >= s->n_people))
        return false;
    if (is_split_by(spec, "horizontal"))
        return row % spec->n_sites == site;
    if (is_split_by(spec, "hybrid"))
        return row % 2 == site / 2;
    return true;
}

static bool has_column(const joint_scene_spec *spec, uint32_t site, uint32_t j)
{
    if (is_split_by(spec, "horizontal"))
        return j > 0 || has_persons(spec);
    const uint32_t n_parts = is_split_by(spec, "hybrid") ? 2 : spec->n_sites;
    return j == 0 || (j - 1) % n_parts == site % n_parts;
}

static void write_study(char text[TEXT], const joint_scene_spec *spec)
{
    FILE *f = fmemopen(text, TEXT, "w");
    if (f == NULL)
        abort();
    const int k = strstr(spec->keys, "blur") == NULL ? 3 : 8; /* less has no eighth */
    fprintf(f, "%sprivacy: [{model: k-anonymity, k: %d}%s]\npartition: %s\n%s", columns_text, k,
            spec->models, spec->partition, spec->keys);
    if (!is_split_by(spec, "horizontal") && strstr(spec->keys, "ids:") == NULL)
        fprintf(f, "ids: id\n");
    fprintf(f, "parties:\n");
    for (uint32_t i = 0; i < spec->n_sites + spec->n_masters; i++) {
        fprintf(f, "  - {name: site%u, address: '127.0.0.1:%u', key: 'sha256:%064x'", i + 1,
                7001 + i, i + 1);
        const char *comma = ", columns: [";
        for (uint32_t j = 1; j < COLUMNS && !is_split_by(spec, "horizontal"); j++)
            if (i < spec->n_sites && has_column(spec, i, j)) {
                fprintf(f, "%s%s", comma, names[j]);
                comma = ", ";
            }
        fprintf(f, "%s}\n", strcmp(comma, ", ") == 0 ? "]" : "");
    }
    fclose(f);
}

static void must(kith_status status, const char *scene, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "%s: %s\n", scene, error->message);
    abort();
}

static kith_table *make_part(const joint_scene *s, char cells[PEOPLE][COLUMNS][CELL], uint32_t site)
{
    const char *held[PEOPLE * COLUMNS];
    kith_column_spec specs[COLUMNS] = {0};
    kith_table_options options = study_table_options(s->study);
    size_t count = 0, n_rows = 0, n_columns = 0;
    kith_table *table = NULL;
    kith_error error = {0};
    for (uint32_t j = 0; j < COLUMNS; j++)
        if (has_column(s->spec, site, j))
            specs[n_columns++] = (kith_column_spec){.name = s->study->columns[j].name,
                                                    .type = s->study->columns[j].type};
    for (uint32_t i = 0; i < PEOPLE; i++) {
        if (!has_row(s, site, i))
            continue;
        n_rows++;
        for (uint32_t j = 0; j < COLUMNS; j++)
            if (has_column(s->spec, site, j))
                held[count++] = cells[source_of(s->spec, i, j)][j];
    }
    options.columns = specs;
    options.n_columns = n_columns;
    must(kith_table_from_cells(&table, held, n_rows, &options, &error), s->spec->name, &error);
    return table;
}

void joint_scene_open(joint_scene *s, const joint_scene_spec *spec)
{
    joint_scene_open_few(s, spec, 0);
}

void joint_scene_open_few(joint_scene *s, const joint_scene_spec *spec, uint32_t n_people)
{
    char text[TEXT] = "";
    static char cells[PEOPLE][COLUMNS][CELL];
    kith_error error = {0};
    *s = (joint_scene){
        .spec = spec, .n_parties = spec->n_sites + spec->n_masters, .n_people = n_people};
    if (spec->partition == NULL)
        return;
    write_study(text, spec);
    must(kith_study_parse(&s->study, text, strlen(text), ".", NULL, &error), spec->name, &error);
    make_people(cells);
    for (uint32_t i = 0; i < spec->n_sites; i++)
        s->parts[i] = make_part(s, cells, i);
}

void joint_scene_close(joint_scene *s)
{
    for (uint32_t i = 0; i < s->n_parties; i++)
        kith_table_free(s->parts[i]);
    kith_study_free(s->study);
}

kith_status joint_scene_take_part(party *p, void *user, kith_error *error)
{
    joint_scene *s = user;
    char directory[256];
    if (s->study == NULL)
        return medley_all(p, s, error);
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 5);
    joint_place place = {.directory = s->directory == NULL ? NULL : directory, .overwrite = true};
    snprintf(directory, sizeof directory, "%s/%u", s->directory == NULL ? "" : s->directory,
             party_self(p));
    return joint_run_party_with(p, s->study, s->parts[party_self(p)], &place, &run, NULL, error);
}

/* What a dry run says is what runs disclose: every protocol, partition and option is run among
 * threads, and the lines for its study are compared with the ledgers of all parties. */
#include "unit/job/support.h"

#include "core/rng.h"
#include "job/generator/id_keys.h"
#include "job/joint/joint_disclosures.h"
#include "job/joint/joint_run.h"
#include "support/scratch.h"
#include "support/session.h"
#include "wire/ledger.h"

enum { PEOPLE = 160, FEW = 24, COLUMNS = 8, CELL = 16, SEEN = 128 };

/* Column 0 identifies; the last three are insensitive. */
static const char *const names[COLUMNS] = {"who", "age",  "zip",  "sex",
                                           "ill", "note", "mark", "tag"};

typedef struct scenario {
    const char *name;
    const char *partition;
    uint32_t n_sites, n_masters;
    const char *privacy; /* besides k-anonymity */
    const char *keys;
} scenario;

#define FREQUENT "{model: l-diversity, variant: frequency, l: 1.5, attribute: ill}"
#define DISTINCT "{model: l-diversity, variant: distinct, l: 2, attribute: ill}"
#define SITES "{model: l-site-diversity, variant: sites, l: 2}"
#define SITE_VALUES "{model: l-site-diversity, variant: attributes, l: 2, attributes: [zip]}"
#define M_PRIVACY "{model: m-privacy, k: 2}"
#define TOO_DIVERSE "{model: l-diversity, variant: distinct, l: 9, attribute: ill}"

static const scenario scenarios[] = {
    {"weave", "horizontal", 3, 0, NULL, ""},
    {"weave, two sites", "horizontal", 2, 0, NULL, ""},
    {"weave, own rows", "horizontal", 3, 0, NULL, "publish: own-rows\n"},
    {"weave, frequency", "horizontal", 3, 0, FREQUENT, ""},
    {"weave, distinct", "horizontal", 3, 0, DISTINCT, ""},
    {"weave, alpha-k", "horizontal", 3, 0, "{model: alpha-k, alpha: 0.7, k: 3, attribute: ill}",
     ""},
    {"weave, p-sensitive", "horizontal", 3, 0, "{model: p-sensitive, p: 2, k: 3, attribute: ill}",
     ""},
    {"weave, recursive", "horizontal", 2, 0,
     "{model: l-diversity, variant: recursive, l: 2, c: 4, attribute: ill}", ""},
    {"weave, sites", "horizontal", 3, 0, SITES, ""},
    {"weave, values of sites", "horizontal", 3, 0, SITE_VALUES, ""},
    {"weave, m-privacy", "horizontal", 3, 0, M_PRIVACY, ""},
    {"weave, reweave", "horizontal", 3, 0, NULL, "reweave: 2\n"},
    {"weave, reweave, frequency", "horizontal", 3, 0, FREQUENT, "reweave: 2\n"},
    {"weave, blur", "horizontal", 3, 0, NULL, "blur: true\n"},
    {"weave, quiet", "horizontal", 3, 0, NULL, "quiet: true\n"},
    {"weave, quiet, two sites", "horizontal", 2, 0, DISTINCT, "quiet: true\n"},
    {"weave, quiet, reweave", "horizontal", 3, 0, SITES, "quiet: true\nreweave: 2\n"},
    {"weave, entropy", "horizontal", 3, 0, NULL, "utility: {measure: entropy}\n"},
    {"weave, drop", "horizontal", 3, 0, NULL, "missing: drop\n"},
    {"weave, drop, notes", "horizontal", 3, 0, NULL, "missing: drop\npublish_insensitive: true\n"},
    {"weave, wildcard", "horizontal", 3, 0, NULL, "missing: wildcard\n"},
#if KITH_PAIRING
    {"id-based", "horizontal", 2, 0, NULL, "protocol: id-based\nlists: 12\n"},
    {"id-based, own lists", "horizontal", 2, 0, NULL, "protocol: id-based\n"},
    {"id-based, own rows", "horizontal", 2, 0, NULL,
     "protocol: id-based\nlists: 12\npublish: own-rows\n"},
    {"id-based, generator", "horizontal", 2, 0, NULL,
     "protocol: id-based\nlists: 12\nperiod: now\n"},
#endif
    {"clustering", "horizontal", 3, 0, NULL, "protocol: clustering\n"},
    {"clustering, two sites", "horizontal", 2, 0, NULL, "protocol: clustering\n"},
    {"clustering, singles", "horizontal", 3, 0, NULL, "protocol: clustering\nwithhold: 1\n"},
    {"clustering, merge", "horizontal", 3, 0, NULL, "protocol: clustering\nfinish: merge\n"},
    {"clustering, em", "horizontal", 3, 0, NULL, "protocol: clustering\nutility: {measure: em}\n"},
    {"clustering, frequency", "horizontal", 3, 0, FREQUENT, "protocol: clustering\n"},
    {"clustering, private", "horizontal", 3, 0, FREQUENT,
     "protocol: clustering\nprivate_diversity: true\n"},
    {"clustering, hidden", "horizontal", 3, 0, NULL, "protocol: clustering\nhide_sizes: true\n"},
    {"clustering, hidden, notes", "horizontal", 3, 0, NULL,
     "protocol: clustering\nhide_sizes: true\npublish_insensitive: true\n"},
    {"clustering, notes", "horizontal", 3, 0, NULL,
     "protocol: clustering\npublish_insensitive: true\n"},
    {"clustering, own rows", "horizontal", 3, 0, NULL, "protocol: clustering\npublish: own-rows\n"},
    {"clustering, sites", "horizontal", 3, 0, SITES, "protocol: clustering\n"},
    {"clustering, values of sites", "horizontal", 3, 0, SITE_VALUES, "protocol: clustering\n"},
    {"clustering, m-privacy", "horizontal", 3, 0, M_PRIVACY, "protocol: clustering\n"},
    {"mondrian", "horizontal", 3, 0, NULL, "protocol: mondrian\n"},
    {"mondrian, two sites", "horizontal", 2, 0, FREQUENT, "protocol: mondrian\n"},
    {"mondrian, in order", "horizontal", 3, 0, NULL,
     "protocol: mondrian\norder: value\nmondrian: relaxed\n"},
    {"mondrian, sites", "horizontal", 3, 0, SITES, "protocol: mondrian\n"},
    {"mondrian, own rows", "horizontal", 3, 0, NULL, "protocol: mondrian\npublish: own-rows\n"},
    {"tree of columns", "vertical", 3, 0, NULL, "protocol: weave\n"},
    {"tree of columns, two sites", "vertical", 2, 0, NULL, "protocol: weave\n"},
    {"tree of columns, named", "vertical", 3, 0, NULL, "protocol: weave\nname: true\n"},
    {"tree of columns, named, two sites", "vertical", 2, 0, NULL, "protocol: weave\nname: true\n"},
    {"tree of columns, pools", "vertical", 3, 0, NULL, "protocol: weave\npools: true\n"},
    {"tree of columns, aligned", "vertical", 4, 0, NULL,
     "protocol: weave\nids: aligned\nmissing: wildcard\n"},
    {"tree of columns, frequent", "vertical", 3, 0, FREQUENT, ""},
    {"tree of columns, distinct, two sites", "vertical", 2, 0, DISTINCT, ""},
    {"columns", "vertical", 3, 0, NULL, "protocol: clustering\n"},
    {"columns, two sites", "vertical", 2, 0, NULL, "protocol: clustering\n"},
    {"columns, aligned", "vertical", 3, 0, NULL, "protocol: clustering\nids: aligned\n"},
    {"columns, noise", "vertical", 3, 0, NULL, "protocol: clustering\nnoise: 0.1\n"},
    {"columns, distinct", "vertical", 3, 0, DISTINCT, "protocol: clustering\n"},
    {"columns, merge", "vertical", 3, 0, DISTINCT, "protocol: clustering\nfinish: merge\n"},
    {"view", "horizontal", 3, 1, NULL, "protocol: encrypted-view\n"},
    {"view, replicas", "horizontal", 3, 2, NULL, "protocol: encrypted-view\nreplicas: 2\n"},
    {"view, master with data", "horizontal", 3, 0, DISTINCT,
     "protocol: encrypted-view\nmaster: s1\n"},
    {"view, coarser", "horizontal", 2, 1, NULL,
     "protocol: encrypted-view\npregeneralize: {age: 1}\n"},
    {"view, columns", "vertical", 2, 1, NULL, "protocol: encrypted-view\n"},
    {"view, hybrid", "hybrid", 4, 1, NULL, ""},
    {"view, hybrid, replicas", "hybrid", 4, 2, DISTINCT, "replicas: 2\n"},
    {"view, columns, master with data", "vertical", 3, 0, NULL,
     "protocol: encrypted-view\nmaster: s1\n"},
    {"view, columns, aligned", "vertical", 3, 1, NULL, "protocol: encrypted-view\nids: aligned\n"},
    {"view, drop", "horizontal", 3, 1, FREQUENT, "protocol: encrypted-view\nmissing: drop\n"},
    {"view, entropy", "horizontal", 2, 1, NULL,
     "protocol: encrypted-view\nutility: {measure: entropy}\n"},
    {"weave, virtual", "horizontal", 3, 0, DISTINCT, "publish: virtual\n"},
    {"clustering, virtual", "horizontal", 2, 0, NULL, "protocol: clustering\npublish: virtual\n"},
    {"mondrian, virtual", "horizontal", 3, 0, NULL, "protocol: mondrian\npublish: virtual\n"},
    {"weave, few rows allowed", "horizontal", 2, 0, NULL, "rows: 100\n"},
    {"mondrian, distinct, m-privacy", "horizontal", 3, 0, DISTINCT "\n  - " M_PRIVACY,
     "protocol: mondrian\n"},
    {"mondrian, drop, notes", "horizontal", 3, 0, NULL,
     "protocol: mondrian\nmissing: drop\npublish_insensitive: true\n"},
    {"mondrian, entropy", "horizontal", 3, 0, NULL,
     "protocol: mondrian\nutility: {measure: entropy}\n"},
    {"clustering, alpha-k", "horizontal", 3, 0,
     "{model: alpha-k, alpha: 0.8, k: 3, attribute: ill}", "protocol: clustering\n"},
    {"clustering, recursive", "horizontal", 2, 0,
     "{model: l-diversity, variant: recursive, l: 2, c: 4, attribute: ill}",
     "protocol: clustering\nmissing: drop\nfinish: merge\n"},
    {"columns, entropy, notes", "vertical", 3, 0, NULL,
     "protocol: clustering\nutility: {measure: entropy}\npublish_insensitive: true\n"},
    {"columns, drop, closeness", "vertical", 2, 0, "{model: t-closeness, t: 0.8, attribute: ill}",
     "protocol: clustering\nmissing: drop\n"},
#if KITH_PAIRING
    {"id-based, all pairs", "horizontal", 2, 0, NULL,
     "protocol: id-based\nlists: 12\nhashing: off\nmissing: drop\n"},
#endif
};

/* What a run discloses before it fails is announced, too. */
static const scenario failures[] = {
    {"weave, infeasible", "horizontal", 3, 0, TOO_DIVERSE, ""},
    {"weave, infeasible, two sites", "horizontal", 2, 0, TOO_DIVERSE, "quiet: true\n"},
    {"clustering, infeasible", "horizontal", 3, 0, TOO_DIVERSE, "protocol: clustering\n"},
    {"mondrian, infeasible", "horizontal", 3, 0, TOO_DIVERSE, "protocol: mondrian\n"},
    {"tree of columns, infeasible", "vertical", 3, 0, TOO_DIVERSE, ""},
    {"columns, infeasible", "vertical", 3, 0, TOO_DIVERSE, "protocol: clustering\n"},
    {"columns, unmatched", "vertical", 3, 0, NULL, "protocol: clustering\nunmatched: error\n"},
    {"tree of columns, unmatched", "vertical", 2, 0, NULL, "protocol: weave\nunmatched: error\n"},
    {"view, infeasible", "horizontal", 3, 1, TOO_DIVERSE, "protocol: encrypted-view\n"},
    {"view, unmatched", "vertical", 3, 1, NULL, "protocol: encrypted-view\nunmatched: error\n"},
};

enum {
    SCENARIOS = sizeof scenarios / sizeof *scenarios,
    FAILURES = sizeof failures / sizeof *failures
};

/* --- studies and tables --- */

static bool has_column(const scenario *s, uint32_t site, uint32_t number)
{
    if (site >= s->n_sites)
        return false;
    if (strcmp(s->partition, "horizontal") == 0)
        return number > 0;
    const uint32_t parts = strcmp(s->partition, "hybrid") == 0 ? 2 : s->n_sites;
    const uint32_t holder = number >= 4 ? parts - 1 : (number - 1) % parts;
    return number == 0 || site % parts == holder;
}

static bool has_row(const scenario *s, uint32_t site, uint32_t row)
{
    const bool aligned = strstr(s->keys, "aligned") != NULL;
    if (strcmp(s->partition, "horizontal") == 0)
        return row % s->n_sites == site;
    if (!aligned && site == 0 && row < 3) /* these have no partner */
        return false;
    return strcmp(s->partition, "hybrid") != 0 || row % 2 == site / 2;
}

static bool has_generator(const scenario *s)
{
    return strstr(s->keys, "period:") != NULL;
}

/* A generator, and the private keys of both parties, in files. */
static void make_keys(void)
{
    assert_int_equal(kith_pkg_init(scratch_path("generator"), NULL, NULL), KITH_OK);
    for (uint32_t i = 0; i < 2; i++) {
        char name[8], path[128];
        snprintf(name, sizeof name, "s%u", i + 1);
        snprintf(path, sizeof path, "%s/%u.key", scratch_directory, i);
        const kith_pkg_issue_options options =
            KITH_OPTIONS(kith_pkg_issue_options, .name = name, .period = "now");
        assert_int_equal(kith_pkg_issue(path, scratch_path("generator"), &options, NULL), KITH_OK);
    }
}

static char *study_text(const scenario *s)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    fprintf(f, "study: people\ncolumns:\n"
               "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, "
               "20]}, domain: {range: [20, 59]}}\n"
               "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
               "  - {name: sex, role: quasi-identifying}\n"
               "  - {name: ill, role: sensitive}\n"
               "  - {name: note, role: insensitive}\n"
               "  - {name: mark, role: insensitive}\n"
               "  - {name: tag, role: insensitive}\n"
               "  - {name: who, role: identifying}\n"
               "privacy:\n  - {model: k-anonymity, k: 3}\n");
    if (s->privacy != NULL)
        fprintf(f, "  - %s\n", s->privacy);
    if (has_generator(s))
        fprintf(f, "pkg: %s/generator/parameters.pkg\n", scratch_directory);
    fprintf(f, "partition: %s\n%sparties:\n", s->partition, s->keys);
    for (uint32_t i = 0; i < s->n_sites + s->n_masters; i++) {
        const char *comma = ", columns: [";
        fprintf(f, "  - {name: s%u, address: 'h:%u', key: 'sha256:%064x'", i + 1, 7001 + i, i + 1);
        for (uint32_t c = 1; c < COLUMNS && strcmp(s->partition, "horizontal") != 0; c++)
            if (has_column(s, i, c)) {
                fprintf(f, "%s%s", comma, names[c]);
                comma = ", ";
            }
        fprintf(f, "%s}\n", comma[2] == ' ' || comma[2] == 'c' ? "" : "]");
    }
    fclose(f);
    return text;
}

static kith_study *make_study(const scenario *s)
{
    char *text = study_text(s);
    kith_study *study = study_of(text);
    free(text);
    return study;
}

/* Missing values are few, and where rows are aligned there are none. Notes that are published have
 * so many values that the release goes by union. */
static void fill(const scenario *s, char cell[PEOPLE][COLUMNS][CELL])
{
    static const char *const ills[] = {"flu", "flu", "gout", "cold", "scurvy"};
    const bool complete = strstr(s->keys, "aligned") != NULL;
    const bool many_notes = strstr(s->keys, "publish_insensitive") != NULL;
    rng r;
    rng_init(&r, 7, 0);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        snprintf(cell[i][0], CELL, "p%u", i * 37 % 1009);
        snprintf(cell[i][1], CELL, "%u", 20 + rng_below(&r, 40));
        snprintf(cell[i][2], CELL, "%u", 810 + rng_below(&r, 25));
        snprintf(cell[i][3], CELL, "%s", rng_below(&r, 2) == 0 ? "f" : "m");
        snprintf(cell[i][4], CELL, "%s", ills[rng_below(&r, 5)]);
        for (uint32_t c = 5; c < COLUMNS; c++)
            snprintf(cell[i][c], CELL, "n%u", many_notes ? i : i % 3);
        for (uint32_t c = 2; c <= 4 && !complete; c++)
            if (rng_below(&r, 30) == 0)
                cell[i][c][0] = '\0';
    }
}

/* The ID-based protocol compares many pairs, and a few rows show all that it tells. */
static uint32_t people_of(const scenario *s)
{
    return strstr(s->keys, "id-based") != NULL ? FEW : PEOPLE;
}

static kith_table *make_table(const scenario *s, uint32_t site, char cell[PEOPLE][COLUMNS][CELL])
{
    const char *cells[PEOPLE * COLUMNS];
    kith_column_spec spec[COLUMNS];
    kith_table_options options = KITH_INIT(kith_table_options);
    kith_table *table = NULL;
    size_t n_rows = 0, count = 0, n_columns = 0;
    for (uint32_t c = 0; c < COLUMNS; c++)
        if (has_column(s, site, c))
            spec[n_columns++] = (kith_column_spec){
                .name = names[c], .type = c == 1 ? KITH_TYPE_INTEGER : KITH_TYPE_STRING};
    for (uint32_t i = 0; i < people_of(s); i++) {
        if (!has_row(s, site, i))
            continue;
        n_rows++;
        for (uint32_t c = 0; c < COLUMNS; c++)
            if (has_column(s, site, c))
                cells[count++] = cell[i][c][0] == '\0' ? NULL : cell[i][c];
    }
    options.columns = spec;
    options.n_columns = n_columns;
    assert_int_equal(kith_table_from_cells(&table, cells, n_rows, &options, NULL), KITH_OK);
    return table;
}

/* --- runs --- */

typedef struct run {
    const kith_study *study;
    kith_table *part[PARTY_MAX]; /* NULL at a master without data */
    ledger_disclosure seen[PARTY_MAX][SEEN];
    size_t n_seen[PARTY_MAX];
    char texts[PARTY_MAX][SEEN][2][64]; /* steps and names of passes die with the session */
} run;

static kith_status take_part(party *p, void *user, kith_error *error)
{
    run *r = user;
    const uint32_t self = party_self(p);
    joint_place nowhere = {.directory = NULL};
    kith_run settings = KITH_OPTIONS(kith_run, .n_threads = 1);
    arena *memory = arena_new();
    char key[128];
    snprintf(key, sizeof key, "%s/%u.key", scratch_directory, self);
    kith_status status = id_keys_load(&nowhere.id_keys, memory, r->study, self,
                                      r->study->pkg == NULL ? NULL : key, error);
    if (status == KITH_OK)
        status = joint_run_party_with(p, r->study, r->part[self], &nowhere, &settings, NULL, error);
    arena_free(memory);
    const ledger *l = party_ledger(p);
    for (size_t i = 0; i < l->n_disclosures && i < SEEN; i++) {
        snprintf(r->texts[self][i][0], 64, "%s", l->disclosures[i].step);
        snprintf(r->texts[self][i][1], 64, "%s", l->disclosures[i].what);
        r->seen[self][i] = l->disclosures[i];
        r->seen[self][i].step = r->texts[self][i][0];
        r->seen[self][i].what = r->texts[self][i][1];
    }
    r->n_seen[self] = l->n_disclosures < SEEN ? l->n_disclosures : SEEN;
    return status;
}

static bool names_entry(const disclosure_entry *e, const ledger_disclosure *seen)
{
    return strcmp(e->name, seen->what) == 0 &&
           (e->step == NULL || strcmp(e->step, seen->step) == 0);
}

/* Marks what the entry at a party is about. Several lines may name one entry. */
static void mark(bool *entry_seen, const disclosure_line *line, const ledger_disclosure *seen)
{
    for (size_t e = 0; line->entries[e].name != NULL; e++)
        entry_seen[e] = entry_seen[e] || names_entry(&line->entries[e], seen);
}

typedef struct tally {
    bool listed, seen[DISCLOSURE_ENTRIES];
} tally;

static bool any_seen(const tally *t)
{
    bool any = false;
    for (size_t e = 0; e < DISCLOSURE_ENTRIES; e++)
        any = any || t->seen[e];
    return any;
}

/* Adds to `all` what this scenario listed and showed. */
static void compare(const scenario *s, bool fails, const run *r, tally *all)
{
    size_t n_lines;
    const disclosure_line *table = disclosures_table(&n_lines);
    const disclosure_line *lines[DISCLOSURES_MAX + 1];
    const disclosure_case c = joint_disclosures_case(r->study);
    disclosures_list(lines, &c);
    for (uint32_t i = 0; i < r->study->n_parties; i++)
        for (size_t n = 0; n < r->n_seen[i]; n++)
            if (disclosures_find(&c, i, r->seen[i][n].step, r->seen[i][n].what) == NULL)
                fail_msg("%s: party %u learns '%s' (step %s), which the dry run does not say",
                         s->name, i, r->seen[i][n].what, r->seen[i][n].step);
            else if (disclosures_say(r->seen[i][n].step, r->seen[i][n].what) == NULL)
                fail_msg("%s: '%s' (step %s) has no sentence in protocol/disclosures_say.c",
                         s->name, r->seen[i][n].what, r->seen[i][n].step);
    for (size_t k = 0; lines[k] != NULL; k++) {
        tally now = {.listed = true};
        for (uint32_t i = 0; i < r->study->n_parties; i++)
            for (size_t n = 0; n < r->n_seen[i]; n++)
                if (disclosures_reach(lines[k]->to, &c, i))
                    mark(now.seen, lines[k], &r->seen[i][n]);
        const bool to_nobody = lines[k]->to == DISCLOSED_TO_GENERATOR; /* in the run */
        if (!fails && !to_nobody && !lines[k]->maybe && !any_seen(&now))
            fail_msg("%s: the dry run says '%s', which no party learned", s->name, lines[k]->what);
        tally *total = &all[lines[k] - table];
        total->listed = true;
        for (size_t e = 0; e < DISCLOSURE_ENTRIES; e++)
            total->seen[e] = total->seen[e] || now.seen[e];
    }
}

static void check_scenario(const scenario *s, bool fails, tally *all)
{
    static char cell[PEOPLE][COLUMNS][CELL];
    static run r;
    if (has_generator(s))
        make_keys();
    r = (run){.study = make_study(s)};
    fill(s, cell);
    for (uint32_t i = 0; i < s->n_sites; i++)
        r.part[i] = make_table(s, i, cell);
    if ((session_run(r.study->n_parties, take_part, &r) != KITH_OK) != fails)
        fail_msg("%s: the run %s", s->name, fails ? "did not fail" : "failed");
    compare(s, fails, &r, all);
    for (uint32_t i = 0; i < s->n_sites; i++)
        kith_table_free(r.part[i]);
    kith_study_free((kith_study *)(uintptr_t)r.study);
}

/* Every line is listed by some scenario, and every entry that it names is made by some run. */
static void dry_runs_say_what_runs_disclose(void **state)
{
    (void)state;
    size_t n_lines;
    const disclosure_line *table = disclosures_table(&n_lines);
    tally *all = calloc(n_lines, sizeof *all);
    for (size_t i = 0; i < SCENARIOS; i++)
        check_scenario(&scenarios[i], false, all);
    for (size_t i = 0; i < FAILURES; i++)
        check_scenario(&failures[i], true, all);
    for (size_t i = 0; i < n_lines; i++) {
        if (table[i].to == DISCLOSED_TO_GENERATOR) { /* no party: a line without entries */
            assert_true(table[i].entries[0].name == NULL);
            assert_int_equal(all[i].listed, KITH_PAIRING);
            continue;
        }
        assert_non_null(table[i].entries[0].name);
        for (size_t e = 0; table[i].entries[e].name != NULL; e++)
            if (!all[i].seen[e])
                fail_msg("'%s': no run made the entry '%s' (step %s)", table[i].what,
                         table[i].entries[e].name,
                         table[i].entries[e].step == NULL ? "any" : table[i].entries[e].step);
    }
    free(all);
}

/* Does the study accept this protocol for this split? */
static bool is_possible(const char *protocol, const char *split)
{
    char keys[64];
    snprintf(keys, sizeof keys, "protocol: %s\n", protocol);
    const bool view = strcmp(protocol, "encrypted-view") == 0;
    const uint32_t n_sites = strcmp(split, "hybrid") == 0 ? 4 : 2;
    const scenario s = {"possible", split, n_sites, view ? 1 : 0, NULL, keys};
    char *text = study_text(&s);
    kith_findings *findings = kith_findings_new();
    kith_study *study = NULL;
    const bool possible =
        kith_study_parse(&study, text, strlen(text), ".", findings, NULL) == KITH_OK;
    kith_study_free(study);
    kith_findings_free(findings);
    free(text);
    return possible;
}

/* Every pair that a study accepts, with a joint release, is among the scenarios: between two sites
 * that hold data (four if both rows and columns are split) and between more. */
static void all_protocols_and_splits_are_run(void **state)
{
    (void)state;
    static const char *const protocols[] = {"weave", "clustering", "encrypted-view", "mondrian",
                                            "id-based"};
    static const char *const partitions[] = {"horizontal", "vertical", "hybrid"};
    uint32_t n_possible = 0;
    bool is_run[PROTOCOLS][4][2] = {{{false}}};
    for (size_t i = 0; i < SCENARIOS; i++) {
        if (has_generator(&scenarios[i])) /* the same pair as without */
            continue;
        kith_study *study = make_study(&scenarios[i]);
        is_run[study->joint.protocol][study->joint.partition][scenarios[i].n_sites > 2] = true;
        kith_study_free(study);
    }
    for (uint32_t a = 0; a < PROTOCOLS; a++)
        for (uint32_t b = 0; b < 3; b++) {
            if (!is_possible(protocols[a], partitions[b]))
                continue;
            n_possible++;
            if (!is_run[a][b + 1][0] && b < 2)
                fail_msg("no scenario runs %s, %s between two sites", protocols[a], partitions[b]);
            if (!is_run[a][b + 1][1] && a != PROTOCOL_ID_BASED)
                fail_msg("no scenario runs %s, %s between more", protocols[a], partitions[b]);
        }
    assert_int_equal(n_possible, 8 + KITH_PAIRING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_protocols_and_splits_are_run),
                                       cmocka_unit_test(dry_runs_say_what_runs_disclose)};
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}

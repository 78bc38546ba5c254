/* What a dry run says is what runs disclose: every protocol, partition and option is run among
 * threads, and the lines for its study are compared with the ledgers of all parties. */
#include "unit/job/support.h"

#include "core/rng.h"
#include "job/joint/id_keys.h"
#include "job/joint/joint_disclosures.h"
#include "job/joint/joint_run.h"
#include "support/built.h"
#include "support/disclosure_scenarios.h"
#include "support/scratch.h"
#include "support/session.h"
#include "wire/ledger.h"

enum { PEOPLE = 160, FEW = 24, COLUMNS = 8, CELL = 16, SEEN = 128 };

/* Column 0 identifies; the last three are insensitive. */
static const char *const names[COLUMNS] = {"who", "age",  "zip",  "sex",
                                           "ill", "note", "mark", "tag"};

/* --- studies and tables --- */

/* Persons with two rows each at one site, or with overlap four: of four sites each has one. */
static bool has_persons(const scenario *s)
{
    return strstr(s->keys, "unit:") != NULL;
}

static bool has_column(const scenario *s, uint32_t site, uint32_t number)
{
    if (site >= s->n_sites)
        return false;
    if (strcmp(s->partition, "horizontal") == 0)
        return number > 0 || has_persons(s);
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

static bool is_built(const scenario *s)
{
    return built_protocol(s->keys, s->partition);
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
    fprintf(f,
            "study: people\ncolumns:\n"
            "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, "
            "20]}, domain: {range: [20, 59]}}\n"
            "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
            "  - {name: sex, role: quasi-identifying}\n"
            "  - {name: ill, role: sensitive}\n"
            "  - {name: note, role: insensitive}\n"
            "  - {name: mark, role: insensitive}\n"
            "  - {name: tag, role: insensitive}\n"
            "  - {name: who, role: identifying}\n"
            "privacy:\n  - {model: k-anonymity, k: %d}\n",
            strstr(s->keys, "blur") == NULL ? 3 : 8); /* less has no eighth */
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
        const uint32_t own = i % s->n_sites + s->n_sites * (i / (2 * s->n_sites));
        const bool matched = strstr(s->keys, "matched") != NULL;
        const uint32_t person = !matched ? own : i % 16 < 4 ? PEOPLE + i / 4 : i;
        snprintf(cell[i][0], CELL, "p%u", has_persons(s) ? person : i * 37 % 1009);
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

enum { LINES = 256 };

typedef struct tally {
    const disclosure_line *line;
    bool listed, seen[DISCLOSURE_ENTRIES];
} tally;

static bool any_seen(const tally *t)
{
    bool any = false;
    for (size_t e = 0; e < DISCLOSURE_ENTRIES; e++)
        any = any || t->seen[e];
    return any;
}

/* What was learned once is not told twice: entries of different names in one step have different
 * sentences. */
static void assert_told_once(const scenario *s, const run *r, uint32_t who, size_t n)
{
    const ledger_disclosure *one = &r->seen[who][n];
    const char *says = disclosures_say(one->step, one->what);
    for (size_t m = 0; m < n; m++) {
        const ledger_disclosure *other = &r->seen[who][m];
        if (strcmp(other->step, one->step) == 0 && strcmp(other->what, one->what) != 0 &&
            strcmp(disclosures_say(other->step, other->what), says) == 0)
            fail_msg("%s: '%s' and '%s' (step %s) both say: %s", s->name, other->what, one->what,
                     one->step, says);
    }
}

/* Adds to `all` what this scenario listed and showed. */
static void compare(const scenario *s, bool fails, const run *r, tally *all)
{
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
            else
                assert_told_once(s, r, i, n);
    for (size_t k = 0; lines[k] != NULL; k++) {
        tally now = {.listed = true};
        for (uint32_t i = 0; i < r->study->n_parties; i++)
            for (size_t n = 0; n < r->n_seen[i]; n++)
                if (disclosures_reach(lines[k]->to, &c, i))
                    mark(now.seen, lines[k], &r->seen[i][n]);
        const bool to_nobody = lines[k]->to == DISCLOSED_TO_GENERATOR; /* in the run */
        if (!fails && !to_nobody && !lines[k]->maybe && !any_seen(&now))
            fail_msg("%s: the dry run says '%s', which no party learned", s->name, lines[k]->what);
        tally *total = all;
        while (total->line != lines[k])
            total++;
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

static size_t add_lines(tally *all, size_t n, const disclosure_line *lines)
{
    for (; lines->what != NULL; lines++) {
        assert_true(n < LINES);
        all[n++] = (tally){.line = lines};
    }
    return n;
}

/* Every line is listed by some scenario, and every entry that it names is made by some run. Where a
 * protocol is not built, lines that protocols share need not be. */
static void dry_runs_say_what_runs_disclose(void **state)
{
    (void)state;
    static tally all[LINES];
    size_t n = 0;
    for (const protocol_module *const *m = protocol_modules; *m != NULL; m++)
        n = add_lines(all, n, (*m)->disclosures);
    const size_t n_own = n;
    n = add_lines(all, add_lines(all, n, disclosures_before), disclosures_after);
    for (size_t i = 0; i < SCENARIOS; i++)
        if (is_built(&scenarios[i]))
            check_scenario(&scenarios[i], false, all);
    for (size_t i = 0; i < FAILURES; i++)
        if (is_built(&failures[i]))
            check_scenario(&failures[i], true, all);
    for (size_t i = 0; i < (built_all() ? n : n_own); i++) {
        const disclosure_line *line = all[i].line;
        if (line->to == DISCLOSED_TO_GENERATOR) { /* no party: a line without entries */
            assert_true(line->entries[0].name == NULL);
            assert_true(all[i].listed);
            continue;
        }
        assert_non_null(line->entries[0].name);
        for (size_t e = 0; line->entries[e].name != NULL; e++)
            if (!all[i].seen[e])
                fail_msg("'%s': no run made the entry '%s' (step %s)", line->what,
                         line->entries[e].name,
                         line->entries[e].step == NULL ? "any" : line->entries[e].step);
    }
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
    static const char *const partitions[] = {"horizontal", "vertical", "hybrid"};
    uint32_t n_possible = 0;
    bool is_run[PROTOCOL_MODULES][4][2] = {{{false}}};
    for (size_t i = 0; i < SCENARIOS; i++) {
        if (has_generator(&scenarios[i]) || !is_built(&scenarios[i])) /* the same pair as without */
            continue;
        kith_study *study = make_study(&scenarios[i]);
        size_t a = 0;
        while (protocol_modules[a] != study->joint.protocol)
            a++;
        is_run[a][study->joint.partition][scenarios[i].n_sites > 2] = true;
        kith_study_free(study);
    }
    for (uint32_t a = 0; protocol_modules[a] != NULL; a++)
        for (uint32_t b = 0; b < 3; b++) {
            const char *name = protocol_modules[a]->name;
            if (!is_possible(name, partitions[b]))
                continue;
            n_possible++;
            if (!is_run[a][b + 1][0] && b < 2)
                fail_msg("no scenario runs %s, %s between two sites", name, partitions[b]);
            if (!is_run[a][b + 1][1] && strcmp(name, "id-based") != 0)
                fail_msg("no scenario runs %s, %s between more", name, partitions[b]);
        }
    if (built_all())
        assert_int_equal(n_possible, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_protocols_and_splits_are_run),
                                       cmocka_unit_test(dry_runs_say_what_runs_disclose)};
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}

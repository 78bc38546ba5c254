/* Section `parties`: who takes part in joint runs, where they listen, and their certificates.
 *
 *     parties:
 *       - name: north
 *         address: north.example:7000
 *         key: sha256:…
 *         columns: [age, zip]         only if columns are split
 *
 * The order matters: parties are numbered by it, and an external master comes last. All parties
 * read the same text, therefore nothing in it depends on who reads it. */
#include "study/schema/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fingerprint.h"
#include "core/sort.h"
#include "core/text.h"

const yaml_key schema_parties_keys[] = {
    [PARTY_NAME] = {"name", true, NULL},
    [PARTY_ADDRESS] = {"address", true, NULL},
    [PARTY_KEY] = {"key", true, NULL},
    [PARTY_COLUMNS] = {"columns", false, NULL},
    {NULL, false, NULL},
};

bool study_is_address(const char *text)
{
    const char *colon = strrchr(text, ':');
    int64_t port;
    if (colon == NULL || colon == text || strlen(text) > 255)
        return false;
    bool bracketed = text[0] == '[' && colon[-1] == ']' && colon - text > 2;
    if (!bracketed && strchr(text, ':') != colon)
        return false; /* IPv6 without brackets */
    return text_integer(colon + 1, strlen(colon + 1), &port) && port >= 1 && port <= 65535 &&
           strpbrk(text, " \t/") == NULL;
}

static bool is_pin(const char *text)
{
    unsigned char bytes[FINGERPRINT_BYTES];
    return fingerprint_parse(bytes, text);
}

/* Reads a text of a given form. One of another form is reported and stays NULL, so that later
 * checks do not report it again. */
static void read_text(study_draft *d, const yaml_node_t *node, const char *what,
                      bool (*fits)(const char *text), const char *expected, const char **text)
{
    if (!yaml_walk_text(d->walk, node, what, text) || fits(*text))
        return;
    yaml_walk_expected(d->walk, node, what, expected);
    *text = NULL;
}

/* The columns that a party holds, by number and ascending, so that the digest does not depend on
 * the order in which the study lists them. */
static void read_columns(study_draft *d, const yaml_node_t *node, study_party *p)
{
    size_t count = yaml_walk_count(d->walk, node, "columns");
    uint32_t *held = yaml_walk_alloc(d->walk, count, sizeof *held);
    if (held == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *item = yaml_walk_item(d->walk, node, i);
        const study_column *c = schema_refer_column(d, item, "columns");
        if (c == NULL)
            continue;
        if (c->role == ROLE_IDENTIFYING)
            yaml_walk_problem(d->walk, item,
                              "columns: '%s' is identifying; 'ids' says which column joins rows",
                              c->name);
        held[p->n_columns++] = (uint32_t)(c - d->columns);
    }
    qsort(held, p->n_columns, sizeof *held, sort_uint32);
    for (uint32_t i = 1; i < p->n_columns; i++)
        if (held[i] == held[i - 1])
            yaml_walk_problem(d->walk, node, "columns: '%s' is listed twice",
                              d->columns[held[i]].name);
    if (node->type == YAML_SEQUENCE_NODE && count == 0)
        yaml_walk_problem(d->walk, node, "columns: the list is empty");
    p->columns = held;
}

void schema_parties_name(study_draft *d, const yaml_node_t *node, const char **name)
{
    read_text(d, node, "name", study_is_party_name, "letters, digits, - _ and . (at most 63)",
              name);
}

void schema_parties_address(study_draft *d, const yaml_node_t *node, const char **address)
{
    read_text(d, node, "address", study_is_address, "host:port", address);
}

/* Pins are compared as texts, so that the study has one form of them, whatever form it was written
 * in: also the digest must not depend on that. */
void schema_parties_key(study_draft *d, const yaml_node_t *node, const char **key)
{
    unsigned char bytes[FINGERPRINT_BYTES];
    char digits[2 * FINGERPRINT_BYTES + 1];
    read_text(d, node, "key", is_pin,
              "sha256: and 64 hexadecimal digits, or 32 words, as 'kith cert show' prints them",
              key);
    if (node == NULL || *key == NULL || !fingerprint_parse(bytes, *key))
        return;
    for (int i = 0; i < FINGERPRINT_BYTES; i++)
        snprintf(digits + 2 * (size_t)i, 3, "%02x", bytes[i]);
    *key = arena_printf(d->walk->memory, "sha256:%s", digits);
    d->walk->nomem = d->walk->nomem || *key == NULL;
}

/* Two parties with one name, key or address: one entry is probably a copy that was not changed.
 * There are at most 128 parties, so that all pairs can be compared. */
static void check_unique(study_draft *d, const yaml_node_t *node, const study_party *all,
                         uint32_t index)
{
    const study_party *p = &all[index];
    for (uint32_t i = 0; i < index; i++) {
        if (schema_same_text(all[i].name, p->name))
            yaml_walk_problem(d->walk, node, "party %s is listed twice", p->name);
        else if (schema_same_text(all[i].key, p->key))
            yaml_walk_problem(d->walk, node, "this party has the key of party %u", (unsigned)i + 1);
        if (schema_same_text(all[i].address, p->address))
            yaml_walk_problem(d->walk, node, "two parties have the address %s", p->address);
    }
}

/* "500ms", "90s", "30min", "24h", "2d", or seconds: a time of a joint run, from `least` to `most`
 * seconds. */
static bool read_time(study_draft *d, const yaml_node_t *node, const char *what, double least,
                      double most, const char *expected, uint32_t *ms)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"ms", 0.001}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
    const char *text;
    double seconds;
    if (!yaml_walk_text(d->walk, node, what, &text))
        return false;
    size_t digits = strspn(text, "0123456789."), unit = 0;
    while (unit < sizeof units / sizeof *units && strcmp(text + digits, units[unit].name) != 0)
        unit++;
    if (unit == sizeof units / sizeof *units || !text_decimal(text, digits, &seconds) ||
        !(seconds * units[unit].seconds >= least && seconds * units[unit].seconds <= most)) {
        yaml_walk_expected(d->walk, node, what, expected);
        return false;
    }
    *ms = (uint32_t)(seconds * units[unit].seconds * 1000 + 0.5);
    return true;
}

/* The whole run must have time for at least one message. */
static void read_times(study_draft *d, const yaml_node_t *timeout, const yaml_node_t *limit)
{
    enum { MAX_SECONDS = 30 * 86400 };
    uint32_t limit_ms;
    read_time(d, timeout, "timeout", 0.1, 86400,
              "a time such as 90s, 5min or 1h, from 0.1 s to 24 h", &d->study->timeout_ms);
    if (!read_time(d, limit, "limit", 0, MAX_SECONDS,
                   "a time such as 90min, 24h or 2d, at most 30 days", &limit_ms))
        return;
    if (limit_ms < d->study->timeout_ms)
        yaml_walk_problem(d->walk, limit, "limit: '%s' is less than the timeout of %g s",
                          (const char *)limit->data.scalar.value, d->study->timeout_ms / 1e3);
    else
        d->study->limit_ms = limit_ms;
}

void schema_parties(study_draft *d, const yaml_node_t *parties, const yaml_node_t *timeout,
                    const yaml_node_t *limit)
{
    bool joint = parties != NULL || d->study->joint.partition != PARTITION_NONE;
    d->study->timeout_ms = STUDY_TIMEOUT_MS;
    d->study->limit_ms = STUDY_LIMIT_MS;
    const yaml_node_t *const times[] = {timeout, limit};
    if (joint)
        read_times(d, timeout, limit);
    for (int i = 0; i < 2; i++)
        if (times[i] != NULL && !joint)
            yaml_walk_problem(d->walk, times[i],
                              "%s is for joint runs: studies with parties or a partition",
                              i == 0 ? "timeout" : "limit");
    size_t count = yaml_walk_count(d->walk, parties, "parties");
    if (parties != NULL && parties->type == YAML_SEQUENCE_NODE && (count < 2 || count > 128)) {
        yaml_walk_problem(d->walk, parties, "parties: expected 2 to 128 parties, found %zu", count);
        return;
    }
    study_party *all = yaml_walk_alloc(d->walk, count, sizeof *all);
    for (uint32_t i = 0; all != NULL && i < count; i++) {
        const yaml_node_t *node = yaml_walk_item(d->walk, parties, i);
        const yaml_node_t *values[YAML_WALK_KEYS];
        yaml_walk_map(d->walk, node, "a party", schema_parties_keys, values);
        schema_parties_name(d, values[PARTY_NAME], &all[i].name);
        schema_parties_address(d, values[PARTY_ADDRESS], &all[i].address);
        schema_parties_key(d, values[PARTY_KEY], &all[i].key);
        if (values[PARTY_COLUMNS] != NULL)
            read_columns(d, values[PARTY_COLUMNS], &all[i]);
        check_unique(d, node, all, i);
    }
    d->study->parties = all;
    d->study->n_parties = all == NULL ? 0 : (uint32_t)count;
}

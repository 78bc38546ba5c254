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
#include "study/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fingerprint.h"
#include "core/sort.h"
#include "core/text.h"

enum { NAME, ADDRESS, KEY, COLUMNS, KEYS };

const yaml_key schema_parties_keys[] = {
    [NAME] = {"name", true, NULL}, [ADDRESS] = {"address", true, NULL},
    [KEY] = {"key", true, NULL},   [COLUMNS] = {"columns", false, NULL},
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
    if (node == NULL || !yaml_walk_text(d->walk, node, what, text))
        return;
    if (fits(*text))
        return;
    char quoted[120];
    text_quote(quoted, sizeof quoted, *text, strlen(*text));
    yaml_walk_problem(d->walk, node, "%s: expected %s, found '%s'", what, expected, quoted);
    *text = NULL;
}

/* The columns that a party holds, by number and ascending, so that the digest does not depend on
 * the order in which the study lists them. */
static void read_columns(study_draft *d, const yaml_node_t *node, study_party *p)
{
    size_t count = yaml_walk_count(d->walk, node, "columns");
    uint32_t *held = arena_zalloc(d->walk->memory, count, sizeof *held);
    d->walk->nomem = d->walk->nomem || held == NULL;
    for (size_t i = 0; held != NULL && i < count; i++) {
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
    if (held != NULL)
        qsort(held, p->n_columns, sizeof *held, sort_uint32);
    for (uint32_t i = 1; held != NULL && i < p->n_columns; i++)
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

static void read_party(study_draft *d, const yaml_node_t *node, study_party *p)
{
    const yaml_node_t *values[YAML_WALK_KEYS];
    yaml_walk_map(d->walk, node, "a party", schema_parties_keys, values);
    schema_parties_name(d, values[NAME], &p->name);
    schema_parties_address(d, values[ADDRESS], &p->address);
    schema_parties_key(d, values[KEY], &p->key);
    if (values[COLUMNS] != NULL)
        read_columns(d, values[COLUMNS], p);
}

/* Texts that were refused are NULL and equal to nothing. */
static bool same_text(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Two parties with one name, key or address: one entry is probably a copy that was not changed.
 * There are at most 128 parties, so that all pairs can be compared. */
static void check_unique(study_draft *d, const yaml_node_t *node, const study_party *all,
                         uint32_t index)
{
    const study_party *p = &all[index];
    for (uint32_t i = 0; i < index; i++) {
        if (same_text(all[i].name, p->name))
            yaml_walk_problem(d->walk, node, "party %s is listed twice", p->name);
        else if (same_text(all[i].key, p->key))
            yaml_walk_problem(d->walk, node, "this party has the key of party %u", (unsigned)i + 1);
        if (same_text(all[i].address, p->address))
            yaml_walk_problem(d->walk, node, "two parties have the address %s", p->address);
    }
}

/* "500ms", "90s", "30min", "24h", "2d", or seconds. */
static bool parse_duration(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"ms", 0.001}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
    size_t digits = strspn(text, "0123456789.");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(text + digits, units[i].name) == 0 && text_decimal(text, digits, seconds)) {
            *seconds *= units[i].seconds;
            return true;
        }
    return false;
}

static void read_timeout(study_draft *d, const yaml_node_t *node)
{
    const char *text;
    double seconds;
    if (!yaml_walk_text(d->walk, node, "timeout", &text))
        return;
    char quoted[80];
    text_quote(quoted, sizeof quoted, text, strlen(text));
    if (!parse_duration(text, &seconds) || !(seconds >= 0.1 && seconds <= 86400))
        yaml_walk_problem(d->walk, node,
                          "timeout: expected a time such as 90s, 5min or 1h, from 0.1 s to 24 h, "
                          "found '%s'",
                          quoted);
    else
        d->study->timeout_ms = (uint32_t)(seconds * 1000 + 0.5);
}

/* The whole run must have time for at least one message. */
static void read_limit(study_draft *d, const yaml_node_t *node)
{
    enum { MAX_DAYS = 30 };
    const char *text;
    double seconds = 0;
    if (!yaml_walk_text(d->walk, node, "limit", &text))
        return;
    char quoted[80];
    text_quote(quoted, sizeof quoted, text, strlen(text));
    if (!parse_duration(text, &seconds) || seconds > MAX_DAYS * 86400.0)
        yaml_walk_problem(d->walk, node,
                          "limit: expected a time such as 90min, 24h or 2d, at most %d days, found "
                          "'%s'",
                          MAX_DAYS, quoted);
    else if (seconds * 1000 < d->study->timeout_ms)
        yaml_walk_problem(d->walk, node, "limit: '%s' is less than the timeout of %g s", quoted,
                          d->study->timeout_ms / 1e3);
    else
        d->study->limit_ms = (uint32_t)(seconds * 1000 + 0.5);
}

/* Times of a joint run: reads one, or says that there is no joint run. */
static void read_time(study_draft *d, const yaml_node_t *node, const char *name, bool joint,
                      void (*read)(study_draft *d, const yaml_node_t *node))
{
    if (node != NULL && !joint)
        yaml_walk_problem(d->walk, node,
                          "%s is for joint runs: studies with parties or a partition", name);
    else if (node != NULL)
        read(d, node);
}

void schema_parties(study_draft *d, const yaml_node_t *parties, const yaml_node_t *timeout,
                    const yaml_node_t *limit)
{
    bool joint = parties != NULL || d->study->joint.partition != PARTITION_NONE;
    d->study->timeout_ms = STUDY_TIMEOUT_MS;
    d->study->limit_ms = STUDY_LIMIT_MS;
    read_time(d, timeout, "timeout", joint, read_timeout);
    read_time(d, limit, "limit", joint, read_limit);
    size_t count = parties == NULL ? 0 : yaml_walk_count(d->walk, parties, "parties");
    if (parties != NULL && parties->type == YAML_SEQUENCE_NODE && (count < 2 || count > 128)) {
        yaml_walk_problem(d->walk, parties, "parties: expected 2 to 128 parties, found %zu", count);
        return;
    }
    study_party *all = arena_zalloc(d->walk->memory, count, sizeof *all);
    if (all == NULL) {
        d->walk->nomem = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const yaml_node_t *node = yaml_walk_item(d->walk, parties, i);
        read_party(d, node, &all[i]);
        check_unique(d, node, all, i);
    }
    d->study->parties = all;
    d->study->n_parties = (uint32_t)count;
}

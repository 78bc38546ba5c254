/* Parties: keys and certificates, and runs of several parties over the network. */
#ifndef KITH_PARTY_H
#define KITH_PARTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_identity_options {
    size_t size;
    const char *name; /* of the party: 1 to 63 bytes */
    unsigned n_days;  /* for which the certificate is valid from now on: 1 to 36,500 */
    bool overwrite;
} kith_identity_options;

/* Makes a secret key with a self-signed certificate and writes both to a file that only its owner
 * can read. PATH.choices, from which the random choices of this party in joint runs come, is made
 * next to it unless it exists; `overwrite` does not replace it. */
KITH_API KITH_MUST_USE kith_status kith_identity_create(const char *path,
                                                        const kith_identity_options *options,
                                                        kith_error *error);
/* {"name", "key": "sha256:…", "from": "2026-01-31", "until", "valid"} of such a file. */
KITH_API KITH_MUST_USE kith_status kith_identity_describe(kith_document **document,
                                                          const char *path, kith_error *error);

/* What goes to the others: the line of this party for kith_study_join, after comments that say what
 * it is. `address` is host:port; NULL: a place for it. Nothing in the text is secret. Release it
 * with kith_free. */
KITH_API KITH_MUST_USE kith_status kith_identity_party(char **text, const char *path,
                                                       const char *address, kith_error *error);

/* The parties of such a file, as kith_study_join reads it, for people to compare before they join
 * them: {"parties": [{"name", "address", "key", "grouped", "words"}]}. A file may have several. */
KITH_API KITH_MUST_USE kith_status kith_parties_describe(kith_document **document, const char *path,
                                                         kith_error *error);

/* What the parties of a study agree to, for people to compare before they connect: {"study",
 * "digest", "grouped", "words", "protocol", "parties": [{"name", "address", "key", "grouped",
 * "words"}], "discloses": [{"to", "what"}]}; what the study does not have is left out. */
KITH_API KITH_MUST_USE kith_status kith_joint_describe(kith_document **document,
                                                       const kith_study *study, kith_error *error);

/* Called while a party waits for others, several times per second, when all are connected, and at
 * the end, from the thread that made the call. `facts` lives until the function returns. At first
 * it has {"outcome": "connecting", "party", "parties": […], "absent": […]}, where the absent
 * parties are not connected yet. Then it has what ledger.json has, so far, and "step", the current
 * one; "outcome" is "running", at the end "complete" or "failed", and "left" the party that made
 * the run fail, if that is known. */
typedef void (*kith_party_watch_fn)(void *user, const kith_document *facts);

/* How one party takes part in a run. */
typedef struct kith_party_options {
    size_t size;
    const char *as;        /* its name in the study */
    const char *key;       /* its file of kith_identity_create */
    const char *listen;    /* host:port, if not its address in the study; may be NULL */
    uint32_t wait_ms;      /* for all others to appear; 0: ten minutes */
    uint32_t delay_ms;     /* holds back everything sent by so much, to try out slow networks */
    bool compress;         /* what may shrink */
    const char *directory; /* for ledger.json and ledger.txt, made if need be; NULL: none */
    bool overwrite;        /* files of an earlier run that are there */
    const char *input;     /* data URI of a joint run; NULL: a party without data */
    char separator;        /* of the input; 0: detect */
    const char *rows;      /* publish: virtual: URI of a table for this party's own rows */
    const kith_csv_options *csv; /* of the input, as for kith_table_read; may be NULL */
    const char *id_key; /* pkg: its private key of kith_pkg_issue; NULL: the study has no pkg */
    kith_party_watch_fn watch; /* is told how the run goes; may be NULL */
    void *watch_user;
} kith_party_options;

/* Connects to all other parties of the study, checks that all hold the same one, and stops:
 * {"study", "digest", "party", "parties": […], "run", "discloses": […]}. With an input the data is
 * checked first, and where the sites split rows there is "estimate": {"records", "rehearsed",
 * "rounds", "bytes", "busiest_bytes", "local_seconds", "wide_seconds"}, what a run would take if
 * every site had as many records. Nothing of the data leaves this party. */
KITH_API KITH_MUST_USE kith_status kith_party_check(kith_document **document,
                                                    const kith_study *study,
                                                    const kith_party_options *options,
                                                    const kith_run *run, kith_error *error);

/* Adds a warning if the last run of this study with the key `key` ended before it published
 * anything, with what it disclosed. Such a run does not keep this party from running the study
 * again. Reads the list next to the key (KEY.runs), and no data. */
KITH_API KITH_MUST_USE kith_status kith_party_earlier_runs(kith_findings *findings,
                                                           const kith_study *study, const char *key,
                                                           kith_error *error);

/* Takes part in the joint run that the study describes, and leaves release.csv, summary.json,
 * ledger.json and ledger.txt in the directory: the release complete and verified, or not at all.
 * `summary` (may be NULL) receives what docs/summary.md lists. */
KITH_API KITH_MUST_USE kith_status kith_party_run(kith_document **summary, const kith_study *study,
                                                  const kith_party_options *options,
                                                  const kith_run *run, kith_error *error);

/* Explains a ledger that a run has left in `path`, a directory or a ledger.json: {"study",
 * "digest", "run", "outcome", "party", "parties", "left": [{"to", "messages", "bytes"}], "left_as":
 * [{"class", "says", "messages", "bytes"}], "promises": [{"number", "to", "what", "to_this_party",
 * "learned": [{"what", "says", "values", "answers"}]}], "unannounced": […]}. Promises are the lines
 * of the dry run; `unannounced` has what none of them covers. A ledger that has no such lines (of
 * kith_smc, or of an earlier version) has "learned" in the place of both.
 *
 * `path` may also be the ledger of queries of kith_serve. Then it is {"kind": "queries", "file",
 * "entries": [{"when", "who", "query", "left", "count", "says", "outcome"}], "queries", "failed",
 * "first", "last", "askers": [{"name", "queries", "failed", "numbers", "rows"}]}. */
KITH_API KITH_MUST_USE kith_status kith_ledger_describe(kith_document **document, const char *path,
                                                        kith_error *error);

/* A joint run with all its parties on this machine. */
typedef struct kith_simulate_options {
    size_t size;
    const char *input;     /* data URI of the whole table */
    char separator;        /* of the input; 0: detect */
    uint32_t n_sites;      /* that hold data: 2 to 128; an external master comes on top */
    const char *split;     /* "rows", "hash:COL", "by:COL", "columns:a,b/c,d", "2x2"; NULL: rows are
                            * dealt at random, columns evenly in order */
    const char *directory; /* one folder per site, and the joint release.csv and summary.json */
    const char *executable; /* program that understands `party`: one process per site, over TLS;
                             * NULL: threads of this process */
    uint32_t delay_ms;      /* one-way delay of every message */
    bool compress;
    bool baseline; /* also: each site alone, put together */
    bool overwrite;
    const char *query; /* publish: virtual: asked of the sites after the run; NULL: none */
    const kith_csv_options *csv;   /* of the input, as for kith_table_read; may be NULL */
    const kith_table *input_table; /* a table in memory, instead of `input` */
} kith_simulate_options;

/* Splits the table, replaces the parties of the study (it may have none) by site1 … siteN with
 * throw-away keys, runs all, and measures the joint release against the whole table. */
KITH_API KITH_MUST_USE kith_status kith_simulate(kith_document **summary, const kith_study *study,
                                                 const kith_simulate_options *options,
                                                 const kith_run *run, kith_error *error);

/* Runs every protocol that fits on the same table, as kith_simulate does (`baseline` means
 * nothing here; without `directory` nothing is kept), and the two bounds: all data
 * in one place, and each site alone. `comparison` receives one object per way: what docs/summary.md
 * lists. A protocol that cannot serve the study has its reason in the place of figures. */
KITH_API KITH_MUST_USE kith_status kith_compare(kith_document **comparison, const kith_study *study,
                                                const kith_simulate_options *options,
                                                const kith_run *run, kith_error *error);

/* What a joint run would cost. */
typedef struct kith_estimate_options {
    size_t size;
    const char *input;   /* data URI of a table with all columns of the study: one's own, a sample,
                          * or synthetic */
    char separator;      /* of the input; 0: detect */
    uint32_t n_sites;    /* that hold data; 0: as many as the study has */
    uint64_t n_records;  /* of all sites together; 0: those of the input */
    const char *split;   /* as for kith_simulate */
    uint32_t latency_ms; /* one-way, of a network of one's own; with `megabits` 0: none */
    double megabits;     /* per second and party, of that network */
    const kith_csv_options *csv; /* of the input, as for kith_table_read; may be NULL */
} kith_estimate_options;

/* Rehearses the study's protocol on records drawn from the input, in threads of this process, and
 * says what the run would take on a local and a wide network: what docs/summary.md lists. Nothing
 * leaves this machine. */
KITH_API KITH_MUST_USE kith_status kith_estimate(kith_document **estimate, const kith_study *study,
                                                 const kith_estimate_options *options,
                                                 const kith_run *run, kith_error *error);

/* One secure computation on the values of all parties of a study. */
typedef struct kith_smc_task {
    size_t size;
    /* "sum", "and", "or": one result per value, all parties give the same number of values;
     * "min", "max", "median": one result over all values of all parties, which may differ in number
     * and stay secret; "union": the distinct values of all */
    const char *operation;
    const char *const *values; /* whole numbers; 0 or 1; texts for "union" */
    size_t n_values;
    bool ranged; /* "min", "max" and "median" need a public range of the values */
    int64_t low;
    int64_t high;
    size_t width; /* "union": a public bound for the bytes of a text; 0: 64 */
} kith_smc_task;

/* All parties call it at the same time with the same operation, range and width. `lines` (may be
 * NULL) receives the results as a text, one per line, to be released with kith_free; `document` the
 * same with what the computation took: {"operation", "values": ["…"], "rounds", "sent":
 * {"messages", "bytes"}, "received": {"messages", "bytes"}, "seconds"}. */
KITH_API KITH_MUST_USE kith_status kith_smc(char **lines, kith_document **document,
                                            const kith_study *study, const kith_smc_task *task,
                                            const kith_party_options *options, const kith_run *run,
                                            kith_error *error);

#ifdef __cplusplus
}
#endif
#endif

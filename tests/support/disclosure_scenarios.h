/* Joint runs of every protocol, split and option, and runs that fail: what they disclose must be
 * announced. For test_joint_disclosures.c. */
#ifndef SUPPORT_DISCLOSURE_SCENARIOS_H
#define SUPPORT_DISCLOSURE_SCENARIOS_H

#include <stddef.h>
#include <stdint.h>

typedef struct scenario {
    const char *name;
    const char *partition;
    uint32_t n_sites, n_masters;
    const char *privacy; /* besides k-anonymity */
    const char *keys;
} scenario;

#define FREQUENT "{model: l-diversity, variant: frequency, l: 1.5, attribute: ill}"
#define DISTINCT "{model: l-diversity, variant: distinct, l: 2, attribute: ill}"
#define ENTROPY "{model: l-diversity, variant: entropy, l: 1.5, attribute: ill}"
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
    {"weave, distinct, any values of others", "horizontal", 3, 0,
     DISTINCT "\n  - {model: m-privacy, k: 3, values: 0}", ""},
    {"weave, alpha-k", "horizontal", 3, 0, "{model: alpha-k, alpha: 0.7, k: 3, attribute: ill}",
     ""},
    {"weave, p-sensitive", "horizontal", 3, 0, "{model: p-sensitive, p: 2, k: 3, attribute: ill}",
     ""},
    {"weave, recursive", "horizontal", 2, 0,
     "{model: l-diversity, variant: recursive, l: 2, c: 4, attribute: ill}", ""},
    {"weave, persons", "horizontal", 3, 0, DISTINCT, "unit: who\n"},
    {"weave, persons, frequency", "horizontal", 3, 0,
     "{model: l-diversity, variant: frequency, l: 1.2, attribute: ill}",
     "unit: who\noverlap: none\n"},
    {"clustering, persons", "horizontal", 3, 0, DISTINCT, "unit: who\nprotocol: clustering\n"},
    {"clustering, persons, two sites", "horizontal", 2, 0, SITES,
     "unit: who\noverlap: none\nprotocol: clustering\n"},
    {"mondrian, persons", "horizontal", 3, 0, DISTINCT, "unit: who\nprotocol: mondrian\n"},
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
    {"clustering, homes, hidden", "horizontal", 3, 0, NULL,
     "unit: who\noverlap: matched\nprotocol: clustering\nhide_sizes: true\n"},
    {"weave, homes, distinct, reweave", "horizontal", 3, 0, DISTINCT,
     "unit: who\noverlap: matched\nreweave: 2\n"},
    {"weave, homes, hidden", "horizontal", 3, 0, NULL,
     "unit: who\noverlap: matched\nhide_sizes: true\npublish_insensitive: true\n"},
    {"weave, homes", "horizontal", 3, 0, NULL, "unit: who\noverlap: matched\n"},
    {"weave, homes, two sites", "horizontal", 2, 0, NULL, "unit: who\noverlap: matched\n"},
    {"weave, wildcard", "horizontal", 3, 0, NULL, "missing: wildcard\n"},
    {"id-based", "horizontal", 2, 0, NULL, "protocol: id-based\nlists: 12\n"},
    {"id-based, own lists", "horizontal", 2, 0, NULL, "protocol: id-based\n"},
    {"id-based, own rows", "horizontal", 2, 0, NULL,
     "protocol: id-based\nlists: 12\npublish: own-rows\n"},
    {"id-based, generator", "horizontal", 2, 0, NULL,
     "protocol: id-based\nlists: 12\nperiod: now\n"},
    {"clustering", "horizontal", 3, 0, NULL, "protocol: clustering\n"},
    {"clustering, two sites", "horizontal", 2, 0, NULL, "protocol: clustering\n"},
    {"clustering, singles", "horizontal", 3, 0, NULL, "protocol: clustering\nwithhold: 1\n"},
    {"clustering, restarts", "horizontal", 3, 0, NULL, "protocol: clustering\nrestarts: 2\n"},
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
    {"mondrian, homes", "horizontal", 3, 0, DISTINCT,
     "protocol: mondrian\nunit: who\noverlap: matched\n"},
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
    {"view, persons", "horizontal", 4, 1, DISTINCT, "protocol: encrypted-view\nunit: who\n"},
    {"view, persons, matched", "horizontal", 4, 1, NULL,
     "protocol: encrypted-view\nunit: who\noverlap: matched\n"},
    {"view, persons, master with data", "horizontal", 3, 0, NULL,
     "protocol: encrypted-view\nmaster: s1\nunit: who\noverlap: matched\nmatch: digits\n"},
    {"view, persons, none", "horizontal", 2, 2, NULL,
     "protocol: encrypted-view\nreplicas: 2\nunit: who\noverlap: none\n"},
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
    {"id-based, all pairs", "horizontal", 2, 0, NULL,
     "protocol: id-based\nlists: 12\nhashing: off\nmissing: drop\n"},
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
    {"view, persons of several values", "horizontal", 4, 1, ENTROPY,
     "protocol: encrypted-view\nunit: who\noverlap: matched\n"},
    {"view, unmatched", "vertical", 3, 1, NULL, "protocol: encrypted-view\nunmatched: error\n"},
};

enum {
    SCENARIOS = sizeof scenarios / sizeof *scenarios,
    FAILURES = sizeof failures / sizeof *failures
};

#endif

/* What a joint run discloses to whom, in one table of sentences. `kith party --dry-run` shows the
 * lines that apply to a study; the ledger of a run shows the same sentences beside the entries that
 * party_learns made. A test runs all protocols and compares: every entry of a ledger is covered by
 * a line for that party, and every line occurs. The headers of the protocols and docs/protocols/
 * say the same at length. */
#ifndef PROTOCOL_DISCLOSURES_H
#define PROTOCOL_DISCLOSURES_H

#include <stddef.h>

#include "protocol/options.h"

/* Who learns it. */
typedef enum disclosure_audience {
    DISCLOSED_TO_ALL,      /* parties, also a master without data */
    DISCLOSED_TO_SITES,    /* the parties with data */
    DISCLOSED_TO_FIRST,    /* the first party of the study */
    DISCLOSED_TO_LATER,    /* all but the first */
    DISCLOSED_TO_LAST,     /* the last party of the study */
    DISCLOSED_TO_PIVOT,    /* clustering over columns: the party that receives sums */
    DISCLOSED_TO_OTHERS,   /* all but the pivot */
    DISCLOSED_TO_MASTER,   /* encrypted view: who searches, replicas included */
    DISCLOSED_TO_SMALLER,  /* id-based: Bob, whom the data decide */
    DISCLOSED_TO_GENERATOR /* id-based with a key generator: no party, so no ledger has it */
} disclosure_audience;

/* What decides whether a line applies. The first group follows from the options, and
 * disclosures_list adds it; the caller sets the second one. */
enum {
    TRAIT_OVER_ROWS = 1 << 0,       /* weave, or clustering over rows */
    TRAIT_COLUMNS = 1 << 3,         /* weave, or clustering over columns */
    TRAIT_MATCHED = 1 << 5,         /* rows are joined by identifiers */
    TRAIT_HIDE_SIZES = 1 << 6,      /* the option */
    TRAIT_PRIVATE_VALUES = 1 << 7,  /* the option private_diversity */
    TRAIT_REWEAVE = 1 << 8,         /* the option */
    TRAIT_OWN_ROWS = 1 << 9,        /* publish: own-rows */
    TRAIT_SITE_CLASSES = 1 << 10,   /* l-site-diversity of classes */
    TRAIT_SITE_VALUES = 1 << 11,    /* l-site-diversity of attributes */
    TRAIT_M_PRIVACY = 1 << 12,      /* the model */
    TRAIT_TWO_PARTIES = 1 << 13,    /* no third one */
    TRAIT_QUIET = 1 << 28,          /* weave: the option */
    TRAIT_SINGLES = 1 << 23,        /* clustering over rows: withhold: 1 */
    TRAIT_UNITED_VALUES = 1 << 14,  /* values of some column come from the data */
    TRAIT_MISSING = 1 << 15,        /* the release may show missing values */
    TRAIT_DISTRIBUTIONS = 1 << 16,  /* the measure needs them: em, entropy, mi */
    TRAIT_VALUE_MODELS = 1 << 17,   /* a model looks at sensitive values */
    TRAIT_BY_FREQUENCY = 1 << 18,   /* a model that weave keeps by trimming */
    TRAIT_HYBRID_FINISH = 1 << 19,  /* clustering: finish hybrid, the default */
    TRAIT_SECRET_LABELS = 1 << 20,  /* some column has no public hierarchy */
    TRAIT_RELEASED_CELLS = 1 << 21, /* some column is released as it is */
    TRAIT_MASK_LENGTHS = 1 << 22,   /* view: some column is masked, and its values are not public */
    TRAIT_SCORED_SITES = 1 << 25,   /* mondrian: alpha below 1 */
    TRAIT_TREE_AXES = 1 << 26,      /* mondrian: some column is split along its tree */
    TRAIT_ORDERED_AXES = 1 << 27,   /* mondrian: some column is cut in order */
    TRAIT_OWN_LISTS = 1 << 30,      /* id-based: no key `lists` */
};
/* No enumerators fit. */
#define TRAIT_GENERATOR (UINT64_C(1) << 31) /* id-based: pkg; set by the caller */
#define TRAIT_NAME (UINT64_C(1) << 34)      /* the same: the option */
#define TRAIT_POOLS (UINT64_C(1) << 35)     /* the same: the option */
#define TRAIT_HOMES (UINT64_C(1) << 37)     /* overlap: matched */
#define TRAIT_RESTARTS (UINT64_C(1) << 36)  /* clustering: more than one start */
#define TRAIT_PERSONS (UINT64_C(1) << 38)   /* over rows: models count persons */

typedef struct disclosure_case {
    const protocol_options *options;
    uint32_t n_parties; /* 0: the study names none yet */
    uint32_t pivot;     /* over columns */
    uint64_t traits;
} disclosure_case;

/* An entry of the ledger: `what` of party_learns, and the step in which it is made (NULL: any). */
typedef struct disclosure_entry {
    const char *step;
    const char *name; /* NULL ends the list */
} disclosure_entry;

enum { DISCLOSURE_ENTRIES = 6, DISCLOSURES_MAX = 32 };

typedef struct disclosure_line {
    uint64_t when;   /* TRAIT_… that it needs */
    uint64_t unless; /* and those with which it does not apply */
    disclosure_audience to;
    bool maybe; /* it depends on the data whether it occurs */
    const char *what;
    disclosure_entry entries[DISCLOSURE_ENTRIES]; /* never full: the last one is empty */
} disclosure_line;

/* The lines that protocols share, whatever the case; each list ends with one that says nothing. */
extern const disclosure_line disclosures_before[], disclosures_after[];

/* An entry of the ledger in words. */
typedef struct disclosure_saying {
    const char *step; /* NULL: any */
    const char *name;
    const char *says;
} disclosure_saying;

/* "all parties", "the master", … */
const char *disclosures_audience(disclosure_audience to);

/* Whether a party is among them. */
bool disclosures_reach(disclosure_audience to, const disclosure_case *c, uint32_t party);

/* The lines that apply, in the order of a run, and a NULL after them. */
void disclosures_list(const disclosure_line *lines[DISCLOSURES_MAX + 1], const disclosure_case *c);

/* The line about an entry in the ledger of a party; NULL if there is none. A line that names the
 * step goes before one for all steps. */
const disclosure_line *disclosures_find(const disclosure_case *c, uint32_t party, const char *step,
                                        const char *name);

/* An entry of the ledger in words ("is this value frequent enough (at least k)?"), whatever the
 * study; NULL for one that is not known (disclosures_say.c). */
const char *disclosures_say(const char *step, const char *name);

#endif

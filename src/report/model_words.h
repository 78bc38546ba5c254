/* The words for privacy models: texts with places to fill in, between braces.
 *
 *   {attribute}  the sensitive column          {k}, {l}, {t}, …   a parameter of the model
 *   {k-1}, {1+beta}, {e^delta}, {1/l}, {l-th}  computed from one; {1/l} is a percentage
 *   {%alpha}     a parameter as a percentage   {c:time}           with a noun: "1 time", "4 times"
 *   {distance}   "ordered " or "hierarchical ", nothing for equal distances
 *   {smallest}   records of the smallest class {worst}            value of the worst class
 *   {earlier}    a clause about earlier releases, if they were compared */
#ifndef REPORT_MODEL_WORDS_H
#define REPORT_MODEL_WORDS_H

/* What the number of the worst class is, and so how it is shown. It never looks better than it is:
 * it is rounded up where less is better, and down where more is. */
typedef enum worst_kind {
    WORST_AT_LEAST,       /* a number, more is better */
    WORST_AT_MOST,        /* a number, less is better */
    WORST_SHARE_AT_LEAST, /* percentages */
    WORST_SHARE_AT_MOST,
    WORST_SHARE_EITHER,
    WORST_ONE_IN,    /* one in so many records: shown as a share, less of which is better */
    WORST_GAIN,      /* 0.5: 1.5 times */
    WORST_LOGARITHM, /* 1: e times */
} worst_kind;

typedef struct model_words {
    const char *model;
    const char *variant; /* NULL: all variants */
    const char *title;
    const char *holds, *fails; /* a model about sites never fails in a release that exists */
    const char *only; /* instead of `fails` where models count persons and the worst class has 1 */
    const char *worst;
    const char *endless; /* instead of `worst` where its number is beyond all bounds */
    worst_kind kind;
    const char
        *bound; /* the parameter that bounds the worst class, where that is no whole number */
} model_words;

/* NULL if the model is unknown. */
const model_words *model_words_of(const char *model, const char *variant);

#endif

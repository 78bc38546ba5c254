/* What every privacy model is called and what it promises, in words. */
#include "report/model_words.h"

#include <string.h>

#define CLASS_SIZE "every class has at least {k} records, and "
#define CERTAIN "some {attribute} is certain of a person"
#define TOO_SMALL "some class has fewer than {k} records, or "

static const model_words words[] = {
    {.model = "k-anonymity",
     .title = "{k}-anonymity",
     .holds = "every record shares all quasi-identifiers with at least {k-1:other}",
     .fails = "some record shares all quasi-identifiers with fewer than {k-1:other}",
     .worst = "smallest class: {worst}"},
    {.model = "k-map",
     .title = "{k}-map",
     .holds = "every class matches at least {k} records of the population",
     .fails = "some class matches fewer than {k} records of the population",
     .worst = "fewest: {worst}"},
    {.model = "l-diversity",
     .variant = "frequency",
     .title = "{l}-diversity of {attribute}",
     .holds = "no {attribute} makes up more than {1/l} of any class",
     .fails = "some {attribute} makes up more than {1/l} of a class",
     .only = CERTAIN,
     .worst = "most: {worst}",
     .kind = WORST_ONE_IN},
    {.model = "l-diversity",
     .variant = "distinct",
     .title = "distinct {l}-diversity of {attribute}",
     .holds = "every class has at least {l:different value}",
     .fails = "some class has fewer than {l:different value}",
     .only = CERTAIN,
     .worst = "fewest: {worst}"},
    {.model = "l-diversity",
     .variant = "entropy",
     .title = "entropy {l}-diversity of {attribute}",
     .holds = "the values of every class are as mixed as {l} equally frequent ones, or more",
     .fails = "the values of some class are less mixed than {l} equally frequent ones",
     .worst = "worst: {worst}",
     .bound = "l"},
    {.model = "l-diversity",
     .variant = "recursive",
     .title = "recursive ({c}, {l})-diversity of {attribute}",
     .holds = "in every class the most frequent {attribute} occurs less than {c:time} as often as "
              "the {l-th} most frequent and all rarer ones together",
     .fails = "in some class the most frequent {attribute} occurs at least {c:time} as often as "
              "the {l-th} most frequent and all rarer ones together",
     .worst = "worst: {worst:time}",
     .endless = "a class has fewer than {l:different value}",
     .kind = WORST_AT_MOST,
     .bound = "c"},
    {.model = "t-closeness",
     .title = "{distance}{t}-closeness of {attribute}",
     .holds = "no class's distribution is further than {t} from the whole table's",
     .fails = "some class's distribution is further than {t} from the whole table's",
     .worst = "worst: {worst}",
     .kind = WORST_AT_MOST,
     .bound = "t"},
    {.model = "delta-presence",
     .title = "({min}, {max})-presence of {attribute}",
     .holds = "between {%min} and {%max} of every class belong to the subset",
     .fails = "less than {%min} or more than {%max} of some class belong to the subset",
     .worst = "worst: {worst}",
     .kind = WORST_SHARE_EITHER},
    {.model = "alpha-k",
     .title = "({alpha}, {k})-anonymity of {attribute}",
     .holds = CLASS_SIZE "no {attribute} makes up more than {%alpha} of any",
     .fails = TOO_SMALL "one {attribute} makes up more than {%alpha} of it",
     .only = CERTAIN,
     .worst = "smallest class: {smallest}; most: {worst}",
     .kind = WORST_SHARE_AT_MOST,
     .bound = "alpha"},
    {.model = "dominance",
     .title = "dominance of at most {%share}",
     .holds = "no person has more than {%share} of the rows of any class",
     .fails = "some person has more than {%share} of the rows of a class",
     .worst = "most: {worst}",
     .kind = WORST_SHARE_AT_MOST,
     .bound = "share"},
    {.model = "p-sensitive",
     .title = "{p}-sensitive {k}-anonymity of {attribute}",
     .holds = "every class has at least {k} records and {p} different values",
     .fails = "some class has fewer than {k} records or {p} different values",
     .only = CERTAIN,
     .worst = "smallest class: {smallest}; fewest values: {worst}"},
    {.model = "lkc",
     .title = "({l}, {k}, {c})-privacy (lkc) of {attribute}",
     .holds = "anyone who knows up to {l:quasi-identifier} finds at least {k} records, and no "
              "protected {attribute} makes up more than {%c} of them",
     .fails = "someone who knows {l:quasi-identifier} finds fewer than {k} records, or a "
              "protected {attribute} that makes up more than {%c} of them",
     .worst = "most: {worst}",
     .kind = WORST_SHARE_AT_MOST,
     .bound = "c"},
    {.model = "dissimilarity",
     .title = "{distance}({epsilon}, {delta})-dissimilarity of {attribute}",
     .holds = CLASS_SIZE "every value is further than {epsilon} from those of at least {%delta} of "
                         "the other records",
     .fails = TOO_SMALL "a value in it that is further than {epsilon} from those of less than "
                        "{%delta} of the other records",
     .worst = "smallest class: {smallest}; fewest: {worst}",
     .kind = WORST_SHARE_AT_LEAST,
     .bound = "delta"},
    {.model = "delta-disclosure",
     .title = "{delta}-disclosure privacy of {attribute}",
     .holds = "every value occurs in every class, less than {e^delta} times as often or as "
              "rarely as in the whole table",
     .fails = "some value does not occur in a class, or {e^delta} times as often or as "
              "rarely as in the whole table, or more",
     .worst = "worst: {worst:time}",
     .endless = "a class lacks a value",
     .kind = WORST_LOGARITHM,
     .bound = "delta"},
    {.model = "beta-likeness",
     .variant = "basic",
     .title = "{beta}-likeness of {attribute}",
     .holds = "no {attribute} is more than {1+beta} times as frequent in a class as in the whole "
              "table",
     .fails = "some {attribute} is more than {1+beta} times as frequent in a class as in the whole "
              "table",
     .worst = "worst: {worst:time}",
     .kind = WORST_GAIN,
     .bound = "beta"},
    {.model = "beta-likeness",
     .variant = "enhanced",
     .title = "enhanced {beta}-likeness of {attribute}",
     .holds = "no {attribute} with the share q of the whole table is more than {1+beta} times, or "
              "1 - ln(q) times if that is less, as frequent in a class",
     .fails = "some {attribute} with the share q of the whole table is more than {1+beta} times, "
              "or 1 - ln(q) times if that is less, as frequent in a class",
     .worst = "worst: {worst:time}",
     .kind = WORST_GAIN,
     .bound = "beta"},
    {.model = "m-invariance",
     .title = "{m}-invariance of {attribute}",
     .holds = "every class has at least {m} different values, each of them once{earlier}",
     .fails = "some class has fewer than {m} different values, or one of them twice{earlier}",
     .worst = "fewest: {worst}"},
    {.model = "l-site-diversity",
     .variant = "sites",
     .title = "{l}-site-diversity",
     .holds = "every class has records of at least {l:site}",
     .worst = "fewest: {worst}"},
    {.model = "l-site-diversity",
     .variant = "attributes",
     .title = "{l}-site-diversity of attributes",
     .holds = "no value of the attributes that the study lists is shown unless at least {l:site} "
              "have it",
     .worst = "fewest: {worst}"},
    {.model = "m-privacy",
     .title = "m-privacy with k = {k}",
     .holds = "without the records of any one site a class still has at least {k:record}"
              "{other values}, or none",
     .worst = "fewest: {worst}"},
};

const model_words *model_words_of(const char *model, const char *variant)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].model, model) == 0 &&
            (words[i].variant == NULL || strcmp(words[i].variant, variant) == 0))
            return &words[i];
    return NULL;
}

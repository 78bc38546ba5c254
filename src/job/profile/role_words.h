/* Words in the names of columns that tell what the column is about, in English, German, French,
 * Italian, Spanish and Dutch. */
#ifndef JOB_PROFILE_ROLE_WORDS_H
#define JOB_PROFILE_ROLE_WORDS_H

#include <stdbool.h>

typedef enum word_kind {
    WORD_DIRECT,    /* identifies people whatever the values are: email, surname */
    WORD_NAMING,    /* identifies them if the values differ: id, case number */
    WORD_SENSITIVE, /* what people keep private: diagnosis, income */
    WORD_KNOWN      /* what others may know: age, zip code */
} word_kind;

/* Has the name a word of this kind? Words end at other characters and before capitals, accents and
 * case do not matter, and two neighbours may be one word: first_name, zipCode. Whole words only:
 * `age` is not in `language`. */
bool role_words_has(const char *name, word_kind kind);

/* Is it the name of a person's number: person_id, pid, patient, Versichertennummer? Those of cases,
 * visits and accounts are not. */
bool role_words_person(const char *name);

#endif

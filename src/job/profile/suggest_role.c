/* Which role a column probably has: its name says most, its statistics the rest. Where neither
 * says anything it is quasi-identifying, the careful choice. */
#include "job/profile/profile.h"

#include <ctype.h>
#include <string.h>

/* Words of names, in lower case. Direct ones identify whatever the statistics say. */
static const char *const direct[] = {"ssn",      "email",    "mail",     "phone",    "telephone",
                                     "mobile",   "passport", "iban",     "mrn",      "surname",
                                     "lastname", "fullname", "nachname", "forename", "firstname",
                                     "vorname",  NULL};
static const char *const naming[] = {
    "name", "id",   "identifier", "number",  "no",      "nr",     "address", "street",
    "key",  "uuid", "record",     "account", "patient", "person", "code",    NULL};
static const char *const sensitive_words[] = {
    "diagnosis", "disease",   "icd",         "condition", "illness", "salary",  "income",
    "wage",      "treatment", "medication",  "drug",      "hiv",     "result",  "leaning",
    "vote",      "religion",  "orientation", "credit",    "debt",    "offence", "crime",
    "diagnose",  "symptom",   "pregnant",    "balance",   "therapy", NULL};
static const char *const known_words[] = {
    "age",          "sex",      "gender",      "zip",       "zipcode",    "postcode",
    "postal",       "plz",      "birth",       "dob",       "birthday",   "birthdate",
    "born",         "date",     "admitted",    "admission", "discharged", "city",
    "town",         "county",   "state",       "country",   "region",     "nationality",
    "native",       "race",     "ethnicity",   "marital",   "married",    "education",
    "occupation",   "job",      "profession",  "workclass", "employer",   "language",
    "household",    "children", "citizenship", "district",  "year",       "degree",
    "relationship", "location", "area",        NULL};

/* Lists end with NULL. */
static bool among(const char *const *words, const char *word)
{
    for (; *words != NULL; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

/* Takes the next word of a name: letters, cut at other characters and before capitals. */
static const char *next_word(const char *name, char word[32])
{
    size_t length = 0;
    while (*name != '\0' && !isalpha((unsigned char)*name))
        name++;
    bool lower_seen = false;
    for (; isalpha((unsigned char)*name); name++) {
        if (isupper((unsigned char)*name) && lower_seen)
            break;
        lower_seen = lower_seen || islower((unsigned char)*name);
        if (length < 31)
            word[length++] = (char)tolower((unsigned char)*name);
    }
    word[length] = '\0';
    return name;
}

/* Whole words only: `age` must not be found in `language`. */
static bool has_word(const char *name, const char *const *words)
{
    char word[32];
    while (*name != '\0') {
        name = next_word(name, word);
        if (word[0] != '\0' && among(words, word))
            return true;
    }
    return false;
}

static void set_role(column_profile *p, role which, const char *why)
{
    p->role = which;
    p->why = why;
}

/* Values of numbers and dates may all differ and still say nothing but how much, or when. */
static bool is_plain_text(const column_profile *p)
{
    return p->type == KITH_TYPE_STRING && !p->short_date && !p->commas;
}

/* The order is that of trust: words that name people, then what is private, then what is known, and
 * statistics only where the name says nothing. */
void profile_suggest(column_profile *p, uint32_t n_rows)
{
    const char *name = p->column->name;
    double share = n_rows == 0 ? 0 : (double)p->unique / n_rows;
    if (has_word(name, direct) || strcasecmp(name, "name") == 0)
        set_role(p, ROLE_IDENTIFYING, "the name says that it identifies people");
    else if (has_word(name, sensitive_words))
        set_role(p, ROLE_SENSITIVE, "the name says something that people keep private");
    else if (has_word(name, known_words))
        set_role(p, ROLE_QUASI_IDENTIFYING, "the name says something that others may know");
    else if (!p->short_date && p->type != KITH_TYPE_DATE && has_word(name, naming) &&
             p->distinct >= 0.5 * n_rows && n_rows > 0)
        set_role(p, ROLE_IDENTIFYING, "the name and many different values say that it identifies");
    else if (n_rows >= 20 && share >= 0.9 && is_plain_text(p))
        set_role(p, ROLE_IDENTIFYING, "nearly every value is unique");
    else if (p->distinct <= 1 && p->missing == 0)
        set_role(p, ROLE_INSENSITIVE, "all values are the same");
    else
        set_role(p, ROLE_QUASI_IDENTIFYING, "others may know it, as far as can be told from here");
}

#include "job/profile/role_words.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { WORD_BYTES = 40 };

/* Lower case, without accents: ä is a, ß is ss. German words with umlauts are there with "ae", too.
 * Lists end with NULL. */
static const char *const direct[] = {
    /* names */
    "surname", "lastname", "fullname", "familyname", "forename", "firstname", "givenname",
    "nachname", "vorname", "familienname", "rufname", "prenom", "nomfamille", "cognome", "apellido",
    "apellidos", "voornaam", "achternaam",
    /* addresses */
    "email", "mail", "phone", "telephone", "mobile", "fax", "tel", "telefon", "handy", "telefono",
    "telefoon", "address", "adresse", "anschrift", "indirizzo", "direccion", "adres", "ip",
    "ipaddress", "username", "login",
    /* numbers of people and their things */
    "ssn", "passport", "iban", "mrn", "nhs", "nino", "ahv", "ahvnr", "avs", "insee", "nir", "bsn",
    "dni", "nif", "curp", "codicefiscale", "steuernummer", "steuerid", "sozialversicherungsnummer",
    "versichertennummer", "krankenversichertennummer", "ausweisnummer", "kennzeichen",
    "licenseplate", "licenceplate", "creditcard", "kreditkarte", NULL};

static const char *const naming[] = {
    "name",      "id",       "identifier", "ident",    "identificador", "identifiant", "number",
    "no",        "nr",       "num",        "nummer",   "numero",        "key",         "uuid",
    "guid",      "serial",   "record",     "account",  "patient",       "person",      "code",
    "case",      "fall",     "customer",   "client",   "kunde",         "klient",      "member",
    "mitglied",  "employee", "subject",    "proband",  "participant",   "respondent",  "user",
    "street",    "strasse",  "rue",        "calle",    "straat",        "naam",        "nom",
    "nome",      "nombre",   "paziente",   "paciente", "dossier",       "akte",        "konto",
    "insurance", "contract", "matrikel",   NULL};

static const char *const sensitive[] = {
    "diagnosis",  "diagnose",    "diagnoses",  "diagnostic",  "diagnostico", "diagnosi",
    "disease",    "icd",         "condition",  "illness",     "symptom",     "krankheit",
    "erkrankung", "maladie",     "malattia",   "enfermedad",  "ziekte",      "befund",
    "treatment",  "therapy",     "therapie",   "medication",  "medikation",  "medikament",
    "drug",       "behandlung",  "traitement", "trattamento", "tratamiento", "behandeling",
    "hiv",        "result",      "pregnant",   "schwanger",   "enceinte",    "salary",
    "income",     "wage",        "wages",      "gehalt",      "lohn",        "einkommen",
    "salaire",    "revenu",      "revenus",    "stipendio",   "reddito",     "salario",
    "ingreso",    "ingresos",    "sueldo",     "inkomen",     "salaris",     "loon",
    "credit",     "debt",        "balance",    "kredit",      "schulden",    "vermogen",
    "vermoegen",  "leaning",     "vote",       "religion",    "religione",   "konfession",
    "godsdienst", "orientation", "offence",    "crime",       "straftat",    NULL};

static const char *const known[] = {
    /* who */
    "age", "alter", "edad", "eta", "leeftijd", "sex", "gender", "geschlecht", "sexe", "sesso",
    "sexo", "geslacht", "race", "ethnicity", "nationality", "nationalitat", "nationalitaet",
    "staatsangehorigkeit", "staatsangehoerigkeit", "nationalite", "nazionalita", "nacionalidad",
    "nationaliteit", "citizenship", "native", "language", "sprache", "muttersprache", "langue",
    "lingua", "idioma", "taal",
    /* when */
    "birth", "dob", "birthday", "birthdate", "born", "geburtsdatum", "geburtstag", "geburtsjahr",
    "geboren", "gebdat", "naissance", "nascita", "nacimiento", "geboortedatum", "geboortejaar",
    "date", "datum", "fecha", "year", "jahr", "annee", "anno", "jaar", "admitted", "admission",
    "discharged", "aufnahme", "entlassung", "eintritt", "austritt",
    /* where */
    "zip", "zipcode", "postcode", "postal", "plz", "postleitzahl", "city", "town", "county",
    "state", "country", "region", "district", "location", "area", "ort", "wohnort", "stadt",
    "gemeinde", "kanton", "bundesland", "land", "bezirk", "kreis", "landkreis", "ville", "commune",
    "canton", "pays", "departement", "citta", "comune", "provincia", "paese", "ciudad", "municipio",
    "pais", "woonplaats", "gemeente", "provincie",
    /* what */
    "marital", "married", "familienstand", "zivilstand", "etatcivil", "statocivile", "estadocivil",
    "relationship", "household", "haushalt", "menage", "children", "kinder", "enfants", "figli",
    "hijos", "kinderen", "education", "degree", "ausbildung", "bildung", "abschluss",
    "schulabschluss", "istruzione", "educacion", "opleiding", "occupation", "job", "profession",
    "workclass", "employer", "beruf", "arbeitgeber", "metier", "professione", "profesion", "beroep",
    NULL};

/* Whose numbers people have, and what such numbers end with: Kundennummer, patid, caseno. */
static const char *const owners[] = {"pat",         "patient",    "patienten",    "case",
                                     "fall",        "kunden",     "kunde",        "cust",
                                     "customer",    "client",     "klienten",     "member",
                                     "mitglieds",   "mitglied",   "user",         "person",
                                     "personen",    "personal",   "emp",          "employee",
                                     "mitarbeiter", "student",    "matrikel",     "account",
                                     "acct",        "konto",      "versicherten", "versicherungs",
                                     "policy",      "policen",    "order",        "auftrags",
                                     "bestell",     "rechnungs",  "invoice",      "vertrags",
                                     "contract",    "record",     "rec",          "row",
                                     "visit",       "encounter",  "subject",      "subj",
                                     "proband",     "probanden",  "participant",  "teilnehmer",
                                     "resp",        "respondent", "dossier",      "akten",
                                     "p",           "sub",        "steuer",       "haushalts",
                                     "household",   "hh",         "seq",          "doc",
                                     "clienten",    "klant",      "uu",           "gu",
                                     NULL};
static const char *const endings[] = {"id",     "no",  "nr",     "num", "nummer",
                                      "number", "key", "numero", NULL};

/* Persons who have numbers, and what such numbers are called without them. */
static const char *const persons[] = {"person",       "personen",
                                      "persona",      "personne",
                                      "pers",         "p",
                                      "pat",          "patient",
                                      "patienten",    "paziente",
                                      "paciente",     "subject",
                                      "subj",         "sub",
                                      "sujet",        "soggetto",
                                      "sujeto",       "proband",
                                      "probanden",    "participant",
                                      "partecipante", "participante",
                                      "deelnemer",    "teilnehmer",
                                      "resp",         "respondent",
                                      "customer",     "cust",
                                      "client",       "kunde",
                                      "kunden",       "klient",
                                      "klienten",     "clienten",
                                      "klant",        "cliente",
                                      "member",       "mitglied",
                                      "mitglieds",    "employee",
                                      "emp",          "mitarbeiter",
                                      "student",      "versicherten",
                                      "user",         NULL};
static const char *const person_numbers[] = {"ssn",
                                             "mrn",
                                             "nhs",
                                             "nino",
                                             "ahv",
                                             "ahvnr",
                                             "avs",
                                             "insee",
                                             "nir",
                                             "bsn",
                                             "dni",
                                             "nif",
                                             "curp",
                                             "codicefiscale",
                                             "steuernummer",
                                             "steuerid",
                                             "sozialversicherungsnummer",
                                             "versichertennummer",
                                             "krankenversichertennummer",
                                             NULL};

static const char *const *const lists[] = {
    [WORD_DIRECT] = direct,
    [WORD_NAMING] = naming,
    [WORD_SENSITIVE] = sensitive,
    [WORD_KNOWN] = known,
};

static bool among(const char *const *words, const char *word)
{
    for (; *words != NULL; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

static bool owner_with_ending(const char *word, const char *const *who)
{
    size_t length = strlen(word);
    for (const char *const *e = endings; *e != NULL; e++) {
        size_t end = strlen(*e);
        char owner[WORD_BYTES];
        if (length <= end || strcmp(word + length - end, *e) != 0)
            continue;
        memcpy(owner, word, length - end);
        owner[length - end] = '\0';
        if (among(who, owner))
            return true;
    }
    return false;
}

static bool upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* The letter at *name in lower case without accent, *name moved behind it; "" for what is none. */
static const char *next_letter(const char **name, char one[2])
{
    const char *at = *name;
    one[0] = (char)(upper(*at) ? *at | 32 : *at);
    one[1] = '\0';
    if ((unsigned char)at[0] == 0xc3 && ((unsigned char)at[1] & 0xc0) == 0x80) {
        *name += 2;
        /* A letter of Latin-1 in UTF-8 behind its first byte 0xc3, without its accent; "" if
         * none. */
        const unsigned char second = (unsigned char)at[1];
        static const char *const letters[64] = {
            "a", "a", "a", "a", "a", "a", "ae", "c", "e", "e", "e", "e", "i", "i", "i", "i",
            "d", "n", "o", "o", "o", "o", "o",  "",  "o", "u", "u", "u", "u", "y", "",  "ss",
            "a", "a", "a", "a", "a", "a", "ae", "c", "e", "e", "e", "e", "i", "i", "i", "i",
            "d", "n", "o", "o", "o", "o", "o",  "",  "o", "u", "u", "u", "u", "y", "",  "y"};
        return letters[second & 0x3f];
    }
    ++*name;
    return one[0] >= 'a' && one[0] <= 'z' ? one : "";
}

/* Takes the next word of a name; "" at its end. */
static const char *next_word(const char *name, char word[WORD_BYTES])
{
    size_t length = 0;
    bool lower_seen = false;
    word[0] = '\0';
    while (*name != '\0') {
        const char *start = name;
        char one[2];
        bool capital = upper(*name);
        const char *letter = next_letter(&name, one);
        if (letter[0] == '\0' && length > 0)
            return name;
        if (capital && lower_seen)
            return start;
        lower_seen = lower_seen || (letter[0] != '\0' && !capital);
        for (; *letter != '\0' && length + 1 < WORD_BYTES; letter++)
            word[length++] = *letter;
        word[length] = '\0';
    }
    return name;
}

static bool is_word(const char *word, word_kind kind)
{
    return among(lists[kind], word) || (kind == WORD_NAMING && owner_with_ending(word, owners));
}

bool role_words_has(const char *name, word_kind kind)
{
    char word[WORD_BYTES], before[WORD_BYTES] = "", both[2 * WORD_BYTES];
    while (*name != '\0') {
        name = next_word(name, word);
        if (word[0] == '\0')
            break;
        snprintf(both, sizeof both, "%s%s", before, word);
        if (is_word(word, kind) || (strlen(both) < WORD_BYTES && is_word(both, kind)))
            return true;
        snprintf(before, sizeof before, "%s", word);
    }
    return false;
}

/* "patient" and "patid" in one word, or owner and ending in two: person_id, no_patient. */
bool role_words_person(const char *name)
{
    char word[2][WORD_BYTES] = {"", ""}, more[WORD_BYTES], both[2 * WORD_BYTES];
    name = next_word(next_word(name, word[0]), word[1]);
    next_word(name, more);
    if (word[0][0] == '\0' || more[0] != '\0')
        return false;
    if (word[1][0] == '\0')
        return (among(persons, word[0]) && word[0][1] != '\0') || among(person_numbers, word[0]) ||
               owner_with_ending(word[0], persons);
    snprintf(both, sizeof both, "%s%s", word[0], word[1]);
    return among(person_numbers, both) || owner_with_ending(both, persons) ||
           (among(endings, word[0]) && among(persons, word[1]));
}

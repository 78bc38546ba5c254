/* Profile `hospital`: admissions to five sites of one hospital group.
 *
 *   band -> age, job, disease; sex -> name, job, disease; site -> zip; job -> insurance;
 *   disease -> ward, admitted, stay.
 *
 * All names, places and shares are invented. */
#include <stdio.h>

#include "core/text.h"
#include "generate/names.h"
#include "generate/network.h"
#include "generate/studies.h"

enum { BAND, SEX, AGE, SITE, ZIP, JOB, INSURANCE, DISEASE, WARD, ADMITTED, STAY, PID, NAME, NODES };
enum { BANDS = 6, SEXES = 3, AGES = 100, SITES = 5, AREAS = 4, ZIPS = 15, DAYS = 731, STAYS = 60 };
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* A group of ages is drawn first, then an age in it: other variables depend on the group, since
 * tables for single years would be fifteen times as large. */
static const value bands[BANDS] = {
    {"0-14", 8, {0}},   {"15-29", 11, {0}}, {"30-44", 15, {0}},
    {"45-59", 20, {0}}, {"60-74", 26, {0}}, {"75-99", 20, {0}},
};
static const value sexes[SEXES] = {{"female", 507, {0}}, {"male", 488, {0}}, {"diverse", 5, {0}}};
static const value sites[SITES] = {{"north", 30, {0}},
                                   {"south", 25, {0}},
                                   {"east", 18, {0}},
                                   {"west", 15, {0}},
                                   {"centre", 12, {0}}};

static void format_age(uint32_t code, char text[NETWORK_TEXT + 1])
{
    snprintf(text, NETWORK_TEXT + 1, "%u", code);
}

/* Even within a group; from 75 on fewer and fewer are alive. */
static uint32_t weigh_age(uint32_t age, const uint32_t *parents)
{
    uint32_t band = age >= 75 ? 5 : age / 15;
    if (band != parents[0])
        return 0;
    return band < 5 ? 100 : (100 - age) * (100 - age);
}

/* Five digits: the first is the site's, three make an area. */
static void format_zip(uint32_t code, char text[NETWORK_TEXT + 1])
{
    static const uint16_t areas[SITES][AREAS] = {{201, 203, 214, 222},
                                                 {801, 806, 813, 831},
                                                 {401, 404, 417, 429},
                                                 {601, 605, 611, 620},
                                                 {101, 102, 107, 115}};
    uint32_t site = code / (AREAS * ZIPS), area = code / ZIPS % AREAS, place = code % ZIPS;
    snprintf(text, NETWORK_TEXT + 1, "%u%02u", areas[site][area], (place * 7 + 3) % 100);
}

/* Zipf over the places around a site; one patient in twenty comes from elsewhere. */
static uint32_t weigh_zip(uint32_t code, const uint32_t *parents)
{
    uint32_t site = code / (AREAS * ZIPS), place = code % (AREAS * ZIPS);
    uint32_t weight = 600000 / (place + 1);
    return site == parents[0] ? weight : weight / 76;
}

static const value jobs[] = {
    {"clerk", 60, {"administration", "services"}},
    {"accountant", 26, {"administration", "services"}},
    {"civil servant", 34, {"administration", "services"}},
    {"lawyer", 9, {"administration", "services"}},
    {"nurse", 34, {"health", "services"}},
    {"physician", 11, {"health", "services"}},
    {"pharmacist", 5, {"health", "services"}},
    {"carer", 24, {"health", "services"}},
    {"teacher", 32, {"education", "services"}},
    {"kindergarten teacher", 16, {"education", "services"}},
    {"professor", 3, {"education", "services"}},
    {"shop assistant", 48, {"trade", "services"}},
    {"merchant", 16, {"trade", "services"}},
    {"cook", 22, {"hospitality", "services"}},
    {"waiter", 17, {"hospitality", "services"}},
    {"cleaner", 30, {"hospitality", "services"}},
    {"electrician", 22, {"crafts", "production"}},
    {"carpenter", 14, {"crafts", "production"}},
    {"plumber", 12, {"crafts", "production"}},
    {"baker", 9, {"crafts", "production"}},
    {"mechanic", 27, {"industry", "production"}},
    {"machine operator", 33, {"industry", "production"}},
    {"engineer", 24, {"industry", "production"}},
    {"software developer", 20, {"industry", "production"}},
    {"driver", 28, {"transport", "production"}},
    {"pilot", 1, {"transport", "production"}},
    {"farmer", 11, {"agriculture", "production"}},
    {"forester", 2, {"agriculture", "production"}},
    {"pupil", 10, {"in education", "not working"}},
    {"student", 30, {"in education", "not working"}},
    {"retired", 40, {"without work", "not working"}},
    {"homemaker", 30, {"without work", "not working"}},
    {"unemployed", 40, {"without work", "not working"}},
    {"musician", 2, {"arts", "services"}},
    {"writer", 1, {"arts", "services"}},
};
enum { JOB_NURSE = 4, JOB_CARER = 7, JOB_ELECTRICIAN = 16, JOB_DRIVER = 24, JOB_PUPIL = 28 };
enum { JOB_STUDENT = 29, JOB_RETIRED = 30, JOB_HOMEMAKER = 31 };

/* Children go to school, the old are retired, and some jobs are mostly done by one sex. */
static uint32_t weigh_job(uint32_t job, const uint32_t *parents)
{
    static const uint32_t pupil[BANDS] = {4000, 40, 0, 0, 0, 0};
    static const uint32_t student[BANDS] = {0, 60, 4, 1, 0, 0};
    static const uint32_t retired[BANDS] = {0, 0, 0, 2, 120, 1500};
    uint32_t band = parents[0], sex = parents[1], weight = jobs[job].weight * 10;
    if (job == JOB_PUPIL)
        return weight * pupil[band];
    if (band == 0)
        return 0;
    if (job == JOB_STUDENT)
        return weight * student[band] / 10;
    if (job == JOB_RETIRED)
        return weight * retired[band] / 2;
    if (job == JOB_HOMEMAKER || (job >= JOB_NURSE && job <= JOB_CARER))
        return sex == 0 ? weight * 2 : weight / 3;
    if (job >= JOB_ELECTRICIAN && job <= JOB_DRIVER)
        return sex == 1 ? weight * 2 : weight / 3;
    return weight;
}

static const value insurances[] = {
    {"public", 80, {"statutory"}}, {"public with supplement", 10, {"statutory"}},
    {"private", 8, {"other"}},     {"self-paying", 1, {"other"}},
    {"none", 1, {"other"}},
};

/* Well paid jobs are insured privately more often; the numbers are indices into jobs[]. */
static uint32_t weigh_insurance(uint32_t insurance, const uint32_t *parents)
{
    static const char well_paid[] = {1, 2, 3, 5, 6, 10, 12, 22, 23, 25};
    uint32_t weight = insurances[insurance].weight * 10;
    for (size_t i = 0; i < sizeof well_paid; i++)
        if (parents[0] == (uint32_t)well_paid[i])
            return insurance == 2 ? weight * 8 : insurance == 1 ? weight * 2 : weight / 2 + 1;
    return weight;
}

/* What a disease brings along: how its share changes with age (per cent, by band) and sex, where it
 * is treated, how long it keeps people, and in which season it comes. */
typedef struct course {
    uint16_t age[BANDS];
    uint16_t sex[SEXES];
    uint8_t ward, stay, season; /* season: 0 all year, 1 winter, 2 summer */
} course;
enum {
    MEDICINE,
    CARDIOLOGY,
    SURGERY,
    ORTHOPAEDICS,
    NEUROLOGY,
    PAEDIATRICS,
    GYNAECOLOGY,
    ONCOLOGY,
    PSYCHIATRY,
    INTENSIVE
};

static const value wards[] = {
    {"medicine", 1, {0}},       {"cardiology", 1, {0}}, {"surgery", 1, {0}},
    {"orthopaedics", 1, {0}},   {"neurology", 1, {0}},  {"paediatrics", 1, {0}},
    {"gynaecology", 1, {0}},    {"oncology", 1, {0}},   {"psychiatry", 1, {0}},
    {"intensive care", 1, {0}},
};

static const value diseases[] = {
    {"hypertension", 300, {"circulatory", "internal"}},
    {"heart failure", 260, {"circulatory", "internal"}},
    {"influenza", 230, {"respiratory", "internal"}},
    {"pneumonia", 210, {"respiratory", "internal"}},
    {"gastroenteritis", 180, {"digestive", "internal"}},
    {"osteoarthritis", 170, {"musculoskeletal", "locomotor"}},
    {"type 2 diabetes", 160, {"metabolic", "internal"}},
    {"hip fracture", 130, {"injury", "locomotor"}},
    {"concussion", 120, {"injury", "locomotor"}},
    {"appendicitis", 110, {"digestive", "internal"}},
    {"gallstones", 105, {"digestive", "internal"}},
    {"asthma", 100, {"respiratory", "internal"}},
    {"stroke", 100, {"nervous system", "nerves and mind"}},
    {"heart attack", 95, {"circulatory", "internal"}},
    {"depression", 90, {"mental", "nerves and mind"}},
    {"breast cancer", 80, {"tumour", "growths"}},
    {"prostate cancer", 75, {"tumour", "growths"}},
    {"wrist fracture", 75, {"injury", "locomotor"}},
    {"back pain", 70, {"musculoskeletal", "locomotor"}},
    {"bronchitis", 65, {"respiratory", "internal"}},
    {"colon cancer", 55, {"tumour", "growths"}},
    {"epilepsy", 45, {"nervous system", "nerves and mind"}},
    {"alcohol dependence", 42, {"mental", "nerves and mind"}},
    {"endometriosis", 38, {"reproductive", "internal"}},
    {"kidney stones", 36, {"urinary", "internal"}},
    {"hernia", 34, {"digestive", "internal"}},
    {"migraine", 30, {"nervous system", "nerves and mind"}},
    {"tonsillitis", 28, {"respiratory", "internal"}},
    {"lung cancer", 26, {"tumour", "growths"}},
    {"anxiety disorder", 24, {"mental", "nerves and mind"}},
    {"hepatitis", 14, {"infection", "internal"}},
    {"hiv infection", 10, {"infection", "internal"}},
    {"schizophrenia", 9, {"mental", "nerves and mind"}},
    {"tuberculosis", 7, {"infection", "internal"}},
    {"multiple sclerosis", 6, {"nervous system", "nerves and mind"}},
    {"type 1 diabetes", 6, {"metabolic", "internal"}},
    {"malaria", 3, {"infection", "internal"}},
    {"cystic fibrosis", 2, {"metabolic", "internal"}},
    {"haemophilia", 1, {"metabolic", "internal"}},
    {"huntington disease", 1, {"nervous system", "nerves and mind"}},
};

/* In the order of diseases[]. */
static const course courses[COUNT(diseases)] = {
    {{0, 10, 60, 150, 150, 130}, {95, 105, 100}, CARDIOLOGY, 3, 0},
    {{1, 5, 20, 80, 160, 260}, {95, 105, 100}, CARDIOLOGY, 8, 0},
    {{150, 80, 80, 80, 110, 160}, {100, 100, 100}, MEDICINE, 4, 1},
    {{100, 40, 50, 70, 130, 220}, {95, 110, 100}, MEDICINE, 7, 1},
    {{320, 140, 90, 70, 70, 90}, {100, 100, 100}, MEDICINE, 3, 2},
    {{0, 5, 25, 110, 190, 170}, {125, 75, 100}, ORTHOPAEDICS, 7, 0},
    {{1, 10, 50, 120, 160, 140}, {90, 110, 100}, MEDICINE, 5, 0},
    {{5, 10, 15, 40, 120, 360}, {140, 60, 100}, ORTHOPAEDICS, 12, 1},
    {{380, 230, 90, 60, 50, 70}, {80, 120, 100}, SURGERY, 2, 2},
    {{260, 270, 110, 60, 40, 25}, {90, 110, 100}, SURGERY, 3, 0},
    {{5, 60, 120, 140, 120, 90}, {135, 65, 100}, SURGERY, 4, 0},
    {{330, 130, 80, 70, 70, 60}, {105, 95, 100}, MEDICINE, 4, 1},
    {{3, 10, 30, 80, 150, 240}, {92, 108, 100}, NEUROLOGY, 11, 0},
    {{0, 5, 40, 130, 160, 150}, {55, 145, 100}, CARDIOLOGY, 6, 0},
    {{20, 170, 170, 150, 60, 40}, {130, 70, 180}, PSYCHIATRY, 24, 1},
    {{0, 10, 90, 160, 140, 100}, {199, 1, 60}, GYNAECOLOGY, 6, 0},
    {{0, 0, 5, 70, 210, 160}, {0, 200, 60}, ONCOLOGY, 7, 0},
    {{230, 90, 60, 80, 110, 130}, {115, 85, 100}, ORTHOPAEDICS, 2, 1},
    {{5, 70, 140, 150, 100, 60}, {100, 100, 100}, ORTHOPAEDICS, 4, 0},
    {{190, 50, 50, 70, 120, 150}, {95, 105, 100}, MEDICINE, 4, 1},
    {{0, 5, 30, 90, 170, 190}, {90, 110, 100}, ONCOLOGY, 9, 0},
    {{230, 130, 80, 70, 80, 90}, {95, 105, 100}, NEUROLOGY, 4, 0},
    {{1, 90, 180, 190, 70, 10}, {45, 155, 100}, PSYCHIATRY, 13, 0},
    {{2, 260, 260, 60, 1, 0}, {200, 0, 60}, GYNAECOLOGY, 3, 0},
    {{5, 80, 150, 150, 100, 50}, {70, 130, 100}, SURGERY, 3, 2},
    {{130, 50, 80, 120, 120, 90}, {30, 170, 100}, SURGERY, 2, 0},
    {{60, 190, 180, 110, 40, 15}, {150, 50, 100}, NEUROLOGY, 2, 0},
    {{360, 230, 70, 30, 10, 5}, {105, 95, 100}, SURGERY, 4, 1},
    {{0, 2, 20, 110, 200, 130}, {80, 120, 100}, ONCOLOGY, 9, 0},
    {{60, 210, 180, 100, 40, 25}, {135, 65, 180}, PSYCHIATRY, 16, 0},
    {{30, 100, 150, 140, 80, 50}, {80, 120, 100}, MEDICINE, 6, 0},
    {{3, 140, 220, 130, 30, 5}, {45, 155, 150}, MEDICINE, 8, 0},
    {{3, 250, 200, 90, 40, 15}, {85, 115, 100}, PSYCHIATRY, 28, 0},
    {{50, 120, 120, 100, 90, 110}, {75, 125, 100}, MEDICINE, 18, 0},
    {{3, 160, 240, 120, 30, 5}, {145, 55, 100}, NEUROLOGY, 6, 0},
    {{380, 160, 70, 40, 20, 10}, {95, 105, 100}, MEDICINE, 5, 0},
    {{60, 160, 160, 100, 60, 20}, {70, 130, 100}, MEDICINE, 5, 2},
    {{350, 200, 50, 5, 1, 0}, {100, 100, 100}, PAEDIATRICS, 12, 0},
    {{260, 150, 90, 50, 30, 20}, {4, 196, 100}, MEDICINE, 5, 0},
    {{1, 30, 170, 200, 80, 20}, {100, 100, 100}, NEUROLOGY, 15, 0},
};

/* At most 300 x 380 x 200, and the sum over all diseases stays below the 2^32 that alias_build
 * allows. */
static uint32_t weigh_disease(uint32_t disease, const uint32_t *parents)
{
    const course *c = &courses[disease];
    return diseases[disease].weight * c->age[parents[0]] * c->sex[parents[1]];
}

/* Nine in ten lie where their disease belongs; children go to paediatrics as far as they can. */
static uint32_t weigh_ward(uint32_t ward, const uint32_t *parents)
{
    const course *c = &courses[parents[0]];
    bool child = parents[1] == 0;
    if (ward == PAEDIATRICS)
        return child ? 900 : c->ward == PAEDIATRICS && parents[1] == 1 ? 300 : 0;
    if (ward == c->ward)
        return child ? 60 : 900;
    return ward == INTENSIVE ? 40 : ward == MEDICINE ? (child ? 10 : 60) : 0;
}

static int64_t first_day(void)
{
    return text_days(2023, 1, 1);
}

static void format_day(uint32_t code, char text[NETWORK_TEXT + 1])
{
    int64_t year;
    unsigned month, day;
    text_civil(first_day() + code, &year, &month, &day);
    snprintf(text, NETWORK_TEXT + 1, "%04u-%02u-%02u", (unsigned)year % 10000, month % 100,
             day % 100);
}

/* Few are admitted at weekends, many on Mondays, and some diseases have a season. */
static uint32_t weigh_day(uint32_t code, const uint32_t *parents)
{
    int64_t year;
    unsigned month, day;
    text_civil(first_day() + code, &year, &month, &day);
    uint32_t weekday = (code + 6) % 7; /* 2023-01-01 was a Sunday: 6 */
    uint32_t weight = weekday >= 5 ? 60 : weekday == 0 ? 130 : 100;
    uint8_t season = courses[parents[0]].season;
    bool winter = month <= 3 || month == 12, summer = month >= 6 && month <= 8;
    if (season == 1)
        return winter ? weight * 4 : summer ? weight : weight * 2;
    if (season == 2)
        return summer ? weight * 4 : winter ? weight : weight * 2;
    return weight * 2;
}

static void format_stay(uint32_t code, char text[NETWORK_TEXT + 1])
{
    snprintf(text, NETWORK_TEXT + 1, "%u", code + 1);
}

/* A hump around the disease's usual stay with a heavy tail; the old stay longer. */
static uint32_t weigh_stay(uint32_t code, const uint32_t *parents)
{
    uint32_t days = code + 1;
    uint32_t usual = courses[parents[0]].stay * (8 + parents[1]) / 10 + 1;
    uint32_t away = days > usual ? days - usual : 2 * (usual - days);
    uint32_t scaled = 10 * away * away / usual;
    return 4000000 / (10 + scaled * (2 + scaled / 20));
}

static const node nodes[NODES] = {
    [BAND] = {.name = "band", .count = BANDS, .values = bands},
    [SEX] = {.name = "sex", .count = SEXES, .values = sexes},
    [AGE] = {.name = "age",
             .count = AGES,
             .format = format_age,
             .weight = weigh_age,
             .n_parents = 1,
             .parents = {BAND}},
    [SITE] = {.name = "site", .count = SITES, .values = sites},
    [ZIP] = {.name = "zip",
             .count = SITES * AREAS * ZIPS,
             .format = format_zip,
             .weight = weigh_zip,
             .n_parents = 1,
             .parents = {SITE},
             .missing = 120},
    [JOB] = {.name = "job",
             .count = COUNT(jobs),
             .values = jobs,
             .weight = weigh_job,
             .n_parents = 2,
             .parents = {BAND, SEX},
             .missing = 250},
    [INSURANCE] = {.name = "insurance",
                   .count = COUNT(insurances),
                   .values = insurances,
                   .weight = weigh_insurance,
                   .n_parents = 1,
                   .parents = {JOB},
                   .missing = 180},
    [DISEASE] = {.name = "disease",
                 .count = COUNT(diseases),
                 .values = diseases,
                 .weight = weigh_disease,
                 .n_parents = 2,
                 .parents = {BAND, SEX}},
    [WARD] = {.name = "ward",
              .count = COUNT(wards),
              .values = wards,
              .weight = weigh_ward,
              .n_parents = 2,
              .parents = {DISEASE, BAND}},
    [ADMITTED] = {.name = "admitted",
                  .count = DAYS,
                  .format = format_day,
                  .weight = weigh_day,
                  .n_parents = 1,
                  .parents = {DISEASE}},
    [STAY] = {.name = "stay",
              .count = STAYS,
              .format = format_stay,
              .weight = weigh_stay,
              .n_parents = 2,
              .parents = {DISEASE, BAND}},
    [PID] = {.name = "pid", .kind = NODE_SERIAL, .count = 1},
    [NAME] = {.name = "name",
              .count = NAMES,
              .format = names_format,
              .weight = names_weigh,
              .n_parents = 1,
              .parents = {SEX}},
};
static const uint8_t columns[] = {PID,      NAME, AGE,  SEX,     ZIP,  JOB,
                                  ADMITTED, SITE, WARD, DISEASE, STAY, INSURANCE};
static const hierarchy_file hierarchies[] = {{"hospital-job.csv", JOB},
                                             {"hospital-insurance.csv", INSURANCE},
                                             {"hospital-disease.csv", DISEASE}};

const profile profile_hospital = {
    .name = "hospital",
    .summary = "hospital admissions: 12 columns, disease is sensitive",
    .nodes = nodes,
    .n_nodes = NODES,
    .columns = columns,
    .n_columns = COUNT(columns),
    .hierarchies = hierarchies,
    .n_hierarchies = COUNT(hierarchies),
    .study = study_hospital,
};

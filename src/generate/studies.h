/* The study of each profile, embedded from <profile>.yaml; no 0 follows the text. */
#ifndef GENERATE_STUDIES_H
#define GENERATE_STUDIES_H

#include <stddef.h>

extern const char study_hospital[], study_adult[], study_survey[];
extern const size_t study_hospital_length, study_adult_length, study_survey_length;

#endif

/* The YAML text of each profile's study, without the comment that names the files. */
#ifndef GENERATE_STUDIES_H
#define GENERATE_STUDIES_H

extern const char study_hospital[], study_adult[], study_survey[];

#endif

/* The verbs of kith study that have files of their own. */
#ifndef CMD_STUDY_H
#define CMD_STUDY_H

int cmd_study_digest(int argc, char **argv);
int cmd_study_join(int argc, char **argv);

#endif

/* How the mean of a class is written, where a study releases means instead of labels. Plain
 * definitions: job/result/class_means applies them, and the verifier computes it anew from the same
 * words.
 *
 * The decimals of a column are the largest number of digits behind the decimal mark among its
 * values, after the study's changes; dropped rows do not count. A mean is rounded to a multiple of
 * 10^-decimals, halves up, and shows exactly so many decimals. A column of whole numbers is rounded
 * to MEAN_FORM_WHOLE decimals, and zeros at the end are left out, with the mark if nothing follows
 * it. The decimal mark is that of the column, digits are not grouped, and zero has no sign.
 *
 * Rounding keeps the order, and every value of the column is a multiple: so the mean of values
 * between a and b is shown as a number between a and b, and classes that show the same mean show it
 * together, too. */
#ifndef TABLE_MEAN_FORM_H
#define TABLE_MEAN_FORM_H

enum {
    MEAN_FORM_WHOLE = 2,
    MEAN_FORM_DIGITS = 15, /* of a decimal, all of them times 10^decimals: what a double keeps */
    MEAN_FORM_BYTES = 48   /* room for one, with its end */
};

#endif

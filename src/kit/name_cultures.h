/* name_cultures.h: what the names of each culture are made of; see names.c. */
#ifndef MAPWRIGHT_NAME_CULTURES_H
#define MAPWRIGHT_NAME_CULTURES_H

/* Lists end with NULL. Initials, links and medials have consonants alone, vowels have vowels alone;
   an ending begins with vowels and may go on with consonants. No list has the same text twice. */
struct name_culture {
    const char *const *initials, *const *vowels, *const *links, *const *medials, *const *endings;
    const char *const *impossible; /* sequences of letters that the language does not have */
    int long_of_8;                 /* so many of eight names have three syllables, not two */
};

enum { NAME_CULTURES = 6 };
extern const struct name_culture name_cultures[NAME_CULTURES];

/* Offensive words of five languages, in alphabetical order; NULL last. */
extern const char *const name_blocklist[];

#endif

/* name_cultures.h: what the names of each culture are made of; see names.c. */
#ifndef MAPWRIGHT_NAME_CULTURES_H
#define MAPWRIGHT_NAME_CULTURES_H

/* Lists of texts with a space between them. Initials, links and medials have consonants alone,
   vowels have vowels alone; an ending begins with vowels and may go on with consonants. No list has
   the same text twice. */
struct name_culture {
    const char *initials, *vowels, *links, *medials, *endings;
    const char *impossible; /* sequences of letters that the language does not have */
    int long_of_8;          /* so many of eight names have three syllables, not two */
};

enum { NAME_CULTURES = 6 };
extern const struct name_culture name_cultures[NAME_CULTURES];

/* Offensive words of five languages, by their first letter. */
extern const char *const name_blocklist[26];

#endif

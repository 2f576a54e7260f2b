/* assert.h: a module asserts nothing. */
#define assert(invariant) ((void)0)
#define static_assert _Static_assert

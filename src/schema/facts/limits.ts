/**
 * Maximum size of a request body, in bytes (platform/concepts.limits): above the largest record that the rules allow
 * (200 members, 150 routes of a port). One thread reads, checks and stores a body, so larger ones would make all other
 * clients wait.
 */
export const maxBodyBytes = 1024 * 1024;
/** Space for a megabyte of secret data in any encoding (platform/concepts.limits). */
export const maxSecretBytes = 2 * 1024 * 1024;
/** Deeper nesting is useless and overflows the stack of recursive functions. */
export const maxBodyDepth = 100;
export const maxBodyValues = 10_000;
export const maxListItems = 1_000;
export const maxObjectMembers = 1_000;

/**
 * Maximum characters of a schedule (platform/concepts.quantities): one that lists every value of its five fields has
 * 500.
 */
export const longestSchedule = 1_000;

/** Bytes of one GB of capacity (platform/volumeset.classes). */
export const bytesPerGb = 1e9;

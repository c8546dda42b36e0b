/**
 * Answers to questions that no document answers, or that they leave open: each with its section and our reason.
 * Append here; never hide a choice in code.
 */

/** Resources B2.4: the host of the own registry is `{org}.<this>`; images there are stored as links. Named nowhere. */
export const ownRegistryHost = 'registry.local';

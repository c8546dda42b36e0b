/**
 * Answers to questions that no document answers, or that they leave open: each with its section and our reason.
 * Append here; never hide a choice in code.
 */

/** Resources B2.4: the host of the own registry is `{org}.<this>`; images there are stored as links. Named nowhere. */
export const ownRegistryHost = 'registry.local';

/**
 * Specification 4.2 does not say what `$drop` does with a name that the object does not hold: it is ignored, as an
 * unknown string of `$drop/<list>` is (protocol 4.1). A required field that is dropped is found by the validation of
 * the whole record. Read by `patch/applyPatch.ts`, together with the next four.
 */
export const dropOfAbsentFieldIsIgnored = true;

/**
 * Specification 4.2 lets any object of a patch carry directives, but not what they mean in a new object (an item of a
 * plain list, of `$append`, or below `$replace/`): it is merged into an empty one. Free-form JSON is taken to the
 * letter there, so that a `null` or a `$key` in it can be written at all.
 */
export const newObjectsAreMergedIntoNothing = true;

/** Protocol 4.1: list directives on a list that is absent work on an empty one; it stays absent if nothing is added. */
export const absentListIsEmpty = true;

/** Protocol 4.3: where several items have the same key, `$drop` and `$retain` mean all of them, `$patch` is a 400. */
export const patchOfAmbiguousKeyIsRefused = true;

/** Protocol 4.1: an item of `$append` without a key (a route without prefix) is added; only equal keys are refused. */
export const appendWithoutKeyIsAdded = true;

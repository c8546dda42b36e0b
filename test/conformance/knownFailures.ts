/**
 * The names of tests that the platform does not pass yet. Their rows print FAIL. The run expects them to fail, so that
 * a repaired one is noticed and must be removed here.
 */
export const knownFailures: readonly string[] = [];

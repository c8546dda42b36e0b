/**
 * Tests that the platform does not pass yet, by name. Their rows print FAIL; the run expects them to fail, so that one
 * which has been repaired shows up, and has to leave this list.
 */
export const knownFailures: readonly string[] = [];

import { describe } from 'vitest';
import { reasonToSkip } from './terraform.ts';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`skipped: ${skipped}`);

/**
 * Tests with the real terraform; skipped if it is not installed. With `{ shuffle: false }` each test begins with the
 * state of the test before it.
 */
export const describeTerraform = describe.skipIf(skipped !== undefined);

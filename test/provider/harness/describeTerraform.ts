import { describe } from 'vitest';
import { reasonToSkip } from './terraform.ts';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`skipped: ${skipped}`);

/**
 * What the real terraform does; left out where there is none.
 * With `{ shuffle: false }` each test begins with the state that the one before it has left.
 */
export const describeTerraform = describe.skipIf(skipped !== undefined);

// The entry `gantry/testing/vitest`: import it in a test, or name it in `setupFiles`.

import { expect } from 'vitest';
import { type GantryMatchers, matchers } from '../../testing.ts';

expect.extend(matchers);

declare module 'vitest' {
  interface Matchers<T> extends GantryMatchers<T> {}
}

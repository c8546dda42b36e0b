// The entry `gantry/testing/vitest`: import it in a test, or name it in `setupFiles`.

import { expect } from 'vitest';
import { type GantryMatchers, matchers } from '../testing.ts';

expect.extend(matchers);

declare global {
  namespace Chai {
    // The interface `Matchers` of vitest has other type parameters in each version; what `expect()` returns is of Chai.
    interface Assertion extends GantryMatchers<void> {}
  }
}

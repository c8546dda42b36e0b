// The entry `gantry/testing/vitest`: import it in a test, or name it in `setupFiles`.

import { expect } from 'vitest';
import { type GantryMatchers, matchers } from '../testing.ts';

expect.extend(matchers);

declare global {
  namespace Chai {
    // vitest's interface `Matchers` has other type parameters in each version; `expect()` returns a type of Chai.
    interface Assertion extends GantryMatchers<void> {}
  }
}

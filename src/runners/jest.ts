// The entry `gantry/testing/jest`, for jest with its globals: name it in `setupFilesAfterEnv`.

import { type GantryMatchers, matchers } from '../testing.ts';
import { extend } from './extendOther.ts';

extend(Reflect.get(globalThis, 'expect'), matchers);

declare global {
  namespace jest {
    interface Matchers<R> extends GantryMatchers<R> {}
  }
}

import '@jest/globals';
import type { GantryMatchers } from '../testing.ts';

declare module '@jest/expect' {
  interface Matchers<R> extends GantryMatchers<R> {}
}

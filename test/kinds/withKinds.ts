import { afterAll, beforeAll } from 'vitest';
import { type CustomKinds, defineCustomKinds } from '../../src/schema/record/customKinds.ts';

/** Custom kinds for the tests of one file: test files share their process, so other files must not see them. */
export function withKinds(kinds: CustomKinds = {}): void {
  beforeAll(() => {
    forgetKinds();
    defineCustomKinds(kinds);
  });
  afterAll(forgetKinds);
}

/** As in a new process. */
export function forgetKinds(): void {
  Reflect.deleteProperty(globalThis, Symbol.for('gantry.customKinds'));
}

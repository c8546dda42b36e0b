import { Construct } from 'constructs';
import { expect, inject, test } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The version of `constructs` of a project in vitest.config.ts. */
    readonly constructs: string;
  }
}

test('these tests run with the version of constructs that the project names', () => {
  const about: unknown = Reflect.get(Construct, Symbol.for('jsii.rtti'));
  expect(Object(about).version).toMatch(inject('constructs') ?? '10.8.1');
});

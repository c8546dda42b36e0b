import type { Verdict } from '../testing.ts';

type Matcher = (...args: never[]) => Verdict | Promise<Verdict>;

/** Adds matchers to an `expect` whose types are not known here. */
export function extend(expect: unknown, matchers: Readonly<Record<string, Matcher>>): void {
  const add: unknown = typeof expect === 'function' ? Reflect.get(expect, 'extend') : undefined;
  if (typeof add !== 'function')
    throw new Error('there is no expect() of jest here: name this module in setupFilesAfterEnv');
  Reflect.apply(add, expect, [matchers]);
}

// The entry `gantry/testing/jest-globals`, for jest with `import { expect } from '@jest/globals'`. Its types are in
// `jestGlobalsTypes.d.ts`, because they belong to a package that is not installed here.

import { matchers } from '../testing.ts';
import { extend } from './extendOther.ts';

const jestGlobals: string = '@jest/globals';
const { expect }: { readonly expect: unknown } = await import(jestGlobals);
extend(expect, matchers);

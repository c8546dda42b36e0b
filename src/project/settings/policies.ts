import { resolve } from 'node:path';
import type { Reader } from '../../base/form/read.ts';
import type { JsonValue } from '../../base/json/json.ts';
import type { Locate } from '../../manifest/model/manifest.ts';

/** `policies` of `gantry.yaml`, as it is written: it is read when policies are asked. */
export interface WrittenPolicies {
  readonly value: JsonValue;
  /** By pointers into the whole file. */
  readonly locate: Locate;
}

/** `src/policies/settings/` reads it, and knows its schema. */
export const policies: Reader<WrittenPolicies> = {
  schema: {},
  read(value, at) {
    const { file = '', folder = '', locate } = at.source;
    const otherwise = { file: resolve(folder, file), line: 1, column: 1 };
    return { value, locate: locate ?? (() => otherwise) };
  },
};

import { isObject, type JsonObject, own } from '../base/json/json.ts';
import { hiddenField } from '../kinds/kindFacts.ts';
import type { Kind } from '../schema/record/kinds.ts';
import type { Problem } from '../schema/record/problem.ts';

interface Declared {
  readonly ref: { readonly kind: Kind };
  readonly record: JsonObject;
}

/**
 * A problem about a key in the data of a secret, without the key if that may be a value without its quotes or colon:
 * `data: {hunter2}`.
 */
export function withoutSecretKey(problem: Problem, { ref, record }: Declared): Problem {
  const [field, key] = problem.pointer;
  if (field === undefined || field !== hiddenField(ref.kind) || typeof key !== 'string') return problem;
  const data = own(record, field);
  if (!isObject(data) || !Object.hasOwn(data, key)) return problem; // a missing key
  if (data[key] !== null && /^[-.\w]{1,64}$/.test(key)) return problem;
  return {
    ...problem,
    path: field,
    pointer: [field],
    message: 'this is not a key with a value; it is not shown, because it may be a secret value',
    hint: 'Write KEY: VALUE, and put values with special characters in quotes.',
  };
}

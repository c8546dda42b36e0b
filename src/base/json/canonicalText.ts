import { isArray, isObject } from './json.ts';

/** A text that is equal for equal data, regardless of key order and layout. */
export function canonicalText(value: unknown): string {
  if (isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${members.join(',')}}`;
}

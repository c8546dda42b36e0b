import { isArray, isObject } from '../../schema/json/json.ts';

/** The same text for the same data, in whatever order its keys stand and however it is laid out. */
export function canonicalText(value: unknown): string {
  if (isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${members.join(',')}}`;
}

import { isArray, isObject, type JsonValue } from './json.ts';

/** Is it a text that platforms show in the place of a secret one: `***`, `[redacted]`, `sha256:…`? */
export function isMaskText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && (stars.test(value) || word.test(value) || digest.test(value));
}

const stars = /[*\u2022\u25cf]{3}|^(?:x{4,}|X{4,}|#{3,}|-{3,}|\.{3,})$/;
const digest = /^(?:sha-?\d+|md5|hmac)[^a-z0-9]/i;
const word =
  /^[\s[(<{]*(?:redacted|masked|hidden|sensitive|secret|concealed|protected|removed|omitted|confidential)[\s\])>}]*$/i;

/** Is there nothing but masks in it, and at least one? An empty text, which may be the value, is none. */
export function isOnlyMasks(value: JsonValue): boolean {
  const leaves = leavesOf(value);
  return leaves.length > 0 && leaves.every(isMaskText);
}

/** May anything in it be a mask, or is something missing from it? */
export function mayBeMasked(value: JsonValue): boolean {
  const leaves = leavesOf(value);
  return (
    leaves.length === 0 ||
    leaves.some((leaf) => leaf === '' || typeof leaf === 'boolean' || leaf === null || isMaskText(leaf))
  );
}

function leavesOf(value: JsonValue): readonly JsonValue[] {
  if (isArray(value)) return value.flatMap(leavesOf);
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : [value];
}

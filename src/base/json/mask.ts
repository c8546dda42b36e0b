import { isArray, isObject, type JsonObject, type JsonValue, sameJson } from './json.ts';

/** The mask of a sensitive value. In memory only this object is the mask, so that a similar value is not. */
export const masked: JsonObject = Object.freeze({ sensitive: true });

/** Whether it is a mask, or a copy of one read from a file. */
export function isMasked(value: JsonValue | undefined): boolean {
  return value === masked || sameJson(value, masked);
}

/** Whether the value contains the mask itself. */
export function holdsMaskItself(value: JsonValue): boolean {
  if (isArray(value)) return value.some(holdsMaskItself);
  return isObject(value) && (value === masked || Object.values(value).some(holdsMaskItself));
}

/** Whether it is a text that platforms show instead of a secret one: `***`, `[redacted]`, `sha256:…`. */
export function isMaskText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && (stars.test(value) || word.test(value) || digest.test(value));
}

const stars = /[*\u2022\u25cf]{3}|^(?:x{4,}|X{4,}|#{3,}|-{3,}|\.{3,})$/;
const digest = /^(?:sha-?\d+|md5|hmac)[^a-z0-9]/i;
const word =
  /^[\s[(<{]*(?:redacted|masked|hidden|sensitive|secret|concealed|protected|removed|omitted|confidential)[\s\])>}]*$/i;

/** Whether it contains only masks, and at least one. An empty text is not a mask: it may be the value. */
export function isOnlyMasks(value: JsonValue): boolean {
  const leaves = leavesOf(value);
  return leaves.length > 0 && leaves.every(isMaskText);
}

/** Whether a part of it may be masked or missing. */
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

import { isArray, isObject, type JsonObject, type JsonValue, sameJson } from './json.ts';

/** The mask of a sensitive value. In memory it is this very object, so that a value that looks like it is no mask. */
export const masked: JsonObject = Object.freeze({ sensitive: true });

/** A mask, or what one became in a file. */
export function isMasked(value: JsonValue | undefined): boolean {
  return value === masked || sameJson(value, masked);
}

/** Is the mask itself anywhere in the value? */
export function holdsMaskItself(value: JsonValue): boolean {
  if (isArray(value)) return value.some(holdsMaskItself);
  return isObject(value) && (value === masked || Object.values(value).some(holdsMaskItself));
}

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

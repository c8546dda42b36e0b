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

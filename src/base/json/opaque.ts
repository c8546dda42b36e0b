/**
 * The class of an object whose content is not in its fields, such as a Promise, a Map or a Set: read as data it would
 * be `{}`. Undefined if it can be read.
 */
export function opaqueClass(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length > 0) return;
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return name === 'Object' ? undefined : name;
}

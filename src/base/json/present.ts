type Present<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Without the members that are undefined. */
export function present<T extends object>(object: T): Present<T> {
  const result: Present<T> = {};
  for (const key in object) {
    const value = object[key];
    if (isDefined(value)) Object.assign(result, { [key]: value });
  }
  return result;
}

function isDefined<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}

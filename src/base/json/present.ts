type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Removes undefined members: `{ name, ...present({ gvc, status }) }`. */
export function present<T extends object>(object: T): Readonly<Present<T>> {
  const result: Present<T> = {};
  for (const key in object) {
    const value = object[key];
    if (isDefined(value)) result[key] = value;
  }
  return result;
}

export function isDefined<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}

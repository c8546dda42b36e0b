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

/** Removes empty texts and lists, and undefined members: `{ name, ...nonEmpty({ notes }) }`. */
export function nonEmpty<T extends Readonly<Record<keyof T, string | readonly unknown[] | undefined>>>(
  object: T,
): Readonly<Present<T>> {
  const result: Present<T> = { ...present(object) };
  for (const key in result) if (result[key]?.length === 0) delete result[key];
  return result;
}

/** Removes undefined items, or results: `compact([name, gvc])`, `compact(ids, (id) => found.get(id))`. */
export function compact<T>(items: readonly (T | undefined)[]): T[];
export function compact<Item, T>(items: readonly Item[], of: (item: Item, index: number) => T | undefined): T[];
export function compact(items: readonly unknown[], of?: (item: unknown, index: number) => unknown): unknown[] {
  return (of === undefined ? items : items.map(of)).filter(isDefined);
}

export function isDefined<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}

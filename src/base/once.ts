/** Creates the value lazily, and only once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The same for each argument. @param most - Maximum number of cached arguments; one more clears the cache. */
export function onceFor<Argument, T>(
  make: (argument: Argument) => T,
  most = Number.POSITIVE_INFINITY,
): (argument: Argument) => T {
  const made = new Map<Argument, { readonly value: T }>();
  return (argument) => {
    const before = made.get(argument);
    if (before !== undefined) return before.value;
    const value = make(argument);
    if (made.size >= most) made.clear();
    made.set(argument, { value });
    return value;
  };
}

/** The same for each object, until it is garbage-collected. */
export function onceForObject<Argument extends object, T>(make: (argument: Argument) => T): (argument: Argument) => T {
  const made = new WeakMap<Argument, { readonly value: T }>();
  return (argument) => {
    const before = made.get(argument);
    if (before !== undefined) return before.value;
    const value = make(argument);
    made.set(argument, { value });
    return value;
  };
}

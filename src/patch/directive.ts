/** The directives on lists (platform/patch.directives). */
const listDirectives = ['$retain', '$drop', '$patch', '$append'] as const;
export type ListDirective = (typeof listDirectives)[number];

export type Directive =
  /** `$drop`: removes fields of the object that contains it. */
  | { readonly name: '$drop-fields' }
  | { readonly name: '$replace'; readonly field: string }
  | { readonly name: ListDirective; readonly field: string };

/** Keys that begin with `$` are directives or mistakes, never field names. */
export function isReserved(key: string): boolean {
  return key.startsWith('$');
}

/**
 * Undefined if the platform has no such directive. The field is the text after the first `/`, including further ones.
 */
export function parseDirective(key: string): Directive | undefined {
  if (key === '$drop') return { name: '$drop-fields' };
  const slash = key.indexOf('/');
  if (slash < 0) return undefined;
  const field = key.slice(slash + 1);
  if (isReserved(field)) return undefined;
  const word = key.slice(0, slash);
  if (word === '$replace') return { name: '$replace', field };
  const name = listDirectives.find((each) => each === word);
  return name === undefined ? undefined : { name, field };
}

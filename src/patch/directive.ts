/** The words of the directive language (platform/patch.directives). */
const listDirectives = ['$retain', '$drop', '$patch', '$append'] as const;
export type ListDirective = (typeof listDirectives)[number];

export type Directive =
  /** `$drop`: removes fields of the object that carries it. */
  | { readonly name: '$drop-fields' }
  | { readonly name: '$replace'; readonly field: string }
  | { readonly name: ListDirective; readonly field: string };

/** Everything that begins with `$` is a directive or a mistake; it is never the name of a field. */
export function isReserved(key: string): boolean {
  return key.startsWith('$');
}

/** Undefined: no directive that the platform knows. The field is what follows the first `/`, further ones included. */
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

import type { IConstruct } from 'constructs';

/**
 * The construct, in which any text can be an id. The children of a construct are the members of an object that inherits
 * those of every object, so that `constructor`, `toString` and `__proto__` would be refused as taken.
 */
export function withAnyIds<Scope extends IConstruct>(scope: Scope): Scope {
  const { node } = scope;
  if (Reflect.get(node, children) === undefined) Reflect.set(node, children, Object.create(null));
  return scope;
}

const children = '_children';

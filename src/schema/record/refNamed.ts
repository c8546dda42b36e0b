import { isGvcScoped, kindNamed } from './kinds.ts';
import type { Ref } from './ref.ts';

/** The resource that an id names: `kind/[gvc/]name`; without a GVC in it, in `gvc`. Undefined: it is no id. */
export function refNamed(id: string, gvc?: string): Ref | undefined {
  const [kindName = '', first = '', second, ...rest] = id.split('/');
  const kind = kindNamed(kindName);
  const name = second ?? first;
  if (kind === undefined || first === '' || name === '' || rest.length > 0) return undefined;
  if (!isGvcScoped(kind)) return second === undefined ? { kind, name } : undefined;
  const of = second === undefined ? gvc : first;
  return of === undefined ? undefined : { kind, gvc: of, name };
}

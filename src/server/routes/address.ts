import { creatableKinds, isGvcScoped, type Kind } from '../../schema/kinds.ts';
import type { Ref } from '../../schema/ref.ts';

/** What a path below `/org/{org}` names (protocol 2.1, 2.2). */
export type Address =
  | { readonly at: 'collection'; readonly kind: Kind; readonly gvc?: string; readonly operation: readonly string[] }
  | { readonly at: 'item'; readonly ref: Ref; readonly operation: readonly string[] };

const collections: ReadonlyMap<string, Kind> = new Map(
  [...creatableKinds, 'task' as const, 'user' as const].map((kind) => [kind, kind]),
);

/** Undefined: there is no such path. `operation`: what stands behind the collection or record. */
export function addressOf(segments: readonly string[]): Address | undefined {
  const [first = '', name, second = '', child, ...rest] = segments;
  if (first === 'gvc' && name !== undefined && isGvcScoped(second)) {
    if (child === undefined || child.startsWith('-')) {
      return { at: 'collection', kind: second, gvc: name, operation: child === undefined ? [] : [child, ...rest] };
    }
    return { at: 'item', ref: { kind: second, name: child, gvc: name }, operation: rest };
  }
  const kind = collections.get(first);
  if (kind === undefined) return undefined;
  if (name === undefined || name.startsWith('-')) return { at: 'collection', kind, operation: segments.slice(1) };
  // A GVC-scoped kind is only listed at the level of the org.
  return isGvcScoped(kind) ? undefined : { at: 'item', ref: { kind, name }, operation: segments.slice(2) };
}

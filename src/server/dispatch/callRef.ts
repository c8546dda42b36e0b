import type { Kind } from '../../schema/record/kinds.ts';
import type { Ref } from '../../schema/record/ref.ts';
import type { Call } from '../core/session.ts';

/**
 * The record that the path of a request names, by `{name}` and, of a GVC-scoped kind, `{gvc}`; an org by `{org}`. With
 * an empty name where the path is that of a collection.
 */
export function callRef({ params }: Pick<Call, 'params'>, kind: Kind): Ref {
  const { org = '', name = '', gvc } = params;
  if (kind === 'org') return { kind, name: org };
  return gvc === undefined ? { kind, name } : { kind, name, gvc };
}

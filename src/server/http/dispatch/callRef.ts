import type { Kind } from '../../../schema/record/kinds.ts';
import { isOrg } from '../../../schema/record/kinds.ts';
import { type Ref, refTo } from '../../../schema/record/ref.ts';
import type { Call } from '../../core/session.ts';

/**
 * The record in the path of a request: `{name}` and, for a GVC-scoped kind, `{gvc}`; an org by `{org}`. In the path of
 * a collection the name is empty.
 */
export function callRef({ params }: Pick<Call, 'params'>, kind: Kind): Ref {
  const { org = '', name = '', gvc } = params;
  if (isOrg(kind)) return { kind, name: org };
  return refTo(kind, name, gvc);
}

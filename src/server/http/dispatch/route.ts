import { creatableKinds, isGvcScoped, isOrg, type Kind } from '../../../schema/record/kinds.ts';
import { type Ref, refTo } from '../../../schema/record/ref.ts';
import type { Described } from '../../api/openapi/described.ts';
import type { Call } from '../../core/session.ts';
import type { ApiReply } from '../message.ts';

/** One operation of the API, as data: the dispatcher, the API description and the access tests share this table. */
export interface Route extends Described {
  readonly handle: (call: Call) => ApiReply | Promise<ApiReply>;
}

/**
 * The record in the path of a request: `{name}` and, for a GVC-scoped kind, `{gvc}`; an org by `{org}`. The name is
 * empty in the path of a collection.
 */
export function callRef({ params }: Pick<Call, 'params'>, kind: Kind): Ref {
  const { org = '', name = '', gvc } = params;
  if (isOrg(kind)) return { kind, name: org };
  return refTo(kind, name, gvc);
}

/** The kinds that have records in an org. */
export const servedKinds: readonly Kind[] = [...creatableKinds, 'image', 'quota', 'task', 'user'];

/** The path of the collection in which records of a kind are created. */
export function collectionTemplate(kind: Kind): string {
  return isGvcScoped(kind) ? `/org/{org}/gvc/{gvc}/${kind}` : `/org/{org}/${kind}`;
}

/** The path of all records of a kind in the org. */
export function orgTemplate(kind: Kind): string {
  return `/org/{org}/${kind}`;
}

export function itemTemplate(kind: Kind): string {
  return isOrg(kind) ? '/org/{org}' : `${collectionTemplate(kind)}/{name}`;
}

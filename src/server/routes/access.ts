import type { JsonObject } from '../../schema/json.ts';
import type { Kind } from '../../schema/kinds.ts';
import type { Ref } from '../../schema/ref.ts';
import type { Row } from '../store/row.ts';
import type { Session } from './session.ts';

/** A record, or one that is to be made. */
export interface Prospect {
  readonly kind: Kind;
  readonly ref: Ref;
  readonly record: JsonObject;
}

/** 403, naming the permission in brackets, where the caller lacks it (protocol 7.8). */
export function requirePermission(_session: Session, _permission: string, _target: Row | Prospect): void {}

/** Which records of a kind a list may show. */
export function mayView(_session: Session, _kind: Kind): (row: Row) => boolean {
  return () => true;
}

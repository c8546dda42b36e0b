import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { type Call, changeIn, type Session } from '../core/session.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import type { ApiReply, ApiRequest } from '../http/message.ts';
import type { Row } from '../store/model/row.ts';
import { isStorageFailure } from '../store/model/storageFailure.ts';
import { recordAudit } from './auditTrail.ts';
import type { AuditAction } from './decisions/auditEvent.ts';

/** The subject of a write, for the audit trail. */
export interface Intent {
  readonly action: AuditAction;
  readonly kind: Kind;
  /** The name, if known, and the GVC of a GVC-scoped kind. */
  readonly ref?: Ref;
}

export interface Outcome {
  readonly reply: ApiReply;
  /** The record after the write; for a deletion, before it. Absent if nothing changed. */
  readonly row?: Row | undefined;
  /** The action, if it differs from the intent, such as `create` for a PUT. */
  readonly action?: AuditAction;
  /** Details outside the record, for the audit trail: the type and id of a command; never a secret. */
  readonly about?: JsonObject;
  /** Other written records: the content of a deleted GVC, the groups that a user left. */
  readonly others?: readonly Consequence[];
}

/** A record written because another one was; each has its own audit event. */
export interface Consequence {
  readonly action: AuditAction;
  readonly row: Row;
}

/** Runs one write in one transaction with its audit event. A refused write has an audit event too. */
export async function writeIn(call: Call, intent: Intent, work: (session: Session) => Outcome): Promise<ApiReply> {
  const { request } = call;
  try {
    return await changeIn(call, (session) => {
      const { reply, row, about, others = [], action = intent.action } = work(session);
      const parentFields = present({ within: row });
      for (const other of others) recordAudit(session, request, { ...other, ...parentFields, kind: other.row.kind });
      if (row !== undefined) {
        recordAudit(session, request, { ...intent, action, row, ...present({ about }) });
      }
      return reply;
    });
  } catch (error) {
    if (error instanceof ApiFailure) await recordRefusal(call, intent, error);
    throw error;
  }
}

/** Refusals already in the audit trail. */
const recorded = new WeakSet<ApiFailure>();

/** Writes the audit event of a refused write once. */
export async function recordRefusal(
  {
    platform,
    request,
    caller,
  }: Pick<Call, 'caller' | 'platform'> & { readonly request: Pick<ApiRequest, 'id' | 'remoteIp'> },
  intent: Intent,
  refusal: ApiFailure,
): Promise<void> {
  if (recorded.has(refusal) || isStorageFailure(refusal)) return;
  recorded.add(refusal);
  await platform.store.write((tx) => recordAudit({ platform, tx, caller }, request, { ...intent, refusal }));
}

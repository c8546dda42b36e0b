import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { isContainer, type Kind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import { modifiedNow } from '../core/clock.ts';
import { findRow } from '../core/rows.ts';
import type { Session } from '../core/session.ts';
import type { ApiFailure } from '../http/apiFailure.ts';
import { envelope } from '../records/decisions/recordText.ts';
import type { Row, Transaction } from '../store/model/row.ts';
import { type AuditAction, type AuditedResource, auditEvent, auditResult, redacted } from './decisions/auditEvent.ts';
import { platformContext } from './decisions/auditQuery.ts';

/** A performed or refused action. */
export interface AuditedAction {
  readonly action: AuditAction;
  readonly kind: Kind;
  readonly ref?: Ref;
  /** The record after the write; for a deletion, before it. */
  readonly row?: Row;
  /** The GVC whose deletion included this record. */
  readonly within?: Row;
  /** Details of the request outside the record, such as the type of a command; never a secret. */
  readonly about?: JsonObject;
  readonly refusal?: ApiFailure;
}

/** The part of a request that the audit trail stores. */
export interface AuditedRequest {
  readonly id: string;
  readonly remoteIp: string;
}

/**
 * Writes one event of the audit trail, in the platform's context (platform/audit.trail). `request` is absent for
 * actions of the platform itself.
 */
export function recordAudit(
  { platform, tx, caller }: Session,
  request: AuditedRequest | undefined,
  { action, kind, ref, row, within, about, refusal }: AuditedAction,
): void {
  const id = platform.newId();
  // A refused write does not change its record, if it exists.
  const subjectRow = row ?? (ref === undefined || ref.name === '' ? undefined : findRow(tx, ref));
  const atMs = subjectRow === undefined ? platform.now() : modifiedNow(subjectRow, platform);
  const resource = subjectRow === undefined ? missingResource(kind, ref) : storedResource(subjectRow, platform.org);
  const gvcAlias = aliasOf(
    tx,
    isContainer(kind) ? resource.name : (subjectRow?.gvc ?? ref?.gvc ?? ''),
    within ?? subjectRow,
  );
  const { email, link, name, kind: type } = caller;
  tx.addEntry({
    journal: 'audit',
    id,
    owner: resource.id,
    kind,
    name: resource.name,
    subject: link,
    context: platformContext,
    atMs,
    body: auditEvent({
      id,
      requestId: request?.id ?? id,
      atMs,
      org: platform.org,
      context: platformContext,
      ...present({ remoteIp: request?.remoteIp, gvcAlias }),
      resource,
      action,
      ...present({ about }),
      subject: { link, kind: type, name, ...present({ email }) },
      result: refusal === undefined ? auditResult(200) : auditResult(refusal.status, messageOf(refusal, ref)),
    }),
  });
}

function aliasOf(tx: Transaction, gvc: string, row: Row | undefined): string | undefined {
  if (gvc === '') return undefined;
  // Uses the last record of a deleted GVC.
  const found = row?.kind === 'gvc' && row.name === gvc ? row : tx.get({ kind: 'gvc', name: gvc });
  return found === undefined ? undefined : stringAt(objectAt(found.state, 'shown'), 'alias');
}

/** Bounds a refused name, which can be anything and as long as a request. */
const longestName = 300;

function missingResource(kind: Kind, ref: Ref | undefined): AuditedResource {
  // Some databases cannot store NUL.
  const name = ref === undefined ? '' : ref.name.slice(0, longestName).replaceAll('\0', '');
  return { id: '', name, type: kind, data: {} };
}

function storedResource(row: Row, org: string): AuditedResource {
  const data = redacted(row.kind, { ...envelope(row, org), ...objectAt(row.state, 'shown'), ...row.record });
  return { id: row.uid, name: row.name, type: row.kind, data };
}

function messageOf({ message }: ApiFailure, ref: Ref | undefined): string {
  return ref === undefined || ref.name === '' ? message : `${formatRef(ref).slice(0, longestName)}: ${message}`;
}

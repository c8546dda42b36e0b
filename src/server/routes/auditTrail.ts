import type { Kind } from '../../schema/kinds.ts';
import { formatRef, type Ref } from '../../schema/ref.ts';
import type { ApiFailure } from '../http/apiFailure.ts';
import type { ApiRequest } from '../http/message.ts';
import type { Row, Transaction } from '../store/row.ts';
import type { Caller } from './caller.ts';
import type { Platform } from './platform.ts';

/** What happened, or was refused. */
export interface Audited {
  readonly action: string;
  readonly kind: Kind;
  readonly ref?: Ref;
  /** The record after the write, for a deletion before it. */
  readonly row?: Row;
  readonly refusal?: ApiFailure;
}

/** One event of the audit trail (specification 6, protocol 7.1). `request`: absent for what the platform does by itself. */
export function recordAudit(
  { platform, tx, caller }: { readonly platform: Platform; readonly tx: Transaction; readonly caller: Caller },
  request: Pick<ApiRequest, 'remoteIp'> | undefined,
  { action, kind, ref, row, refusal }: Audited,
): void {
  const id = platform.newId();
  const atMs = platform.now();
  const eventTime = new Date(atMs).toISOString();
  const name = row?.name ?? (ref === undefined ? '' : ref.name);
  tx.addEntry({
    journal: 'audit',
    id,
    owner: row?.uid ?? '',
    kind,
    name,
    subject: caller.link,
    context: 'scheme',
    atMs,
    body: {
      id,
      eventTime,
      resource: { id: row?.uid ?? '', name, type: kind, ...(row === undefined ? {} : { data: row.record }) },
      action: { type: action },
      subject: { name: caller.name, data: { type: caller.kind, principalLink: caller.link } },
      context: { org: platform.org, name: 'scheme', remoteIp: request?.remoteIp ?? '' },
      result:
        refusal === undefined
          ? { status: 'OK', message: '' }
          : {
              status: String(refusal.status),
              message: ref === undefined ? refusal.message : `${formatRef(ref)}: ${refusal.message}`,
            },
    },
  });
}

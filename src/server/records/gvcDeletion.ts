import { type JsonObject, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { storesData } from '../../kinds/kindFacts.ts';
import { isCallerKind, kindsInGvcs } from '../../schema/record/kinds.ts';
import { recordAudit } from '../audit/auditTrail.ts';
import type { Caller } from '../core/caller.ts';
import type { JobWork } from '../core/job.ts';
import type { Platform } from '../core/platform.ts';
import { referencesOf } from '../core/referencesOf.ts';
import type { Session } from '../core/session.ts';
import { nextBatch, stepMs } from '../core/slices.ts';
import { unscheduleCron } from '../cron/cronState.ts';
import { noLimit, type Row, refOfRow, type Transaction } from '../store/model/row.ts';
import { announceDeletion, withFinalSnapshots } from '../volumes/volumeSetDeletion.ts';
import { applyConsequences } from './derived/consequences.ts';

/** The maximum number of records in one transaction: with the GVC, or in each step. */
export const maxStepSize = 40;

/** The size of the first step; later ones are adjusted to its duration. */
const initialStepSize = 10;

/** The pause between two steps, for other requests. */
const pauseMs = 1;

const job = 'gvc.deletion';

/** The content of a GVC, at most `most` records. */
export function contentOf(tx: Transaction, gvc: string, most: number): readonly Row[] {
  const found: Row[] = [];
  for (const kind of kindsInGvcs()) {
    if (found.length < most) found.push(...tx.select({ kind, gvc, limit: most - found.length }));
  }
  return found;
}

/**
 * Deletes a GVC with much content: the GVC immediately, its content in steps. Each step is its own job, so that other
 * requests do not wait and a restarted server continues. Until the end the GVC is shown as being deleted, and its name
 * stays taken (platform/wire.writes).
 */
export function beginGvcDeletion({ platform, tx, caller }: Session, row: Row, request: AuditedAs): void {
  tx.remove(row, noLimit);
  tx.dropEntries(row.uid, ['command', 'event']);
  const { link, kind, name, email } = caller;
  schedule(tx, platform.now(), {
    gvc: row.name,
    delayMs: platform.settings.deletionDelayMs,
    size: initialStepSize,
    requestId: request.id,
    remoteIp: request.remoteIp,
    caller: { link, kind, name, ...present({ email }) },
  });
}

type AuditedAs = NonNullable<Parameters<typeof recordAudit>[1]>;

function schedule(tx: Transaction, atMs: number, about: JsonObject): void {
  tx.schedule({ key: `${job}/${stringAt(about, 'gvc') ?? ''}`, atMs, job, about });
}

/** Runs the next step, until the content is deleted. `about`: see `beginGvcDeletion`. */
export function continueGvcDeletion({ platform: at, tx, atMs, lateMs }: JobWork, about: JsonObject): void {
  const ref = { kind: 'gvc', name: stringAt(about, 'gvc') ?? '' } as const;
  const deletionDelayMs = numberAt(about, 'delayMs') ?? 0;
  const platform = { ...at, settings: { ...at.settings, deletionDelayMs } };
  const gvc = tx.leaving(ref);
  if (gvc === undefined) return;
  const startedMs = performance.now();
  const size = numberAt(about, 'size') ?? maxStepSize;
  const rows = contentOf(tx, gvc.name, size);
  removeRows(platform, tx, rows);
  const request = { id: stringAt(about, 'requestId') ?? '', remoteIp: stringAt(about, 'remoteIp') ?? '' };
  for (const row of rows) {
    recordAudit({ platform, tx, caller: callerIn(about) }, request, {
      action: 'delete',
      kind: row.kind,
      row,
      within: gvc,
    });
  }
  if (rows.length === size) {
    const next = nextBatch(size, performance.now() - startedMs, maxStepSize, stepMs);
    schedule(tx, atMs + lateMs + pauseMs, { ...about, size: next });
    return;
  }
  applyConsequences({ platform, tx }, [refOfRow(gvc)], []);
  tx.leaveUntil(gvc, platform.now() + deletionDelayMs);
}

function callerIn(about: JsonObject): Caller {
  const caller = objectAt(about, 'caller');
  const [email, kind] = [stringAt(caller, 'email'), own(caller, 'kind')];
  return {
    link: stringAt(caller, 'link') ?? '',
    kind: isCallerKind(kind) ? kind : 'user',
    name: stringAt(caller, 'name') ?? '',
    ...present({ email }),
    unrestricted: false,
  };
}

/** Removes records with their journals, and updates the records that depend on them. */
export function removeRows(platform: Platform, tx: Transaction, rows: readonly Row[]): void {
  const { deletionDelayMs } = platform.settings;
  const untilMs = deletionDelayMs > 0 ? platform.now() + deletionDelayMs : undefined;
  const targets = rows.flatMap((each) => referencesOf(refOfRow(each), each.record, platform.org));
  for (const each of rows) {
    const last = storesData(each.kind) ? withFinalSnapshots({ platform, tx }, each) : each;
    tx.remove(last, untilMs);
    unscheduleCron(tx, each);
    tx.dropEntries(each.uid, ['command', 'event']);
    if (storesData(each.kind)) announceDeletion({ platform, tx }, last, untilMs);
  }
  applyConsequences({ platform, tx }, rows.map(refOfRow), targets);
}

import { storesData } from '../../schema/facts/kindFacts.ts';
import type { Platform } from '../core/platform.ts';
import { referencesOf } from '../core/referencesOf.ts';
import { unscheduleCron } from '../cron/cronState.ts';
import { applyConsequences } from '../state/consequences.ts';
import { type Row, refOfRow, type Transaction } from '../store/row.ts';
import { announceDeletion, withFinalSnapshots } from '../volumes/volumeSetDeletion.ts';

/** Removes records with their journals, and updates what depends on them. */
export function removeRows(platform: Platform, tx: Transaction, going: readonly Row[]): void {
  const { deletionDelayMs } = platform.settings;
  const untilMs = deletionDelayMs > 0 ? platform.now() + deletionDelayMs : undefined;
  const targets = going.flatMap((each) => referencesOf(refOfRow(each), each.record, platform.org));
  for (const each of going) {
    const last = storesData(each.kind) ? withFinalSnapshots({ platform, tx }, each) : each;
    tx.remove(last, untilMs);
    unscheduleCron(tx, each);
    tx.dropEntries(each.uid, ['command', 'event']);
    if (storesData(each.kind)) announceDeletion({ platform, tx }, last, untilMs);
  }
  applyConsequences({ platform, tx }, going.map(refOfRow), targets);
}

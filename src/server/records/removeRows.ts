import { announceDeletion, withFinalSnapshots } from '../commands/volumeSetDeletion.ts';
import { dropCron } from '../state/cronState.ts';
import { refOfRow, type Row, type Transaction } from '../store/row.ts';
import type { Platform } from '../platform/platform.ts';
import { settle } from '../state/consequences.ts';
import { targetsOf } from '../platform/referencesOf.ts';

/** Takes records away, with all that is kept about them, and settles what others make of it. */
export function letGo(platform: Platform, tx: Transaction, going: readonly Row[]): void {
  const { deletionDelayMs } = platform.settings;
  const untilMs = deletionDelayMs > 0 ? platform.now() + deletionDelayMs : undefined;
  const targets = going.flatMap((each) => targetsOf(refOfRow(each), each.record, platform.org));
  for (const each of going) {
    const last = each.kind === 'volumeset' ? withFinalSnapshots({ platform, tx }, each) : each;
    tx.remove(last, untilMs);
    dropCron(tx, each);
    tx.dropEntries(each.uid, ['command', 'event']);
    if (each.kind === 'volumeset') announceDeletion({ platform, tx }, last, untilMs);
  }
  settle(platform, tx, going.map(refOfRow), targets);
}

import { isApex } from '../../kinds/domain/hostNames.ts';
import { isNamedByHost } from '../../kinds/kindFacts.ts';
import { blocksDeletion, isRequired, referringKinds } from '../../kinds/shape/referenceStrength.ts';
import { references } from '../../kinds/shape/references.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref } from '../../schema/record/ref.ts';
import type { Platform } from '../core/platform.ts';
import type { UnitOfWork } from '../core/session.ts';
import { type Row, refOfRow, type Transaction } from '../store/model/row.ts';

/** Records that block the deletion of this one: some of them, if there are more than `most`. */
export function blockers(platform: Platform, tx: Transaction, row: Row, most: number): readonly Ref[] {
  const blocking: Row[] = [];
  for (const kind of kindsThatNeed(row.kind)) {
    if (blocking.length <= most) blocking.push(...needing({ platform, tx }, row, kind, most + 1 - blocking.length));
  }
  blocking.sort((a, b) => a.seq - b.seq);
  if (isNamedByHost(row.kind) && isApex(row.name)) {
    blocking.push(...tx.select({ kind: row.kind, below: row.name, limit: most + 1 }));
  }
  return blocking.map(refOfRow);
}

const needingKinds = new Map<Kind, readonly Kind[]>();

/**
 * The kinds that have a required reference to this kind. References to secrets by name are never required, so the
 * thousands of workloads that may have one are not read; nor does a custom kind require anything.
 */
export function kindsThatNeed(target: Kind): readonly Kind[] {
  const known = needingKinds.get(target) ?? referringKinds(target, blocksDeletion);
  needingKinds.set(target, known);
  return known;
}

/** At most `most` of a kind. Nearly always the first referrers block the deletion, so the rest is not read. */
function needing({ platform, tx }: UnitOfWork, row: Row, kind: Kind, most: number): readonly Row[] {
  const ref = refOfRow(row);
  const first = tx.referrers(ref, kind, most);
  const found = first.filter((referrer) => isNeeded(platform, referrer, ref));
  if (found.length === first.length || first.length < most) return found;
  return tx
    .referrers(ref, kind)
    .filter((referrer) => isNeeded(platform, referrer, ref))
    .slice(0, most);
}

function isNeeded({ org }: Platform, referrer: Row, target: Ref): boolean {
  const id = formatRef(target);
  return references(referrer.kind, referrer.record, contextOf(refOfRow(referrer), org)).some(
    (reference) => isRequired(reference) && formatRef(reference.target) === id,
  );
}

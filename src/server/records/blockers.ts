import { isApex } from '../../kinds/domain/hostNames.ts';
import { isNamedByHost, releases } from '../../schema/facts/kindFacts.ts';
import { contextOf } from '../../schema/record/context.ts';
import { creatableKinds, type Kind, readOnlyKinds } from '../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import { anywhere, isResponseOnly } from '../../schema/shape/anywhere.ts';
import { isRequired } from '../../schema/shape/referenceStrength.ts';
import { references } from '../../schema/shape/references.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import type { Platform } from '../core/platform.ts';
import type { UnitOfWork } from '../core/session.ts';
import { type Row, refOfRow, type Transaction } from '../store/row.ts';

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

/** Custom kinds require nothing that they name. */
const allKinds: readonly Kind[] = [...creatableKinds, ...readOnlyKinds];
const needingKinds = new Map<Kind, readonly Kind[]>();

/**
 * The kinds that have a required reference to this kind. References to secrets are never required, so the thousands of
 * workloads that may have one are not read.
 */
export function kindsThatNeed(target: Kind): readonly Kind[] {
  const known = needingKinds.get(target);
  if (known !== undefined) return known;
  const mayNeed = anywhere((shape) => isNeed(shape, target), isResponseOnly);
  const kinds = allKinds.filter((kind) => !releases(kind, target) && mayNeed(shapeOf(kind)));
  needingKinds.set(target, kinds);
  return kinds;
}

/** Only volume sets are required by a URI (`uriReference` in schema/shape/references.ts). */
function isNeed({ facts: { link, uri, uriStrength = 'hard' } }: Shape, target: Kind): boolean {
  if (link !== undefined) return isRequired(link) && link.to.includes(target);
  return target === 'volumeset' && uri?.includes('volumeset') === true && isRequired({ strength: uriStrength });
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

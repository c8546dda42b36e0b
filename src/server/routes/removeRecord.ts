import { type JsonObject, listAt } from '../../schema/json.ts';
import { gvcScopedKinds } from '../../schema/kinds.ts';
import { linkOf, parseLink } from '../../schema/links.ts';
import { formatRef, type Ref } from '../../schema/ref.ts';
import { references } from '../../schema/references.ts';
import { isApex } from '../../schema/rules/domain/hostNames.ts';
import { announceDeletion, withFinalSnapshots } from '../commands/volumeSetDeletion.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { dropCron } from '../jobs/cronPlaces.ts';
import { boundLocations } from '../rules/ipsets/addresses.ts';
import { noLimit, refOfRow, type Row, type Transaction } from '../store/row.ts';
import { contextOf, isProtected, originOf } from './findRow.ts';
import type { Platform } from './platform.ts';
import { Presenter } from './presenter.ts';
import { settle } from './settle.ts';
import type { Consequence, Session } from './session.ts';
import { targetsOf } from './targets.ts';

/**
 * Deletes a record, for a GVC with everything in it; refusals as in resources D and protocol 9. The other records that
 * were written with it.
 */
export function remove({ platform, tx }: Session, row: Row): readonly Consequence[] {
  const children = row.kind === 'gvc' ? childrenOf(tx, row.name) : [];
  refuse(platform, tx, row, children);

  const { deletionDelayMs } = platform.settings;
  const untilMs = deletionDelayMs > 0 ? platform.now() + deletionDelayMs : undefined;
  const going = [...children, row];
  const targets = going.flatMap((each) => targetsOf(refOfRow(each), each.record, platform.org));
  for (const each of going) {
    const last = each.kind === 'volumeset' ? withFinalSnapshots({ platform, tx }, each) : each;
    tx.remove(last, untilMs);
    dropCron(tx, each);
    tx.dropEntries(each.uid, ['command', 'event']);
    if (each.kind === 'volumeset') announceDeletion({ platform, tx }, last, untilMs);
  }
  settle(platform, tx, going.map(refOfRow), targets);
  const groups = row.kind === 'user' || row.kind === 'serviceaccount' ? leaveGroups(platform, tx, row) : [];
  return [
    ...children.map((child) => ({ action: 'delete' as const, row: child })),
    ...groups.map((group) => ({ action: 'edit' as const, row: group })),
  ];
}

function childrenOf(tx: Transaction, gvc: string): readonly Row[] {
  return gvcScopedKinds.flatMap((kind) => tx.select({ kind, gvc, limit: noLimit }));
}

function refuse(platform: Platform, tx: Transaction, row: Row, children: readonly Row[]): void {
  const ref = refOfRow(row);
  const id = formatRef(ref);
  if (originOf(row) === 'builtin') throw new ApiFailure('built_in', `${id} is built in and cannot be deleted`);

  const guarded = [row, ...children].filter(isProtected).map(refOfRow);
  if (guarded.length > 0) {
    throw new ApiFailure('protected', `protected by the tag scheme/protected: ${guarded.map(formatRef).join(', ')}`, {
      details: links(guarded, platform.org),
    });
  }
  if (row.kind === 'gvc' && tx.leavingIn(row.name)) {
    throw new ApiFailure('being_deleted', `something in ${id} is still being deleted; try again`);
  }
  const blocking = blockers(platform, tx, row);
  if (blocking.length > 0) {
    const named = blocking.map((blocker) => linkOf(blocker, platform.org)).join(', ');
    throw new ApiFailure('has_dependents', `${id} has dependents: ${named}`, {
      details: links(blocking, platform.org),
    });
  }
  if (row.kind === 'ipset' && isBound(platform, tx, row)) {
    throw new ApiFailure('address_bound', `${id} has an address that is bound`);
  }
}

function links(refs: readonly Ref[], org: string): JsonObject {
  return { problems: refs.map((ref) => ({ path: '', message: linkOf(ref, org), rule: 'resources D' })) };
}

/** What must go first: records that cannot be without it. */
function blockers(platform: Platform, tx: Transaction, row: Row): readonly Ref[] {
  const target = formatRef(refOfRow(row));
  const holding = tx
    .referrers(refOfRow(row))
    .filter((referrer) =>
      references(referrer.kind, referrer.record, contextOf(refOfRow(referrer), platform.org)).some(
        (reference) =>
          formatRef(reference.target) === target &&
          (reference.strength === 'hard' || reference.strength === 'second-step') &&
          !letsGo(referrer, row),
      ),
    );
  const below =
    row.kind === 'domain' && isApex(row.name)
      ? tx.select({ kind: 'domain', limit: noLimit }).filter(({ name }) => name.endsWith(`.${row.name}`))
      : [];
  return [...holding, ...below].map(refOfRow);
}

/** Needed to write the reference, but not to keep it (resources D 21 and 29; decision `orgsHoldNothing`). */
function letsGo(referrer: Row, target: Row): boolean {
  return (
    referrer.kind === 'org' || referrer.kind === 'group' || (referrer.kind === 'domain' && target.kind === 'workload')
  );
}

function isBound(platform: Platform, tx: Transaction, row: Row): boolean {
  return boundLocations(new Presenter(platform, tx).addressFacts(row)).length > 0;
}

/** A member that is gone is taken out of its groups (resources D 29); the groups as they are then. */
function leaveGroups(platform: Platform, tx: Transaction, member: Row): readonly Row[] {
  const gone = new Set([member.name, member.uid].map((name) => formatRef({ kind: member.kind, name })));
  const groups = new Map(
    [member.name, member.uid]
      .flatMap((name) => tx.referrers({ kind: member.kind, name }, 'group'))
      .map((row) => [row.uid, row]),
  );
  for (const row of groups.values()) {
    const memberLinks = listAt(row.record, 'memberLinks').filter((link) => {
      const ref = typeof link === 'string' ? parseLink(link, { org: platform.org })?.ref : undefined;
      return ref === undefined || !gone.has(formatRef(ref));
    });
    const record = { ...row.record, memberLinks };
    tx.update(
      { ...row, record, version: row.version + 1, modifiedMs: platform.now() },
      targetsOf(refOfRow(row), record, platform.org),
    );
  }
  return [...groups.values()].map((row) => tx.get(refOfRow(row)) ?? row);
}

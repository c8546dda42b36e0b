import { type JsonObject, listAt } from '../../base/json/json.ts';
import { isApex } from '../../kinds/domain/domainView.ts';
import { holdsAddresses, isNamedByHost } from '../../kinds/kindFacts.ts';
import { blocksDeletion, isRequired, referringKinds } from '../../kinds/referenceStrength.ts';
import { references } from '../../kinds/references.ts';
import { isContainer, isMemberKind, type Kind, kindsInGvcs } from '../../schema/record/kinds.ts';
import { isProtected, protectedTag } from '../../schema/record/protection.ts';
import { contextOf, formatRef, linkOf, parseLink, type Ref } from '../../schema/record/ref.ts';
import type { Consequence } from '../audit/auditedWrite.ts';
import { updatePlatformRecord } from '../core/ownWrite.ts';
import type { Platform } from '../core/platform.ts';
import { originOf, refsOfRow } from '../core/rows.ts';
import type { Session, UnitOfWork } from '../core/session.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import type { ApiRequest } from '../http/message.ts';
import { noLimit, type Row, refOfRow, type Transaction } from '../store/model/row.ts';
import { boundLocations } from './decisions/ipSetAddresses.ts';
import { beginGvcDeletion, contentOf, maxStepSize, removeRows } from './gvcDeletion.ts';
import { Presenter } from './shown/presenter.ts';

/**
 * Deletes a record, and the content of a GVC with it; refusals as in platform/deletion.references. Returns the other
 * records that were written.
 */
export function removeRecord(session: Session, row: Row, request: ApiRequest): readonly Consequence[] {
  const { platform, tx } = session;
  const content = isContainer(row.kind) ? contentOf(tx, row.name, maxStepSize + 1) : [];
  // With a stepped clock no other request waits.
  const isStepwise = content.length > maxStepSize && platform.service.clock.step === undefined;
  const children = content.length > maxStepSize && !isStepwise ? contentOf(tx, row.name, noLimit) : content;
  requireDeletable(platform, tx, row, isStepwise ? protectedContent(tx, row.name) : children);
  if (isStepwise) {
    beginGvcDeletion(session, row, request);
    return [];
  }

  removeRows(platform, tx, [...children, row]);
  const groups = isMemberKind(row.kind) ? leaveGroups(session, row) : [];
  return [
    ...children.map((child) => ({ action: 'delete' as const, row: child })),
    ...groups.map((group) => ({ action: 'edit' as const, row: group })),
  ];
}

function protectedContent(tx: Transaction, gvc: string): readonly Row[] {
  const tag = { key: protectedTag, value: 'true' };
  return kindsInGvcs().flatMap((kind) => tx.select({ kind, gvc, tag, limit: maxNamed + 1 }));
}

function requireDeletable(platform: Platform, tx: Transaction, row: Row, children: readonly Row[]): void {
  const ref = refOfRow(row);
  const id = formatRef(ref);
  if (originOf(row) === 'builtin') throw new ApiFailure('built_in', `${id} is built in and cannot be deleted`);

  const guarded = [row, ...children].filter(({ record }) => isProtected(record)).map(refOfRow);
  if (guarded.length > 0) {
    throw new ApiFailure('protected', `protected by the tag scheme/protected: ${joinNames(guarded.map(formatRef))}`, {
      details: links(guarded, platform.org),
    });
  }
  if (isContainer(row.kind) && tx.leavingIn(row.name)) {
    throw new ApiFailure('being_deleted', `something in ${id} is still being deleted; try again`);
  }
  const blocking = blockers(platform, tx, row, maxNamed);
  if (blocking.length > 0) {
    const dependents = joinNames(blocking.map((blocker) => linkOf(blocker, platform.org)));
    throw new ApiFailure('has_dependents', `${id} has dependents: ${dependents}`, {
      details: links(blocking, platform.org),
    });
  }
  if (holdsAddresses(row.kind) && isBound(platform, tx, row)) {
    throw new ApiFailure('address_bound', `${id} has an address that is bound`);
  }
}

/** The maximum number of dependents in the details; no more are read. */
const maxNamed = 100;

/** In characters. A longer message would be cut within a name (http/apiFailure.ts); the details have all names. */
const longestNames = 800;

function joinNames(names: readonly string[]): string {
  let text = '';
  for (const name of names) {
    const longer = text === '' ? name : `${text}, ${name}`;
    if (longer.length > longestNames) return `${text} and more`;
    text = longer;
  }
  return text;
}

function links(refs: readonly Ref[], org: string): JsonObject {
  return {
    problems: refs.slice(0, maxNamed).map((ref) => ({ path: '', message: linkOf(ref, org), rule: 'deletion.refusal' })),
  };
}

function isBound(platform: Platform, tx: Transaction, row: Row): boolean {
  return boundLocations(new Presenter(platform, tx).addressFacts(row)).length > 0;
}

/** Removes a deleted member from its groups (platform/deletion.references); returns the changed groups. */
function leaveGroups(work: UnitOfWork, member: Row): readonly Row[] {
  const { platform, tx } = work;
  const refs = refsOfRow(member);
  const removedRefs = new Set(refs.map(formatRef));
  const groups = new Map(refs.flatMap((ref) => tx.referrers(ref, 'group')).map((row) => [row.uid, row]));
  return [...groups.values()].map((row) => {
    const memberLinks = listAt(row.record, 'memberLinks').filter((link) => {
      const ref = typeof link === 'string' ? parseLink(link, { org: platform.org })?.ref : undefined;
      return ref === undefined || !removedRefs.has(formatRef(ref));
    });
    return updatePlatformRecord(work, row, { record: { ...row.record, memberLinks } });
  });
}

/** The records that block the deletion of this one; if there are more than `most`, only some of them. */
function blockers(platform: Platform, tx: Transaction, row: Row, most: number): readonly Ref[] {
  const blocking: Row[] = [];
  for (const kind of requiringKinds(row.kind)) {
    if (blocking.length <= most)
      blocking.push(...requiringRows({ platform, tx }, row, kind, most + 1 - blocking.length));
  }
  blocking.sort((a, b) => a.seq - b.seq);
  if (isNamedByHost(row.kind) && isApex(row.name)) {
    blocking.push(...tx.select({ kind: row.kind, below: row.name, limit: most + 1 }));
  }
  return blocking.map(refOfRow);
}

const requiringKindsCache = new Map<Kind, readonly Kind[]>();

/**
 * The kinds that have a required reference to this kind. References to secrets by name are never required, so the
 * thousands of workloads that may have one are not read. Custom kinds require nothing.
 */
export function requiringKinds(target: Kind): readonly Kind[] {
  const known = requiringKindsCache.get(target) ?? referringKinds(target, blocksDeletion);
  requiringKindsCache.set(target, known);
  return known;
}

/** At most `most` records of a kind. Usually the first referrers block the deletion, so the rest is not read. */
function requiringRows({ platform, tx }: UnitOfWork, row: Row, kind: Kind, most: number): readonly Row[] {
  const ref = refOfRow(row);
  const first = tx.referrers(ref, kind, most);
  const found = first.filter((referrer) => requires(platform, referrer, ref));
  if (found.length === first.length || first.length < most) return found;
  return tx
    .referrers(ref, kind)
    .filter((referrer) => requires(platform, referrer, ref))
    .slice(0, most);
}

function requires({ org }: Platform, referrer: Row, target: Ref): boolean {
  const id = formatRef(target);
  return references(referrer.kind, referrer.record, contextOf(refOfRow(referrer), org)).some(
    (reference) => isRequired(reference) && formatRef(reference.target) === id,
  );
}

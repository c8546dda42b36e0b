import { isCallerKind } from '../../schema/record/kinds.ts';
import { linkOf, parseLink } from '../../schema/record/links.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import { findRow } from '../core/findRow.ts';
import { refsOfRow } from '../core/recordFacts.ts';
import type { Session } from '../core/session.ts';
import { compileGrants, type Grants } from '../rules/access/grants.ts';
import { isMember } from '../rules/access/membership.ts';
import { readPolicy } from '../rules/access/policyReading.ts';
import { accessGeneration, dynamicGroups } from '../store/countedStore.ts';
import { type Row, refOfRow, type Store, type Transaction } from '../store/row.ts';
import { targetOf } from './accessTarget.ts';
import { chooses } from './identityChoice.ts';

interface Known {
  readonly generation: string;
  readonly grants: Grants;
}

/** What was worked out for the callers of each org, and for which generation, so that nothing gets stale. */
const known = new WeakMap<Store, Map<string, Known>>();
const mostKnown = 1_000;

const nothing: Grants = new Map();

/**
 * All that the caller may do, as of this transaction; put together again only where rights have changed since. For an
 * identity each time: it is in groups by its own fields, which are no generation.
 */
export function grantsOf(session: Session): Grants {
  const { platform, tx, caller } = session;
  if (caller.kind === 'identity') return compiled(session);
  const generation = accessGeneration(tx);
  const callers = known.get(platform.store) ?? new Map<string, Known>();
  known.set(platform.store, callers);
  const found = callers.get(caller.link);
  if (found?.generation === generation) return found.grants;

  const grants = compiled(session);
  callers.delete(caller.link);
  if (callers.size >= mostKnown) for (const oldest of callers.keys()) if (callers.delete(oldest)) break;
  callers.set(caller.link, { generation, grants });
  return grants;
}

/** The record behind the caller; absent where it is gone. */
export function callerRow({ platform, tx, caller }: Session): Row | undefined {
  const ref = parseLink(caller.link, { org: platform.org })?.ref;
  return ref === undefined ? undefined : findRow(tx, ref);
}

/** By e-mail and, of a user, by id (platform/group.members). */
export function callerLinks(session: Session): readonly string[] {
  const row = callerRow(session);
  return row === undefined ? [] : targetOf(session, row).links;
}

function compiled(session: Session): Grants {
  const { platform, tx } = session;
  const row = callerRow(session);
  if (row === undefined) return nothing;
  const own = refsOfRow(row);
  const principals = [...own, ...groupsOf(session, row, own).map(refOfRow)];
  const policies = distinct(principals.flatMap((ref) => tx.referrers(ref, 'policy')));
  return compileGrants(
    policies.map(({ record }) => readPolicy(record, platform.org)),
    new Set(principals.map((ref) => linkOf(ref, platform.org))),
  );
}

function groupsOf(session: Session, row: Row, own: readonly Ref[]): readonly Row[] {
  const { platform, tx } = session;
  const { kind } = row;
  if (!isCallerKind(kind)) return [];
  const { links, candidate } = targetOf(session, row);
  const candidates = [...own.flatMap((ref) => tx.referrers(ref, 'group')), ...asked(tx)];
  return distinct(candidates).filter(({ record }) =>
    isMember(record, { kind, links, candidate }, platform.org, chooses),
  );
}

function asked(tx: Transaction): readonly Row[] {
  return dynamicGroups(tx).flatMap((name) => tx.get({ kind: 'group', name }) ?? []);
}

function distinct(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [formatRef(refOfRow(row)), row])).values()];
}

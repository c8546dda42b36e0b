import { isCallerKind } from '../../schema/record/kinds.ts';
import { linkOf, parseLink } from '../../schema/record/links.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import type { Caller } from '../core/caller.ts';
import { findRow } from '../core/findRow.ts';
import type { Platform } from '../core/platform.ts';
import { refsOfRow } from '../core/recordFacts.ts';
import { type Session, Unprepared } from '../core/session.ts';
import { Slices } from '../core/slices.ts';
import { compileGrants, type Grants, GrantsInMaking } from '../rules/access/grants.ts';
import { isMember } from '../rules/access/membership.ts';
import { readPolicy } from '../rules/access/policyReading.ts';
import { accessGeneration, dynamicGroups } from '../store/countedStore.ts';
import { noLimit, type Row, refOfRow, type Store, type Transaction } from '../store/row.ts';
import { targetOf } from './accessTarget.ts';
import { chooses } from './identityChoice.ts';

interface Known {
  readonly generation: string;
  /** For an identity: its group membership depends on its own fields, which have no generation. */
  readonly principals: string;
  readonly grants: Grants;
}

/** Computed grants of the callers of each org, with their generation, so that none is stale. */
const known = new WeakMap<Store, Map<string, Known>>();
const mostKnown = 1_000;

/** With more policies than this, grants are computed in slices before the transaction that needs them. */
const mostAtOnce = 200;

/** All grants of the caller, as of this transaction; computed again only if rights have changed since. */
export function grantsOf(session: Session): Grants {
  const { platform, tx, caller, mayPrepare = false } = session;
  const generation = accessGeneration(tx);
  const ofIdentity = caller.kind === 'identity' ? principalsOf(session) : undefined;
  const found = known.get(platform.store)?.get(caller.link);
  if (found?.generation === generation && found.principals === keyOf(ofIdentity)) return found.grants;

  const principals = ofIdentity ?? principalsOf(session);
  const policies = policiesOf(tx, principals, mayPrepare ? mostAtOnce + 1 : noLimit);
  if (mayPrepare && policies.length > mostAtOnce) throw new Unprepared(() => preparedOnce(platform, caller));
  const grants = compileGrants(
    policies.map(({ record }) => readPolicy(record, platform.org)),
    linksOf(principals, platform.org),
  );
  remember(session, { generation, principals: keyOf(ofIdentity), grants });
  return grants;
}

function remember({ platform, caller }: Pick<Session, 'caller' | 'platform'>, made: Known): void {
  const callers = known.get(platform.store) ?? new Map<string, Known>();
  known.set(platform.store, callers);
  callers.delete(caller.link);
  if (callers.size >= mostKnown) for (const oldest of callers.keys()) if (callers.delete(oldest)) break;
  callers.set(caller.link, made);
}

/** Policies that name one of the principals, at most `most`. */
function policiesOf(tx: Transaction, principals: readonly Ref[], most: number): readonly Row[] {
  const found = new Map<number, Row>();
  for (const ref of principals) {
    for (const row of tx.referrers(ref, 'policy', most)) found.set(row.seq, row);
    if (found.size >= most) break;
  }
  return [...found.values()];
}

const underWay = new WeakMap<Store, Map<string, Promise<void>>>();

/** Simultaneous requests of one caller share one computation. */
function preparedOnce(platform: Platform, caller: Caller): Promise<void> {
  const callers = underWay.get(platform.store) ?? new Map<string, Promise<void>>();
  underWay.set(platform.store, callers);
  const running =
    callers.get(caller.link) ?? prepareGrants(platform, caller).finally(() => callers.delete(caller.link));
  callers.set(caller.link, running);
  return running;
}

const policiesInSlice = 50;

/**
 * Computes the grants in slices, for the transaction that follows. The result is discarded if rights change meanwhile.
 */
function prepareGrants(platform: Platform, caller: Caller): Promise<void> {
  const { org, store } = platform;
  return Slices.of({ caller: caller.link }, async (slices) => {
    const { generation, principals, names } = await store.read((tx) => {
      const principals = principalsOf({ platform, tx, caller });
      const refs = principals.flatMap((ref) => tx.referrerRefs(ref, 'policy'));
      return { generation: accessGeneration(tx), principals, names: [...new Set(refs.map(({ name }) => name))] };
    });
    const made = new GrantsInMaking(linksOf(principals, org));
    for (let at = 0; at < names.length; at += policiesInSlice) {
      await slices.rest();
      const some = names.slice(at, at + policiesInSlice);
      await store.read((tx) => {
        const rows = tx.select({ kind: 'policy', names: some, limit: some.length });
        for (const { record } of rows) made.add(readPolicy(record, org));
      });
    }
    if ((await store.read(accessGeneration)) !== generation) return;
    const ofIdentity = caller.kind === 'identity' ? principals : undefined;
    remember({ platform, caller }, { generation, principals: keyOf(ofIdentity), grants: made.grants });
  });
}

function keyOf(principals: readonly Ref[] | undefined): string {
  return principals === undefined ? '' : principals.map(formatRef).join(' ');
}

function linksOf(refs: readonly Ref[], org: string): ReadonlySet<string> {
  return new Set(refs.map((ref) => linkOf(ref, org)));
}

/** The record of the caller; undefined if it was deleted. */
function callerRow({ platform, tx, caller }: Session): Row | undefined {
  const ref = parseLink(caller.link, { org: platform.org })?.ref;
  return ref === undefined ? undefined : findRow(tx, ref);
}

/** The link by e-mail and, for a user, the one by id (platform/group.members). */
export function callerLinks(session: Session): readonly string[] {
  const row = callerRow(session);
  return row === undefined ? [] : targetOf(session, row).links;
}

/** The caller and its groups; empty if its record was deleted. */
function principalsOf(session: Session): readonly Ref[] {
  const row = callerRow(session);
  if (row === undefined) return [];
  const own = refsOfRow(row);
  return [...own, ...groupsOf(session, row, own).map(refOfRow)];
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

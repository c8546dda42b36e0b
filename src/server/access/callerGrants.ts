import { actsForWorkloads } from '../../kinds/kindFacts.ts';
import { isCallerKind } from '../../schema/record/kinds.ts';
import { linkOf, parseLink, type Ref } from '../../schema/record/ref.ts';
import type { Caller } from '../core/caller.ts';
import type { Platform } from '../core/platform.ts';
import { findRow, refsOfRow } from '../core/rows.ts';
import { type Session, Unprepared } from '../core/session.ts';
import { Slices } from '../core/slices.ts';
import { accessGeneration, dynamicGroups } from '../store/model/countedStore.ts';
import { noLimit, type Row, refOfRow, type Store, type Transaction } from '../store/model/row.ts';
import { targetOf } from './accessTarget.ts';
import { compileGrants, type Grants, GrantsBuilder } from './decisions/grants.ts';
import { isMember } from './decisions/membership.ts';
import { readPolicy } from './decisions/policyReading.ts';
import { answersValidUntilMs, matchesIdentity } from './identityChoice.ts';

interface CachedGrants {
  readonly generation: string;
  /** The record of an identity, because its groups depend on these fields, which have no generation. */
  readonly fields: string;
  /** In the monotonic time of this process. */
  readonly untilMs: number;
  readonly grants: Grants;
}

/** Computed grants of the callers of each org, with their generation to detect stale ones. */
const grantsCache = new WeakMap<Store, Map<string, CachedGrants>>();
const maxCachedCallers = 1_000;

/** With more policies or groups than this, grants are computed in slices before the transaction that needs them. */
const maxUnslicedRows = 200;

/** All grants of the caller in this transaction, computed again only if rights have changed. */
export function grantsOf(session: Session): Grants {
  const { platform, tx, caller, mayPrepare = false } = session;
  const found = cachedGrants(session);
  if (found !== undefined) return found;

  const tooMany = new Unprepared(() => prepareGrantsOnce(platform, caller));
  if (mayPrepare && possibleGroups(tx, callerRefs(session)).length > maxUnslicedRows) throw tooMany;
  const principals = principalsOf(session);
  const policies = policiesOf(tx, principals, mayPrepare ? maxUnslicedRows + 1 : noLimit);
  if (mayPrepare && policies.length > maxUnslicedRows) throw tooMany;
  const grants = compileGrants(
    policies.map(({ record }) => readPolicy(record, platform.org)),
    linksOf(principals, platform.org),
  );
  cacheGrants(session, { ...validityOf(session), grants });
  return grants;
}

/** The computed grants of the caller, if they are still valid. */
export function cachedGrants(session: Session): Grants | undefined {
  const found = grantsCache.get(session.platform.store)?.get(session.caller.link);
  if (found === undefined || performance.now() >= found.untilMs) return undefined;
  const { generation, fields } = validityOf(session);
  return found.generation === generation && found.fields === fields ? found.grants : undefined;
}

type Validity = Omit<CachedGrants, 'grants'>;

function validityOf(session: Session): Validity {
  const generation = accessGeneration(session.tx);
  if (!actsForWorkloads(session.caller.kind)) return { generation, fields: '', untilMs: Number.POSITIVE_INFINITY };
  const row = callerRow(session);
  const fields = row === undefined ? '' : JSON.stringify(targetOf(session, row).candidate(true).fields);
  return { generation, fields, untilMs: answersValidUntilMs() };
}

function cacheGrants({ platform, caller }: Pick<Session, 'caller' | 'platform'>, entry: CachedGrants): void {
  const callers = grantsCache.get(platform.store) ?? new Map<string, CachedGrants>();
  grantsCache.set(platform.store, callers);
  callers.delete(caller.link);
  if (callers.size >= maxCachedCallers) for (const oldest of callers.keys()) if (callers.delete(oldest)) break;
  callers.set(caller.link, entry);
}

/** At most `most` policies that name one of the principals. */
function policiesOf(tx: Transaction, principals: readonly Ref[], most: number): readonly Row[] {
  const found = new Map<number, Row>();
  for (const ref of principals) {
    for (const row of tx.referrers(ref, 'policy', most)) found.set(row.seq, row);
    if (found.size >= most) break;
  }
  return [...found.values()];
}

const pendingPreparations = new WeakMap<Store, Map<string, Promise<void>>>();

/** Computes once for simultaneous requests of one caller. */
function prepareGrantsOnce(platform: Platform, caller: Caller): Promise<void> {
  const callers = pendingPreparations.get(platform.store) ?? new Map<string, Promise<void>>();
  pendingPreparations.set(platform.store, callers);
  const running =
    callers.get(caller.link) ?? prepareGrants(platform, caller).finally(() => callers.delete(caller.link));
  callers.set(caller.link, running);
  return running;
}

const rowsPerSlice = 50;

/**
 * Computes the grants in slices before the transaction that uses them. Discards the result if rights change meanwhile.
 */
function prepareGrants(platform: Platform, caller: Caller): Promise<void> {
  const { org, store } = platform;
  return Slices.of({ caller: caller.link }, async (slices) => {
    async function inSlices<T, U>(all: readonly T[], readSome: (tx: Transaction, some: readonly T[]) => readonly U[]) {
      const found: U[] = [];
      for (let at = 0; at < all.length; at += rowsPerSlice) {
        await slices.rest();
        found.push(...(await store.read((tx) => readSome(tx, all.slice(at, at + rowsPerSlice)))));
      }
      return found;
    }
    const { validity, own, possible } = await store.read((tx) => {
      const session = { platform, tx, caller };
      const own = callerRefs(session);
      return { validity: validityOf(session), own, possible: possibleGroups(tx, own) };
    });
    const groups = await inSlices(possible, (tx, names) => memberGroups({ platform, tx, caller }, names));
    const principals = [...own, ...groups];
    const names = await inSlices(principals, (tx, some) =>
      some.flatMap((ref) => tx.referrerRefs(ref, 'policy').map(({ name }) => name)),
    );
    const builder = new GrantsBuilder(linksOf(principals, org));
    await inSlices([...new Set(names)], (tx, some) => {
      const rows = tx.select({ kind: 'policy', names: some, limit: some.length });
      for (const { record } of rows) builder.add(readPolicy(record, org));
      return [];
    });
    const after = await store.read((tx) => validityOf({ platform, tx, caller }));
    if (after.generation !== validity.generation || after.fields !== validity.fields) return;
    cacheGrants({ platform, caller }, { ...after, grants: builder.grants });
  });
}

function linksOf(refs: readonly Ref[], org: string): ReadonlySet<string> {
  return new Set(refs.map((ref) => linkOf(ref, org)));
}

/** The record of the caller, or undefined if it was deleted. */
function callerRow({ platform, tx, caller }: Session): Row | undefined {
  const ref = parseLink(caller.link, { org: platform.org })?.ref;
  return ref === undefined ? undefined : findRow(tx, ref);
}

/** The link by e-mail and, for a user, also by id (platform/group.members). */
export function callerLinks(session: Session): readonly string[] {
  const row = callerRow(session);
  return row === undefined ? [] : targetOf(session, row).links;
}

/** The caller itself; empty if its record was deleted. */
function callerRefs(session: Session): readonly Ref[] {
  const row = callerRow(session);
  return row === undefined ? [] : refsOfRow(row);
}

/** The caller itself and its groups. */
function principalsOf(session: Session): readonly Ref[] {
  const own = callerRefs(session);
  return [...own, ...memberGroups(session, possibleGroups(session.tx, own))];
}

/** The groups that may contain the caller: those that name it, and those whose membership must be evaluated. */
function possibleGroups(tx: Transaction, own: readonly Ref[]): readonly string[] {
  if (own.length === 0) return [];
  const namingGroups = own.flatMap((ref) => tx.referrerRefs(ref, 'group').map(({ name }) => name));
  return [...new Set([...namingGroups, ...dynamicGroups(tx)])];
}

function memberGroups(session: Session, names: readonly string[]): readonly Ref[] {
  const { platform, tx } = session;
  const row = callerRow(session);
  if (row === undefined || !isCallerKind(row.kind) || names.length === 0) return [];
  const principal = { kind: row.kind, ...targetOf(session, row) };
  return tx
    .select({ kind: 'group', names, limit: names.length })
    .filter(({ record }) => isMember(record, principal, platform.org, matchesIdentity))
    .map(refOfRow);
}

import { stringAt } from '../base/json/json.ts';
import { compact } from '../base/json/present.ts';
import { once } from '../base/once.ts';
import type { ToolError } from '../base/toolError.ts';
import { hiddenField, isNamedByEmail, isUnrevealed } from '../kinds/kindFacts.ts';
import type { Closure, LiveResource, Snapshot, SnapshotRequest } from '../manifest/live/snapshot.ts';
import { ownerOf } from '../manifest/model/ownTags.ts';
import { isCustomKind } from '../schema/record/customKinds.ts';
import { declarableKinds, isContainer, isGvcScoped, isRead, type Kind, kindsInGvcs } from '../schema/record/kinds.ts';
import { collectionPath, formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import type { Client } from './client.ts';
import {
  type Collections,
  type Found,
  fetchInGvcs,
  fetchNamed,
  fetchOwned,
  listGvcs,
  listsNothing,
  ownedOf,
  readEach,
} from './collections.ts';
import { askFirst } from './firstReads.ts';
import { fetchGaps } from './gaps.ts';
import { ApiError, isCode } from './http/apiError.ts';
import { IncompleteList } from './incompleteList.ts';
import { isBare, isUnserved } from './reader.ts';

export type SnapshotSource = Collections & Pick<Client, 'org' | 'get' | 'reveal' | 'children' | 'requests' | 'views'>;

/**
 * Reads the live state in bulk: kinds in parallel; for each kind first the owner's records by one query, then other
 * declared or referenced records by name, in chunks. The number of requests grows with kinds and pages, not with
 * resources; only the values of declared secrets need one request each. `first`: requests already in progress.
 */
export async function fetchSnapshot(
  client: SnapshotSource,
  request: SnapshotRequest,
  first = askFirst(client, request.owner),
): Promise<Snapshot> {
  const { discovery, before } = first;
  // Computed when the first answer arrives: in the meantime the platform reads the owner's records.
  let byKind: ReadonlyMap<Kind, Wanted> | undefined;
  const wanted = (kind: Kind): Wanted => {
    byKind ??= wantedByKind(request);
    return byKind.get(kind) ?? new Map();
  };
  // The stack itself may define a kind after the first requests were sent.
  const ownedLate = (kind: Kind): Promise<Found> | undefined =>
    isCustomKind(kind) && request.owner !== '' ? fetchOwned(client, kind, request.owner) : undefined;
  const { owner } = request;
  const everyGvc = once(() => everyGvcOf(client));
  const byName: KindRequest['byName'] = (kind, refs) =>
    first.named?.fetch(client, kind, refs).catch(() => fetchNamed(client, kind, refs)) ??
    fetchNamed(client, kind, refs);
  const read = (kind: Kind, present?: Promise<ReadonlySet<string>>) => {
    const owned = first.owned.get(kind) ?? ownedLate(kind);
    return fetchKind(client, { kind, owner, owned, wanted, present, everyGvc, byName });
  };

  const gvcs = read('gvc');
  const present = gvcs.then(({ resources }) => new Set(resources.map(({ ref }) => ref.name)));
  present.catch(() => {}); // reported through `gvcs`; not every kind awaits it
  const unrevealed = new Set<ResourceId>();
  async function readKind(kind: Kind): Promise<Found> {
    if (isContainer(kind)) return gvcs;
    const found = read(kind, isGvcScoped(kind) ? present : undefined);
    if (hiddenField(kind) === undefined) return found;
    const shown = await found;
    await discovery; // it may tell whether there is `-reveal`
    return revealValues(client, request.declared, shown, unrevealed);
  }
  // Users are never owned, so they are read by name only, and only if one is named.
  const readUsers = async (): Promise<readonly Found[]> => {
    await discovery;
    return compact([wanted('user').size === 0 ? undefined : await read('user')]);
  };
  const asked = declarableKinds();
  const [kinds, users, discovered, closures] = await Promise.all([
    Promise.all(asked.map(readKind)),
    readUsers(),
    discovery,
    gvcs.then(({ resources }) => fetchClosures(client, request, resources)),
  ]);
  const found = [...(await withContent(client, kinds)), ...users];
  await requireOrg(client, found);
  const gaps = await fetchGaps(client, asked, kinds, (kind) => wanted(kind).size > 0);
  const unserved = asked.find(
    (kind, index) =>
      isCustomKind(kind) &&
      isUnknown(kinds[index]) &&
      request.declared.length > 0 &&
      wanted(kind).size > 0 &&
      !gaps.has('gvc'),
  );
  if (unserved !== undefined) throw unknownKind(unserved, request.org);

  const resources = new Map(
    found.flatMap((kind) => kind.resources.map((resource) => [resource.id, resource] as const)),
  );
  const named = request.referenced.filter(({ kind }) => isRead(kind)).map(formatRef);
  const unfound = new Set(named.filter((id) => !resources.has(id)));
  const absent = new Set(found.flatMap((kind) => kind.absent ?? []));
  return {
    org: request.org,
    capabilities: client.capabilities,
    resources,
    closures,
    unrevealed,
    unfound,
    ...(absent.size === 0 ? {} : { absent }),
    ...(gaps.size === 0 ? {} : { gaps }),
    ...discovered,
    requests: client.requests() - before,
  };
}

/** If list items turned out to be incomplete, those that could not be recognised as such are read by name, too. */
async function withContent(client: SnapshotSource, kinds: readonly Found[]): Promise<readonly Found[]> {
  if (!client.capabilities.isOtherwise('read.items')) return kinds;
  const whole = async (live: LiveResource) =>
    isBare(live.ref.kind, live.record) ? await client.record(live.ref) : live;
  return Promise.all(
    kinds.map(async (found) => {
      const resources = await Promise.all(found.resources.map(whole));
      return { ...found, resources: compact(resources) };
    }),
  );
}

function isUnknown(found: Found | undefined): boolean {
  return found?.resources.length === 0 && isCode(found.unserved, 'api.not-found');
}

/** The names of all GVCs; undefined if they cannot be listed. */
async function everyGvcOf(client: SnapshotSource): Promise<ReadonlySet<string> | undefined> {
  const { records, error } = await listGvcs(client);
  return error === undefined ? new Set(records.map(({ ref }) => ref.name)) : undefined;
}

/** Declared and referenced resources and their GVCs, by kind and id. */
type Wanted = ReadonlyMap<ResourceId, Ref>;

/** Kinds without a collection to query, or that a manifest cannot name. */
const unasked: ReadonlySet<Kind> = new Set<Kind>(['deployment', 'task']);

function wantedByKind({ declared, referenced }: SnapshotRequest): ReadonlyMap<Kind, Wanted> {
  const byKind = new Map<Kind, Map<ResourceId, Ref>>();
  function want(ref: Ref): void {
    if (unasked.has(ref.kind)) return;
    const refs = byKind.get(ref.kind) ?? new Map<ResourceId, Ref>();
    byKind.set(ref.kind, refs.set(formatRef(ref), ref));
    if (ref.gvc !== undefined) want({ kind: 'gvc', name: ref.gvc });
  }
  for (const ref of declared) want(ref);
  for (const ref of referenced) want(ref);
  return byKind;
}

interface KindRequest {
  readonly kind: Kind;
  readonly owner: string;
  readonly owned: Promise<Found> | undefined;
  readonly wanted: (kind: Kind) => Wanted;
  /** For GVC-scoped kinds: the GVCs that exist. Others are not queried. */
  readonly present: Promise<ReadonlySet<string>> | undefined;
  /** All GVCs of the org; undefined if they cannot be listed. */
  readonly everyGvc: () => Promise<ReadonlySet<string> | undefined>;
  readonly byName: (kind: Kind, refs: readonly Ref[]) => Promise<Found>;
}

async function fetchKind(client: SnapshotSource, request: KindRequest): Promise<Found> {
  const { kind, owner, wanted, present } = request;
  let owned: Found = (await request.owned) ?? { resources: [] };
  // If GVCs cannot be listed, nothing is pruned, and lists in the named ones would add nothing.
  if (owned.gap !== undefined && present !== undefined && !listsNothing(client))
    owned = await inGvcs(client, request, owned);
  const missing = missingIn(owned, wanted(kind));
  if (missing.length === 0) return owned;

  const gvcs = await present;
  const asked = gvcs === undefined ? missing : missing.filter(({ gvc }) => gvc !== undefined && gvcs.has(gvc));
  if (asked.length === 0) return owned;

  const ids = new Set(asked.map(formatRef));
  const named =
    owned.gap !== undefined
      ? await readEach(client, asked)
      : owned.all === undefined
        ? await request.byName(kind, asked)
        : { resources: owned.all };
  const matches = isNamedByEmail(kind)
    ? users(asked, named.resources)
    : named.resources.filter(({ id }) => ids.has(id));
  const { unserved = named.unserved, gap = named.gap } = owned;
  // The query for the owner's records should have returned it.
  const missed =
    gap === undefined && owner !== '' ? matches.find(({ record }) => ownerOf(record) === owner) : undefined;
  return {
    resources: [...owned.resources, ...matches],
    ...(unserved === undefined ? {} : { unserved }),
    ...(missed === undefined ? {} : { gap: `a query for the stack's records of this kind left out ${missed.id}` }),
    ...(gap === undefined ? {} : { gap }),
    ...(named.absent === undefined ? {} : { absent: named.absent }),
  };
}

function missingIn({ resources }: Found, needed: Wanted): readonly Ref[] {
  const ids = new Set(resources.map(({ id }) => id));
  return [...needed].filter(([id]) => !ids.has(id)).map(([, ref]) => ref);
}

/** Records that the org does not list are listed in each GVC. Without a list of all GVCs, only in the known ones. */
async function inGvcs(
  client: SnapshotSource,
  { kind, owner, present, everyGvc }: KindRequest,
  owned: Found,
): Promise<Found> {
  const [known, every] = await Promise.all([present ?? new Set<string>(), everyGvc()]);
  const found = await fetchInGvcs(client, kind, [...new Set([...(every ?? []), ...known])]);
  if (found === undefined) return owned;
  if (every !== undefined)
    return { ...ownedOf(found, owner), ...(found.gap === undefined ? { all: found.resources } : {}) };
  const { gap = 'GVCs cannot be listed, so it is not known what is in those that this stack does not name' } = found;
  return { resources: found.resources, gap };
}

/** A user gets the name that the reference uses: name, id or e-mail address. */
function users(asked: readonly Ref[], found: readonly LiveResource[]): readonly LiveResource[] {
  const byWord = new Map<string, LiveResource>();
  for (const user of found) {
    for (const word of [user.ref.name, user.uid, stringAt(user.record, 'email')]) {
      if (word !== undefined) byWord.set(word.toLowerCase(), user);
    }
  }
  return compact(asked, (ref) => {
    const user = byWord.get(ref.name.toLowerCase());
    return user === undefined ? undefined : { ...user, ref, id: formatRef(ref) };
  });
}

/** The content of the owner's GVCs that are no longer declared, because they may be deleted. */
async function fetchClosures(
  client: SnapshotSource,
  { owner, declared }: SnapshotRequest,
  gvcs: readonly LiveResource[],
): Promise<ReadonlyMap<string, Closure>> {
  const declaredGvcs = new Set(declared.filter(({ kind }) => isContainer(kind)).map(({ name }) => name));
  const going = gvcs.filter(({ ref, record }) => ownerOf(record) === owner && !declaredGvcs.has(ref.name));
  return listClosures(
    client,
    going.map(({ ref }) => ref.name),
  );
}

/** The content of GVCs, by their names. */
async function listClosures(client: SnapshotSource, gvcs: readonly string[]): Promise<ReadonlyMap<string, Closure>> {
  const closures = gvcs.map(async (gvc): Promise<readonly [string, Closure]> => {
    try {
      const [children, views] = await Promise.all([client.children(gvc), client.views()]);
      if (!views.isKnown) return [gvc, { known: true, children, views: 'untold' }];
      const unseen = kindsInGvcs().filter((kind) => !views.all(kind, gvc));
      return [gvc, { known: true, children, ...(unseen.length === 0 ? {} : { unseen }) }];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Empty if another client has deleted it. Otherwise the planner refuses changes that depend on its content.
      const known = isCode(error, 'api.not-found') && (await isGone(client, gvc));
      const children = error instanceof IncompleteList ? error.records : [];
      return [gvc, known ? { known, children } : { known, children, because: error.message }];
    }
  });
  return new Map(await Promise.all(closures));
}

/** The list may also be missing because the installation does not know the kind. */
async function isGone(client: SnapshotSource, name: string): Promise<boolean> {
  const ref = { kind: 'gvc', name } as const;
  const { resources, gap } = await fetchNamed(client, 'gvc', [ref]);
  const isListed = resources.some((live) => live.ref.name === name);
  return gap === undefined && !isListed;
}

/** The same snapshot with the content of these GVCs, which lose something according to a first plan. */
export async function withClosures(
  client: SnapshotSource,
  snapshot: Snapshot,
  gvcs: readonly string[],
): Promise<Snapshot> {
  if (gvcs.length === 0) return snapshot;
  const before = client.requests();
  const listed = await listClosures(client, gvcs);
  const requests = snapshot.requests + client.requests() - before;
  return { ...snapshot, closures: new Map([...snapshot.closures, ...listed]), requests };
}

/** Reads the declared secrets again, with their values; those with unknown values are added to `unrevealed`. */
async function revealValues(
  client: SnapshotSource,
  declared: readonly Ref[],
  found: Found,
  unrevealed: Set<ResourceId>,
): Promise<Found> {
  const ids = new Set(declared.filter(({ kind }) => hiddenField(kind) !== undefined).map(formatRef));
  const asked = found.resources.filter(({ id }) => ids.has(id));
  const reveal = async (secret: LiveResource): Promise<readonly LiveResource[]> => {
    try {
      const live = await client.reveal(secret.ref, secret);
      if (isUnrevealed(live.ref.kind, live.record)) unrevealed.add(live.id);
      return [live];
    } catch (error) {
      if (!isCode(error, 'api.not-found')) throw error;
      return []; // deleted since
    }
  };
  const [first, ...others] = asked;
  if (first === undefined) return found;
  // A platform without `-reveal` is queried once, not for each secret.
  const begun = reveal(first);
  if (client.capabilities.of('secret.reveal') === undefined) await begun;
  const revealed = new Map((await Promise.all([begun, ...others.map(reveal)])).flat().map((live) => [live.id, live]));
  const resources = found.resources.flatMap((each) => (ids.has(each.id) ? (revealed.get(each.id) ?? []) : each));
  return { ...found, resources };
}

/** The plan would create records of a kind that the platform does not have. */
function unknownKind(kind: Kind, org: string): ToolError {
  return new ApiError({
    code: 'api.not-found',
    message: `the platform knows no kind ${kind}: there is nothing at ${collectionPath(kind, org)}`,
    hint:
      'Check the name under kinds in gantry.yaml. A platform of gantry serve knows the kinds of the file that it ' +
      'was given as --kinds.',
  });
}

/**
 * If no list worked and nothing was found by name, the org itself is requested, because a platform may also have no
 * lists. Errors: `api.not-found` if the org does not exist, and the platform's error if every request failed.
 */
async function requireOrg(client: SnapshotSource, found: readonly Found[]): Promise<void> {
  const refused = found.flatMap(({ unserved }) => unserved ?? []);
  const isAnswered = found.some(({ resources, absent = [] }) => resources.length + absent.length > 0);
  const [first] = refused;
  if (refused.length < found.length || first === undefined || found.some(({ resources }) => resources.length > 0))
    return;
  if (refused.every((error) => isCode(error, 'api.not-found'))) return requireServedOrg(client);
  if (!isAnswered) throw refused.find((error) => isCode(error, 'api.unauthorized')) ?? first;
}

/** Errors: `api.not-found` if the platform answers that it has no such org. */
export async function requireServedOrg({ get, org }: Pick<Client, 'get' | 'org'>): Promise<void> {
  try {
    await get(`/org/${encodeURIComponent(org)}`, true);
  } catch (error) {
    if (isCode(error, 'api.not-found')) throw unknownOrg(org);
    if (!isUnserved(error)) throw error;
  }
}

/** Neither a collection of it nor the org itself exists. */
export function unknownOrg(org: string): ToolError {
  return new ApiError({
    code: 'api.not-found',
    message: `the org ${org} does not exist, or this token cannot view it`,
    hint: 'Check --org, GANTRY_ORG or gantry.yaml, and the endpoint.',
  });
}

import { own } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import type { AssumptionId } from '../capabilities/assumptions.ts';
import { type Capabilities, storedValues } from '../capabilities/capabilities.ts';
import type { Snapshot } from '../manifest/live/snapshot.ts';
import { declarableKinds, type Kind } from '../schema/record/kinds.ts';
import type { Client } from './client.ts';
import { type Collections, type Found, fetchOwned, fetchOwnedBy, ownedOf } from './collections.ts';
import { isCode } from './http/apiError.ts';
import type { NamedReads } from './namedReads.ts';
import { isUnserved } from './reader.ts';

/** The first requests of every plan, regardless of what the stack declares. */
export interface FirstReads {
  /** The owner's records: no kinds without an owner, and never users, which are not owned. */
  readonly owned: ReadonlyMap<Kind, Promise<Found>>;
  readonly discovery: Promise<Promises>;
  /** The number of requests sent before these. */
  readonly before: number;
  /** The reads by name that plans share. If absent, the plan reads by itself. */
  readonly named?: NamedReads;
}

/** Sends the first requests. Their errors reach only callers that await the answers. */
export function askFirst(client: Collections & Pick<Client, 'get' | 'requests'>, owner: string): FirstReads {
  const before = client.requests();
  const kinds = owner === '' ? [] : declarableKinds();
  const owned = new Map(kinds.map((kind) => [kind, fetchOwned(client, kind, owner)] as const));
  const discovery = fetchDiscovery(client);
  for (const answer of [...owned.values(), discovery]) answer.catch(() => {});
  return { owned, discovery, before };
}

/** The maximum number of owners in one query: each needs two terms. */
export const ownersInQuery = 50;

/**
 * The same for several owners of one org, whose plans share the answers: the number of requests grows with kinds and
 * pages, not with owners. `owners`: none is empty.
 */
export function askTogether(
  client: Collections & Pick<Client, 'get' | 'requests'>,
  owners: readonly string[],
  named: NamedReads,
): ReadonlyMap<string, FirstReads> {
  const before = client.requests();
  const discovery = fetchDiscovery(client);
  discovery.catch(() => {});
  const chunks = Array.from({ length: Math.ceil(owners.length / ownersInQuery) }, (_, index) =>
    owners.slice(index * ownersInQuery, (index + 1) * ownersInQuery),
  );
  const found = chunks.flatMap((chunk) => {
    const read = new Map(declarableKinds().map((kind) => [kind, fetchOwnedBy(client, kind, chunk)] as const));
    return chunk.map((owner): [string, FirstReads] => {
      const owned = new Map([...read].map(([kind, all]) => [kind, all.then((each) => ownedOf(each, owner))] as const));
      for (const answer of owned.values()) answer.catch(() => {});
      return [owner, { owned, discovery, before, named }];
    });
  });
  return new Map(found);
}

/** The facts about the platform that a plan uses, from any source. */
export type Promises = Pick<Snapshot, 'directives' | 'preconditions' | 'dryRun'>;

export function promisesOf(capabilities: Capabilities): Promises {
  const holds = (id: AssumptionId) => capabilities.of(id) === 'holds';
  return {
    directives: holds('write.all-directives') ? 'all' : 'stated',
    ...present({ preconditions: holds('write.preconditions') ? undefined : 'unsaid' }),
    ...(holds('write.dry-run') ? { dryRun: 'honoured' } : {}),
  };
}

/**
 * The endpoint's own description in `/discovery`: `directives: all`, every list directive is honoured; `preconditions:
 * honoured`, a PATCH for another version is refused; `dryRun: honoured`, a dry run stores nothing; `reveal: honoured`,
 * secrets have `-reveal`; `versions: plus-one`, each write that changes a record adds one; `items: whole`, lists show
 * whole records; `values: documented`, defaults are those that are documented, and values are stored as they were
 * written. Most installations have none of them.
 */
export async function fetchDiscovery(client: Pick<Client, 'get' | 'capabilities'>): Promise<Promises> {
  const { capabilities } = client;
  const learning = learnDiscovery(client);
  capabilities.beingLearnt = learning.catch(() => {}); // the error is for the caller
  await learning;
  return promisesOf(capabilities);
}

/** The assumptions that each of its words confirms. */
const discoveryWords: readonly (readonly [key: string, word: string, shows: readonly AssumptionId[]])[] = [
  ['items', 'whole', ['read.items']],
  ['reveal', 'honoured', ['secret.reveal']],
  ['versions', 'plus-one', ['version.plus-one']],
  ['values', 'documented', storedValues],
  ['directives', 'all', ['write.directives', 'write.all-directives']],
  ['preconditions', 'honoured', ['write.preconditions']],
  ['dryRun', 'honoured', ['write.dry-run']],
  ['status', 'with-readiness', ['read.status']],
];

/** A word does not override what an answer has shown. */
async function learnDiscovery({ get, capabilities }: Pick<Client, 'get' | 'capabilities'>): Promise<void> {
  if (capabilities.isOtherwise('read.discovery')) return;
  try {
    const discovered = await get('/discovery', true);
    const confirmed = discoveryWords.flatMap(([key, word, ids]) => (own(discovered, key) === word ? ids : []));
    for (const id of confirmed) if (!capabilities.isOtherwise(id)) capabilities.learn(id, 'holds');
  } catch (error) {
    if (!isUnserved(error)) throw error;
    if (isCode(error, 'api.not-found', 'api.method')) capabilities.learn('read.discovery', 'otherwise');
  }
}

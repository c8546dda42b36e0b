import { type JsonObject, own } from '../base/json/json.ts';
import { type AssumptionId, storedValues } from '../capabilities/assumptions.ts';
import type { Snapshot } from '../manifest/live/snapshot.ts';
import { declarableKinds, type Kind } from '../schema/record/kinds.ts';
import type { Client } from './client.ts';
import { type Collections, type Found, fetchOwned } from './read/collections.ts';
import { isUnserved } from './read/reader.ts';

/** What every plan of a stack asks first, whatever the stack declares. */
export interface FirstReads {
  /** The records of the owner. No kind without an owner, and never users: they are not owned. */
  readonly owned: ReadonlyMap<Kind, Promise<Found>>;
  readonly discovery: Promise<Discovery>;
  /** The requests that were sent before these. */
  readonly before: number;
}

/** Sends the first questions. Their errors are for whoever awaits the answers, if anybody does. */
export function askFirst(client: Collections & Pick<Client, 'get' | 'requests'>, owner: string): FirstReads {
  const before = client.requests();
  const kinds = owner === '' ? [] : declarableKinds();
  const owned = new Map(kinds.map((kind) => [kind, fetchOwned(client, kind, owner)] as const));
  const discovery = fetchDiscovery(client);
  for (const answer of [...owned.values(), discovery]) answer.catch(() => {});
  return { owned, discovery, before };
}

export type Discovery = Pick<Snapshot, 'directives' | 'preconditions' | 'dryRun'>;

/**
 * What the endpoint says of itself in `/discovery`: `directives: all`, every list directive is honoured;
 * `preconditions: honoured`, a PATCH for another version is refused; `dryRun: honoured`, a dry run stores nothing;
 * `reveal: honoured`, secrets have `-reveal`; `versions: plus-one`, each write that changes a record adds one;
 * `items: whole`, lists show whole records; `values: documented`, defaults are those that are documented, and values are
 * stored as they were written. Most installations say none of it.
 */
export function fetchDiscovery(client: Pick<Client, 'get' | 'capabilities'>): Promise<Discovery> {
  const discovery = learnDiscovery(client);
  client.capabilities.beingLearnt = discovery.then(
    () => {},
    () => {}, // the error is for the caller
  );
  return discovery;
}

/** What each word of it shows. */
const sayings: readonly (readonly [key: string, word: string, shows: readonly AssumptionId[]])[] = [
  ['items', 'whole', ['read.items']],
  ['reveal', 'honoured', ['secret.reveal']],
  ['versions', 'plus-one', ['version.plus-one']],
  ['values', 'documented', storedValues],
  ['directives', 'all', ['write.directives', 'write.all-directives']],
  ['preconditions', 'honoured', ['write.preconditions']],
  ['dryRun', 'honoured', ['write.dry-run']],
];

async function learnDiscovery(client: Pick<Client, 'get' | 'capabilities'>): Promise<Discovery> {
  const said = await readDiscovery(client);
  for (const [key, word, ids] of sayings) {
    if (own(said, key) === word) for (const id of ids) client.capabilities.learn(id, 'holds');
  }
  return {
    directives: own(said, 'directives') === 'all' ? 'all' : 'stated',
    ...(own(said, 'preconditions') === 'honoured' ? {} : { preconditions: 'unsaid' }),
    ...(own(said, 'dryRun') === 'honoured' ? { dryRun: 'honoured' } : {}),
  };
}

async function readDiscovery(client: Pick<Client, 'get'>): Promise<JsonObject> {
  try {
    return await client.get('/discovery', true);
  } catch (error) {
    if (!isUnserved(error)) throw error;
    return {};
  }
}

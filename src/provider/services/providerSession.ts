import { monotonicReads, type ReadsOfRun } from '../../apply/monotonicReads.ts';
import { systemClock, type Written } from '../../apply/port.ts';
import { defaultPatience, type Patience } from '../../apply/run.ts';
import { own } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { once } from '../../base/once.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Client } from '../../client/client.ts';
import { fetchDiscovery, type Promises } from '../../client/firstReads.ts';
import { isCode } from '../../client/http/apiError.ts';
import { IncompleteList } from '../../client/incompleteList.ts';
import { isUnserved } from '../../client/reader.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { ownerOf } from '../../manifest/model/ownTags.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { readInterrupted } from '../changes/changeContext.ts';
import type { Log } from '../host/log.ts';
import { type OtherRecords, PlannedSet } from '../plan/plannedSet.ts';
import { type Connection, notConfigured, openConnection } from '../platform/connection.ts';
import { type LocalStates, localStates } from '../platform/localStates.ts';
import { type DeletionReads, makeDeletionReads } from '../platform/looks.ts';
import { type NeededBy, neededByOthers } from '../platform/neededBy.ts';
import { type Records, recordsOf } from '../platform/records.ts';
import type { ProviderSettings, Surroundings } from '../platform/settings.ts';
import { stateOwner } from '../platform/stateIdentity.ts';
import { type UnfinishedCreations, unfinishedCreations } from '../platform/unfinishedCreations.ts';

/** The effect of a plan on the record of a resource: it stays under its name, or it is deleted. */
type Fate = 'stays' | 'goes';

/**
 * The configuration's records that this process knows: one process plans all resources. This distinguishes a record
 * that an unfinished apply has left from one of another resource of the same configuration.
 */
class ConfigurationRecords {
  /** The version that was read last, by id. */
  readonly #inState = new Map<string, number | undefined>();
  readonly #toBeAdopted = new Set<string>();
  readonly #fates = new Map<string, Fate>();
  readonly #claimed = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #toBeCreated = new Set<ResourceId>();
  readonly #owners = new Map<string, string | undefined>();
  readonly #routes = new Map<string, Set<'domain' | 'route'>>();

  /** Notes where routes of a port are declared, in the domain or apart. True at the first use of both ways. */
  noteRoutes(domain: string, port: number, where: 'domain' | 'route'): boolean {
    const key = `${domain}:${port}`;
    const ways = this.#routes.get(key) ?? new Set();
    const isSecond = ways.size === 1 && !ways.has(where);
    this.#routes.set(key, ways.add(where));
    return isSecond;
  }

  /** Notes that the state has this id. False if it was also planned for a resource that is not in the state. */
  noteInState(uid: string, version?: number): boolean {
    this.#inState.set(uid, version ?? this.#inState.get(uid));
    return !this.#toBeAdopted.has(uid);
  }

  /** Remembers the owner in the record, as it was read last. */
  noteOwner(uid: string, owner: string | undefined): void {
    this.#owners.set(uid, owner);
  }

  ownerOf(uid: string): string | undefined {
    return this.#owners.get(uid);
  }

  isInState(uid: string): boolean {
    return this.#inState.has(uid);
  }

  versionOf(uid: string): number | undefined {
    return this.#inState.get(uid);
  }

  /** Notes that the resource of this record was planned. True if a new resource is to get its name. */
  notePlan(uid: string, fate: Fate): boolean {
    this.#fates.set(uid, fate);
    return this.#claimed.has(uid);
  }

  /** Notes that a new resource is to get the name of this record. Returns the record's fate, if already planned. */
  noteNameClaim(uid: string): Fate | undefined {
    this.#claimed.add(uid);
    return this.#fates.get(uid);
  }

  /** Whether this is the first report about the record. */
  isFirstReport(uid: string): boolean {
    const isFirst = !this.#reported.has(uid);
    this.#reported.add(uid);
    return isFirst;
  }

  /** Notes that a resource outside of the state is to get this record. False if another one has it in the state. */
  noteAdoption(uid: string): boolean {
    if (this.#inState.has(uid)) return false;
    this.#toBeAdopted.add(uid);
    return true;
  }

  /** Notes that a resource outside of the state is to get this name. False if another one is, too. */
  noteCreation(id: ResourceId): boolean {
    const isFirst = !this.#toBeCreated.has(id);
    this.#toBeCreated.add(id);
    return isFirst;
  }
}

/** The platform as the calls of this process use it. */
export interface Platform {
  readonly client: Client;
  readonly records: Records;
  /** The value of `gantry/stack` on records that this configuration creates. */
  readonly owner: string;
  /** The resources that this process has planned. */
  readonly planned: PlannedSet;
  /** For deletions. */
  readonly neededBy: NeededBy;
  /** For deletions. */
  readonly deletionReads: DeletionReads;
  /** The endpoint's own description; fetched once, before the first write. */
  readonly discovery: () => Promise<Promises>;
  /** The writes of this process: older reads are repeated. */
  readonly written: Map<ResourceId, Written>;
}

/** The values that the calls of one process share. */
export class ProviderSession {
  readonly surroundings: Surroundings;
  readonly creations: UnfinishedCreations;
  readonly states: LocalStates;
  #stop = new AbortController();
  #handled = new ConfigurationRecords();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #interrupts = new Set<() => void>();
  #settings: ProviderSettings | undefined;
  #connection: Promise<Connection> | undefined;
  #platform: Promise<Platform> | undefined;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
    this.creations = unfinishedCreations(surroundings);
    this.states = localStates(surroundings.cwd);
  }

  readonly log: Log = (...line) => this.surroundings.log?.(...line);

  /** Aborted by Ctrl-C: running work is finished, and nothing new begins. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Called for each command: a provider that Terraform did not start serves several. */
  async configure(settings: ProviderSettings): Promise<void> {
    await this.close();
    this.#settings = settings;
    this.#handled = new ConfigurationRecords();
    this.#connection = undefined;
    this.#platform = undefined;
    this.#stop = new AbortController();
  }

  /** The records of the configuration seen by this command. */
  get handled(): ConfigurationRecords {
    return this.#handled;
  }

  /** Throws if there was no valid provider block. */
  get settings(): ProviderSettings {
    if (this.#settings === undefined) throw notConfigured();
    return this.#settings;
  }

  /** The time limits for the platform. */
  get patience(): Partial<Patience> {
    const { consistencyMs } = this.settings;
    return present({ consistencyMs });
  }

  get isConfigured(): boolean {
    return this.#settings !== undefined;
  }

  platform(): Promise<Platform> {
    this.#platform ??= this.#open();
    return this.#platform;
  }

  /** Runs a write that must be finished, even if no call waits for it. */
  finish<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    return work.finally(() => this.#underWay.delete(work));
  }

  /** Runs a call that writes nothing: Ctrl-C ends it immediately. */
  unlessStopped<T>(work: Promise<T>): Promise<T> {
    const interruption = Promise.withResolvers<never>();
    const interrupt = () => interruption.reject(readInterrupted());
    this.#interrupts.add(interrupt);
    return Promise.race([work, interruption.promise]).finally(() => this.#interrupts.delete(interrupt));
  }

  stop(): void {
    this.#stop.abort();
    for (const interrupt of this.#interrupts) interrupt();
  }

  /** Called when Terraform ends normally, so its state contains the answers. After Ctrl-C it may be killed before. */
  async settle(): Promise<void> {
    if (!this.stopped.aborted) await this.creations.endAnswered();
  }

  /** Finishes the writes; other work has no caller left. */
  async close(): Promise<void> {
    this.stop();
    await Promise.allSettled(this.#underWay);
    await (await this.#connection?.catch(() => undefined))?.close();
  }

  async #open(): Promise<Platform> {
    this.#connection = openConnection(this.settings, this.surroundings);
    const [connection, owner] = await Promise.all([this.#connection, stateOwner(this.surroundings)]);
    const { client: platform } = connection;
    const written = new Map<ResourceId, Written>();
    const reads: ReadsOfRun = {
      plan: { changes: [] },
      written,
      clock: systemClock,
      random: Math.random,
      patience: { ...defaultPatience, ...this.patience },
      halt: this.stopped,
      capabilities: platform.capabilities,
    };
    const client = inServedOrg(monotonicReads(platform, reads));
    const records = recordsOf(client);
    const isOther = (live: LiveResource) => ownerOf(live.record) !== owner && !this.#handled.isInState(live.uid);
    return {
      client,
      records,
      owner,
      written,
      planned: new PlannedSet(client.org, otherRecords(records, isOther)),
      neededBy: neededByOthers(client, isOther),
      deletionReads: (this.surroundings.makeDeletionReads ?? makeDeletionReads)(client, {
        now: () => performance.now(),
        sleep: (ms) => systemClock.sleep(ms),
      }),
      discovery: once(() => fetchDiscovery(client)),
    };
  }
}

/** The listed live records outside of this configuration, as far as is known. */
function otherRecords(records: Records, isOther: (live: LiveResource) => boolean): OtherRecords {
  return {
    get({ kind, gvc, name }) {
      const live = records.listedSoFar(kind, gvc).get(name);
      return live !== undefined && isOther(live) ? live.record : undefined;
    },
    list: (kind, gvc) => [...records.listedSoFar(kind, gvc).values()].filter(isOther),
  };
}

/**
 * The same client, which reports a record as absent only if the platform has the org. A wrong org, a wrong path and a
 * server that answers 404 to everything look like an org without records: Terraform would remove them from the state. A
 * record of the org proves that it exists; before the first one is seen, the org is requested, once.
 */
function inServedOrg(client: Client): Client {
  let isSeen = false;
  let served: Promise<void> | undefined;
  const requireOrg = async (): Promise<void> => {
    if (isSeen) return;
    served ??= findOrg(client);
    await served.catch((error: unknown) => {
      served = undefined;
      if (!isSeen) throw error; // another answer has shown a record in the meantime
    });
  };
  return {
    ...client,
    async read(ref) {
      const live = await client.read(ref);
      if (live === undefined) await requireOrg();
      else isSeen = true;
      return live;
    },
    async list(kind, gvc) {
      try {
        const found = await client.list(kind, gvc);
        if (found.length > 0) isSeen = true;
        return found;
      } catch (error) {
        if (isCode(error, 'api.not-found')) await requireOrg();
        throw error;
      }
    },
  };
}

/** Looks for the org's own record, or for a GVC in it, because not every platform has the former. */
async function findOrg(client: Client): Promise<void> {
  const { org } = client;
  const path = `/org/${encodeURIComponent(org)}`;
  try {
    const record = await client.get(path, true);
    if (own(record, 'name') === org) return;
  } catch (error) {
    if (isCode(error, 'api.forbidden')) return; // it exists, but this token cannot view it
    if (!isUnserved(error)) throw error;
  }
  if (await hasGvc(client)) return;
  throw new ToolError({
    code: 'provider.org',
    message: `the org ${org} does not exist on this platform, or this token cannot view it`,
    hint:
      'Check org and endpoint of the provider block, and the variables GANTRY_ORG and GANTRY_ENDPOINT. Nothing was ' +
      `concluded of any resource: GET ${path} had no answer of an org, and no record of it was seen.`,
  });
}

/** Uses the list, or else a query. */
async function hasGvc({ list, query }: Client): Promise<boolean> {
  const ways = [() => list('gvc'), () => query('gvc', { match: 'all', terms: [] })];
  for (const ask of ways) {
    try {
      if ((await ask()).length > 0) return true;
    } catch (error) {
      if (error instanceof IncompleteList && error.records.length > 0) return true;
      if (!(error instanceof IncompleteList) && !isUnserved(error)) throw error;
    }
  }
  return false;
}

import type { DeleteAnswer, PlatformPort } from '../../../src/apply/port.ts';
import type { ApplyClock } from '../../../src/base/clock.ts';
import { isObject, type JsonObject, listAt, objectAt, own, sameJson } from '../../../src/base/json/json.ts';
import { ToolError } from '../../../src/base/toolError.ts';
import { Capabilities } from '../../../src/capabilities/capabilities.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { BodyProblem } from '../../../src/schema/record/problem.ts';
import { formatRef, type Ref, type ResourceId } from '../../../src/schema/record/ref.ts';

/** Time that only passes while something sleeps. Sleepers wake in the order of their deadlines. */
export class FakeClock implements ApplyClock {
  #now = 0;
  #order = 0;
  readonly #sleepers: { readonly at: number; readonly order: number; readonly wake: () => void }[] = [];
  #turning = false;

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      signal?.addEventListener('abort', () => resolve(), { once: true });
      this.#sleepers.push({ at: this.#now + ms, order: this.#order++, wake: resolve });
      this.#turn();
    });
  }

  /** Lets everything runnable run, then wakes the next sleeper. */
  #turn(): void {
    if (this.#turning) return;
    this.#turning = true;
    setImmediate(() => {
      this.#turning = false;
      this.#sleepers.sort((a, b) => a.at - b.at || a.order - b.order);
      const next = this.#sleepers.shift();
      if (next === undefined) return;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      if (this.#sleepers.length > 0) this.#turn();
    });
  }
}

export type Verb = 'create' | 'try' | 'patch' | 'delete' | 'read' | 'children' | 'deployments' | 'owned';

/** The fault of one call. */
export type Fault =
  /** Carried out, but without a response. */
  | { readonly kind: 'lost-after' }
  /** Not carried out, and without a response. */
  | { readonly kind: 'lost-before' }
  | { readonly kind: 'error'; readonly code: string; readonly message?: string }
  /** A DELETE that is not carried out, and that the port repeats itself. */
  | { readonly kind: 'repeated' }
  /** A DELETE that is answered with 404, and not carried out. */
  | { readonly kind: 'denied' }
  /** Another write on the platform just before the call. */
  | { readonly kind: 'meanwhile'; readonly happens: () => void }
  /** Answered from the records at the time of `picture`. */
  | { readonly kind: 'stale'; readonly picture: Picture }
  /** The response and the record differ from the request. */
  | { readonly kind: 'divergent'; readonly change: (record: JsonObject) => JsonObject };

export type Picture = ReadonlyMap<ResourceId, LiveResource>;

export interface FakeOptions {
  readonly clock: FakeClock;
  /** The known capabilities of the platform. */
  readonly knows?: ConstructorParameters<typeof Capabilities>[0];
  readonly latencyMs?: number;
  /** The duration of an accepted deletion. */
  readonly deletionMs?: number;
  /** The problems of the body of a creation, if the name is unused. */
  readonly refuses?: (ref: Ref, body: JsonObject, ids: readonly ResourceId[]) => readonly BodyProblem[];
  /** A PATCH is accepted with any `id` and `version`. */
  readonly ignoresVersions?: true;
  /** A PATCH with them is refused. */
  readonly refusesPins?: true;
  /** A PATCH without changes raises the version too. */
  readonly countsEveryPatch?: true;
  /** The version of a write by the one before it; 0 for a creation. @default one more */
  readonly nextVersion?: (before: number) => number;
  /** All versions rise by one after each such number of calls. */
  readonly risesEvery?: number;
  /** The response to a PATCH is the record before it. */
  readonly answersOld?: true;
  /** Reads and lists show the records of this time ago. */
  readonly lagMs?: number;
  /** A creation is accepted immediately, and carried out this much later; until then its GVC accepts no children. */
  readonly creationMs?: number;
  /** The code that refuses the deletion of a GVC with content. */
  readonly refusesFull?: 'api.conflict' | 'api.invalid';
  /** The code that refuses the name of a deleted record. */
  readonly spendsNames?: 'api.name-spent' | 'api.conflict';
}

/**
 * A platform in memory with the interface of the port: simple merges for PATCH, faults on request, and a log of calls.
 */
export class FakePlatform implements PlatformPort {
  readonly capabilities: Capabilities;
  readonly log: string[] = [];
  readonly deploymentsOf = new Map<ResourceId, (now: number) => readonly JsonObject[]>();
  busiest = 0;
  readonly #records = new Map<ResourceId, LiveResource>();
  readonly #past: { readonly until: number; readonly picture: Picture }[] = [];
  readonly #spent = new Set<ResourceId>();
  readonly #faults = new Map<string, Fault[]>();
  readonly #options: FakeOptions;
  readonly #making = new Set<ResourceId>();
  #ids = 0;
  #inFlight = 0;

  constructor(options: FakeOptions) {
    this.capabilities = new Capabilities(options.knows);
    this.#options = options;
  }

  /** Sets the faults of the next calls of this verb on this record. */
  fault(verb: Verb, id: string, ...faults: readonly Fault[]): void {
    const key = `${verb} ${id}`;
    this.#faults.set(key, [...(this.#faults.get(key) ?? []), ...faults]);
  }

  /** Stores a record, as another client would. */
  put(ref: Ref, record: JsonObject, version = 1, uid = `uid-${++this.#ids}`): LiveResource {
    this.#remember();
    const whole = { ...record, id: uid, kind: ref.kind, name: ref.name, version };
    const live: LiveResource = { ref, id: formatRef(ref), uid, version, record: whole };
    this.#records.set(live.id, live);
    return live;
  }

  drop(id: ResourceId): void {
    this.#remember();
    this.#records.delete(id);
  }

  at(id: ResourceId): LiveResource | undefined {
    return this.#records.get(id);
  }

  /** The current records, for outdated responses. */
  picture(): Picture {
    return new Map(this.#records);
  }

  ids(): readonly ResourceId[] {
    return [...this.#records.keys()].sort();
  }

  create(ref: Ref, body: JsonObject): Promise<LiveResource> {
    return this.#call('create', formatRef(ref), (change) => {
      if (this.#records.has(formatRef(ref))) throw error('api.conflict', 'the name exists');
      const [wrong] = this.#options.refuses?.(ref, body, this.ids()) ?? [];
      if (wrong !== undefined) throw error('api.invalid', wrong.message);
      const { clock, creationMs, nextVersion, spendsNames } = this.#options;
      if (ref.gvc !== undefined && this.#making.has(`gvc/${ref.gvc}`)) throw error('api.not-found', 'no such GVC');
      if (spendsNames !== undefined && this.#spent.has(formatRef(ref))) throw error(spendsNames, 'the name was used');
      const make = () => this.put(ref, change(body), nextVersion?.(0));
      if (creationMs === undefined) return make();
      this.#making.add(formatRef(ref));
      void clock.sleep(creationMs).then(() => {
        this.#making.delete(formatRef(ref));
        make();
      });
      throw error('api.unseen', 'it was accepted and is not there yet');
    });
  }

  tryCreate(ref: Ref, body: JsonObject): Promise<readonly BodyProblem[]> {
    return this.#call('try', formatRef(ref), () => this.#options.refuses?.(ref, body, this.ids()) ?? []);
  }

  patch(ref: Ref, body: JsonObject): Promise<LiveResource> {
    return this.#call('patch', formatRef(ref), (change) => {
      const live = this.#records.get(formatRef(ref));
      if (live === undefined) throw error('api.not-found', 'no such record');
      const { answersOld, countsEveryPatch, ignoresVersions, nextVersion, refusesPins } = this.#options;
      const named = own(body, 'id') !== undefined || own(body, 'version') !== undefined;
      if (named && refusesPins === true) throw error('api.invalid', 'id and version are response only');
      const matches = !named || (own(body, 'id') === live.uid && own(body, 'version') === live.version);
      if (!matches && ignoresVersions !== true) throw error('api.conflict', 'the version has moved');
      const merged = change(merge(live.record, body));
      if (sameJson(merged, live.record) && countsEveryPatch !== true) return live;
      const stored = this.put(ref, merged, nextVersion?.(live.version) ?? live.version + 1, live.uid);
      return answersOld === true ? live : stored;
    });
  }

  async delete(ref: Ref, again?: () => Promise<boolean>): Promise<DeleteAnswer> {
    const id = formatRef(ref);
    const isRepeated = this.#faults.get(`delete ${id}`)?.[0]?.kind === 'repeated';
    const isDenied = this.#faults.get(`delete ${id}`)?.[0]?.kind === 'denied';
    const answer = await this.#call('delete', id, (): DeleteAnswer => {
      if (isRepeated) return 'accepted';
      if (isDenied || !this.#records.has(id)) return 'not-found';
      const { refusesFull } = this.#options;
      const isFull = [...this.#records.values()].some((live) => live.ref.gvc === ref.name);
      if (ref.kind === 'gvc' && isFull && refusesFull !== undefined) throw error(refusesFull, 'the GVC is not empty');
      const gone = () => {
        this.#remember();
        this.#spent.add(id);
        this.#records.delete(id);
        if (ref.kind !== 'gvc') return;
        for (const [child, live] of this.#records) if (live.ref.gvc === ref.name) this.#records.delete(child);
      };
      const { clock, deletionMs } = this.#options;
      if (deletionMs === undefined) gone();
      else void clock.sleep(deletionMs).then(gone);
      return 'accepted';
    });
    return isRepeated && (await again?.()) !== false ? this.delete(ref, again) : answer;
  }

  read(ref: Ref): Promise<LiveResource | undefined> {
    return this.#call('read', formatRef(ref), (_, records) => records.get(formatRef(ref)));
  }

  children(gvc: string): Promise<readonly LiveResource[]> {
    return this.#call('children', `gvc/${gvc}`, (_, records) => {
      if (!records.has(`gvc/${gvc}`)) throw error('api.not-found', 'no such GVC');
      return [...records.values()].filter(({ ref }) => ref.gvc === gvc);
    });
  }

  deployments(ref: Ref): Promise<readonly JsonObject[]> {
    const id = formatRef(ref);
    return this.#call('deployments', id, () => this.deploymentsOf.get(id)?.(this.#options.clock.now()) ?? []);
  }

  owned(owner: string): Promise<readonly LiveResource[]> {
    return this.#call('owned', owner, (_, records) =>
      [...records.values()].filter(({ record }) => {
        const tags = objectAt(record, 'tags');
        return own(tags, 'gantry/stack') === owner || Object.hasOwn(tags, `gantry/applied.${owner}`);
      }),
    );
  }

  /** Saves the current records for reads that lag. */
  #remember(): void {
    if (this.#options.lagMs !== undefined)
      this.#past.push({ until: this.#options.clock.now(), picture: this.picture() });
  }

  #shown(): Picture {
    const { clock, lagMs = 0 } = this.#options;
    return this.#past.find(({ until }) => until > clock.now() - lagMs)?.picture ?? this.#records;
  }

  #rise(): void {
    for (const [id, live] of this.#records) {
      const version = live.version + 1;
      this.#records.set(id, { ...live, version, record: { ...live.record, version } });
    }
  }

  async #call<T>(verb: Verb, id: string, act: Act<T>): Promise<T> {
    this.log.push(`${verb} ${id}`);
    this.#inFlight += 1;
    this.busiest = Math.max(this.busiest, this.#inFlight);
    try {
      await this.#options.clock.sleep(this.#options.latencyMs ?? 20);
      if (this.log.length % (this.#options.risesEvery ?? Number.POSITIVE_INFINITY) === 0) this.#rise();
      const fault = this.#faults.get(`${verb} ${id}`)?.shift();
      if (fault?.kind === 'meanwhile') fault.happens();
      if (fault?.kind === 'error') throw error(fault.code, fault.message ?? fault.code);
      if (fault?.kind === 'lost-before') throw error('api.reply-lost', 'the connection was lost');
      const records = fault?.kind === 'stale' ? fault.picture : this.#shown();
      const result = act(fault?.kind === 'divergent' ? fault.change : (record) => record, records);
      if (fault?.kind === 'lost-after') throw error('api.reply-lost', 'the connection was lost');
      return result;
    } finally {
      this.#inFlight -= 1;
    }
  }
}

/** Runs a call with its fault on the current or the earlier records. */
type Act<T> = (change: (record: JsonObject) => JsonObject, records: Picture) => T;

function error(code: string, message: string): ToolError {
  return new ToolError({ code, message });
}

function merge(live: JsonObject, patch: JsonObject): JsonObject {
  const merged: Record<string, JsonObject[string]> = { ...live };
  for (const [key, value] of Object.entries(patch)) {
    if (key === 'id' || key === 'version') continue;
    if (key === '$drop') {
      for (const name of listAt(patch, key)) delete merged[String(name)];
      continue;
    }
    const before = own(live, key);
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) ? merge(isObject(before) ? before : {}, value) : value;
  }
  return merged;
}

import type { JsonObject, JsonValue } from '../base/json/json.ts';
import { once, onceFor } from '../base/once.ts';
import { ToolError } from '../base/toolError.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { requestBody } from '../manifest/model/body.ts';
import { type Plan, waitsUnchanged } from '../plan/model/plan.ts';
import { probeOf, readsOneByOne, type VersionProbe, versionProbe } from '../plan/order/applyRequests.ts';
import { versionAfter, versionsRise } from '../plan/record/version.ts';
import { isContainer } from '../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import { isCode } from './applyErrors.ts';
import type { PlatformPort, Written } from './port.ts';
import type { Pin } from './races.ts';

/** The maximum number of probes, if answers are lost. */
const maxProbes = 3;

/** `unknown`: there was no record to probe, or the answer was not conclusive. */
type Finding = 'honoured' | 'ignored' | 'unknown';

interface ProbeContext {
  readonly plan: Plan;
  readonly port: Pick<PlatformPort, 'patch'>;
  readonly written: ReadonlyMap<ResourceId, Written>;
  readonly capabilities: Capabilities;
  readonly planned: (id: ResourceId) => LiveResource | undefined;
}

/**
 * Finds out whether the platform rejects a PATCH with a wrong `version` (platform/concepts.version leaves it open).
 *
 * If `/discovery` answers that, no probe is sent. Otherwise, before the first real PATCH of a run, one PATCH that
 * changes nothing is sent with a wrong version to a record of this stack: 409 means that versions are honoured, 400
 * that a PATCH may not name them at all. A busy record also answers 409, so the probe is repeated if its real PATCH
 * gets 409 as well. In addition each reply is checked: a version that rose by more than one, with fields of other
 * writers, means that another client wrote in between, unnoticed.
 */
export class Precondition {
  readonly #of: ProbeContext;
  #asked: Promise<Finding> | undefined;
  #found: Finding = 'honoured';
  #compared = 0;
  #askedWith: ResourceId | undefined;
  #raised: { readonly id: ResourceId; readonly from: number; readonly to: number } | undefined;

  constructor(of: ProbeContext) {
    this.#of = of;
    if (of.capabilities.isOtherwise('write.preconditions')) {
      this.#found = 'ignored';
      this.#asked = Promise.resolve('ignored');
    }
  }

  /** If false, the record must be read and compared directly before each PATCH. */
  async isHonoured(): Promise<boolean> {
    if (this.#of.plan.preconditions === 'unsaid') {
      this.#asked ??= this.#ask();
      await this.#asked;
    }
    if (this.#found === 'honoured' && versionsRise(this.#of.capabilities)) return true;
    this.#compared += 1;
    return false;
  }

  /**
   * Whether the platform was seen to refuse a PATCH for another version: then nothing was written between pin and
   * reply. The argument is the record that this run has just written; it is probed if there was no record before.
   */
  async isShown({ ref, uid, version }: LiveResource): Promise<boolean> {
    const isOpen = this.#asked === undefined || (await this.#asked) === 'unknown';
    if (isOpen && this.#found !== 'ignored' && this.#of.plan.preconditions === 'unsaid') {
      this.#asked = this.#ask(probeOf(ref, uid, version));
    }
    return (await this.#asked) === 'honoured' && this.#found === 'honoured';
  }

  /** Sends a PATCH for this version of a record; without the version if the platform does not accept one. */
  async patch(ref: Ref, pin: Pin, body: JsonObject, marked?: readonly string[]): Promise<LiveResource> {
    const { port, capabilities } = this.#of;
    const { id: _id, version: _version, ...others } = body;
    const unpinned = requestBody(others);
    if (capabilities.isOtherwise('write.pins')) return port.patch(ref, unpinned, marked);
    try {
      return await port.patch(
        ref,
        requestBody({ ...others, id: pin.uid, version: this.#written(ref, pin.version) }),
        marked,
      );
    } catch (error) {
      const isAsked =
        this.#of.plan.preconditions !== 'unsaid' || (this.#asked !== undefined && this.#found !== 'unknown');
      if (!isCode(error, 'api.invalid') || isAsked) throw error;
      // The platform may have refused the id and the version.
      const stored = await unlessInvalid(port.patch(ref, unpinned, marked));
      if (stored === undefined) throw error;
      capabilities.learn('write.pins', 'otherwise');
      return stored;
    }
  }

  /** The version in the type that the platform uses. */
  #written(ref: Ref, version: number): JsonValue {
    const { capabilities, planned } = this.#of;
    if (typeof planned(formatRef(ref))?.record['version'] === 'string')
      capabilities.learn('version.as-number', 'otherwise');
    return capabilities.isOtherwise('version.as-number') ? String(version) : version;
  }

  /** Called if an unchanged record answers 409: a probe that was sent to it proved nothing. */
  noteBusy(id: ResourceId): void {
    if (this.#askedWith === id) this.#asked = undefined;
  }

  /** Called when a reply has shown that versions are not honoured. */
  noteIgnored(): void {
    this.#found = 'ignored';
    this.#of.capabilities.learn('write.preconditions', 'otherwise');
  }

  /** Notes for the user. */
  notes(): readonly string[] {
    const isShown = this.#found === 'honoured' && versionsRise(this.#of.capabilities);
    if (isShown || this.#compared === 0) return [];
    const found = !versionsRise(this.#of.capabilities)
      ? 'the version of a record stays the same on this platform when the record is written'
      : this.#of.capabilities.isOtherwise('write.pins')
        ? 'this platform refuses a PATCH that names the id and version of its record'
        : this.#found === 'ignored'
          ? 'this platform accepts a PATCH for any version of a record'
          : 'it is not known whether this platform rejects a PATCH for another version of a record';
    const reads = `${this.#compared} ${this.#compared === 1 ? 'read' : 'reads'} more`;
    return [
      `${found}: each record was read and compared directly before its write ` +
        `(${reads}); a write of others in between goes unnoticed`,
    ];
  }

  /** Whether only the probe raised the version of this record. An installation may count every PATCH as a change. */
  wasProbe(id: ResourceId, from: number, to: number): boolean {
    return this.#raised?.id === id && this.#raised.from === from && this.#raised.to === to;
  }

  async #ask(other?: VersionProbe): Promise<Finding> {
    this.#found = await this.#answer(versionProbe(this.#of.plan) ?? firstOf(this.#of.written) ?? other);
    return this.#found;
  }

  async #answer(probe: VersionProbe | undefined): Promise<Finding> {
    const { capabilities, port } = this.#of;
    if (probe === undefined) return 'unknown';
    const { ref, version } = probe;
    const id = formatRef(ref);
    this.#askedWith = id;
    const question = requestBody({ ...probe.body, version: this.#written(ref, probe.body.version) });
    for (let left = maxProbes - 1; ; left -= 1) {
      try {
        const { version: to } = await port.patch(ref, question);
        capabilities.learn('write.preconditions', 'otherwise');
        if (to > version) capabilities.learn('version.counts-changes', 'otherwise');
        if (to === versionAfter(version)) this.#raised = { id, from: version, to };
        return 'ignored';
      } catch (error) {
        if (isCode(error, 'api.conflict')) return 'honoured';
        if (isCode(error, 'api.reply-lost') && left > 0) continue; // it changes nothing, so a repetition is harmless
        if (isCode(error, 'api.invalid')) {
          capabilities.learn('write.pins', 'otherwise');
          capabilities.learn('write.preconditions', 'otherwise');
          return 'ignored';
        }
        if (error instanceof ToolError) return 'unknown';
        throw error;
      }
    }
  }
}

async function unlessInvalid<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isCode(error, 'api.invalid')) return undefined;
    throw error;
  }
}

/** A record that this run has created, before its second step. */
function firstOf(written: ReadonlyMap<ResourceId, Written>): VersionProbe | undefined {
  for (const each of written.values()) {
    if (each.as === 'stored') return probeOf(each.live.ref, each.live.uid, each.live.version);
  }
  return undefined;
}

type Source = Pick<PlatformPort, 'read' | 'owned'>;
type Records = ReadonlyMap<ResourceId, LiveResource>;

/**
 * The live records of unchanged resources that are waited for. Several are read with one query for the owner's records.
 */
export class UnchangedRecords {
  readonly #plan: Plan;
  readonly #port: Source;
  readonly #seen = new Map<ResourceId, LiveResource>();
  readonly #listed = once(() => this.#list());

  constructor(plan: Plan, port: Source) {
    this.#plan = plan;
    this.#port = port;
  }

  /** Undefined if it does not exist. */
  async read(ref: Ref): Promise<LiveResource | undefined> {
    const live = (await this.#listed()).get(formatRef(ref)) ?? (await this.#port.read(ref));
    if (live !== undefined) this.#seen.set(live.id, live);
    return live;
  }

  /** A GVC that the plan does not change, read once; undefined if it cannot be read, or if the plan changes it. */
  readonly gvc = onceFor(async (name: string): Promise<LiveResource | undefined> => {
    const isChanged = this.#plan.changes.some(
      ({ action, kind, name: changed }) => isContainer(kind) && changed === name && action !== 'keep',
    );
    return isChanged ? undefined : this.#port.read({ kind: 'gvc', name }).catch(() => undefined);
  });

  seen(id: ResourceId): LiveResource | undefined {
    return this.#seen.get(id);
  }

  async #list(): Promise<Records> {
    const waiting = this.#plan.changes.filter(waitsUnchanged);
    if (waiting.length <= readsOneByOne) return new Map();
    const kinds = [...new Set(waiting.map(({ kind }) => kind))];
    const refs = waiting.map(({ ref }) => ref);
    const owned = await this.#port.owned(this.#plan.stack, kinds, refs);
    return new Map(owned.map((live) => [live.id, live]));
  }
}

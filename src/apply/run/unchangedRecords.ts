import { once, onceFor } from '../../base/once.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { waitsUnchanged } from '../../plan/model/planState.ts';
import { readsOneByOne } from '../../plan/order/applyRequests.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import type { PlatformPort } from '../port/port.ts';

type Source = Pick<PlatformPort, 'read' | 'owned'>;
type Records = ReadonlyMap<ResourceId, LiveResource>;

/**
 * The live records of unchanged resources that are waited for. Several are read with one query of the owner's records.
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

  /** Undefined: it is not there. */
  async read(ref: Ref): Promise<LiveResource | undefined> {
    const live = (await this.#listed()).get(formatRef(ref)) ?? (await this.#port.read(ref));
    if (live !== undefined) this.#seen.set(live.id, live);
    return live;
  }

  /** A GVC that the plan does not change, read once; undefined: it cannot be read, or the plan changes it. */
  readonly gvc = onceFor(async (name: string): Promise<LiveResource | undefined> => {
    const isChanged = this.#plan.changes.some(
      ({ action, kind, name: changed }) => isContainer(kind) && changed === name && action !== 'keep',
    );
    return isChanged ? undefined : this.#port.read({ kind: 'gvc', name }).catch(() => undefined);
  });

  /** The record as it was read before. */
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

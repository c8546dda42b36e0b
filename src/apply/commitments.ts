import type { Plan } from '../plan/model/plan.ts';
import { successionsIn } from '../plan/order/applyRequests.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { type Deletion, deleteKey, type PlannedStep } from './tasks.ts';

type Replacement = Extract<PlannedStep, { readonly step: 'delete' | 'via' }>;

/**
 * A replacement is a commitment: once its record is being deleted, its creation must follow, with everything that the
 * creation waits for, even if the run was stopped in between. The same applies to a renaming whose old resource is
 * deleted first.
 */
export class Commitments {
  /** The creation that replaces each deleted id. */
  readonly #successors: ReadonlyMap<ResourceId, ResourceId>;
  readonly #steps: ReadonlyMap<string, PlannedStep>;
  readonly #open = new Set<ResourceId>();
  readonly #owed = new Set<string>();
  readonly #due = new Set<ResourceId | undefined>();
  #followers: ReadonlyMap<ResourceId, readonly Replacement[]> | undefined;

  constructor(plan: Plan, steps: readonly PlannedStep[]) {
    this.#successors = successionsIn(plan.changes);
    this.#steps = new Map(steps.map((step) => [step.key, step]));
  }

  /** The id that is created instead of this one. */
  successorOf(deleted: ResourceId): ResourceId | undefined {
    return this.#successors.get(deleted);
  }

  /**
   * The replacements that begin after this deletion, and that the creation in its place waits for: once the deletion is
   * sent, the record cannot exist again until they have succeeded.
   */
  chainAfter(deleted: ResourceId): readonly Deletion[] {
    const created = this.#successors.get(deleted);
    if (created === undefined) return [];
    this.#followers ??= this.#findFollowers();
    const followers = this.#followers.get(deleted) ?? [];
    return followers.flatMap(({ key, change }) => (this.#requiredBy(created, { until: key }).has(key) ? [change] : []));
  }

  /**
   * Whether everything that the creation in place of `later` waits for, except the deletion of that record, is done
   * before `first` is deleted.
   */
  isReadyBefore(first: ResourceId, later: ResourceId): boolean {
    const done = this.#requiredBy(this.#deletionKey(first));
    const deletion = this.#deletionKey(later);
    const { after = [] } = this.#steps.get(this.#successors.get(later) ?? '') ?? {};
    return after.every(({ on }) => on === deletion || done.has(on));
  }

  #deletionKey(id: ResourceId): string {
    return this.#steps.has(deleteKey(id)) ? deleteKey(id) : id;
  }

  /** By the id of a replaced record: the replacements whose deletion waits for its deletion. */
  #findFollowers(): ReadonlyMap<ResourceId, readonly Replacement[]> {
    const followers = new Map<ResourceId, Replacement[]>();
    for (const step of this.#steps.values()) {
      if (!this.#isReplacement(step)) continue;
      for (const key of this.#requiredBy(step.key)) {
        const before = this.#steps.get(key);
        if (key === step.key || !this.#isReplacement(before)) continue;
        followers.set(before.change.id, [...(followers.get(before.change.id) ?? []), step]);
      }
    }
    return followers;
  }

  #isReplacement(step: PlannedStep | undefined): step is Replacement {
    return step?.step === 'delete' && this.#successors.has(step.change.id);
  }

  /** Called just before the deletion is sent. */
  begin(deleted: ResourceId): void {
    const created = this.#successors.get(deleted);
    if (created === undefined) return;
    this.#open.add(created);
    this.#requiredBy(created, { known: this.#owed });
  }

  /** Called when the record is deleted. */
  noteDeleted(deleted: ResourceId): void {
    this.#due.add(this.#successors.get(deleted));
  }

  /**
   * Whether this step must run although one that it waits for has failed, because the record that it replaces is
   * deleted.
   */
  insistsOn(key: string): boolean {
    return this.#due.has(key);
  }

  /** Called when the creation has ended, with any outcome. */
  end(key: string): void {
    this.#open.delete(key);
  }

  /** Whether this step must run although the run was stopped. */
  owes(key: string): boolean {
    return this.#owed.has(key);
  }

  /** Whether there are no open commitments. */
  get areMet(): boolean {
    return this.#open.size === 0;
  }

  /**
   * The step and everything that it requires, except for what is in `known` with its own requirements. `until`: the
   * search ends when it has found this step.
   */
  #requiredBy(
    last: string,
    { known = new Set(), until }: { readonly known?: Set<string>; readonly until?: string } = {},
  ): ReadonlySet<string> {
    const open = [last];
    for (let key = open.pop(); key !== undefined && !(until !== undefined && known.has(until)); key = open.pop()) {
      if (known.has(key)) continue;
      known.add(key);
      for (const { on, soft } of this.#steps.get(key)?.after ?? []) if (!soft) open.push(on);
    }
    return known;
  }
}

import type { Plan } from '../plan/model/plan.ts';
import { successionsIn } from '../plan/order/applyRequests.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { PlannedStep } from './tasks.ts';

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

  constructor(plan: Plan, steps: readonly PlannedStep[]) {
    this.#successors = successionsIn(plan.changes);
    this.#steps = new Map(steps.map((step) => [step.key, step]));
  }

  /** The id that is created instead of this one. */
  successorOf(deleted: ResourceId): ResourceId | undefined {
    return this.#successors.get(deleted);
  }

  /** Called just before the deletion is sent. */
  begin(deleted: ResourceId): void {
    const created = this.#successors.get(deleted);
    if (created === undefined) return;
    this.#open.add(created);
    this.#owe(created);
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

  /** Adds the step and everything that it requires. The requirements of an owed step are owed already. */
  #owe(created: string): void {
    const open = [created];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (this.#owed.has(key)) continue;
      this.#owed.add(key);
      for (const { on, soft } of this.#steps.get(key)?.after ?? []) if (!soft) open.push(on);
    }
  }
}

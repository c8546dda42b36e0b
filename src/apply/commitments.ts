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
  /** By what is deleted: the step that creates what takes its place. */
  readonly #successors: ReadonlyMap<ResourceId, ResourceId>;
  readonly #steps: ReadonlyMap<string, PlannedStep>;
  readonly #open = new Set<ResourceId>();
  readonly #owed = new Set<string>();
  readonly #due = new Set<ResourceId | undefined>();

  constructor(plan: Plan, steps: readonly PlannedStep[]) {
    this.#successors = successionsIn(plan.changes);
    this.#steps = new Map(steps.map((step) => [step.key, step]));
  }

  /** The id that is created in the place of this one. */
  successorOf(deleted: ResourceId): ResourceId | undefined {
    return this.#successors.get(deleted);
  }

  /** The deletion of this one is about to be sent. */
  begin(deleted: ResourceId): void {
    const created = this.#successors.get(deleted);
    if (created === undefined) return;
    this.#open.add(created);
    this.#owe(created);
  }

  /** This one is gone. */
  isGone(deleted: ResourceId): void {
    this.#due.add(this.#successors.get(deleted));
  }

  /** Must this step run although something that it waits for has failed? The record that it replaces is gone. */
  insistsOn(key: string): boolean {
    return this.#due.has(key);
  }

  /** Its creation has ended, with whatever outcome. */
  end(key: string): void {
    this.#open.delete(key);
  }

  /** Must this step run although the run was stopped? */
  owes(key: string): boolean {
    return this.#owed.has(key);
  }

  /** Are there no open commitments? */
  get areMet(): boolean {
    return this.#open.size === 0;
  }

  /** With all that it cannot do without; what is owed already has these. */
  #owe(created: string): void {
    const open = [created];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (this.#owed.has(key)) continue;
      this.#owed.add(key);
      for (const { on, soft } of this.#steps.get(key)?.after ?? []) if (!soft) open.push(on);
    }
  }
}

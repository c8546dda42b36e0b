import type { Plan } from '../plan/model/plan.ts';
import { successionsIn } from '../plan/order/applyRequests.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { Deletion, PlannedStep } from './tasks.ts';

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

  /**
   * The replacements that begin after this deletion, and that the creation in its place waits for: once the deletion is
   * sent, the record cannot exist again until they have succeeded.
   */
  chainAfter(deleted: ResourceId): readonly Deletion[] {
    const created = this.#successors.get(deleted);
    if (created === undefined) return [];
    return [...this.#requiredBy(created)].flatMap((key) => {
      const step = this.#steps.get(key);
      if (step?.step !== 'delete' || step.change.id === deleted || !this.#successors.has(step.change.id)) return [];
      const isAfter = [...this.#requiredBy(key)].some((each) => isDeletionOf(this.#steps.get(each), deleted));
      return isAfter ? [step.change] : [];
    });
  }

  /** Called just before the deletion is sent. */
  begin(deleted: ResourceId): void {
    const created = this.#successors.get(deleted);
    if (created === undefined) return;
    this.#open.add(created);
    this.#requiredBy(created, this.#owed);
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

  /** The step and everything that it requires, except for what is in `known` with its own requirements. */
  #requiredBy(last: string, known: Set<string> = new Set()): ReadonlySet<string> {
    const open = [last];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (known.has(key)) continue;
      known.add(key);
      for (const { on, soft } of this.#steps.get(key)?.after ?? []) if (!soft) open.push(on);
    }
    return known;
  }
}

function isDeletionOf(step: PlannedStep | undefined, id: ResourceId): boolean {
  return step?.step === 'delete' && step.change.id === id;
}

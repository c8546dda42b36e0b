import { addTo } from '../../base/multimap.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { type Draft, deletes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { deletionStep, type Step, type StepEdge } from '../model/steps.ts';
import { renamingsOf } from '../rename/rename.ts';

type Drafts = ReadonlyMap<ResourceId, Draft>;

/** A creation that takes the place of what is deleted before it. */
interface Succession {
  readonly created: Draft;
  readonly deleted: Draft;
}

/**
 * A resource that is deleted to be created again is not deleted before everything that its creation waits for is done:
 * if one of these fails, nothing is lost. Changes that wait for the deletion themselves cannot be waited for; their own
 * prerequisites are.
 */
export function prerequisitesOfDeletions(
  edges: readonly StepEdge[],
  drafts: Drafts,
  planning: PlanContext,
): readonly StepEdge[] {
  const found = successions(drafts, planning);
  if (found.length === 0) return [];
  const graph = new Graph(edges);
  for (const { created, deleted } of found) graph.postpone(created, deleted);
  return graph.added;
}

/** A replacement, and a renaming whose old name has to go first. */
function successions(drafts: Drafts, planning: PlanContext): readonly Succession[] {
  const replaced = [...drafts.values()].filter(({ action }) => action === 'replace');
  const renamed = [...renamingsOf(planning).byNew.values()].flatMap(({ next, old, contested }) => {
    const [created, deleted] = [drafts.get(next.id), drafts.get(old.id)];
    if (contested === undefined || created?.action !== 'create' || deleted === undefined) return [];
    return deletes(deleted) ? [{ created, deleted }] : [];
  });
  return [...replaced.map((draft) => ({ created: draft, deleted: draft })), ...renamed];
}

class Graph {
  readonly added: StepEdge[] = [];
  /** By the step that waits, and by the step that is waited for. */
  readonly #waits = new Map<string, StepEdge[]>();
  readonly #waiters = new Map<string, string[]>();

  constructor(edges: readonly StepEdge[]) {
    for (const edge of edges) this.#add(edge);
  }

  postpone(created: Draft, deleted: Draft): void {
    const step = deletionStep(deleted);
    const barred = this.#waitingFor(key(deleted.id, step));
    const seen = new Set<string>();
    const open = [key(created.id, 'main')];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      for (const edge of this.#waits.get(at) ?? []) {
        const on = key(edge.on, edge.onStep);
        if (on === key(deleted.id, step)) continue;
        const soft = !binds(edge);
        if (!barred.has(on)) this.#addFor(deleted.id, step, { ...edge, soft });
        else if (!soft) open.push(on);
      }
    }
  }

  #addFor(from: ResourceId, fromStep: Step, edge: StepEdge): void {
    const because = edge.from === from ? edge.because : `${edge.from} waits for it: ${edge.because}`;
    const made: StepEdge = { ...edge, from, fromStep, because, forCreation: true };
    this.added.push(made);
    this.#add(made);
  }

  #add(edge: StepEdge): void {
    const [from, on] = [key(edge.from, edge.fromStep), key(edge.on, edge.onStep)];
    addTo(this.#waits, from, edge);
    if (!binds(edge)) return;
    addTo(this.#waiters, on, from);
  }

  /** Every step that waits for this one, itself included. */
  #waitingFor(step: string): ReadonlySet<string> {
    const found = new Set([step]);
    for (const each of found) for (const waiter of this.#waiters.get(each) ?? []) found.add(waiter);
    return found;
  }
}

/** An optional wait can be dropped if it makes a cycle; a wait without which a request is refused cannot. */
function binds({ soft, needed }: StepEdge): boolean {
  return !soft || needed === true;
}

/** Names a step of a change. */
export function key(id: ResourceId, step: Step): string {
  return `${id} ${step}`;
}

import type { Body } from '../manifest/model/body.ts';
import type { Action, Change, Edge } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { ApplyEvent } from './events.ts';
import type { Wait } from './schedule.ts';

type Of<A extends Action> = Extract<Change, { readonly action: A }>;
export type Creation = Of<'create' | 'replace'>;
export type Update = Of<'patch' | 'adopt' | 'forget'>;
export type Deletion = Of<'delete' | 'replace'>;
export type TwoSteps = Change & { readonly then: Body };

/** The work of one step. `via` sends nothing: the record is deleted with its GVC. */
type StepAction =
  | { readonly step: 'create'; readonly change: Creation }
  | { readonly step: 'patch'; readonly change: Update }
  | { readonly step: 'then'; readonly change: TwoSteps }
  | { readonly step: 'delete' | 'via'; readonly change: Deletion }
  | { readonly step: 'ready'; readonly change: Change };

/** One step of one change, with what it waits for. */
export type PlannedStep = StepAction & { readonly key: string; readonly after: readonly Wait[] };

/** The step's name in events; undefined for steps that send no write. */
export function eventStep(step: StepAction['step']): Extract<ApplyEvent, { type: 'started' }>['step'] | undefined {
  return step === 'via' || step === 'ready' ? undefined : step;
}

// The key of the first write is the id. A resource id never contains `#`.
export const deleteKey = (id: ResourceId) => `${id}#delete`;
const thenKey = (id: ResourceId) => `${id}#then`;
const readyKey = (id: ResourceId) => `${id}#ready`;

/** The id and, if the change has several, the step of a key. */
export function describeKey(key: string): string {
  const [id, step = ''] = key.split('#');
  const steps: Readonly<Record<string, string>> = {
    delete: ' (deletion)',
    then: ' (second step)',
    ready: ' (readiness)',
  };
  return `${id}${steps[step] ?? ''}`;
}

/** The steps of a plan as a graph. An unchanged resource has a step only if its readiness is waited for. */
export function planSteps(plan: Plan): readonly PlannedStep[] {
  const graph = new StepGraph(plan);
  return plan.changes.flatMap((change) => graph.stepsOf(change));
}

class StepGraph {
  readonly #changes: ReadonlyMap<ResourceId, Change>;
  /** Changes whose readiness is waited for. */
  readonly #awaited: ReadonlySet<ResourceId>;

  constructor({ changes }: Plan) {
    this.#changes = new Map(changes.map((change) => [change.id, change]));
    const edges = changes.flatMap(({ requires, thenRequires, deleteRequires }) =>
      [requires, thenRequires, deleteRequires].flatMap((each) => each ?? []),
    );
    this.#awaited = new Set([
      ...changes.filter(({ wait }) => wait).map(({ id }) => id),
      ...edges.filter(({ ready }) => ready === true).map(({ on }) => on),
    ]);
  }

  stepsOf(change: Change): readonly PlannedStep[] {
    const { id, thenRequires = [] } = change;
    const written = { on: id, soft: false };
    const steps = [...this.#writesOf(change)];
    if (hasTwoSteps(change)) {
      steps.push({ key: thenKey(id), step: 'then', change, after: [...this.#waits(thenRequires), written] });
    }
    if (this.#awaited.has(id) && change.action !== 'delete') {
      steps.push({ key: readyKey(id), step: 'ready', change, after: [written] });
    }
    return steps;
  }

  #writesOf(change: Change): readonly PlannedStep[] {
    const { id } = change;
    const after = this.#waits(change.requires);
    switch (change.action) {
      case 'create':
        return [{ key: id, step: 'create', change, after }];
      case 'patch':
      case 'adopt':
      case 'forget':
        return [{ key: id, step: 'patch', change, after }];
      case 'replace':
        return [
          { key: deleteKey(id), step: 'delete', change, after: this.#waits(change.deleteRequires) },
          { key: id, step: 'create', change, after: [...after, { on: deleteKey(id), soft: false }] },
        ];
      case 'delete':
        if (change.via === undefined) return [{ key: id, step: 'delete', change, after }];
        return [{ key: id, step: 'via', change, after: [{ on: change.via, soft: false }] }];
      case 'keep':
      case 'refuse': // a plan with a refusal is not run
        return [];
    }
  }

  #waits(edges: readonly Edge[]): readonly Wait[] {
    return edges.map((edge) => ({ on: this.#keyOf(edge), soft: edge.soft }));
  }

  #keyOf({ on, step, ready }: Edge): string {
    const target = this.#changes.get(on);
    if (step === 'delete' && target?.action === 'replace') return deleteKey(on);
    if (step === 'then' && target?.then !== undefined) return thenKey(on);
    const isAwaited = ready === true || (target?.wait === true && target.action !== 'keep');
    return isAwaited && target?.action !== 'delete' ? readyKey(on) : on;
  }
}

function hasTwoSteps(change: Change): change is TwoSteps {
  return change.then !== undefined;
}

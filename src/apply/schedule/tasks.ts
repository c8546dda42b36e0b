import type { Change, Edge } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { ApplyEvent } from '../report/events.ts';
import type { Wait } from './schedule.ts';

/** The kinds of tasks. `via` sends nothing: the record is deleted with its GVC. */
export type StepKind = 'create' | 'patch' | 'then' | 'delete' | 'via' | 'ready';

/** One step of one change, with what it waits for. */
export interface PlannedStep {
  readonly key: string;
  readonly step: StepKind;
  readonly change: Change;
  readonly after: readonly Wait[];
}

/** The word for it in events; undefined for steps that send no write. */
export function eventStep(step: StepKind): Extract<ApplyEvent, { type: 'started' }>['step'] | undefined {
  return step === 'via' || step === 'ready' ? undefined : step;
}

// A resource id never contains `#`.
const writeKey = (id: ResourceId) => id;
const deleteKey = (id: ResourceId) => `${id}#delete`;
const thenKey = (id: ResourceId) => `${id}#then`;
const readyKey = (id: ResourceId) => `${id}#ready`;

/** The id and, if the change has several, the step of a key. */
export function describeKey(key: string): string {
  const [id, step] = key.split('#');
  const steps: Readonly<Record<string, string>> = {
    delete: ' (deletion)',
    then: ' (second step)',
    ready: ' (readiness)',
  };
  return `${id}${steps[step ?? ''] ?? ''}`;
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
    const edges = changes.flatMap((change) => [
      ...change.requires,
      ...(change.thenRequires ?? []),
      ...(change.deleteRequires ?? []),
    ]);
    this.#awaited = new Set([
      ...changes.filter((change) => change.wait && change.action !== 'refuse').map(({ id }) => id),
      ...edges.filter((edge) => edge.ready === true).map(({ on }) => on),
    ]);
  }

  stepsOf(change: Change): readonly PlannedStep[] {
    const { id, via } = change;
    if (via !== undefined)
      return [{ key: writeKey(id), step: 'via', change, after: [{ on: writeKey(via), soft: false }] }];

    const steps: PlannedStep[] = [];
    const before = this.#waits(change.requires);
    if (change.action === 'replace') {
      steps.push({ key: deleteKey(id), step: 'delete', change, after: this.#waits(change.deleteRequires ?? []) });
      steps.push({ key: writeKey(id), step: 'create', change, after: [...before, { on: deleteKey(id), soft: false }] });
    } else if (change.action === 'create' || change.action === 'delete') {
      steps.push({ key: writeKey(id), step: change.action, change, after: before });
    } else if (writes(change)) {
      steps.push({ key: writeKey(id), step: 'patch', change, after: before });
    }
    if (change.then !== undefined) {
      const after = [...this.#waits(change.thenRequires ?? []), { on: writeKey(id), soft: false }];
      steps.push({ key: thenKey(id), step: 'then', change, after });
    }
    if (this.#awaited.has(id) && change.action !== 'delete') {
      steps.push({ key: readyKey(id), step: 'ready', change, after: [{ on: writeKey(id), soft: false }] });
    }
    return steps;
  }

  #waits(edges: readonly Edge[]): readonly Wait[] {
    return edges.map((edge) => ({ on: this.#keyOf(edge), soft: edge.soft }));
  }

  #keyOf({ on, step, ready }: Edge): string {
    const target = this.#changes.get(on);
    if (step === 'delete' && target?.action === 'replace') return deleteKey(on);
    if (step === 'then' && target?.then !== undefined) return thenKey(on);
    const awaited = ready === true || (target?.wait === true && writes(target));
    return awaited && target?.action !== 'delete' ? readyKey(on) : writeKey(on);
  }
}

function writes(change: Change): boolean {
  return change.action !== 'keep' && change.action !== 'refuse';
}

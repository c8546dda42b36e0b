import { addTo } from '../../base/multimap.ts';
import { formatPosition } from '../../manifest/model/renderProblem.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Change, Edge } from '../model/change.ts';
import { type Draft, toChange, type Waits } from '../model/draft.ts';
import { type Step, type StepEdge, stepsOf } from '../model/steps.ts';
import { type CycleLink, DependencyCycleError } from './cycle.ts';
import { type GraphEdge, type Ordered, orderSteps } from './graph.ts';
import { key } from './prerequisites.ts';

interface IndexedEdge extends GraphEdge {
  readonly edge: StepEdge;
}

/** The drafts as changes, in an order in which they can be carried out, each with what it waits for. */
export function orderChanges(drafts: ReadonlyMap<ResourceId, Draft>, edges: readonly StepEdge[]): readonly Change[] {
  const active = [...drafts.values()].filter((draft) => draft.action !== 'keep' && draft.via === undefined);
  const steps = active.flatMap((draft) => stepsOf(draft).map((step) => ({ draft, step })));
  const indexes = new Map(steps.map(({ draft, step }, index) => [key(draft.id, step), index]));

  const indexed = indexEdges(edges, indexes);
  const strict = orderSteps(steps.length, indexed);
  const {
    order,
    edges: kept,
    cycle,
  } = strict.cycle === undefined ? strict : orderRefused(steps.length, indexed, drafts);
  if (cycle !== undefined) throw new DependencyCycleError(cycle.map(({ edge }) => describe(edge)));

  const byStep = new Map<string, Edge[]>();
  for (const { edge } of [...kept].sort((a, b) => a.from - b.from || a.on - b.on)) {
    if (edge.from === edge.on) continue;
    const from = key(edge.from, edge.fromStep);
    addTo(byStep, from, toEdge(edge));
  }

  const along = Map.groupBy(drafts.values(), (draft) => draft.via);
  const kepts = [...drafts.values()].filter((draft) => draft.action === 'keep');
  const placed = new Set<ResourceId>();
  const changes: Change[] = [];
  for (const index of order) {
    const draft = steps[index]?.draft;
    if (draft === undefined || placed.has(draft.id)) continue;
    placed.add(draft.id);
    changes.push(toChange(draft, waitsOf(draft, byStep)));
    for (const child of along.get(draft.id) ?? []) changes.push(toChange(child, waitsOf(child, byStep)));
  }
  return [...changes, ...kepts.map((draft) => toChange(draft))];
}

/** A refused change never runs, so a cycle through it is no reason to show no plan at all. */
function orderRefused(
  count: number,
  edges: readonly IndexedEdge[],
  drafts: ReadonlyMap<ResourceId, Draft>,
): Ordered<IndexedEdge> {
  const refused = (id: ResourceId): boolean => (drafts.get(id)?.refusals.length ?? 0) > 0;
  return orderSteps(
    count,
    edges.map((each) => (refused(each.edge.from) || refused(each.edge.on) ? { ...each, soft: true } : each)),
  );
}

/** One edge for each pair of steps: the hard one wins over the soft, readiness over none. */
function indexEdges(edges: readonly StepEdge[], indexes: ReadonlyMap<string, number>): readonly IndexedEdge[] {
  const pairs = new Map<string, IndexedEdge>();
  for (const edge of edges) {
    const from = indexes.get(key(edge.from, edge.fromStep));
    const on = indexes.get(key(edge.on, edge.onStep));
    if (from === undefined || on === undefined) continue;
    const pair = `${from} ${on}`;
    const before = pairs.get(pair)?.edge;
    const stronger = before === undefined || (before.soft && !edge.soft) ? edge : before;
    const ready = edge.ready || before?.ready === true;
    pairs.set(pair, { from, on, soft: stronger.soft, edge: { ...stronger, ready } });
  }
  return [...pairs.values()];
}

function toEdge({ on, because, soft, ready, onStep }: StepEdge): Edge {
  const halves = onStep === 'main' ? {} : { step: onStep };
  return { on, because, soft, ...(ready ? { ready: true as const } : {}), ...halves };
}

function waitsOf(draft: Draft, byStep: ReadonlyMap<string, readonly Edge[]>): Waits {
  const edges = (step: Step): readonly Edge[] => byStep.get(key(draft.id, step)) ?? [];
  return { write: edges('main'), delete: edges('delete'), then: edges('then') };
}

function describe({ from, on, because, locate }: StepEdge): CycleLink {
  const position = locate?.();
  return { from, on, because, at: position === undefined ? undefined : formatPosition(position) };
}

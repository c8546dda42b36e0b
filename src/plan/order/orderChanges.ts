import { compact, present } from '../../base/json/present.ts';
import { addTo } from '../../base/multimap.ts';
import { ToolError } from '../../base/toolError.ts';
import { formatPosition, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { type Change, checkedChange, type Edge } from '../model/change.ts';
import { type Draft, type Step, type StepEdge, stepsOf, toChange, type Waits } from '../model/draft.ts';
import {
  type DeclaredLink,
  declaredLinks,
  isRead,
  referenceOf,
  renamedReferences,
} from '../references/declaredLinks.ts';
import { key } from './edges.ts';

/** An edge between two steps, given by their positions in the list. */
export interface GraphEdge {
  /** The step that waits. */
  readonly from: number;
  /** The step that must be done first. */
  readonly on: number;
  readonly soft: boolean;
}

export interface Ordered<E extends GraphEdge> {
  /** Positions of all steps, each after everything that it waits for; ties in list order. */
  readonly order: readonly number[];
  /** The effective edges: without self-references, and without soft edges cut in cycles. */
  readonly edges: readonly E[];
  /** The edges of one cycle that no soft edge can cut, in order around it. */
  readonly cycle?: readonly E[];
}

/** Above this many members the soft edges of a cycle are cut together instead of one by one. */
const patienceLimit = 64;

/** A stable topological order. Soft edges order but never block: in a cycle they are cut. */
export function orderSteps<E extends GraphEdge>(count: number, given: readonly E[]): Ordered<E> {
  const cut = new Set<E>();
  const edges = given.filter((edge) => edge.from !== edge.on);

  const queue = stronglyConnected(count, edges);
  for (let members = queue.pop(); members !== undefined; members = queue.pop()) {
    const inside = edgesAmong(members, edges, cut);
    const soft = inside.filter((edge) => edge.soft);
    if (soft.length === 0) return { order: [], edges, cycle: firstCycle(inside) };

    for (const edge of members.length > patienceLimit ? soft : soft.slice(-1)) cut.add(edge);
    queue.push(
      ...stronglyConnected(
        count,
        inside.filter((edge) => !cut.has(edge)),
      ),
    );
  }

  const remaining = cut.size === 0 ? edges : edges.filter((edge) => !cut.has(edge));
  return { order: kahn(count, remaining), edges: remaining };
}

function edgesAmong<E extends GraphEdge>(members: readonly number[], edges: readonly E[], cut: ReadonlySet<E>): E[] {
  const set = new Set(members);
  return edges
    .filter((edge) => set.has(edge.from) && set.has(edge.on) && !cut.has(edge))
    .sort((a, b) => a.from - b.from || a.on - b.on);
}

/** Follows the first edge of each step until a step repeats. */
function firstCycle<E extends GraphEdge>(edges: readonly E[]): readonly E[] {
  const first = new Map<number, E>();
  for (const edge of edges) if (!first.has(edge.from)) first.set(edge.from, edge);

  const way = new Set<E>();
  let edge = edges[0];
  for (; edge !== undefined && !way.has(edge); edge = first.get(edge.on)) way.add(edge);
  const all = [...way];
  return all.slice(all.findIndex(({ from }) => from === edge?.from));
}

function kahn(count: number, edges: readonly GraphEdge[]): readonly number[] {
  const open = new Array<number>(count).fill(0);
  const waiting = new Map<number, number[]>();
  for (const { from, on } of edges) {
    open[from] = (open[from] ?? 0) + 1;
    addTo(waiting, on, from);
  }

  const order: number[] = [];
  const ready = new MinHeap();
  for (let step = 0; step < count; step += 1) if (open[step] === 0) ready.push(step);
  for (let step = ready.pop(); step !== undefined; step = ready.pop()) {
    order.push(step);
    for (const from of waiting.get(step) ?? []) {
      open[from] = (open[from] ?? 0) - 1;
      if (open[from] === 0) ready.push(from);
    }
  }
  return order;
}

/** Returns the smallest number first. */
class MinHeap {
  readonly #values: number[] = [];

  push(value: number): void {
    const values = this.#values;
    let at = values.length;
    values.push(value);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = values[parent] ?? 0;
      if (above <= value) break;
      values[at] = above;
      at = parent;
    }
    values[at] = value;
  }

  pop(): number | undefined {
    const values = this.#values;
    const top = values[0];
    const last = values.pop();
    if (last === undefined || values.length === 0) return top;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      const child = right < values.length && (values[right] ?? 0) < (values[left] ?? 0) ? right : left;
      const below = values[child];
      if (below === undefined || below >= last) break;
      values[at] = below;
      at = child;
    }
    values[at] = last;
    return top;
  }
}

/** Sets of two or more steps that wait for each other (Tarjan's algorithm, without recursion). */
function stronglyConnected(
  count: number,
  edges: readonly { readonly from: number; readonly on: number }[],
): number[][] {
  const next = new Map<number, number[]>();
  for (const { from, on } of edges) {
    addTo(next, from, on);
  }

  const found: number[][] = [];
  const index = new Array<number>(count).fill(-1);
  const low = new Array<number>(count).fill(-1);
  const onStack = new Set<number>();
  const stack: number[] = [];
  let counter = 0;

  for (const start of next.keys()) {
    if (index[start] !== -1) continue;
    const calls: { readonly step: number; child: number }[] = [{ step: start, child: 0 }];
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const { step } = call;
      if (call.child === 0) {
        index[step] = counter;
        low[step] = counter;
        counter += 1;
        stack.push(step);
        onStack.add(step);
      }
      const child = next.get(step)?.[call.child];
      if (child !== undefined) {
        call.child += 1;
        if (index[child] === -1) calls.push({ step: child, child: 0 });
        else if (onStack.has(child)) low[step] = Math.min(low[step] ?? 0, index[child] ?? 0);
        // A step without children is entered only once, so `child` may stay 0.
        continue;
      }

      calls.pop();
      const parent = calls.at(-1);
      if (parent !== undefined) low[parent.step] = Math.min(low[parent.step] ?? 0, low[step] ?? 0);
      if (low[step] === index[step]) {
        const members = stack.splice(stack.lastIndexOf(step));
        for (const member of members) onStack.delete(member);
        if (members.length > 1) found.push(members);
      }
    }
  }
  return found;
}

interface IndexedEdge extends GraphEdge {
  readonly edge: StepEdge;
}

/** Converts drafts to changes in an executable order, each with its edges. */
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

  const cascadedByGvc = Map.groupBy(drafts.values(), (draft) => draft.via);
  const kepts = [...drafts.values()].filter((draft) => draft.action === 'keep');
  const placed = new Set<ResourceId>();
  const changes: Change[] = [];
  for (const index of order) {
    const draft = steps[index]?.draft;
    if (draft === undefined || placed.has(draft.id)) continue;
    placed.add(draft.id);
    changes.push(toChange(draft, waitsOf(draft, byStep)));
    for (const child of cascadedByGvc.get(draft.id) ?? []) changes.push(toChange(child, waitsOf(child, byStep)));
  }
  return awaitUnchanged([...changes, ...kepts.map((draft) => toChange(draft))], edges);
}

/**
 * After an interrupted renaming the new resource exists unchanged, but may not be ready yet. Steps wait for that too,
 * although an unchanged resource has no step of its own.
 */
function awaitUnchanged(changes: readonly Change[], edges: readonly StepEdge[]): readonly Change[] {
  const unchanged = new Set(changes.filter(({ action }) => action === 'keep').map(({ id }) => id));
  const waits = edges.filter(({ on, ready }) => ready && unchanged.has(on));
  if (waits.length === 0) return changes;
  return changes.map((change) => {
    const own = (step: Step): readonly Edge[] =>
      waits
        .filter(({ from, fromStep }) => from === change.id && fromStep === step)
        .map(({ on, because }) => ({ on, because, soft: false, ready: true }));
    if (change.action === 'keep' || change.via !== undefined) return change;
    const [main, deletion, then] = [own('main'), own('delete'), own('then')];
    return checkedChange({
      ...change,
      requires: [...change.requires, ...main],
      ...present({
        deleteRequires: deletion.length === 0 ? undefined : [...(change.deleteRequires ?? []), ...deletion],
      }),
      ...present({ thenRequires: then.length === 0 ? undefined : [...(change.thenRequires ?? []), ...then] }),
    });
  });
}

/** A refused change never runs, so a cycle through it does not prevent showing a plan. */
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

/** One edge for each pair of steps: hard wins over soft, and readiness over none. */
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
  const halves = present({ step: onStep === 'main' ? undefined : onStep });
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

/** One edge of a cycle, with its source position. */
interface CycleLink {
  readonly from: ResourceId;
  readonly on: ResourceId;
  readonly because: string;
  /** `file:line:column`; undefined for references that only live records have. */
  readonly at: string | undefined;
}

const code = 'plan.cycle';

/** Resources wait for each other, and none of the edges can be postponed. */
export class DependencyCycleError extends ToolError {
  readonly cycle: readonly CycleLink[];

  constructor(cycle: readonly CycleLink[]) {
    const links = cycle.map(({ from, on, because, at }) => `  ${at ?? 'live'}  ${from} waits for ${on}: ${because}`);
    super({
      code,
      message: ['resources wait for each other:', ...links].join('\n'),
      hint: 'Remove one of these links, then plan again.',
    });
    this.cycle = cycle;
  }
}

function becauseOf({ by, path }: Pick<DeclaredLink, 'by' | 'path'>): string {
  if (by === 'gvc') return 'it lives in that GVC';
  if (by === 'dependsOn') return 'lifecycle.dependsOn names it';
  return isRead(by) ? `it reads ${by.path} of it` : `${path} refers to it`;
}

interface DeclaredEdge extends GraphEdge {
  readonly link: DeclaredLink;
}

/** Problems in the references and order of declared resources, regardless of live ones. `resources`: of all stacks. */
export function graphProblems(resources: readonly DesiredResource[], org: string): readonly LocatedProblem[] {
  const stacks = Map.groupBy(resources, ({ stack }) => stack);
  // Cycles between stacks are reported separately.
  return [...[...stacks.values()].flatMap((each) => declaredCycles(each, org)), ...renamedReferences(resources, org)];
}

/**
 * Cycles among the resources of one stack, which cannot be created from nothing. Cycles with `dependsOn` are always
 * wrong. Cycles of references alone may exist permanently: one resource was created first, and refers to the other
 * since.
 */
function declaredCycles(resources: readonly DesiredResource[], org: string): readonly LocatedProblem[] {
  const indexes = new Map(resources.map(({ id }, index) => [id, index]));
  let edges: readonly DeclaredEdge[] = resources.flatMap((resource, from) =>
    compact(declaredLinks(resource, org), (link) => {
      const on = indexes.get(link.on);
      const strength = referenceOf(link)?.strength ?? 'hard';
      return on === undefined || strength !== 'hard' ? undefined : { from, on, soft: false, link };
    }),
  );
  const problems: LocatedProblem[] = [];
  for (;;) {
    const { cycle } = orderSteps(resources.length, edges);
    if (cycle === undefined) return problems;
    problems.push(...cycleProblem(cycle, resources));
    edges = edges.filter((edge) => !cycle.includes(edge));
  }
}

function cycleProblem(cycle: readonly DeclaredEdge[], resources: readonly DesiredResource[]): LocatedProblem[] {
  const [first] = cycle;
  const resource = resources[first?.from ?? -1];
  if (first === undefined || resource === undefined) return [];
  const said = cycle.map(({ from, link }) => {
    const place = formatPosition(link.position());
    return `${resources[from]?.id} waits for ${link.on}: ${becauseOf(link)} (${place})`;
  });
  const isWrong = cycle.some(({ link }) => link.by === 'dependsOn');
  return [
    {
      rule: code,
      path: isRead(first.link.by) ? '' : first.link.path,
      pointer: [],
      severity: isWrong ? 'error' : 'warning',
      message: `resources wait for each other${isWrong ? '' : ', so that they cannot be created from nothing'}: ${said.join('; ')}`,
      hint: 'Remove one of these links.',
      position: first.link.position(),
      resource: resource.id,
    },
  ];
}

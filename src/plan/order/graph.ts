import { addTo } from '../../base/multimap.ts';

/** One link between two steps, by their position in the list of steps. */
export interface GraphEdge {
  /** The step that waits. */
  readonly from: number;
  /** The step that must be done first. */
  readonly on: number;
  readonly soft: boolean;
}

export interface Ordered<E extends GraphEdge> {
  /** Positions of all steps, each after everything that it waits for; ties in the order of the list. */
  readonly order: readonly number[];
  /** The effective edges: without self-references, and without soft edges that were cut in cycles. */
  readonly edges: readonly E[];
  /** The edges of one cycle that no soft edge can cut, in the order of the way round. */
  readonly cycle?: readonly E[];
}

/** Above this many members the soft edges of a cycle are cut all at once instead of one by one. */
const patienceLimit = 64;

/** A stable topological order. Soft edges order but never block: in a cycle they are cut. */
export function orderSteps<E extends GraphEdge>(count: number, given: readonly E[]): Ordered<E> {
  const cut = new Set<E>();
  const edges = given.filter((edge) => edge.from !== edge.on);

  const queue = stronglyConnected(count, edges);
  for (let members = queue.pop(); members !== undefined; members = queue.pop()) {
    const inside = within(members, edges, cut);
    const soft = inside.filter((edge) => edge.soft);
    if (soft.length === 0) return { order: [], edges, cycle: wayRound(inside) };

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

function within<E extends GraphEdge>(members: readonly number[], edges: readonly E[], cut: ReadonlySet<E>): E[] {
  const set = new Set(members);
  return edges
    .filter((edge) => set.has(edge.from) && set.has(edge.on) && !cut.has(edge))
    .sort((a, b) => a.from - b.from || a.on - b.on);
}

/** Follows the first edge of each step until a step comes again. */
function wayRound<E extends GraphEdge>(edges: readonly E[]): readonly E[] {
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

/** The smallest number first. */
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
        // A step without children is entered once only, so `child` may stay 0 for it.
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

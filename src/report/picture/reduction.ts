import type { Graph, GraphLink } from './graph.ts';

/**
 * Without links that follow from others: where b waits for a, and c for both, c waits for a anyway. Links in a cycle,
 * and those that say something else than an order, stay.
 */
export function withoutImplied(graph: Graph): Graph {
  const { nodes, links } = graph;
  const outgoing = Map.groupBy(links, ({ from }) => from);
  const places = topologicalPlaces(nodes.length, outgoing);
  const reached = nodes.map(() => new Uint32Array(0));
  const dropped = new Set<GraphLink>();

  // From the end, so that what the targets reach is known.
  const backwards = nodes.map((_, index) => index).toSorted((a, b) => (places[b] ?? 0) - (places[a] ?? 0));
  for (const node of backwards) {
    const own = new Uint32Array(Math.ceil(nodes.length / 32));
    const forward = (outgoing.get(node) ?? []).filter(({ to }) => (places[to] ?? 0) > (places[node] ?? 0));
    for (const link of forward.toSorted((a, b) => (places[a.to] ?? 0) - (places[b.to] ?? 0))) {
      if (has(own, link.to) && link.meaning === 'order') dropped.add(link);
      add(own, link.to);
      for (const [word, bits] of (reached[link.to] ?? []).entries()) own[word] = (own[word] ?? 0) | bits;
    }
    reached[node] = own;
  }
  return { nodes, links: links.filter((link) => !dropped.has(link)) };
}

function has(bits: Uint32Array, index: number): boolean {
  return ((bits[index >> 5] ?? 0) & (1 << (index & 31))) !== 0;
}

function add(bits: Uint32Array, index: number): void {
  bits[index >> 5] = (bits[index >> 5] ?? 0) | (1 << (index & 31));
}

/** The place of each node in an order in which links lead forward; in a cycle at least one leads back. */
function topologicalPlaces(count: number, outgoing: ReadonlyMap<number, readonly GraphLink[]>): readonly number[] {
  const places = new Array<number>(count).fill(-1);
  const open = new Set<number>();
  let last = count;
  for (let start = 0; start < count; start += 1) {
    const stack = [{ node: start, next: 0 }];
    if (places[start] !== -1) continue;
    open.add(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const link = (outgoing.get(top.node) ?? [])[top.next];
      top.next += 1;
      if (link === undefined) {
        last -= 1;
        places[top.node] = last;
        stack.pop();
      } else if (!open.has(link.to)) {
        open.add(link.to);
        stack.push({ node: link.to, next: 0 });
      }
    }
  }
  return places;
}

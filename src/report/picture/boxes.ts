import type { Graph, GraphLink } from './graph.ts';

/** What is laid out as one: a node, or nodes that are alike in everything but their name. */
export interface Box {
  /** Indexes of nodes. */
  readonly members: readonly number[];
}

/** Links refer to boxes by their index. */
export interface Boxed {
  readonly boxes: readonly Box[];
  readonly links: readonly GraphLink[];
}

/** Fewer than these are drawn one by one. */
const fewestAlike = 4;

/**
 * Nodes of one kind, GVC and action that wait for the same and that the same waits for, in one box: a hundred alike
 * workloads are a block with one arrow to it, not a hundred arrows.
 */
export function boxesOfAlike(graph: Graph): Boxed {
  const neighbours = neighbourTexts(graph);
  return boxed(graph, fewestAlike, ({ kind, gvc, action, role }, index) =>
    JSON.stringify([kind, gvc, action, role, neighbours[index]]),
  );
}

/** All of one kind, GVC and action in one box, whatever they wait for. */
export function boxesOfGroups(graph: Graph): Boxed {
  return boxed(graph, 1, ({ kind, gvc, action, role }) => JSON.stringify([kind, gvc, action, role]));
}

function boxed(graph: Graph, fewest: number, keyOf: (node: Graph['nodes'][number], index: number) => string): Boxed {
  const groups = Map.groupBy(graph.nodes.keys(), (index) => {
    const node = graph.nodes[index];
    return node === undefined ? '' : keyOf(node, index);
  });
  const boxes = [...groups.values()].flatMap((members): readonly Box[] =>
    members.length < fewest ? members.map((member) => ({ members: [member] })) : [{ members }],
  );
  const boxOf = new Map(boxes.flatMap(({ members }, box) => members.map((member) => [member, box] as const)));
  const links = new Map<string, GraphLink>();
  for (const link of graph.links) {
    const [from = 0, to = 0] = [boxOf.get(link.from), boxOf.get(link.to)];
    const known = links.get(`${from} ${to}`);
    if (from !== to && (known === undefined || known.soft)) links.set(`${from} ${to}`, { ...link, from, to });
  }
  return { boxes, links: [...links.values()] };
}

/** All links of each node, as a text that is equal for equal links. */
function neighbourTexts({ nodes, links }: Graph): readonly string[] {
  const texts = nodes.map((): string[] => []);
  for (const { from, to, meaning, soft } of links) {
    texts[from]?.push(`>${to} ${meaning} ${soft}`);
    texts[to]?.push(`<${from} ${meaning} ${soft}`);
  }
  return texts.map((each) => each.sort().join());
}

import { Graph as Layered, layout } from '@dagrejs/dagre';
import { curveMonotoneX, curveMonotoneY, line } from 'd3-shape';
import { type Graph, type GraphLink, type GraphNode, graphOf, type LinkMeaning, type PicturedChange } from './graph.ts';

/** Positions and sizes in pixels, from the top left. */
export interface Picture extends Size {
  readonly direction: Direction;
  /** The text and position of each node. Empty if only groups are drawn. */
  readonly nodes: readonly (GraphNode & Point & Size & { readonly box: number })[];
  /** In the order of the layout. A box of one node has no frame. */
  readonly boxes: readonly (Point & Size & BoxWords)[];
  readonly links: readonly PictureLink[];
  /** There are too many nodes: each box represents all of a kind, GVC and action. */
  readonly grouped: boolean;
}

interface BoxWords extends Pick<GraphNode, 'kind' | 'gvc' | 'action' | 'role'> {
  readonly count: number;
}

export interface PictureLink {
  /** Indexes of boxes. */
  readonly from: number;
  readonly to: number;
  readonly meaning: LinkMeaning;
  readonly soft: boolean;
  /** In the syntax of the SVG attribute `d`. */
  readonly path: string;
}

/** The maximum number of nodes drawn individually. */
export const mostNodes = 2_000;
/** The maximum number of groups; above it there is no picture. */
const mostGroups = 1_000;

const node: Size = { width: 192, height: 40 };
const group: Size = { width: 192, height: 56 };
/** Around and between the nodes of a frame, and for its title. */
const gap = 8;
const titleHeight = 24;

const path = line<Point>(
  ({ x }) => Math.round(x),
  ({ y }) => Math.round(y),
);
const pathsTo = { right: path.curve(curveMonotoneX), below: line(path.x(), path.y()).curve(curveMonotoneY) };

/** The dependency graph of a plan, laid out. Undefined if there are more groups than a picture can show. */
export function pictureOf(changes: readonly PicturedChange[]): Picture | undefined {
  const graph = graphOf(changes);
  const grouped = graph.nodes.length > mostNodes;
  const { boxes, links } = grouped ? boxesOfGroups(graph) : alike(graph);
  if (grouped && boxes.length > mostGroups) return undefined;

  const sizes = boxes.map(({ members }) => (grouped ? group : frameOf(members.length)));
  const { width, height, direction, places, paths } = layOut(sizes, links);
  return {
    ...{ width, height, direction, grouped },
    boxes: boxes.map(({ members }, index) => {
      const [first = 0] = members;
      const { kind = '', gvc, action, role = 'change' } = graph.nodes[first] ?? {};
      const { x, y, ...size } = { ...(places[index] ?? origin), ...(sizes[index] ?? node) };
      return { x, y, ...size, kind, gvc, action, role, count: members.length };
    }),
    nodes: grouped ? [] : nodesIn({ graph, boxes, places }),
    links: links.map(({ from, to, meaning, soft }, index) => {
      return { from, to, meaning, soft, path: pathsTo[direction]([...(paths[index] ?? [])]) ?? '' };
    }),
  };
}

const origin: Point = { x: 0, y: 0 };

function alike(graph: Graph): Boxed {
  return boxesOfAlike(withoutImplied(graph));
}

/** A visually square block: nodes are five times as wide as high. */
function columnsOf(count: number): number {
  return count === 1 ? 1 : Math.max(1, Math.round(Math.sqrt(count / 5)));
}

function frameOf(count: number): Size {
  if (count === 1) return node;
  const columns = columnsOf(count);
  const rows = Math.ceil(count / columns);
  return {
    width: columns * (node.width + gap) + gap,
    height: rows * (node.height + gap) + gap + titleHeight,
  };
}

interface Placed extends Pick<Boxed, 'boxes'> {
  readonly graph: Graph;
  readonly places: readonly Point[];
}

/** In a frame column by column, so that successive names are below each other. */
function nodesIn({ graph, boxes, places }: Placed): Picture['nodes'] {
  return boxes.flatMap(({ members }, box) => {
    const { x, y } = places[box] ?? origin;
    const rows = Math.ceil(members.length / columnsOf(members.length));
    return members.flatMap((member, place) => {
      const known = graph.nodes[member];
      if (known === undefined) return [];
      if (members.length === 1) return [{ ...known, ...node, x, y, box }];
      const column = Math.floor(place / rows);
      return [
        {
          ...{ ...known, ...node, box },
          x: x + gap + column * (node.width + gap),
          y: y + titleHeight + gap + (place % rows) * (node.height + gap),
        },
      ];
    });
  });
}

/** A unit of the layout: a node, or nodes that differ only in their name. */
interface Box {
  /** Indexes of nodes. */
  readonly members: readonly number[];
}

/** Links refer to boxes by their index. */
interface Boxed {
  readonly boxes: readonly Box[];
  readonly links: readonly GraphLink[];
}

/** Fewer than these are drawn individually. */
const fewestAlike = 4;

/**
 * Puts nodes of one kind, GVC and action with the same dependencies and dependents in one box: a hundred such workloads
 * become a block with one arrow, instead of a hundred arrows.
 */
export function boxesOfAlike(graph: Graph): Boxed {
  const neighbours = neighbourTexts(graph);
  return boxed(graph, fewestAlike, ({ kind, gvc, action, role }, index) =>
    JSON.stringify([kind, gvc, action, role, neighbours[index]]),
  );
}

/** Puts all of one kind, GVC and action in one box, regardless of their links. */
function boxesOfGroups(graph: Graph): Boxed {
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

/**
 * Removes links that follow from others: if b waits for a, and c for both, c waits for a anyway. Links in a cycle, and
 * those with another meaning than an order, stay.
 */
export function withoutImplied(graph: Graph): Graph {
  const { nodes, links } = graph;
  const outgoing = Map.groupBy(links, ({ from }) => from);
  const places = topologicalPlaces(nodes.length, outgoing);
  const reached = nodes.map(() => new Uint32Array(0));
  const dropped = new Set<GraphLink>();

  // Backwards, so that the nodes reachable from the targets are known.
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

/** The position of each node in an order in which links lead forward; in a cycle at least one leads back. */
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

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The direction from a node to the nodes that wait for it. */
type Direction = 'right' | 'below';

/** Positions in pixels, from the top left. */
interface Layout extends Size {
  readonly direction: Direction;
  /** The top left of each box, in the order of `sizes`. */
  readonly places: readonly Point[];
  /** The points of each link, from its beginning to its end, in the order of `links`. */
  readonly paths: readonly (readonly Point[])[];
}

/** Above this number of boxes the shortest links take too long: ten times as long for a thousand. */
const mostExact = 200;

/** The approximate visible size of a page. */
const canvas: Size = { width: 1160, height: 640 };

type Link = Pick<GraphLink, 'from' | 'to'>;

/** A layout in layers, in the direction that shows more at a time; many boxes always from left to right. */
function layOut(sizes: readonly Size[], links: readonly Link[]): Layout {
  const right = layOutTo('right', sizes, links);
  if (sizes.length > mostExact || scaleOf(right) >= 1) return right;
  const below = layOutTo('below', sizes, links);
  return scaleOf(below) > scaleOf(right) ? below : right;
}

function scaleOf({ width, height }: Size): number {
  return Math.min(1, canvas.width / width, canvas.height / height);
}

function layOutTo(direction: Direction, sizes: readonly Size[], links: readonly Link[]): Layout {
  const graph = new Layered({ multigraph: false });
  graph.setGraph({
    ...{ rankdir: direction === 'right' ? 'LR' : 'TB', marginx: 16, marginy: 16, edgesep: 8 },
    ...(direction === 'right' ? { nodesep: 14, ranksep: 64 } : { nodesep: 20, ranksep: 44 }),
    ranker: sizes.length > mostExact ? 'tight-tree' : 'network-simplex',
  });
  for (const [index, { width, height }] of sizes.entries()) graph.setNode(String(index), { width, height });
  for (const { from, to } of links) graph.setEdge(String(from), String(to), {});
  layout(graph);

  const { width = 0, height = 0 } = graph.graph();
  return {
    direction,
    width: Math.ceil(width),
    height: Math.ceil(height),
    places: sizes.map((size, index) => {
      const { x = 0, y = 0 } = graph.node(String(index));
      return { x: Math.round(x - size.width / 2), y: Math.round(y - size.height / 2) };
    }),
    paths: links.map(({ from, to }) => graph.edge(String(from), String(to)).points ?? []),
  };
}

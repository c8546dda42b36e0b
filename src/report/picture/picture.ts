import { curveMonotoneX, curveMonotoneY, line } from 'd3-shape';
import { type Boxed, boxesOfAlike, boxesOfGroups } from './boxes.ts';
import { type Graph, type GraphNode, graphOf, type LinkMeaning, type PicturedChange } from './graph.ts';
import { type Direction, layOut, type Point, type Size } from './layout.ts';
import { withoutImplied } from './reduction.ts';

/** Places and sizes in pixels, from the top left. */
export interface Picture extends Size {
  readonly direction: Direction;
  /** Of each node its text and where it stands. Empty where only groups are drawn. */
  readonly nodes: readonly (GraphNode & Point & Size & { readonly box: number })[];
  /** In the order of the layout. A box of one node has no frame. */
  readonly boxes: readonly (Point & Size & BoxWords)[];
  readonly links: readonly PictureLink[];
  /** More than can be drawn one by one: each box stands for all of a kind, GVC and action. */
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
  /** As in the attribute `d` of an SVG path. */
  readonly path: string;
}

/** So many nodes are drawn one by one. */
export const mostNodes = 2_000;
/** So many groups are drawn; above it there is no picture. */
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

/** The dependency graph of a plan, laid out. Undefined: there are more groups than a picture can show. */
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

/** A block about as high as it is wide to the eye: nodes are five times as wide as high. */
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

/** In a frame column by column, so that names that follow one another stand below one another. */
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

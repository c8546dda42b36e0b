import { Graph, layout } from '@dagrejs/dagre';
import type { GraphLink } from './graph.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where what waits stands of what it waits for. */
export type Direction = 'right' | 'below';

/** Places in pixels, from the top left. */
export interface Layout extends Size {
  readonly direction: Direction;
  /** The top left of each box, in the order of `sizes`. */
  readonly places: readonly Point[];
  /** The points of each link, from its beginning to its end, in the order of `links`. */
  readonly paths: readonly (readonly Point[])[];
}

/** Above this many boxes the shortest links are not worth their time: ten times as long for a thousand. */
const mostExact = 200;

/** The size that a page shows at once, roughly. */
const canvas: Size = { width: 1160, height: 640 };

type Link = Pick<GraphLink, 'from' | 'to'>;

/** In layers, in the direction in which more of it is seen at once; of many boxes from left to right. */
export function layOut(sizes: readonly Size[], links: readonly Link[]): Layout {
  const right = layOutTo('right', sizes, links);
  if (sizes.length > mostExact || scaleOf(right) >= 1) return right;
  const below = layOutTo('below', sizes, links);
  return scaleOf(below) > scaleOf(right) ? below : right;
}

function scaleOf({ width, height }: Size): number {
  return Math.min(1, canvas.width / width, canvas.height / height);
}

function layOutTo(direction: Direction, sizes: readonly Size[], links: readonly Link[]): Layout {
  const graph = new Graph({ multigraph: false });
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

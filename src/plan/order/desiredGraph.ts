import { compareText } from '../../base/text/compareText.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { declaredLinks, isRead, referenceOf } from '../references/declaredLinks.ts';

export interface GraphNode {
  readonly id: ResourceId;
  readonly kind: string;
  /** A target that is not declared. */
  readonly external?: true;
}

export interface GraphLink {
  readonly from: ResourceId;
  readonly to: ResourceId;
  readonly because: string;
  readonly soft: boolean;
}

/** The drawing of `gantry graph`: nodes and links sorted by id. */
export interface ResourceGraph {
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
}

/** The references between declared resources, regardless of live ones. */
export function desiredGraph(resources: readonly DesiredResource[], org: string): ResourceGraph {
  const nodes = new Map<ResourceId, GraphNode>(resources.map(({ id, ref }) => [id, { id, kind: ref.kind }]));
  const links: GraphLink[] = [];
  const link = (from: ResourceId, to: ResourceId, because: string, soft: boolean): void => {
    if (!nodes.has(to)) nodes.set(to, { id: to, kind: to.slice(0, to.indexOf('/')), external: true });
    links.push({ from, to, because, soft });
  };

  for (const resource of resources) {
    for (const declared of declaredLinks(resource, org)) {
      const { by, on, path } = declared;
      const because = by === 'gvc' ? 'it lives in that GVC' : isRead(by) ? `it reads ${by.path}` : path;
      link(resource.id, on, because, (referenceOf(declared)?.strength ?? 'hard') !== 'hard');
    }
  }
  return sorted([...nodes.values()], links);
}

function sorted(nodes: readonly GraphNode[], links: readonly GraphLink[]): ResourceGraph {
  const key = ({ from, to, because }: GraphLink): string => `${from} ${to} ${because}`;
  const unique = new Map(links.map((link) => [key(link), link]));
  return {
    nodes: [...nodes].sort((a, b) => compareText(a.id, b.id)),
    links: [...unique].sort(([a], [b]) => compareText(a, b)).map(([, link]) => link),
  };
}

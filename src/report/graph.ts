import type { Action } from '../plan/model/change.ts';

interface Wait {
  readonly on: string;
  readonly soft: boolean;
  /** The step that waits. */
  readonly step: 'write' | 'delete' | 'then';
}

/** The members of a change that the picture needs, from the plan document. */
export interface PicturedChange {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly gvc?: string | undefined;
  readonly action: Action;
  readonly waitsFor?: readonly Wait[] | undefined;
  readonly cascadesTo: readonly string[];
  readonly victims?: readonly string[] | undefined;
}

/** `goes-along`: of no planned stack, deleted with its GVC. `hit`: a record of others, affected by an update. */
export type Role = 'change' | 'goes-along' | 'hit';

export interface GraphNode {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly gvc: string | undefined;
  /** Only for a change. */
  readonly action: Action | undefined;
  readonly role: Role;
}

/** `order`: `to` waits for `from`. `takes`: `to` is deleted with `from`. `hits`: the update of `from` affects `to`. */
export type LinkMeaning = 'order' | 'takes' | 'hits';

export interface GraphLink {
  readonly from: number;
  readonly to: number;
  readonly meaning: LinkMeaning;
  /** A failure of `from` does not skip `to`. */
  readonly soft: boolean;
}

/** Links refer to nodes by their index. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
}

/**
 * Changes, the records that they delete or affect, and related unchanged resources. Unrelated unchanged resources are
 * omitted, unless there is nothing else.
 */
export function graphOf(changes: readonly PicturedChange[]): Graph {
  const shown = withNeighbours(changes);
  const nodes: GraphNode[] = shown.map(({ id, kind, name, gvc, action }) => ({
    ...{ id, kind, name, gvc, action },
    role: 'change',
  }));
  const indexes = new Map(nodes.map(({ id }, index) => [id, index]));
  const links = new Map<string, GraphLink>();

  for (const change of shown) {
    const own = indexOf(change.id, 'change');
    for (const { on, soft, step } of change.waitsFor ?? []) {
      const from = indexes.get(on);
      if (from !== undefined && !(step === 'delete' && waitsFor(on, change.id))) {
        link({ from, to: own, meaning: 'order', soft });
      }
    }
    for (const id of change.cascadesTo)
      link({ from: own, to: indexOf(id, 'goes-along'), meaning: 'takes', soft: false });
    for (const id of change.victims ?? []) link({ from: own, to: indexOf(id, 'hit'), meaning: 'hits', soft: false });
  }
  return { nodes, links: [...links.values()] };

  /** Of two replacements one is deleted first and created last: the arrow shows the order of the creations. */
  function waitsFor(id: string, on: string): boolean {
    const known = indexes.get(id);
    const change = known === undefined ? undefined : shown[known];
    return (change?.waitsFor ?? []).some((wait) => wait.on === on && wait.step !== 'delete');
  }

  function indexOf(id: string, role: Role): number {
    const known = indexes.get(id);
    if (known !== undefined) return known;
    nodes.push({ ...partsOf(id), action: undefined, role });
    indexes.set(id, nodes.length - 1);
    return nodes.length - 1;
  }

  /** One link between two nodes: a cascade waits for nothing else, and a hard link replaces a soft one. */
  function link(added: GraphLink): void {
    const { from, to } = added;
    if (from === to) return;
    const key = `${from} ${to}`;
    const known = links.get(key);
    if (known === undefined || weight(added) > weight(known)) links.set(key, added);
  }
}

function weight({ meaning, soft }: GraphLink): number {
  if (meaning !== 'order') return 2;
  return soft ? 0 : 1;
}

function withNeighbours(changes: readonly PicturedChange[]): readonly PicturedChange[] {
  const moving = changes.filter(({ action }) => action !== 'keep');
  if (moving.length === 0) return changes;
  const ids = new Set(moving.map(({ id }) => id));
  const beside = new Set(moving.flatMap(({ waitsFor = [] }) => waitsFor.map(({ on }) => on)));
  return changes.filter(({ id, action, waitsFor = [] }) => {
    return action !== 'keep' || beside.has(id) || waitsFor.some(({ on }) => ids.has(on));
  });
}

/** `kind/[gvc/]name`. */
function partsOf(id: string): Pick<GraphNode, 'id' | 'kind' | 'name' | 'gvc'> {
  const [kind = '', ...rest] = id.split('/');
  const name = rest.at(-1) ?? '';
  return { id, kind, name, gvc: rest.length > 1 ? rest[0] : undefined };
}

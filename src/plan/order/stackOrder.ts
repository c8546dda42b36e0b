import { isAwaited, mustBeThere } from '../../kinds/referenceStrength.ts';
import { formatPosition, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { declaredLinks, referenceOf } from '../references/declaredLinks.ts';

/** The first reference from one stack to another. */
export interface StackLink {
  readonly from: string;
  readonly to: string;
  /** The referring resource, the field, and the target. */
  readonly by: ResourceId;
  readonly path: string;
  readonly on: ResourceId;
  readonly position: Position;
  /** Whether the target must exist first. */
  readonly needed: boolean;
}

export interface StackOrder {
  /** The names of all stacks, targets of references first. */
  readonly names: readonly string[];
  readonly links: readonly StackLink[];
  /** Cycles of stacks, none of which can be applied first. */
  readonly problems: readonly LocatedProblem[];
}

/** The order in which stacks are applied. `names`: in order of creation, which decides between equals. */
export function orderStacks(names: readonly string[], resources: readonly DesiredResource[], org: string): StackOrder {
  const links = linksBetween(resources, org);
  const all = sortedBy(names, links);
  if (all.cycle.length === 0) return { names: all.names, links, problems: [] };
  // A target that may be missing temporarily blocks no stack.
  const needed = sortedBy(
    names,
    links.filter((link) => link.needed),
  );
  const [first] = needed.cycle;
  return { names: needed.names, links, problems: first === undefined ? [] : [cycleProblem(first, needed.cycle)] };
}

function linksBetween(resources: readonly DesiredResource[], org: string): readonly StackLink[] {
  const stackOf = new Map(resources.map(({ id, stack }) => [id, stack]));
  const links = new Map<string, StackLink>();
  for (const resource of resources) {
    const { id, stack } = resource;
    if (stack === undefined) continue;
    for (const link of declaredLinks(resource, org)) {
      const to = stackOf.get(link.on);
      if (to === undefined || to === stack) continue;
      const reference = referenceOf(link);
      const needed = reference === undefined || mustBeThere(reference) || isAwaited(reference);
      const key = `${stack} ${to}`;
      const before = links.get(key);
      if (before !== undefined && (before.needed || !needed)) continue;
      links.set(key, { from: stack, to, by: id, path: link.path, on: link.on, position: link.position(), needed });
    }
  }
  return [...links.values()];
}

interface Sorted {
  readonly names: readonly string[];
  /** Links that lead from a stack back to itself. */
  readonly cycle: readonly StackLink[];
}

function sortedBy(names: readonly string[], links: readonly StackLink[]): Sorted {
  const sorted: string[] = [];
  let open = names;
  while (open.length > 0) {
    const next = open.find((name) => !links.some(({ from, to }) => from === name && open.includes(to)));
    if (next === undefined) return { names, cycle: cycleAmong(open, links) };
    sorted.push(next);
    open = open.filter((name) => name !== next);
  }
  return { names: sorted, cycle: [] };
}

/** Each stack of `open` needs another of them, so following the links comes back. */
function cycleAmong(open: readonly string[], links: readonly StackLink[]): readonly StackLink[] {
  const way: StackLink[] = [];
  for (let at = open[0]; ; ) {
    const link = links.find(({ from, to }) => from === at && open.includes(to));
    if (link === undefined) return way;
    way.push(link);
    const start = way.findIndex(({ from }) => from === link.to);
    if (start !== -1) return way.slice(start);
    at = link.to;
  }
}

function cycleProblem(first: StackLink, cycle: readonly StackLink[]): LocatedProblem {
  const said = cycle.map(
    ({ from, to, by, path, on, position }) =>
      `${from} needs ${to}, because ${path} of ${by} refers to ${on} (${formatPosition(position)})`,
  );
  return {
    rule: 'stack.order',
    path: '',
    pointer: [],
    severity: 'error',
    message: `stacks need each other, so that none of them can be applied first: ${said.join('; ')}`,
    hint: 'Move one of these resources into the other stack, or what both need into a third one.',
    position: first.position,
    resource: first.by,
  };
}

import { ToolError } from '../../base/toolError.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { formatPosition } from '../../manifest/model/renderProblem.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { type DeclaredLink, declaredLinks, isRead, referenceOf } from '../references/declaredLinks.ts';
import { renamedReferences } from '../references/undeclared.ts';
import { type GraphEdge, orderSteps } from './graph.ts';

/** One link of a cycle, with the place where it was written. */
export interface CycleLink {
  readonly from: ResourceId;
  readonly on: ResourceId;
  readonly because: string;
  /** `file:line:column`; undefined for references of live records only. */
  readonly at: string | undefined;
}

const code = 'plan.cycle';

/** Resources wait for each other, and no edge among them can be postponed. */
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

/** Problems of the references and the order of declared resources, whatever is live. `resources`: of all stacks. */
export function graphProblems(resources: readonly DesiredResource[], org: string): readonly LocatedProblem[] {
  const stacks = Map.groupBy(resources, ({ stack }) => stack);
  // Stacks that need each other are told as such.
  return [...[...stacks.values()].flatMap((each) => declaredCycles(each, org)), ...renamedReferences(resources, org)];
}

/**
 * Cycles among the resources of one stack, which cannot be created from nothing. What a person wrote into `dependsOn` is
 * wrong in any case. References alone can be there for good: one of the two was created first, and refers to the other
 * since.
 */
function declaredCycles(resources: readonly DesiredResource[], org: string): readonly LocatedProblem[] {
  const indexes = new Map(resources.map(({ id }, index) => [id, index]));
  let edges: readonly DeclaredEdge[] = resources.flatMap((resource, from) =>
    declaredLinks(resource, org).flatMap((link) => {
      const on = indexes.get(link.on);
      const strength = referenceOf(link)?.strength ?? 'hard';
      return on === undefined || strength !== 'hard' ? [] : [{ from, on, soft: false, link }];
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

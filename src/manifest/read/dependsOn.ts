import { isDeclarable, isGvcScoped } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';

export interface ParsedDependsOn {
  readonly ids: readonly ResourceId[];
  readonly problems: readonly Problem[];
}

/** Complete ids of `lifecycle.dependsOn`: in a resource of a GVC, `workload/api` is in the same GVC. */
export function parseDependsOn(written: readonly string[], dependent: Ref): ParsedDependsOn {
  const ids: ResourceId[] = [];
  const problems: Problem[] = [];
  for (const [index, id] of written.entries()) {
    const full = fullId(id, dependent);
    if (full === undefined) problems.push(badId(index, id));
    else if (full === formatRef(dependent)) problems.push(itself(index, full));
    else ids.push(full);
  }
  return { ids, problems };
}

function fullId(id: string, dependent: Ref): ResourceId | undefined {
  const [kind = '', first = '', second, ...rest] = id.split('/');
  if (!isDeclarable(kind) || first === '' || second === '' || rest.length > 0) return undefined;
  if (!isGvcScoped(kind)) return second === undefined ? id : undefined;
  if (second !== undefined) return id;
  return dependent.gvc === undefined ? undefined : `${kind}/${dependent.gvc}/${first}`;
}

function itself(index: number, id: ResourceId): Problem {
  return {
    ...badId(index, id),
    message: `${id} depends on itself`,
    hint: 'Remove it from this list.',
  };
}

function badId(index: number, id: string): Problem {
  return {
    rule: 'manifest.depends-on',
    path: `lifecycle.dependsOn.${index}`,
    pointer: ['lifecycle', 'dependsOn', index],
    message: `${JSON.stringify(id.slice(0, 120))} is not the id of a resource`,
    hint: 'Write kind/name, or kind/gvc/name for a resource in a GVC.',
    severity: 'error',
  };
}

import { isArray, isObject, type JsonValue, own } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { present } from '../../base/json/present.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import { itemKey } from '../../schema/shape/listKey.ts';
import { namesOfPath, shapeAt } from '../../schema/shape/paths.ts';
import type { Finding } from '../model/finding.ts';

/** The rule id of what a policy finds. */
function ruleOf(policy: string): string {
  return `policy.${policy}`;
}

/** The policy that a rule id names; undefined: it is none of a policy. */
export function policyOf(rule: string): string | undefined {
  return rule.startsWith('policy.') ? rule.slice('policy.'.length) : undefined;
}

/**
 * A finding at its line: that of the value, or of what is around the place where it is missing. `otherwise`: for what
 * nobody declares.
 */
export function located(finding: Finding, resource: DesiredResource | undefined, otherwise: Position): LocatedProblem {
  const { policy, message, path = '', fix, severity } = finding;
  const pointer = resource === undefined ? [] : pointerNear(path, resource);
  return {
    ...fileProblem(resource?.locate(pointer) ?? otherwise, ruleOf(policy), message, fix),
    path,
    pointer,
    severity,
    ...present({ resource: finding.resource }),
  };
}

/** As far as the path leads in the manifest. */
function pointerNear(path: string, { ref, record, lifecycle }: DesiredResource): Pointer {
  const shape = shapeOf(ref.kind, record);
  const pointer: (string | number)[] = [];
  let value: JsonValue | undefined = { ...record, lifecycle: { ...lifecycle } };
  for (const name of namesOfPath(path)) {
    const list = shapeAt(shape, pointer);
    const step: string | number = isArray(value) ? indexOf(value, name, list) : name;
    const next: JsonValue | undefined = isArray(value)
      ? value[Number(step)]
      : isObject(value)
        ? own(value, name)
        : undefined;
    if (next === undefined) break;
    pointer.push(step);
    value = next;
  }
  return pointer;
}

function indexOf(items: readonly JsonValue[], name: string, shape: ReturnType<typeof shapeAt>): number {
  const list = shape?.type === 'list' ? shape.facts.list : undefined;
  const key = list?.class === 'keyed' ? list.key : undefined;
  const keyed = key === undefined ? -1 : items.findIndex((item) => isObject(item) && itemKey(key, item) === name);
  return keyed < 0 ? Number(name) : keyed;
}

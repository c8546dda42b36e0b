import type { JsonObject } from '../../base/json/json.ts';
import { kindNamed } from '../../schema/record/kinds.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import type { Policy, PolicyProblem } from '../model/policy.ts';
import { holds, inWords } from './condition.ts';
import { type Place, placesOf } from './places.ts';
import type { PathCondition, Rule } from './rule.ts';

/** A rule as the policy that it is. */
export function policyOfRule(rule: Rule): Policy {
  const { id, kind, severity = 'error', message } = rule;
  return {
    id,
    about: message ?? '',
    severity,
    kinds: kind,
    resource: (manifest) => judgeByRule(rule, manifest),
    plan: undefined,
    position: () => ({ file: '', line: 1, column: 1 }),
  };
}

/** What a rule finds in the manifest of one of its kinds. */
export function judgeByRule(rule: Rule, manifest: JsonObject): readonly PolicyProblem[] {
  const { when = [], message, fix } = rule;
  if (!when.every((condition) => failing(condition, manifest).length === 0)) return [];
  const said = message ?? inWords(rule);
  return failing(rule, manifest).map((path) => ({ message: said, path, ...(fix === undefined ? {} : { fix }) }));
}

/** The paths at which a condition is not so. */
function failing(condition: PathCondition, manifest: JsonObject): readonly string[] {
  const { path, of = 'every' } = condition;
  const kind = kindNamed(manifest['kind']);
  if (kind === undefined) return [];
  const places = placesOf(path, shapeOf(kind, manifest), manifest);
  const isSo = ({ value, shape }: Place) => holds(condition, { value, quantity: shape?.facts.quantity });
  if (of === 'any') return places.some(isSo) ? [] : [path.replace(/\.\*.*$/, '')];
  return places.filter((place) => !isSo(place)).map((place) => place.path);
}

import { fieldIn, isArray, isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { kindNamed } from '../../schema/record/kinds.ts';
import { childShape, nameOfPart, type PathSegment, parsePath, quoted } from '../../schema/shape/paths.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { holds, inWords } from './condition.ts';
import type { Policy, PolicyProblem } from './policy.ts';
import type { PathCondition, Rule } from './rule.ts';

/** Converts a rule to a policy. */
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

/** The problems that a rule finds in the manifest of one of its kinds. */
export function judgeByRule(rule: Rule, manifest: JsonObject): readonly PolicyProblem[] {
  const { when = [], message, fix } = rule;
  if (!when.every((condition) => failing(condition, manifest).length === 0)) return [];
  const said = message ?? inWords(rule);
  return failing(rule, manifest).map((path) => ({ message: said, path, ...present({ fix }) }));
}

/** The paths at which a condition is false. */
function failing(condition: PathCondition, manifest: JsonObject): readonly string[] {
  const { path, of = 'every' } = condition;
  const kind = kindNamed(manifest['kind']);
  if (kind === undefined) return [];
  const places = placesOf(path, shapeOf(kind, manifest), manifest);
  const isSo = ({ value, shape }: Place) => holds(condition, { value, quantity: shape?.facts.quantity });
  if (of === 'any') return places.some(isSo) ? [] : [path.replace(/\.\*.*$/, '')];
  return places.filter((place) => !isSo(place)).map((place) => place.path);
}

/** A place of a path, with or without a value. */
interface Place {
  /** Dotted, list items by key. */
  readonly path: string;
  readonly value: JsonValue | undefined;
  readonly shape: Shape | undefined;
}

/**
 * The places of a path in a manifest: for `*` one for each existing item or key; for a missing value, the place where
 * it would be. Empty if a `*` matches nothing.
 */
function placesOf(path: string, shape: Shape, manifest: JsonObject): readonly Place[] {
  let places: readonly Place[] = [{ path: '', value: manifest, shape }];
  for (const segment of parsePath(path) ?? []) places = places.flatMap((place) => step(place, segment));
  return places;
}

function step({ path, value, shape }: Place, segment: PathSegment): readonly Place[] {
  const at = (name: string) => (path === '' ? quoted(name) : `${path}.${quoted(name)}`);
  if (isArray(value)) {
    const items = value.map((item, index) => ({ name: nameOfPart(shape, item, index), index, item }));
    const item = shape?.type === 'list' ? shape.item : undefined;
    const named = items.filter(
      ({ name, index }) => segment.any || segment.name === name || segment.name === String(index),
    );
    if (named.length > 0) return named.map((each) => ({ path: at(each.name), value: each.item, shape: item }));
    return segment.any ? [] : [{ path: at(segment.name), value: undefined, shape: item }];
  }
  if (segment.any) {
    const keys = isObject(value) ? Object.keys(value) : [];
    return keys.map((key) => ({ path: at(key), value: fieldIn(value, key), shape: childShape(shape, key) }));
  }
  return [{ path: at(segment.name), value: fieldIn(value, segment.name), shape: childShape(shape, segment.name) }];
}

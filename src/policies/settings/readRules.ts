import { isArray, isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { suggest } from '../../base/text/suggest.ts';
import { available, suggestion } from '../../base/text/suggestion.ts';
import { followPath } from '../../manifest/check/pathPlaces.ts';
import { lifecycleNames } from '../../manifest/read/lifecycleBlock.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import { declarableKinds, isDeclarable } from '../../schema/record/kinds.ts';
import { type PathSegment, parsePath } from '../../schema/shape/paths.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { isPolicyId, type PolicySeverity } from '../model/policy.ts';
import type { PathCondition, Rule } from '../rules/rule.ts';
import type { SettingFaults } from './fault.ts';
import { type ReadConditionOptions, readCondition } from './readCondition.ts';

const ruleKeys = ['id', 'kind', 'when', 'severity', 'message', 'fix'] as const;

/** `policies.rules`: those that are right; what is wrong with the others is in `faults`. */
export function readRules(given: JsonValue | undefined, faults: SettingFaults): readonly Rule[] {
  if (given === undefined || given === null) return [];
  if (!isArray(given)) {
    faults.add(['rules'], 'must be a list of rules', 'A rule has an id, a kind, a path and a condition.');
    return [];
  }
  return given.flatMap((each, index) => readRule(each, ['rules', index], faults) ?? []);
}

function readRule(given: JsonValue, at: Pointer, faults: SettingFaults): Rule | undefined {
  if (!isObject(given)) return void faults.add(at, 'must be an object with an id, a kind, a path and a condition');
  const before = faults.problems.length;
  const { id, kind, when = [], severity, message, fix, ...condition } = given;
  if (!isPolicyId(id)) {
    faults.add([...at, 'id'], 'must be lower-case words with hyphens', 'An example: id: two-replicas');
  }
  const kinds = readKinds(kind, [...at, 'kind'], faults);
  if (severity !== undefined && severity !== 'error' && severity !== 'warning') {
    faults.add([...at, 'severity'], 'must be error or warning');
  }
  const texts = { message, fix };
  for (const [name, text] of Object.entries(texts)) {
    if (text !== undefined && (typeof text !== 'string' || text.trim() === '')) {
      faults.add([...at, name], 'must be a text');
    }
  }
  const main = readPathCondition(condition, { at, kinds, faults, besides: ruleKeys });
  if (!isArray(when)) faults.add([...at, 'when'], 'must be a list of conditions, each with a path');
  const conditions = isArray(when)
    ? when.flatMap((each, index) => readWhen(each, [...at, 'when', index], kinds, faults))
    : [];
  if (faults.problems.length > before || main === undefined || !isPolicyId(id)) return undefined;
  return {
    ...main,
    id,
    kind: kinds,
    ...(conditions.length === 0 ? {} : { when: conditions }),
    ...(isSeverity(severity) ? { severity } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof fix === 'string' ? { fix } : {}),
  };
}

function isSeverity(value: JsonValue | undefined): value is PolicySeverity {
  return value === 'error' || value === 'warning';
}

function readWhen(
  given: JsonValue,
  at: Pointer,
  kinds: readonly string[],
  faults: SettingFaults,
): readonly PathCondition[] {
  if (!isObject(given)) {
    faults.add(at, 'must be an object with a path and a condition');
    return [];
  }
  const read = readPathCondition(given, { at, kinds, faults, besides: [] });
  return read === undefined ? [] : [read];
}

function readKinds(given: JsonValue | undefined, at: Pointer, faults: SettingFaults): readonly string[] {
  const kinds = (isArray(given) ? given : [given ?? null]).filter((kind) => typeof kind === 'string').map(String);
  if (kinds.length === 0 || (isArray(given) && kinds.length !== given.length)) {
    faults.add(at, 'must be a kind, or a list of kinds', 'An example: kind: workload');
  }
  for (const kind of kinds) {
    if (isDeclarable(kind)) continue;
    const known = declarableKinds();
    faults.add(
      at,
      `: there is no kind ${JSON.stringify(kind)}`,
      suggestion(kind, known) ?? `Kinds: ${known.join(', ')}.`,
    );
  }
  return kinds.filter(isDeclarable);
}

type PathConditionOptions = Omit<ReadConditionOptions, 'quantity'> & { readonly kinds: readonly string[] };

function readPathCondition(
  { path, of, ...condition }: JsonObject,
  { at, kinds, faults, besides }: PathConditionOptions,
): PathCondition | undefined {
  if (of !== undefined && of !== 'every' && of !== 'any') faults.add([...at, 'of'], 'must be every or any');
  const segments = typeof path === 'string' ? parsePath(path) : undefined;
  if (typeof path !== 'string' || segments === undefined) {
    const meant = path === undefined ? Object.keys(condition).find((key) => suggest(key, ['path'])) : undefined;
    const instead = meant === undefined ? undefined : `Did you mean "path" in place of ${JSON.stringify(meant)}?`;
    faults.add([...at, 'path'], 'must be a path', instead ?? 'An example: path: spec.containers.*.image');
    return undefined;
  }
  const quantities = new Set(kinds.map((kind) => checkPath(kind, segments, [...at, 'path'], faults)));
  const [quantity] = quantities;
  const read = readCondition(condition, { at, faults, quantity, besides: ['path', 'of', ...besides] });
  return read === undefined ? undefined : { ...read, path, ...(of === 'every' || of === 'any' ? { of } : {}) };
}

/** What is known of the field. A path that leads nowhere in the schema could never be right. */
function checkPath(
  kind: string,
  segments: readonly PathSegment[],
  at: Pointer,
  faults: SettingFaults,
): FieldFacts['quantity'] {
  const [first, second] = segments;
  if (first?.any === false && first.name === 'lifecycle') {
    const name = second === undefined || second.any ? undefined : second.name;
    if (name !== undefined && !lifecycleNames.includes(name)) {
      const known = available(lifecycleNames);
      faults.add(at, `: lifecycle has no field ${JSON.stringify(name)}`, suggestion(name, lifecycleNames) ?? known);
    }
    return undefined;
  }
  if (!isDeclarable(kind) || (first?.any === false && (first.name === 'gvc' || first.name === 'kind')))
    return undefined;
  const { followed, places } = followPath(shapeOf(kind), {}, segments);
  const stuck = segments[followed];
  if (stuck === undefined) return places[0]?.shape?.facts.quantity;
  const isItem = stuck.any && followed === segments.length - 1 && places.some(({ shape }) => shape?.type === 'list');
  if (isItem) return undefined; // of a list of texts: they have no name of their own
  const names = [...new Set(places.flatMap(({ shape }) => (shape?.type === 'object' ? [...shape.fields.keys()] : [])))];
  const around = segments.slice(0, followed).map((segment) => (segment.any ? '*' : segment.name));
  const name = stuck.any ? '*' : stuck.name;
  const of = around.length === 0 ? kind : `${around.join('.')} of a ${kind}`;
  const known = names.length === 0 ? undefined : `Known here: ${names.toSorted().join(', ')}.`;
  faults.add(at, `: ${of} has no field ${JSON.stringify(name)}`, suggestion(name, names) ?? known);
  return undefined;
}

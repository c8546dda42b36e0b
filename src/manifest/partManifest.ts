import { isArray, isObject, type JsonObject, type JsonValue, own } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { Kind } from '../schema/record/kinds.ts';
import type { Problem } from '../schema/record/problem.ts';
import { itemKey, keyFields } from '../schema/shape/listKey.ts';
import { type Collection, ownableCollections, waysToCollections } from '../schema/shape/ownableCollections.ts';
import { formatPath, matchPath, shapeAt } from '../schema/shape/paths.ts';
import { fieldShape, type ObjectShape } from '../schema/shape/shape.ts';
import { lifecyclePathProblems } from './lifecyclePaths.ts';
import type { Lifecycle } from './model/manifest.ts';

/** Members for the owner of the whole resource only. */
const ofOwners = ['protect', 'retain', 'replace', 'previously', 'handOver', 'ignore', 'untyped'] as const;

/**
 * The problems of the manifest of a part (`lifecycle.part`): it may contain list items and map keys, but nothing that
 * the resource's owner decides.
 */
export function partProblems(kind: Kind, record: JsonObject, lifecycle: Lifecycle): readonly Problem[] {
  const shape = shapeOf(kind, record);
  const problems: Problem[] = ofOwners.flatMap((name) =>
    lifecycle[name] === undefined ? [] : [ofOwner(name, `lifecycle.${name} is for the owner of the whole resource`)],
  );
  if (isObject(lifecycle.adopt)) problems.push(ofOwner('adopt', 'a part is not handed over with lifecycle.adopt.from'));
  const { sensitive = [] } = lifecycle;
  problems.push(...lifecyclePathProblems(kind, record, { sensitive }), ...hashedMarks(shape, record, sensitive));
  checkObject(shape, record, [], (rule, pointer, message, hint) =>
    problems.push({ rule, path: formatPath(shape, record, pointer), pointer, message, hint, severity: 'error' }),
  );
  return problems;
}

/** A part is recorded by hashes; for items without a key, by the hash of their content. */
function hashedMarks(shape: ObjectShape, record: JsonObject, sensitive: readonly string[]): readonly Problem[] {
  return sensitive.flatMap((path, index) => {
    const places = matchPath(path, shape, record).flatMap((place) => place.map((_, length) => place.slice(0, length)));
    const isHashed = places.some((place) => {
      const around = shapeAt(shape, place);
      return around?.type === 'list' && around.facts.list?.class !== 'keyed';
    });
    if (!isHashed) return [];
    const message =
      'items of this list are remembered by a hash of what they say, which tells something about the value';
    const hint = 'Leave the mark out, or let the owner of the whole resource declare the value.';
    const pointer = ['lifecycle', 'sensitive', index];
    return [{ rule: 'part.lifecycle', path: pointer.join('.'), pointer, message, hint, severity: 'error' }];
  });
}

/** The problems of a whole record that also apply to a part: fields that it omits exist already. */
export function problemsOfPart(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ rule, pointer }) => {
    const inItem = pointer.some((step) => typeof step === 'number') || pointer[0] === 'tags';
    return inItem || (rule.startsWith('shape.') && rule !== 'shape.required');
  });
}

type Report = (rule: string, pointer: Pointer, message: string, hint: string) => void;

const declareItems = 'Declare list items and map keys only; everything else belongs to the owner of the resource.';

function checkObject(shape: ObjectShape, object: JsonObject, at: Pointer, report: Report): void {
  const ways = waysToCollections(shape);
  for (const [name, value] of Object.entries(object)) {
    // In a custom kind every field has at least the facts of undescribed ones.
    const field = fieldShape(shape, name);
    const pointer = [...at, name];
    if (field === undefined || field.facts.immutable === true) continue; // reported elsewhere, or identifying
    const way = ways.get(name);
    if (way?.type === 'object') {
      if (isObject(value)) checkObject(way, value, pointer, report);
    } else if (way !== undefined) {
      checkItems(way, value, pointer, report);
    } else if (field.type === 'list') {
      report(
        'part.list',
        pointer,
        'no stack can own a part of this list, because the order of its items matters',
        declareItems,
      );
    } else {
      report('part.scalar', pointer, 'a part cannot set this: it is neither a list item nor a map key', declareItems);
    }
  }
}

function checkItems(collection: Collection, value: JsonValue | undefined, at: Pointer, report: Report): void {
  const { list } = collection.facts;
  if (list?.class !== 'keyed' || !isArray(value)) return;
  const keys = new Set<string>();
  for (const [index, item] of value.entries()) {
    const key = isObject(item) ? itemKey(list.key, item) : undefined;
    if (key === undefined || keys.has(key)) {
      const hint = `Give it its own ${keyFields(collection).join(', ')}.`;
      report('part.key', [...at, index], 'nothing tells this item from the others', hint);
    } else keys.add(key);
    if (!isObject(item)) continue;
    for (const [name, inner] of ownableCollections(collection)) {
      checkItems(inner, own(item, name), [...at, index, name], report);
    }
  }
}

function ofOwner(name: string, message: string): Problem {
  const pointer = ['lifecycle', name];
  const hint = 'Leave it out, or declare the whole resource without lifecycle.part.';
  return { rule: 'part.lifecycle', path: pointer.join('.'), pointer, message, hint, severity: 'error' };
}

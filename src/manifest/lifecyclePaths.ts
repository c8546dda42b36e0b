import { isArray, type JsonObject, type JsonValue } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { suggestion } from '../base/text/suggestion.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { Kind } from '../schema/record/kinds.ts';
import type { Problem } from '../schema/record/problem.ts';
import { keyFields } from '../schema/shape/listKey.ts';
import { itemName, matchPath, type PathSegment, parsePath, quoted, shapeAt } from '../schema/shape/paths.ts';
import type { ListShape, ObjectShape } from '../schema/shape/shape.ts';
import type { Lifecycle } from './model/manifest.ts';
import { followPath, namesAt, type Place } from './pathPlaces.ts';

/**
 * Paths of `lifecycle.ignore` that match nothing, and paths of `lifecycle.untyped` that match nothing or a field of the
 * schema. With a path that ignores nothing, the next apply would revert what it should preserve; with a path of
 * `lifecycle.sensitive` that marks nothing, secrets would be shown.
 */
export function lifecyclePathProblems(kind: Kind, record: JsonObject, lifecycle: Lifecycle): readonly Problem[] {
  const shape = shapeOf(kind, record);
  const faultsIn = (list: keyof typeof faultOf): readonly Problem[] =>
    (lifecycle[list] ?? []).flatMap((path, index) => {
      const segments = parsePath(path);
      // Malformed paths are reported when the block is read.
      const fault = segments === undefined ? undefined : faultOf[list]({ path, segments, shape, record });
      if (fault === undefined) return [];
      const pointer = ['lifecycle', list, index];
      return [{ rule: 'manifest.path', path: pointer.join('.'), pointer, ...fault, severity: 'error' }];
    });
  return [...faultsIn('ignore'), ...faultsIn('untyped'), ...faultsIn('sensitive')];
}

const faultOf = { ignore: ignoreFault, untyped: untypedFault, sensitive: sensitiveFault } as const;

interface Fault {
  readonly message: string;
  readonly hint: string;
}

/** A path of a manifest. */
interface Written {
  readonly path: string;
  readonly segments: readonly PathSegment[];
  readonly shape: ObjectShape;
  readonly record: JsonObject;
}

function ignoreFault({ segments, shape, record }: Written): Fault | undefined {
  const { followed, places } = followPath(shape, record, segments);
  const stuck = segments[followed];
  if (stuck === undefined) return itemFault({ segments, shape, record });
  const name = stuck.any ? '*' : stuck.name;
  const [at] = places;
  const around = textOf(segments.slice(0, followed));
  switch (at?.shape?.type) {
    case 'object':
      return unknownName(`${around === '' ? 'the record' : around} has no field ${quoted(name)}`, name, places);
    case 'list': {
      const { list, byContent } = at.shape.facts;
      const inside = segments.slice(followed + 1);
      if (list?.class !== 'keyed' && byContent === true) {
        if (inside.length === 0) return noSingleItemsFault(around);
        return itemByContentFault(around, [...segments.slice(0, followed), { any: true }, ...inside]);
      }
      return isAddressed(at)
        ? unknownName(
            `${around} declares no item ${quoted(name)}, and undeclared items are removed: nothing is left to ignore`,
            name,
            places,
            ' Declare the item, or ignore the whole list.',
          )
        : noSingleItemsFault(around);
    }
    default:
      return {
        message: `${around} is a single value and has no ${quoted(name)}`,
        hint: asOneKey(segments),
      };
  }
}

/** Refuses an item given by position, which may be another item later. */
function itemFault({ segments, shape, record }: Pick<Written, 'segments' | 'shape' | 'record'>): Fault | undefined {
  for (const [depth, segment] of segments.entries()) {
    const before = segments.slice(0, depth);
    const { places } = followPath(shape, record, before);
    const around = textOf(before);
    const rest = segments.slice(depth + 1);
    // `*` may also match members of other values.
    const lists = segment.any ? (places.every(isList) ? places : []) : isPosition(segment.name) ? places : [];
    for (const { shape: list, value } of lists.filter(isList)) {
      if (list.facts.list?.class === 'keyed') {
        const key = keyAt(list, value, segment);
        if (key !== undefined) return itemByKeyFault(around, [...before, { any: false, name: key }, ...rest]);
      } else if (rest.length === 0) {
        return noSingleItemsFault(around);
      } else if (list.facts.byContent === true && !segment.any) {
        return itemByContentFault(around, [...before, { any: true }, ...rest]);
      }
    }
  }
  return undefined;
}

interface ListPlace extends Place {
  readonly shape: ListShape;
}

function isList(place: Place): place is ListPlace {
  return place.shape?.type === 'list';
}

/** The key of the item at the segment's position. */
function keyAt(list: ListShape, value: JsonValue | undefined, segment: PathSegment): string | undefined {
  if (segment.any || !isArray(value) || value.some((item) => itemName(list, item) === segment.name)) return undefined;
  const item = value[Number(segment.name)];
  return item === undefined ? undefined : itemName(list, item);
}

function noSingleItemsFault(listPath: string): Fault {
  return {
    message: `single items of ${listPath} cannot be ignored: they have no key`,
    hint: `Ignore the whole list: ${listPath}.`,
  };
}

function itemByKeyFault(listPath: string, segments: readonly PathSegment[]): Fault {
  return {
    message: `an item of ${listPath} is identified by its key, not by its position, which changes when another one is added`,
    hint: `Write ${textOf(segments)}.`,
  };
}

function itemByContentFault(listPath: string, segments: readonly PathSegment[]): Fault {
  return {
    message: `the order of ${listPath} has no meaning, so a position names no item: an item is known by its content`,
    hint: `Write ${textOf(segments)}: an item keeps the live value where everything else in it is the same.`,
  };
}

const leaveOut = 'Leave out what follows it.';

/** `tags.a.b` usually means the tag `a.b`. */
function asOneKey(segments: readonly PathSegment[]): string {
  const [first] = segments;
  if (first?.any !== false || first.name !== 'tags') return leaveOut;
  const key = segments.slice(1).map((segment) => (segment.any ? '*' : segment.name));
  return `Did you mean tags.${JSON.stringify(key.join('.'))}?`;
}

function untypedFault(written: Written): Fault | undefined {
  const { path, shape, record } = written;
  const set = matchPath(path, shape, record);
  if (set.some((pointer) => shapeAt(shape, pointer) === undefined)) return undefined;
  if (set.length > 0) {
    return {
      message: `${path} is in the schema`,
      hint: 'Remove it from lifecycle.untyped, which is for fields that are not in the schema.',
    };
  }
  return nothingThere(written);
}

/** `*` may match nothing in the manifest: it also marks the live record. */
function sensitiveFault(written: Written): Fault | undefined {
  const { path, segments, shape, record } = written;
  const places = matchPath(path, shape, record);
  const names = segments.at(-1)?.any === true ? undefined : places.find((place) => isName(shape, place));
  if (names !== undefined) {
    return {
      message: `${path} is the name of the ${names.length === 1 ? 'resource' : 'item'}, which is in every message`,
      hint: 'Mark other values instead.',
    };
  }
  if (places.length > 0) return undefined;
  const { followed } = followPath(shape, record, segments, 'declared');
  return segments[followed]?.any === true ? undefined : nothingThere(written);
}

/** Whether it is the name of the resource, or the key of an item. */
function isName(shape: ObjectShape, place: Pointer): boolean {
  const field = place.at(-1);
  if (place.length === 1) return field === 'name';
  const list = shapeAt(shape, place.slice(0, -2));
  return list !== undefined && keyFields(list).some((name) => name === field);
}

function nothingThere({ path, segments, shape, record }: Written): Fault {
  const { followed, places } = followPath(shape, record, segments, 'declared');
  const stuck = segments[followed];
  const name = stuck?.any === false ? stuck.name : '*';
  return unknownName(`the manifest sets nothing at ${path}`, name, places, ' Set the field, or remove the path.');
}

function unknownName(message: string, name: string, places: readonly Place[], otherwise = ''): Fault {
  const names = [...new Set(places.flatMap(namesAt))].toSorted();
  if (names.includes(name)) return { message, hint: otherwise.trim() }; // not a typo
  const known = names.length === 0 ? '' : `Known here: ${names.map(quoted).join(', ')}.`;
  const meant = isPosition(name) ? undefined : suggestion(name, names);
  return { message, hint: meant ?? (`${known}${otherwise}`.trim() || leaveOut) };
}

/** Positions have no similar names to suggest. */
function isPosition(name: string): boolean {
  return /^\d+$/.test(name);
}

/** Whether single items of the list can be named. */
function isAddressed({ shape }: Place): boolean {
  return shape?.type === 'list' && shape.item.type !== 'scalar';
}

function textOf(segments: readonly PathSegment[]): string {
  return segments.map((segment) => (segment.any ? '*' : quoted(segment.name))).join('.');
}

import { isArray, isObject, type JsonObject, type JsonValue, put } from '../../base/json/json.ts';
import { compareText } from '../../base/text/compareText.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import type { ValuePosition } from '../../manifest/model/values.ts';
import { type FieldChange, fieldChanges } from '../../patch/fieldChanges.ts';
import { pointerOfField, sensitivityOf } from '../../plan/record/shapeFacts.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { namesOfPath } from '../../schema/shape/paths.ts';
import { type EnvironmentSide, matchResources, type Pair } from './matchResources.ts';
import { isBelow, type PromotionPattern } from './pattern.ts';

/** A difference between the declarations of two environments at one place. */
export interface PromotionDifference {
  /** As it is called in the environment that is promoted to, where it is there. */
  readonly resource: ResourceId;
  /** Dotted; empty for a resource that only one of them declares. */
  readonly path: string;
  /** Absent: not declared. */
  readonly from?: Side;
  readonly to?: Side;
  readonly mayDiffer: boolean;
}

/** A value in one of the environments, and where it is written. */
export interface Side {
  /** Absent for a whole resource, and masked where it is sensitive. */
  readonly value?: FieldChange['new'];
  readonly at: Position;
  /** The values that it was made of, by their paths. */
  readonly values: readonly (readonly string[])[];
}

/** Ordered by resource and path. Names that the environments set, and links to what is called differently, are equal. */
export function comparePromotion(
  from: EnvironmentSide,
  to: EnvironmentSide,
  mayDiffer: readonly PromotionPattern[],
): readonly PromotionDifference[] {
  const { pairs, onlyFrom, onlyTo } = matchResources(from, to);
  const rename = renamed(pairs, from, to);
  const differences = [
    ...pairs.flatMap((pair) => differencesOf(pair, rename)),
    ...onlyFrom.map((resource) => ({ resource: resource.id, path: '', from: sideOf(resource, []) })),
    ...onlyTo.map((resource) => ({ resource: resource.id, path: '', to: sideOf(resource, []) })),
  ];
  return differences
    .map((each) => ({ ...each, mayDiffer: mayDiffer.some((pattern) => isMeant(pattern, each)) }))
    .toSorted((a, b) => compareText(a.resource, b.resource) || compareText(a.path, b.path));
}

type Found = Omit<PromotionDifference, 'mayDiffer'>;

function differencesOf(pair: Pair, rename: (record: JsonObject) => JsonObject): readonly Found[] {
  const { from, to } = pair;
  const [before, after] = [comparable(from), comparable(to)];
  const named = pair.isNamedBySettings ? { ...before, name: after['name'] ?? null } : before;
  return fieldChanges(sensitivityOf(to, from.record), rename(named), after).map((change) => {
    const { path, old, new: next } = change;
    return {
      resource: to.id,
      path,
      ...(old === undefined ? {} : { from: { ...sideOf(from, path), value: old } }),
      ...(next === undefined ? {} : { to: { ...sideOf(to, path), value: next } }),
    };
  });
}

/** The declaration, the instructions for Gantry included. */
function comparable({ record, lifecycle, ref }: DesiredResource): JsonObject {
  return { name: ref.name, ...record, ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle: { ...lifecycle } }) };
}

function sideOf(resource: DesiredResource, path: string | readonly []): Side {
  const shape = shapeOf(resource.ref.kind, resource.record);
  const pointer = typeof path === 'string' ? (pointerOfField(path, shape, resource) ?? []) : path;
  const { values, ...at } = valuePosition(resource.locate(pointer));
  return { at, values };
}

function valuePosition(position: Position & Partial<ValuePosition>): ValuePosition {
  return { ...position, values: position.values ?? [] };
}

function isMeant(pattern: PromotionPattern, { resource, path, from, to }: Found): boolean {
  if (pattern.of === 'values') {
    if (path === '') return false; // a resource that is missing is no other value
    const made = [from, to].flatMap((side) => side?.values ?? []);
    return made.length > 0 && made.every((each) => isBelow(each, pattern.path));
  }
  const [kind, ...rest] = resource.split('/');
  const { kind: wantedKind, name } = pattern;
  if (wantedKind !== undefined && wantedKind !== kind) return false;
  if (name !== undefined && name !== rest.at(-1)) return false;
  return isBelow(path === '' ? [] : namesOfPath(path), pattern.path);
}

/** Rewrites a record as the other environment would have it: links to what is called differently there. */
function renamed(
  pairs: readonly Pick<Pair, 'from' | 'to'>[],
  before: Pick<EnvironmentSide, 'org' | 'gvc'>,
  after: Pick<EnvironmentSide, 'org' | 'gvc'>,
): (record: JsonObject) => JsonObject {
  const names = new Map<string, string>([[`org/${before.org}`, after.org]]);
  if (before.gvc !== undefined && after.gvc !== undefined) names.set(`gvc/${before.gvc}`, after.gvc);
  for (const { from, to } of pairs) names.set(`${from.ref.kind}/${from.ref.name}`, to.ref.name);
  const inLink = (text: string) => linkIn(text, names);
  return (record) => objectWith(record, inLink);
}

function objectWith(object: JsonObject, inLink: (text: string) => string): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object)) put(made, key, valueWith(value, inLink));
  return made;
}

function valueWith(value: JsonValue, inLink: (text: string) => string): JsonValue {
  if (typeof value === 'string') return inLink(value);
  if (isArray(value)) return value.map((item) => valueWith(item, inLink));
  return isObject(value) ? objectWith(value, inLink) : value;
}

/** `//gvc/shop/workload/web`, `/org/acme/location/x`, `scheme://secret/db.password`. */
function linkIn(text: string, names: ReadonlyMap<string, string>): string {
  if (!/^(?:[a-z][a-z0-9+.-]*:)?\/\/[a-z]+\/|^\/org\//.test(text)) return text;
  const parts = text.split('/');
  return parts
    .map((part, index) => {
      const kind = parts[index - 1] ?? '';
      const whole = names.get(`${kind}/${part}`);
      if (whole !== undefined) return whole;
      // A secret's key stands behind its name.
      const [name = '', ...key] = part.split('.');
      return [names.get(`${kind}/${name}`) ?? name, ...key].join('.');
    })
    .join('/');
}

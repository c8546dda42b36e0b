import { isArray, isObject, type JsonObject, type JsonValue, put } from '../base/json/json.ts';
import { compact, present } from '../base/json/present.ts';
import { addTo } from '../base/multimap.ts';
import { compareText } from '../base/text/compareText.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { DesiredResource, Position } from '../manifest/model/manifest.ts';
import type { ValuePosition } from '../manifest/outsidePlaces.ts';
import { type FieldChange, fieldChanges } from '../patch/fieldChanges.ts';
import { isHidden } from '../plan/model/change.ts';
import { pointerOfField, sensitivityOf } from '../plan/record/shapeFacts.ts';
import { isContainer } from '../schema/record/kinds.ts';
import { formatRef, type ResourceId } from '../schema/record/ref.ts';
import { namesOfPath } from '../schema/shape/paths.ts';
import { isBelow, type PromotionPattern } from './promotionPattern.ts';

/** `promotion` of `gantry.yaml`. */
export interface PromotionRules {
  readonly mayDiffer: readonly PromotionPattern[];
  /** Paths of values, without `values`; undefined: those that images are made from. */
  readonly carry: readonly (readonly string[])[] | undefined;
}

/** A value that should be equal in the target environment. */
export interface CarriedValue {
  readonly path: readonly string[];
  /** Undefined if it is hidden because a secret is made from it. */
  readonly from: JsonValue | undefined;
  /** Undefined if it does not exist yet or is hidden. */
  readonly to: JsonValue | undefined;
}

export interface Promotion {
  readonly from: string;
  readonly to: string;
  /** The values that are carried over, or would be. */
  readonly carried: readonly CarriedValue[];
  readonly isWritten: boolean;
  /** After the values are written, if they are; else as they are now. */
  readonly differences: readonly PromotionDifference[];
}

/** The paths of the values to carry over: those that the rules name, else those that images are made from. */
export function carriedPaths(
  differences: readonly PromotionDifference[],
  { carry }: PromotionRules,
): readonly (readonly string[])[] {
  if (carry !== undefined) return carry;
  const made = differences
    .filter(({ path, mayDiffer }) => !mayDiffer && /(?:^|\.)image$/.test(path))
    .flatMap(({ from }) => from?.values ?? []);
  return [...new Map(made.map((path) => [JSON.stringify(path), path])).values()];
}

/** Whether a secret is made from the value. */
export function isSecretValue(path: readonly string[], differences: readonly PromotionDifference[]): boolean {
  return differences.some(({ from, to }) =>
    [from, to].some(
      (side) => side !== undefined && isHidden(side.value) && side.values.some((each) => touches(each, path)),
    ),
  );
}

function touches(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((each, index) => each === b[index]);
}

/** A difference between the declarations of two environments in one place. */
export interface PromotionDifference {
  /** Its id in the target environment, if it exists there. */
  readonly resource: ResourceId;
  /** Dotted; empty for a resource that only one environment declares. */
  readonly path: string;
  /** Absent if not declared. */
  readonly from?: Side;
  readonly to?: Side;
  readonly mayDiffer: boolean;
}

/** A value in one environment, with its position. */
export interface Side {
  /** Absent for a whole resource; masked if sensitive. */
  readonly value?: FieldChange['new'];
  readonly at: Position;
  /** The paths of the values that it was made from. */
  readonly values: readonly (readonly string[])[];
}

/**
 * Ordered by resource and path. Names set by the environments, and links to resources with other names there, count as
 * equal.
 */
export function comparePromotion(
  from: EnvironmentSide,
  to: EnvironmentSide,
  mayDiffer: readonly PromotionPattern[],
): readonly PromotionDifference[] {
  const { pairs, onlyFrom, onlyTo } = matchResources(from, to);
  const rename = linkRenamer(pairs, from, to);
  const differences = [
    ...pairs.flatMap((pair) => differencesOf(pair, rename)),
    ...onlyFrom.map((resource) => ({ resource: resource.id, path: '', from: sideOf(resource, []) })),
    ...onlyTo.map((resource) => ({ resource: resource.id, path: '', to: sideOf(resource, []) })),
  ];
  return differences
    .map((each) => ({ ...each, mayDiffer: mayDiffer.some((pattern) => isMatched(pattern, each)) }))
    .toSorted((a, b) => compareText(a.resource, b.resource) || compareText(a.path, b.path));
}

type FoundDifference = Omit<PromotionDifference, 'mayDiffer'>;

function differencesOf(pair: Pair, rename: (record: JsonObject) => JsonObject): readonly FoundDifference[] {
  const { from, to } = pair;
  const [before, after] = [comparable(from), comparable(to)];
  const named = pair.isNamedBySettings ? { ...before, name: after['name'] ?? null } : before;
  return fieldChanges(sensitivityOf(markedInEither(pair), from.record), rename(named), after).map((change) => {
    const { path, old, new: next } = change;
    return {
      resource: to.id,
      path,
      ...present({ from: old === undefined ? undefined : { ...sideOf(from, path), value: old } }),
      ...present({ to: next === undefined ? undefined : { ...sideOf(to, path), value: next } }),
    };
  });
}

/** The target with the marks of both: a value that only one environment marks is hidden on both sides. */
function markedInEither({ from, to }: Pair): DesiredResource {
  const sensitive = compact([from, to], ({ lifecycle }) => lifecycle.sensitive).flat();
  return sensitive.length === 0 ? to : { ...to, lifecycle: { ...to.lifecycle, sensitive } };
}

/** The declaration with Gantry's `lifecycle`. */
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

function isMatched(pattern: PromotionPattern, { resource, path, from, to }: FoundDifference): boolean {
  if (pattern.of === 'values') {
    if (path === '') return false; // a missing resource is not another value
    const made = [from, to].flatMap((side) => side?.values ?? []);
    return made.length > 0 && made.every((each) => isBelow(each, pattern.path));
  }
  const [kind, ...rest] = resource.split('/');
  const { kind: wantedKind, name } = pattern;
  if (wantedKind !== undefined && wantedKind !== kind) return false;
  if (name !== undefined && name !== rest.at(-1)) return false;
  return isBelow(path === '' ? [] : namesOfPath(path), pattern.path);
}

/** Rewrites links in a record to the names that the other environment uses. */
function linkRenamer(
  pairs: readonly Pick<Pair, 'from' | 'to'>[],
  before: Pick<EnvironmentSide, 'org' | 'gvc'>,
  after: Pick<EnvironmentSide, 'org' | 'gvc'>,
): (record: JsonObject) => JsonObject {
  const names = new Map<string, string>([[`org/${before.org}`, after.org]]);
  if (before.gvc !== undefined && after.gvc !== undefined) names.set(`gvc/${before.gvc}`, after.gvc);
  for (const { from, to } of pairs) names.set(`${from.ref.kind}/${from.ref.name}`, to.ref.name);
  const renameLink = (text: string) => linkIn(text, names);
  return (record) => objectWith(record, renameLink);
}

function objectWith(object: JsonObject, renameLink: (text: string) => string): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object)) put(made, key, valueWith(value, renameLink));
  return made;
}

function valueWith(value: JsonValue, renameLink: (text: string) => string): JsonValue {
  if (typeof value === 'string') return renameLink(value);
  if (isArray(value)) return value.map((item) => valueWith(item, renameLink));
  return isObject(value) ? objectWith(value, renameLink) : value;
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
      // The secret's key follows its name.
      const [name = '', ...key] = part.split('.');
      return [names.get(`${kind}/${name}`) ?? name, ...key].join('.');
    })
    .join('/');
}

/** The declarations of one environment. */
export interface EnvironmentSide {
  readonly desired: readonly DesiredResource[];
  readonly org: string;
  /** From its settings: two environments may name the same GVC differently. */
  readonly gvc: string | undefined;
}

/** The same resource in both environments. */
interface Pair {
  readonly from: DesiredResource;
  readonly to: DesiredResource;
  /** Whether it is the GVC that the settings of each environment name. */
  readonly isNamedBySettings: boolean;
}

interface Matched {
  readonly pairs: readonly Pair[];
  readonly onlyFrom: readonly DesiredResource[];
  readonly onlyTo: readonly DesiredResource[];
}

/**
 * Matches by id, treating both GVCs from settings as one; the rest by the position of the declaration and the order
 * there: what is written once is one resource under any name.
 */
function matchResources(from: EnvironmentSide, to: EnvironmentSide): Matched {
  const byId = matchBy(from.desired, to.desired, {
    keyFrom: (resource) => keyOf(resource, from.gvc),
    keyTo: (resource) => keyOf(resource, to.gvc),
  });
  const byPlace = matchBy(byId.onlyFrom, byId.onlyTo, { keyFrom: placeOf, keyTo: placeOf });
  const pairs = [...byId.pairs, ...byPlace.pairs].map((pair) => ({
    ...pair,
    isNamedBySettings: isContainer(pair.to.ref.kind) && pair.to.ref.name === to.gvc && pair.from.ref.name === from.gvc,
  }));
  return { pairs, onlyFrom: byPlace.onlyFrom, onlyTo: byPlace.onlyTo };
}

function keyOf({ ref }: DesiredResource, gvc: string | undefined): string {
  if (gvc === undefined) return formatRef(ref);
  if (ref.gvc === gvc) return formatRef({ ...ref, gvc: '*' });
  return isContainer(ref.kind) && ref.name === gvc ? formatRef({ ...ref, name: '*' }) : formatRef(ref);
}

function placeOf({ ref, locate }: DesiredResource): string {
  const { file, line, column } = locate([]);
  return `${ref.kind} ${line}:${column} ${file}`;
}

interface Keys {
  readonly keyFrom: (resource: DesiredResource) => string;
  readonly keyTo: (resource: DesiredResource) => string;
}

/** Matches resources with the same key in their order. */
function matchBy(
  from: readonly DesiredResource[],
  to: readonly DesiredResource[],
  { keyFrom, keyTo }: Keys,
): Omit<Matched, 'pairs'> & { readonly pairs: readonly Omit<Pair, 'isNamedBySettings'>[] } {
  const unmatched = new Map<string, DesiredResource[]>();
  for (const resource of from) addTo(unmatched, keyFrom(resource), resource);
  const pairs: Omit<Pair, 'isNamedBySettings'>[] = [];
  const onlyTo: DesiredResource[] = [];
  for (const resource of to) {
    const other = unmatched.get(keyTo(resource))?.shift();
    if (other === undefined) onlyTo.push(resource);
    else pairs.push({ from: other, to: resource });
  }
  return { pairs, onlyFrom: [...unmatched.values()].flat(), onlyTo };
}

import { isArray, isObject, type JsonValue } from '../base/json/json.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { followPath } from '../manifest/pathPlaces.ts';
import { type PathSegment, parsePath } from '../schema/shape/paths.ts';

/** The places at which two environments may differ. */
export type PromotionPattern =
  /** Everything made from a value, or from one below it. */
  | { readonly of: 'values'; readonly text: string; readonly path: readonly PathSegment[] }
  /** A field and everything below it, for all resources, a kind, or one; without a path: the whole resource. */
  | {
      readonly of: 'resources';
      readonly text: string;
      readonly kind: string | undefined;
      readonly name: string | undefined;
      readonly path: readonly PathSegment[];
    };

export const patternExamples =
  'values.replicas, spec.defaultOptions, workload:spec.defaultOptions or workload/web:spec';

/** Returns undefined if the text is not a pattern. */
export function parsePattern(text: string): PromotionPattern | undefined {
  const ofValues = /^values\.(.+)$/.exec(text)?.[1];
  if (ofValues !== undefined) {
    const path = parsePath(ofValues);
    return path === undefined ? undefined : { of: 'values', text, path };
  }
  const [, kind, name, colon, rest = ''] = /^([a-z][a-z0-9-]*)(?:\/([^:/]+))?(?:(:)(.*))?$/.exec(text) ?? [];
  const isResource = name !== undefined || colon !== undefined;
  if (isResource && colon === undefined) return { of: 'resources', text, kind, name, path: [] };
  const path = parsePath(isResource ? rest : text);
  return path === undefined ? undefined : { of: 'resources', text, kind: isResource ? kind : undefined, name, path };
}

/** Whether the path equals the pattern or is below it. */
export function isBelow(path: readonly string[], pattern: readonly PathSegment[]): boolean {
  return pattern.length <= path.length && pattern.every((each, index) => each.any || each.name === path[index]);
}

/** Whether no resource has the field, or no environment the value: the pattern may be misspelt. */
export function namesNothing(
  pattern: PromotionPattern,
  resources: readonly DesiredResource[],
  values: readonly JsonValue[],
): boolean {
  if (pattern.of === 'values') return !values.some((each) => hasValue(each, pattern.path));
  const { kind, name, path } = pattern;
  const [first] = path;
  const isLifecycle = first !== undefined && !first.any && first.name === 'lifecycle';
  return !resources.some(({ ref, record }) => {
    if ((kind !== undefined && kind !== ref.kind) || (name !== undefined && name !== ref.name)) return false;
    const isKnown = followPath(shapeOf(ref.kind, record), record, path).followed === path.length;
    return isKnown || isLifecycle || hasValue(record, path);
  });
}

function hasValue(value: JsonValue, [first, ...rest]: readonly PathSegment[]): boolean {
  if (first === undefined) return true;
  if (!isObject(value) && !isArray(value)) return false;
  return Object.entries(value).some(([name, member]) => (first.any || first.name === name) && hasValue(member, rest));
}

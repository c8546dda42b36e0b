import { isKnownKind } from '../../schema/record/kinds.ts';
import { type PathSegment, parsePath } from '../../schema/shape/paths.ts';

/** What may differ between two environments. */
export type PromotionPattern =
  /** Whatever comes from a value, or from one below it. */
  | { readonly of: 'values'; readonly path: readonly PathSegment[] }
  /** A field and what is below it, of all resources, of a kind, or of one; no path: the resource as a whole. */
  | {
      readonly of: 'resources';
      readonly kind: string | undefined;
      readonly name: string | undefined;
      readonly path: readonly PathSegment[];
    };

export const patternExamples =
  'values.replicas, spec.defaultOptions, workload:spec.defaultOptions or workload/web:spec';

/** Undefined: it is none. */
export function parsePattern(text: string): PromotionPattern | undefined {
  const ofValues = /^values\.(.+)$/.exec(text)?.[1];
  if (ofValues !== undefined) {
    const path = parsePath(ofValues);
    return path === undefined ? undefined : { of: 'values', path };
  }
  const [, kind, name, colon, rest = ''] = /^([a-z]+)(?:\/([^:/]+))?(?:(:)(.*))?$/.exec(text) ?? [];
  const isResource = kind !== undefined && (name !== undefined || colon !== undefined);
  if (isResource && colon === undefined) return { of: 'resources', kind, name, path: [] };
  const path = parsePath(isResource ? rest : text);
  if (path === undefined || (isResource && kind !== undefined && !isKindName(kind))) return undefined;
  return { of: 'resources', kind: isResource ? kind : undefined, name: isResource ? name : undefined, path };
}

/** A kind of the user's own is known only when its definition was read. */
function isKindName(text: string): boolean {
  return isKnownKind(text) || /^[a-z][a-z0-9-]*$/.test(text);
}

/** Is the path the pattern, or below it? */
export function isBelow(path: readonly string[], pattern: readonly PathSegment[]): boolean {
  return pattern.length <= path.length && pattern.every((each, index) => each.any || each.name === path[index]);
}

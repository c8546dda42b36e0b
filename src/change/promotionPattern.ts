import { type PathSegment, parsePath } from '../schema/shape/paths.ts';

/** The places at which two environments may differ. */
export type PromotionPattern =
  /** Everything made from a value, or from one below it. */
  | { readonly of: 'values'; readonly path: readonly PathSegment[] }
  /** A field and everything below it, for all resources, a kind, or one; without a path: the whole resource. */
  | {
      readonly of: 'resources';
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
    return path === undefined ? undefined : { of: 'values', path };
  }
  const [, kind, name, colon, rest = ''] = /^([a-z][a-z0-9-]*)(?:\/([^:/]+))?(?:(:)(.*))?$/.exec(text) ?? [];
  const isResource = name !== undefined || colon !== undefined;
  if (isResource && colon === undefined) return { of: 'resources', kind, name, path: [] };
  const path = parsePath(isResource ? rest : text);
  return path === undefined ? undefined : { of: 'resources', kind: isResource ? kind : undefined, name, path };
}

/** Whether the path equals the pattern or is below it. */
export function isBelow(path: readonly string[], pattern: readonly PathSegment[]): boolean {
  return pattern.length <= path.length && pattern.every((each, index) => each.any || each.name === path[index]);
}

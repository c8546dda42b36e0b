import { type PathSegment, parsePath } from '../../schema/shape/paths.ts';

/** What is left of the patterns of `lifecycle.ignore` at one place: the segments still to be matched. */
export type Ignored = readonly (readonly PathSegment[])[];

export const nothingIgnored: Ignored = [];

/** Malformed patterns name nothing; `manifest/` reports them. */
export function parseIgnored(patterns: readonly string[]): Ignored {
  if (patterns.length === 0) return nothingIgnored;
  return patterns.map(parsePath).filter((segments) => segments !== undefined);
}

/** The patterns below a member or an item; an item goes by its key and by its position. */
export function ignoredBelow(ignored: Ignored, name: string, position?: number): Ignored {
  if (ignored.length === 0) return ignored;
  return ignored.flatMap(([segment, ...rest]) => {
    if (segment === undefined) return [];
    const matches = segment.any || segment.name === name || segment.name === String(position);
    return matches ? [rest] : [];
  });
}

/** Whether a pattern ends here. */
export function isIgnored(ignored: Ignored): boolean {
  return ignored.length > 0 && ignored.some((segments) => segments.length === 0);
}

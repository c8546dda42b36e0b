import { type PathSegment, parsePath } from '../../schema/shape/paths.ts';

/** What is left at one place of paths (`lifecycle.ignore`, `lifecycle.sensitive`): the segments still to be matched. */
export type Patterns = readonly (readonly PathSegment[])[];

export const noPatterns: Patterns = [];

/** Malformed paths name nothing; `manifest/` reports them. */
export function parsePatterns(paths: readonly string[] = []): Patterns {
  return paths.map(parsePath).filter((segments) => segments !== undefined);
}

/** The patterns below a member or an item that goes by these names; without names, by any. */
export function patternsBelow(patterns: Patterns, ...names: readonly string[]): Patterns {
  if (patterns.length === 0) return noPatterns;
  return patterns.flatMap(([segment, ...rest]) => {
    if (segment === undefined) return [];
    return segment.any || names.length === 0 || names.includes(segment.name) ? [rest] : [];
  });
}

/** Whether a pattern ends here. */
export function isMatched(patterns: Patterns): boolean {
  return patterns.some((segments) => segments.length === 0);
}

/**
 * The patterns inside the items of a list. `key`: the one item that has it; else the item at this position, or any. An
 * item that has no key is known by what it says, so a pattern cannot mean it as a whole.
 */
export function patternsOfItem(patterns: Patterns, key: string | undefined, position?: number): Patterns {
  if (patterns.length === 0) return noPatterns;
  if (key !== undefined) return patternsBelow(patterns, key);
  const names = position === undefined ? [] : [String(position)];
  return patternsBelow(patterns, ...names).filter((segments) => segments.length > 0);
}

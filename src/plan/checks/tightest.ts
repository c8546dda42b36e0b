import { risks } from '../../schema/facts/risk.ts';
import type { Limits } from '../model/limits.ts';
import { windowsText } from './timeWindow.ts';

/**
 * What is left to check of several limits: each one where it is tightest, and of equal ones where it stands first.
 * Windows are all left, because each of them has to be open.
 */
export function tightest(all: readonly Limits[]): readonly Limits[] {
  const strictest = {
    maxDeletes: first(all, ({ maxDeletes }) => maxDeletes),
    maxChanges: first(all, ({ maxChanges }) => maxChanges),
    maxRisk: first(all, ({ maxRisk }) => (maxRisk === undefined ? undefined : risks.indexOf(maxRisk))),
    rehearsal: first(all, ({ rehearsal }) => (rehearsal === undefined ? undefined : 0)),
    signature: first(all, ({ signature }) => (signature === undefined ? undefined : 0)),
    approvals: first(all, ({ approvals }) => (approvals === undefined ? undefined : -approvals)),
  };
  return all.map((limits, index) => {
    const { at, windows, maxDeletes, maxChanges, maxRisk, rehearsal, signature, approvals } = limits;
    return {
      at,
      ...(windows === undefined || isRepeated(windows, all.slice(0, index)) ? {} : { windows }),
      ...(maxDeletes === undefined || strictest.maxDeletes !== limits ? {} : { maxDeletes }),
      ...(maxChanges === undefined || strictest.maxChanges !== limits ? {} : { maxChanges }),
      ...(maxRisk === undefined || strictest.maxRisk !== limits ? {} : { maxRisk }),
      ...(rehearsal === undefined || strictest.rehearsal !== limits ? {} : { rehearsal }),
      ...(signature === undefined || strictest.signature !== limits ? {} : { signature }),
      ...(approvals === undefined || strictest.approvals !== limits ? {} : { approvals }),
    };
  });
}

/** The first of those with the least amount; what is not limited has none. */
function first(all: readonly Limits[], amountOf: (limits: Limits) => number | undefined): Limits | undefined {
  const least = Math.min(...all.flatMap((limits) => amountOf(limits) ?? []));
  return all.find((limits) => amountOf(limits) === least);
}

function isRepeated(windows: NonNullable<Limits['windows']>, before: readonly Limits[]): boolean {
  return before.some((limits) => limits.windows !== undefined && windowsText(limits.windows) === windowsText(windows));
}

import type { Assumption } from './assumption.ts';
import { patchingRows, writingRows } from './patchingRows.ts';
import { readingRows } from './readingRows.ts';
import { unlearntRows } from './unlearntRows.ts';

export type { Assumption } from './assumption.ts';

/**
 * Gantry's assumptions about a platform beyond the text of the specification. `docs/platform/assumptions.md` is
 * generated from this table. Rows that runs learn and `gantry doctor` cannot test are also in `learntByRuns`.
 */
export const assumptions = {
  ...readingRows,
  ...writingRows,
  ...unlearntRows,
  ...patchingRows,
} as const satisfies Readonly<Record<string, Assumption>>;

export type AssumptionId = keyof typeof assumptions;

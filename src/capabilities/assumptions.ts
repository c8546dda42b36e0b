import type { Assumption } from './assumption.ts';
import { patchingRows, writingRows } from './patchingRows.ts';
import { readingRows } from './readingRows.ts';
import { unlearntRows } from './unlearntRows.ts';

export type { Assumption } from './assumption.ts';

/**
 * The assumptions of Gantry about a platform beyond the stated text of the specification. `docs/platform/assumptions.md`
 * is generated from this table. A row that `gantry doctor` cannot ask about stands in `doctor/learntByRuns.ts`.
 */
export const assumptions = {
  ...readingRows,
  ...writingRows,
  ...unlearntRows,
  ...patchingRows,
} as const satisfies Readonly<Record<string, Assumption>>;

export type AssumptionId = keyof typeof assumptions;

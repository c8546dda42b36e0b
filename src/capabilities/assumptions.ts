import type { Assumption } from './rows/assumption.ts';
import { patchingRows, writingRows } from './rows/patching.ts';
import { readingRows } from './rows/reading.ts';
import { unlearntRows } from './rows/unlearnt.ts';

export type { Assumption } from './rows/assumption.ts';

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

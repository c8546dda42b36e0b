import fc from 'fast-check';
import { beforeEach } from 'vitest';
import { countFor, lawFigures } from './figures.ts';

/**
 * Of the tests of laws only (test/laws/vitest.config.ts): what each runs is counted, cases of properties by themselves.
 */
beforeEach(({ task }) => countFor(task.meta));
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  reporter(details) {
    const failure = fc.defaultReportMessage(details);
    if (failure !== undefined) throw new Error(failure);
    lawFigures({ cases: details.numRuns });
  },
});

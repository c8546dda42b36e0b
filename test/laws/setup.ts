import fc from 'fast-check';
import { beforeEach } from 'vitest';
import { countFor, lawFigures } from './figures.ts';

/** Only for tests of laws (test/laws/vitest.config.ts): their figures are collected, with the cases of properties. */
beforeEach(({ task }) => countFor(task.meta));
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  reporter(details) {
    const failure = fc.defaultReportMessage(details);
    if (failure !== undefined) throw new Error(failure);
    lawFigures({ cases: details.numRuns });
  },
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = new URL('../..', import.meta.url).pathname;

/** The longest tests; CI has no timings of earlier runs. */
const longest = [
  'test/foreign/foreign.test.ts',
  'test/server/clock/twoServers.test.ts', // waits for a minute of the clock to begin
  'test/reconcile/killed/siege.test.ts',
  'test/reconcile/killed/handover.test.ts',
  'test/ci/life.test.ts',
  'test/provider/terraform/faults.test.ts',
  'test/e2e/client/everyCommand.test.ts',
  'test/e2e/commands/reconcile.test.ts',
  'test/e2e/secrets/secrets.test.ts',
  'test/reconcile/modes.test.ts',
  'test/reconcile/work/telling.test.ts',
  'test/project/stack/dev.test.ts',
  'test/cli/policies/policies.test.ts',
  'test/provider/scenarios/scenarios.test.ts',
  'test/sweeps/crash.test.ts',
  'test/server/access/matrix/matrix.test.ts',
].map((file) => join(root, file));
const missing = longest.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`);

/** Vitest's order, except that the longest tests begin first: at the end they would keep one worker busy alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.includes(moduleId);
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    // Groups of projects stay one after the other.
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || Number(isLong(b)) - Number(isLong(a)));
  }
}

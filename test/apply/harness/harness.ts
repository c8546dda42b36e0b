import type { ApplyEvent, ApplyResult } from '../../../src/apply/events.ts';
import { type ApplyOptions, runApply } from '../../../src/apply/runApply.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { FakeClock, type FakeOptions, FakePlatform } from './fakePlatform.ts';

export interface Applied {
  readonly result: ApplyResult;
  readonly events: readonly ApplyEvent[];
}

export function fakePlatform(options: Omit<FakeOptions, 'clock'> = {}): {
  readonly platform: FakePlatform;
  readonly clock: FakeClock;
  readonly apply: (plan: Plan, options?: ApplyOptions) => Promise<Applied>;
} {
  const clock = new FakeClock();
  const platform = new FakePlatform({ ...options, clock });
  return {
    platform,
    clock,
    async apply(plan, applyOptions = {}) {
      const events: ApplyEvent[] = [];
      const result = await runApply(plan, platform, {
        clock,
        random: () => 0.5,
        ...applyOptions,
        onEvent(event) {
          events.push(event);
          applyOptions.onEvent?.(event);
        },
      });
      return { result, events };
    },
  };
}

/** The code and id of each failure. */
export function failures({ result }: Applied): readonly string[] {
  return result.failed.map(({ id, error }) => `${id}: ${error.code}`);
}

/** The writes, in order. */
export function writes(platform: FakePlatform): readonly string[] {
  return platform.log.filter((line) => /^(create|patch|delete) /.test(line));
}

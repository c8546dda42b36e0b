import { describe, expect, test } from 'vitest';
import { describeCause, minuteOf } from '../../../src/plan/model/cause.ts';
import { refuse } from '../../../src/plan/model/refusal.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';

describe('kinds in a sentence', () => {
  test.each<[readonly Kind[], string]>([
    [['identity'], 'cannot view every identity in the GVC shop'],
    [['identity', 'volumeset'], 'cannot view every identity and volumeset in the GVC shop'],
    [['identity', 'volumeset', 'workload'], 'cannot view every identity, volumeset and workload in the GVC shop'],
  ])('%j', (kinds, words) => {
    expect(refuse.deletesUnseen('shop', kinds).message).toContain(words);
  });
});

describe('the cause of a difference in words', () => {
  const by = (name: string, at: string) => ({ name, type: 'user', version: 3, at });

  test.each([
    [{ code: true as const }, 'changed in the code'],
    [{ platform: true as const }, 'changed by the platform'],
    [{ platform: true as const, unsure: true as const }, 'changed by a default of the platform'],
    [{ others: [] }, 'changed by others'],
    [{ others: [], since: 7 }, 'changed by others, after version 7'],
    [{ others: [], platform: true as const, unsure: true as const }, 'changed by others, or by the platform'],
    [
      { code: true as const, others: [by('ana', '2026-11-20T14:03:59Z'), by('ana', '2026-11-20T13:00:00Z')] },
      'changed in the code, and by ana at 2026-11-20 14:03 UTC (2 writes)',
    ],
  ])('%#: %s', (cause, words) => {
    expect(describeCause(cause)).toBe(words);
  });

  test.each(['2026-11-20 14:03', 'at 2026-11-20T14:03:59Z', '2026-11-20T14:03:59+01:00', ''])(
    '%j is not a time of the platform, and is shown unchanged',
    (at) => {
      expect(minuteOf(at)).toBe(at);
    },
  );
});

import { describe, expect, test } from 'vitest';
import { Capabilities } from '../../../src/capabilities/capabilities.ts';
import { appliedTag } from '../../../src/manifest/model/ownTags.ts';
import { laterWrites } from '../../../src/plan/record/fieldClaims.ts';
import { live } from '../world.ts';

const counts = [
  { it: 'begin elsewhere', capabilities: new Capabilities([['version.plus-one', 'otherwise']]), later: 'unknown' },
  { it: 'begin with 1', capabilities: new Capabilities(), later: undefined },
] as const;

describe('version.plus-one: the version named by a mark', () => {
  test.each(counts)('of a creation, if versions $it: $later', ({ capabilities, later }) => {
    const record = live('gvc/g', {}, { version: 1, applied: { version: 1 } });
    expect(laterWrites(record, { capabilities })(1, appliedTag, () => 'a')).toBe(later);
  });

  test.each(counts)('of a later write, if versions $it: nothing else wrote since', ({ capabilities }) => {
    const record = live(
      'gvc/g',
      {},
      { version: 1, applied: { version: 1, uid: 'uid-gvc/g', declaredPaths: ['spec'] } },
    );
    expect(laterWrites(record, { capabilities })(1, appliedTag, () => 'a')).toBeUndefined();
  });
});

test('if versions are times in milliseconds, nothing is known and nothing is counted', () => {
  const record = live('gvc/g', {}, { version: 1_795_865_207_620, applied: { version: 2 } });
  const past = [{ version: record.version, record: record.record }];
  expect(laterWrites(record, {})(2, appliedTag, () => 'a')).toBe('unknown');
  expect(laterWrites(record, { past })(2, appliedTag, () => 'a')).toBe('unknown');
});

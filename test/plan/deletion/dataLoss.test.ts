import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { dataIn } from '../../../src/plan/model/dataLoss.ts';

const volumes = (...each: readonly JsonObject[]): JsonObject => ({
  status: { locations: [{ name: 'l', volumes: each }] },
});

describe('data that deleting a volume set would lose (platform/volumeset.status)', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'nothing if no volume exists', record: volumes(), lost: undefined },
      { it: 'nothing if it is deployed nowhere', record: { status: { locations: [] } }, lost: undefined },
      { it: 'nothing if every volume is deleted', record: volumes({ lifecycle: 'deleted' }), lost: undefined },
      { it: 'a bound volume', record: volumes({ lifecycle: 'bound' }), lost: '1 volume' },
      { it: 'unbound and unused volumes too', record: volumes({ lifecycle: 'unbound' }, { lifecycle: 'unused' }),
        lost: '2 volumes' },
      { it: 'a volume whose lifecycle is unknown', record: volumes({}), lost: '1 volume' },
      { it: 'a snapshot of a deleted volume',
        record: volumes({ lifecycle: 'deleted', volumeSnapshots: [{ name: 's' }] }), lost: '1 snapshot' },
      { it: 'everything if there is no status', record: {}, lost: 'its volumes are not known' },
      { it: 'everything if the status is malformed', record: { status: { locations: [7] } },
        lost: 'its volumes are not known' },
    ],
  )('$it', ({ record, lost }) => {
    const held = dataIn('volumeset', record);
    expect(held === undefined).toBe(lost === undefined);
    expect(held).toBe(lost);
  });

  test('other kinds have no data of their own', () => {
    expect(dataIn('workload', {})).toBeUndefined();
  });
});

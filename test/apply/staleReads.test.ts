import { expect, test } from 'vitest';
import { fakePlatform } from './harness/harness.ts';
import { change, creating, plan, ref, tags } from './harness/plans.ts';
import { type RunRow, testRuns } from './harness/runText.ts';

const patch = 'patch gvc/shop at(3)';
const deletion = 'delete gvc/shop at(3)';
const replacement = 'replace gvc/shop at(4)';

// biome-ignore format: a row is a case
const rows: readonly RunRow[] = [
  ['a read before a deletion that is older than the plan is repeated', deletion, 'read gvc/shop: older*2',
    'done gvc/shop; sent delete gvc/shop'],
  ['read.own-writes: reads that lag longer than --consistency-timeout are reported as such, not as a stale plan',
    deletion, 'read gvc/shop: older*20', 'failed gvc/shop apply.stale-read; sent nothing'],
  ['an outdated read after a lost response causes no second write', patch,
    'patch gvc/shop: lost; read gvc/shop: old*2', 'done gvc/shop; verified true; now gvc/shop@4=new'],
  ['a creation with a lost response that is not yet visible is found later, not created twice', 'create gvc/shop',
    'create gvc/shop: lost; read gvc/shop: old*2', 'done gvc/shop; verified true; now gvc/shop@1=made'],
  // One read before the DELETE, one that shows its result, then two outdated ones after the lost POST.
  ['a replaced record that is still visible is not attributed to others', replacement,
    'create gvc/shop: lost; read gvc/shop: -*2, old*2', 'done gvc/shop; verified true; now gvc/shop@1=made'],
  ['the verification reads again before it reports a missing record', 'create gvc/shop', 'owned shop: old*2',
    'verified true; lists owned shop, owned shop, owned shop'],
  ['the verification ignores versions older than the written ones', patch, 'owned shop: old',
    'verified true; differences nothing'],
  ['read.own-writes: records that lists show outdated are read by name, however long the lag is', patch,
    'owned shop: old*20', 'verified true; lists owned shop'],
  ['a list that still shows the replaced record is not attributed to others', replacement,
    'owned shop: old*20', 'done gvc/shop; verified true'],
];

testRuns(rows);

const web = 'workload/shop/web';

test('readiness of a kept workload depends on its current record, not on an outdated one', async () => {
  const { platform, apply } = fakePlatform();
  platform.put(ref(web), { spec: { type: 'cron', defaultOptions: { suspend: true } }, tags: tags(web) }, 1, 'uid-w');
  const picture = platform.picture();
  const live = platform.put(ref(web), { spec: { type: 'cron' }, tags: tags(web) }, 2, 'uid-w');
  platform.fault('read', web, { kind: 'stale', picture });
  let asked = 0;
  platform.deploymentsOf.set(web, () => {
    asked += 1;
    return [{ status: { ready: true } }];
  });
  const kept = change(live.id, { action: 'keep' });
  const waiting = creating('domain/x.example', {
    requires: [{ on: web, because: 'it routes to it', soft: false, ready: true }],
  });
  const { result } = await apply(plan(kept, waiting));
  expect(result.failed).toEqual([]);
  expect(asked).toBe(1); // By the outdated record it was suspended, and nothing would have been read.
});

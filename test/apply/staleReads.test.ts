import { expect, test } from 'vitest';
import { fakePlatform } from './harness/harness.ts';
import { change, creating, plan, ref, tags } from './harness/plans.ts';
import { type RunRow, testRuns } from './harness/runText.ts';

const patch = 'patch gvc/shop at(3)';
const deletion = 'delete gvc/shop at(3)';
const replacement = 'replace gvc/shop at(4)';

// biome-ignore format: a row is a case
const rows: readonly RunRow[] = [
  ['a read before a deletion that is older than the plan is asked for again', deletion, 'read gvc/shop: older*2',
    'done gvc/shop; sent delete gvc/shop'],
  ['read.own-writes: a platform that stays behind for all of --consistency-timeout is no stale plan: it is said what ' +
      'it is', deletion, 'read gvc/shop: older*20', 'failed gvc/shop apply.stale-read; sent nothing'],
  ['a re-read after a lost reply that shows the time before the write leads to no second write', patch,
    'patch gvc/shop: lost; read gvc/shop: old*2', 'done gvc/shop; verified true; now gvc/shop@4=new'],
  ['a creation whose lost reply is looked for too early is found later, not made twice', 'create gvc/shop',
    'create gvc/shop: lost; read gvc/shop: old*2', 'done gvc/shop; verified true; now gvc/shop@1=made'],
  // The read before the DELETE, the one that sees it gone, then two old ones after the lost POST.
  ['a replaced record that is still shown is not taken for somebody else’s', replacement,
    'create gvc/shop: lost; read gvc/shop: -*2, old*2', 'done gvc/shop; verified true; now gvc/shop@1=made'],
  ['verification asks again before it says that something is not there', 'create gvc/shop', 'owned shop: old*2',
    'verified true; lists owned shop, owned shop, owned shop'],
  ['verification does not believe versions that are older than what was written', patch, 'owned shop: old',
    'verified true; differences nothing'],
  ['read.own-writes: what lists show of the time before a write is read by name, however long they lag', patch,
    'owned shop: old*20', 'verified true; lists owned shop'],
  ['a list that still shows the record that was replaced is not taken for a record of somebody else', replacement,
    'owned shop: old*20', 'done gvc/shop; verified true'],
];

testRuns(rows);

const web = 'workload/shop/web';

test('readiness of a kept workload is judged by its record, not by an older one', async () => {
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
  expect(asked).toBe(1); // by the old record it was suspended, and nobody would have looked
});

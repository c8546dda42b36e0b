import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { rehearse } from '../../src/rehearsal/rehearse.ts';
import { openSavedState } from '../../src/rehearsal/savedState.ts';
import type { Dump } from '../../src/server/store/model/row.ts';
import { org, planOf, townForEach } from './town.ts';

const town = townForEach();

/** The form of `GET /-snapshot`. */
function writtenDown(orgs: Dump): JsonObject {
  return JSON.parse(JSON.stringify({ format: 1, orgs }));
}

/** Plans and rehearses with a saved copy of the town's current state. */
async function fromFile(text: string) {
  const given = await openSavedState(writtenDown(await town.live.platform.dump()), org);
  try {
    const input = await planOf(given.client, text);
    return await rehearse({ ...input, crash: true, base: given.base });
  } finally {
    await given.close();
  }
}

const identity = 'kind: identity\ngvc: shop\nname: app\n';
const group = 'kind: group\nname: readers\n';

test("a reference from another owner's record is found in the saved state", async () => {
  await town.send('POST', 'gvc', { name: 'shop' });
  await town.apply(`${identity}---\n${group}`);
  const spec = {
    type: 'standard',
    identityLink: '//gvc/shop/identity/app',
    containers: [{ name: 'main', image: 'x:1' }],
  };
  expect((await town.send('POST', 'gvc/shop/workload', { name: 'foreign', spec })).status).toBe(201);
  const { problem } = await fromFile(group);
  expect(problem).toMatchObject({
    what: 'apply',
    request: { method: 'DELETE', path: '/org/local/gvc/shop/identity/app' },
  });
  expect(problem?.differences.join()).toContain('/org/local/gvc/shop/workload/foreign');
});

test('quotas do not apply', async () => {
  expect((await town.send('PATCH', 'quota/groups', { max: 0 })).status).toBe(200);
  expect((await town.send('POST', 'group', { name: 'other' })).status).toBe(429);
  const { problem, points } = await fromFile(group);
  expect(problem).toBeUndefined();
  expect(points).toEqual({ tried: 4, of: 4 });
});

test('due jobs of a saved state do not run, and its past events are omitted', async () => {
  await town.apply(`kind: gvc
name: shop
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: workload
gvc: shop
name: nightly
spec: {type: cron, job: {schedule: "* * * * *"}, containers: [{name: main, image: "job:1"}]}
`);
  const state = await town.live.platform.dump();
  expect(state[org]?.due).not.toEqual([]);
  expect(state[org]?.entries).not.toEqual([]);
  const given = await openSavedState(writtenDown(state), org);
  expect(given.base.state[org]).toMatchObject({ due: [], entries: [] });
  await given.close();
});

import { describe, expect, test } from 'vitest';
import { type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { requiringKinds } from '../../../src/server/records/removeRecord.ts';
import { container, manyOf, platformForAll } from '../platform.ts';
import { mostRowsRead } from '../rowsRead.ts';

const count = 300;
/** A read of all dependents, not only of the first, returns more rows than this. */
const few = 150;

function web(number: number): JsonObject {
  const env = [{ name: 'A', value: 'scheme://secret/soft' }];
  return {
    name: `web-${number}`,
    spec: { type: 'standard', identityLink: '//identity/all', containers: [container({ env })] },
  };
}

describe('a deletion with very many records around it', () => {
  const platform = platformForAll({}, async (platform) => {
    await platform.send('POST', 'gvc', { name: 'shop' });
    await platform.send('POST', 'gvc/shop/identity', { name: 'all' });
    await platform.send('POST', 'secret', { name: 'soft', type: 'opaque', data: { payload: 'x' } });
    const pulled = { name: 'pulled', type: 'docker', data: '{"auths":{"a":{"auth":"dTpw"}}}' };
    expect((await platform.send('POST', 'secret', pulled)).status).toBe(201);
    await manyOf(count, (at) => platform.send('POST', 'gvc/shop/workload', web(at)));
  });

  test('a secret that very many records name without needing it is deleted without reading them', async () => {
    let status = 0;
    const most = await mostRowsRead(async () => {
      status = (await platform.send('DELETE', 'secret/soft')).status;
    });
    expect(status).toBe(202);
    expect(most).toBeLessThan(few);
  });

  test('if very many records need the deleted one, only the first are read and named in the refusal', async () => {
    let problems: readonly unknown[] = [];
    let message: unknown;
    const most = await mostRowsRead(async () => {
      const refused = await platform.send('DELETE', 'gvc/shop/identity/all');
      problems = listAt(objectAt(refused.body, 'details'), 'problems');
      message = refused.body['message'];
    });
    expect(problems).toHaveLength(100);
    expect(problems[0]).toMatchObject({ message: '/org/local/gvc/shop/workload/web-0', rule: 'deletion.refusal' });
    expect(message).toMatch(/^identity\/shop\/all has dependents: .*web-0, .*\/gvc\/shop\/workload\/web-20 and more$/);
    expect(most).toBeLessThan(few);
  });

  test('a record that needs the deleted one is found behind very many that only name it', async () => {
    const env = [{ name: 'A', value: 'scheme://secret/pulled' }];
    await manyOf(120, (at) => platform.send('POST', 'gvc', { name: `g-${at}`, spec: { env } }));
    const pullSecretLinks = ['//secret/pulled'];
    expect((await platform.send('POST', 'gvc', { name: 'pulling', spec: { pullSecretLinks } })).status).toBe(201);
    const refused = await platform.send('DELETE', 'secret/pulled');
    expect([refused.status, refused.body['message']]).toEqual([
      400,
      'secret/pulled has dependents: /org/local/gvc/pulling',
    ]);
    await platform.send('DELETE', 'gvc/pulling');
    expect((await platform.send('DELETE', 'secret/pulled')).status).toBe(202);
  });
});

test.each([
  ['secret', ['cloudaccount', 'domain', 'gvc']],
  ['identity', ['gvc', 'workload']],
  ['volumeset', ['workload']],
  ['location', ['gvc', 'ipset', 'workload']],
  ['workload', ['gvc']],
  ['agent', ['identity']],
  ['user', []],
  ['policy', []],
] as const)('a %s can be needed by records of the kinds %o', (kind, expected) => {
  expect(requiringKinds(kind)).toEqual(expected);
});

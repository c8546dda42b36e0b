import { App, Gvc, Identity, Output, Secret, Stack, Workload } from 'gantry';
import { assertPlan, rehearse, synth } from 'gantry/testing';
import 'gantry/testing/vitest';
import { describe, expect, test } from 'vitest';

/** Two stacks: `api` in the second one reads the address of `web`, and may use a secret of the first one. */
function appWith({ image = 'web:1', token = true } = {}) {
  const app = new App();
  const network = new Stack(app, 'network');
  const gvc = new Gvc(network, 'shop', { locations: ['aws-eu-central-1'] });
  const ports = [{ number: 8080, protocol: 'http' }] as const;
  const web = new Workload(gvc, 'web', {
    type: 'serverless',
    containers: [{ name: 'main', image, ports: [...ports] }],
  });
  const url = new Output(network, 'url', web.url);
  const secrets = token
    ? { TOKEN: new Secret(network, 'token', { type: 'opaque', data: { payload: 'abcd' } }).key('payload') }
    : {};
  const shop = new Stack(app, 'shop');
  const identity = new Identity(shop, 'who', { gvc, name: 'api' });
  new Workload(shop, 'api', {
    gvc,
    type: 'standard',
    identity,
    containers: [{ name: 'main', image: 'api:1', env: { WEB: url.value, ...secrets } }],
  });
  return { app, network, shop };
}

describe('an app of several stacks', () => {
  test('is rehearsed in order, with values that one stack passes to the next', async () => {
    const rehearsed = await rehearse(appWith().app);
    expect(rehearsed.stacks.map(({ plan }) => plan.stack)).toEqual(['network', 'shop']);
    expect(rehearsed.counts).toMatchObject({ create: 5, keep: 0 });
    expect(rehearsed.result.done).toHaveLength(5);
    expect(rehearsed.outputs['url']).toMatch(/^https:/);
    expect(JSON.stringify(rehearsed.record('workload/shop/api'))).toContain(
      `{"name":"WEB","value":"${rehearsed.outputs['url']}"}`,
    );
    await expect(rehearsed).toPlan({ create: 5 });
  });

  test('has one plan over all stacks', async () => {
    await assertPlan(appWith().app, { create: 5 });
    await expect(appWith({ image: 'web:2' }).app).toPlan({ patch: 1, keep: 4 }, { from: appWith().app });
  });

  test('is synthesized as a whole', () => {
    expect(synth(appWith().app).map(({ kind, name }) => `${String(kind)}/${String(name)}`)).toEqual([
      'gvc/shop',
      'workload/web',
      'output/url',
      'secret/token',
      'identity/api',
      'workload/api',
    ]);
  });

  test('returns to a stack whose deletion had to wait', async () => {
    const { counts, stacks, record } = await rehearse(appWith({ token: false }).app, { from: appWith().app });
    expect(counts).toMatchObject({ patch: 1, delete: 1, keep: 3 });
    expect(stacks.map(({ plan }) => plan.stack)).toEqual(['network', 'shop', 'network']);
    expect(record('secret/token')).toBeUndefined();
  });
});

test('one stack is tested on top of the others', async () => {
  const { network, shop } = appWith();
  await assertPlan(shop, { create: 2 }, { from: network });
  const { record } = await rehearse(shop, { from: network });
  expect(JSON.stringify(record('workload/shop/api'))).toMatch(/"WEB","value":"https:/);
});

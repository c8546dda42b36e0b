import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTown, type Town } from './town.ts';

let town: Town;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

const shop = (image: string) => `
kind: gvc
name: shop
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: secret
name: password
type: opaque
data: {payload: canary-4711}
---
kind: identity
gvc: shop
name: app
---
kind: policy
name: reveal
targetKind: secret
targetLinks: [//secret/password]
bindings: [{permissions: [reveal], principalLinks: [//gvc/shop/identity/app]}]
---
kind: workload
gvc: shop
name: web
spec:
  type: standard
  identityLink: //identity/app
  containers:
    - name: main
      image: "${image}"
      ports: [{number: 8080}]
      env: [{name: PASSWORD, value: "scheme://secret/password"}]
`;

describe('the undisturbed run', () => {
  test('a plan that creates everything is consistent: as many requests as the plan says', async () => {
    const input = await town.planned(shop('web:1'));
    const rehearsal = await town.rehearse(shop('web:1'));
    expect(rehearsal).toEqual({ requests: 10, points: { tried: 0, of: 20 }, stoodInFor: [], proposed: [] });
    expect(input.plan.requests.apply).toBe(rehearsal.requests);
  });

  test('nothing of it reaches the live platform', async () => {
    const before = await town.live.platform.dump();
    await town.rehearse(shop('web:1'));
    expect(await town.live.platform.dump()).toEqual(before);
  });

  test('a plan of changes runs with the pins of the live records', async () => {
    await town.apply(shop('web:1'));
    const rehearsal = await town.rehearse(shop('web:2'));
    expect(rehearsal.problem).toBeUndefined();
    expect(rehearsal.requests).toBe(2);
  });

  test('an empty plan is consistent', async () => {
    await town.apply(shop('web:1'));
    const rehearsal = await town.rehearse(shop('web:1'));
    expect(rehearsal).toEqual({ requests: 0, points: { tried: 0, of: 0 }, stoodInFor: [], proposed: [] });
  });

  test('a stack that goes is consistent', async () => {
    await town.apply(shop('web:1'));
    expect((await town.rehearse('')).problem).toBeUndefined();
  });
  test('crash', async () => {
    const rehearsal = await town.rehearse(shop('web:1'), { crash: true });
    expect(rehearsal).toEqual({});
  });
});

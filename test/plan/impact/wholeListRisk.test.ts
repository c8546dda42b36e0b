import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Risk } from '../../../src/schema/facts/risk.ts';
import { changeOf, declare, live, plan } from '../world.ts';

describe('the risk of a list shown as a whole is that of its items', () => {
  const container = (name: string, port: number, more: JsonObject = {}): JsonObject => ({
    ...{ name, image: 'a', cpu: '100m', memory: '128Mi', ports: [{ number: port }] },
    ...more,
  });
  const mount = (path: string, more: JsonObject = {}): JsonObject => ({ uri: 's3://bucket', path, ...more });
  const of = (...containers: readonly JsonObject[]): JsonObject => ({ spec: { type: 'standard', containers } });
  const [web, side] = [container('web', 80), container('side', 81)];

  test.each<[string, JsonObject, JsonObject, Risk]>(
    // biome-ignore format: a row is a case
    [
      ['only the first port moves', of(web, side), of(side, web), 'rolling-restart'],
      ['and one item gets less', of(web, side), of(side, container('web', 80, { cpu: '50m' })), 'capacity-down'],
      ['and one item listens on another port', of(web, side), of(side, container('web', 82)), 'endpoint-change'],
      ['and a volume is emptied when its replica is deleted',
        of(container('web', 80, { volumes: [mount('/a')] }), side),
        of(side, container('web', 80, { volumes: [mount('/a', { recoveryPolicy: 'recycle' })] })), 'data-loss'],
      ['no key identifies the items: the worst of all',
        of(container('web', 80, { volumes: [mount('/a'), mount('/a')] })),
        of(container('web', 80, { volumes: [mount('/b')] })), 'data-loss'],
      ['or it is no longer mounted', of(container('web', 80, { volumes: [mount('/a')] })),
        of(container('web', 80, { volumes: [mount('/a'), mount('/a')] })), 'data-loss'],
    ],
  )('%s', (_, before, after, risk) => {
    const made = plan(
      [declare('gvc/g'), declare('workload/g/web', after)],
      [live('gvc/g'), live('workload/g/web', before)],
    );
    expect(changeOf(made, 'workload/g/web').risk).toBe(risk);
  });
});

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Risk } from '../../../src/schema/facts/risk.ts';
import { changeOf, declare, live, plan } from '../world.ts';

describe('a list that is shown as a whole can do what its items can', () => {
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
      ['the first port moves, and nothing else', of(web, side), of(side, web), 'rolling-restart'],
      ['and one gets less', of(web, side), of(side, container('web', 80, { cpu: '50m' })), 'capacity-down'],
      ['and one listens elsewhere', of(web, side), of(side, container('web', 82)), 'endpoint-change'],
      ['and a volume is emptied when its replica goes', of(container('web', 80, { volumes: [mount('/a')] }), side),
        of(side, container('web', 80, { volumes: [mount('/a', { recoveryPolicy: 'recycle' })] })), 'data-loss'],
      ['no key tells the items apart: the worst that any of them could do',
        of(container('web', 80, { volumes: [mount('/a'), mount('/a')] })),
        of(container('web', 80, { volumes: [mount('/b')] })), 'data-loss'],
      ['or no longer does', of(container('web', 80, { volumes: [mount('/a')] })),
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

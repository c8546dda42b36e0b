import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { changeOf, codes, declare, foreign, live, plan, snapshot, workload } from '../world.ts';

const gvc = foreign('gvc/g');
const web = 'workload/g/web';
const variables = (count: number, value = 'x') =>
  Array.from({ length: count }, (_, index) => ({ name: `V${index}`, value }));
const withEnv = (env: readonly JsonObject[]): JsonObject => ({
  spec: { type: 'standard', containers: [{ name: 'main', image: 'a', cpu: '50m', memory: '128Mi', env }] },
});
const env = 'spec.containers.main.env';
const opaque = (length: number): JsonObject => ({ type: 'opaque', data: { payload: 'x'.repeat(length) } });

describe('a plan refuses what is larger than the platform accepts', () => {
  test('the 1,001st variable of a new workload, with its path', () => {
    const made = plan([declare(web, withEnv(variables(1001)), {}, 4)], snapshot([gvc]));
    expect(changeOf(made, web).refusals).toEqual([
      {
        code: 'update.limit',
        message: `the platform would refuse ${env}: a list has at most 1000 items`,
        place: { file: 'stack.yaml', line: 4, column: 1 },
      },
    ]);
  });

  test('the 1,001st variable that a part adds to those of its owner', () => {
    const theirs = live('gvc/g', { spec: { env: variables(1000) } }, { owner: 'net', applied: null });
    const part = declare('gvc/g', { spec: { env: [{ name: 'MORE', value: 'y' }] } }, { part: true });
    const made = plan([part], snapshot([theirs]));
    expect(changeOf(made, 'gvc/g').refusals).toMatchObject([
      { code: 'update.limit', message: 'the platform would refuse spec.env: a list has at most 1000 items' },
    ]);
  });

  test('a POST of more than 1 MiB in UTF-8, although it has fewer characters', () => {
    // Each euro sign has three bytes.
    const made = plan([declare(web, withEnv(variables(20, '€'.repeat(17_500))))], snapshot([gvc]));
    const [refusal, ...others] = changeOf(made, web).refusals;
    expect(others).toEqual([]);
    expect(refusal?.code).toBe('update.limit');
    expect(refusal?.message).toMatch(/^its POST would have 105\d{4} bytes, and the platform takes at most 1048576: /);
  });

  test('a PATCH of more than 1 MiB', () => {
    const before = live(web, withEnv(variables(1)));
    const made = plan([declare(web, withEnv(variables(11, 'x'.repeat(100_000))))], snapshot([gvc, before]));
    expect(changeOf(made, web).refusals).toMatchObject([{ code: 'update.limit' }]);
    expect(changeOf(made, web).refusals[0]?.message).toMatch(/^its PATCH would have 110\d{4} bytes/);
  });

  test('a secret of more than 2 MiB; one of 1.5 MiB is accepted', () => {
    const made = plan([declare('secret/s', opaque(2_100_000)), declare('secret/t', opaque(1_500_000))], snapshot([]));
    expect(changeOf(made, 'secret/s').refusals).toMatchObject([{ code: 'update.limit' }]);
    expect(changeOf(made, 'secret/t').refusals).toEqual([]);
  });

  test('more than 10,000 values in one body', () => {
    const containers = Array.from({ length: 8 }, (_, index) => ({
      ...{ name: `c${index}`, image: 'a', cpu: '50m', memory: '128Mi' },
      env: variables(500),
    }));
    const made = plan([declare(web, { spec: { type: 'standard', containers } })], snapshot([gvc]));
    expect(changeOf(made, web).refusals).toEqual([
      {
        code: 'update.limit',
        message: 'its POST would have more than 10000 values, which the platform does not take: declare fewer of them',
      },
    ]);
  });

  test('1,000 variables of one container are accepted', () => {
    const made = plan([declare(web, withEnv(variables(1000)))], snapshot([gvc]));
    expect(codes(made)).toEqual([]);
    expect(changeOf(plan([declare(web, workload('a'))], snapshot([gvc])), web).refusals).toEqual([]);
  });
});

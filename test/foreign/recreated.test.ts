import { expect, it } from 'vitest';
import { applied } from './applied.ts';
import { excerpt } from './commands.ts';
import { project, setting } from './project.ts';
import { isObject, type Json, type JsonObject } from './server/json.ts';
import type { Served } from './server/serve.ts';

const path = '/org/local/gvc/shop/workload/web';
const field = 'spec.defaultOptions.timeoutSeconds';
/** A person deletes the record, and recreates it from its export, with our tags and another timeout. */
function recreate({ platform }: Served): void {
  const { id: _id, ...body }: JsonObject = platform.records().get(path) ?? {};
  const spec = isObject(body['spec']) ? body['spec'] : {};
  const options = isObject(spec['defaultOptions']) ? spec['defaultOptions'] : {};
  platform.uproot(path);
  platform.plant(path, { ...body, spec: { ...spec, defaultOptions: { ...options, timeoutSeconds: 77 } } });
}

function timeoutOf({ platform }: Served): Json | undefined {
  const spec = platform.records().get(path)?.['spec'];
  const options = isObject(spec) ? spec['defaultOptions'] : undefined;
  return isObject(options) ? options['timeoutSeconds'] : undefined;
}

/** With the second switch, answers to creations contain the ids of the records. */
it.each([[[]], [['default-timeout-15']], [['default-options']]] as const)(
  'value.defaults: plan, apply and (if marked) drift find the changes in a recreated record (%j)',
  async (switches) => {
    const names: readonly string[] = switches;
    const { served, run } = await applied(switches);
    expect((await run('plan', '.', '--detailed-exitcode')).code).toBe(0);
    recreate(served);
    const [drift, plan] = [await run('drift', '.'), await run('plan', '.', '--detailed-exitcode')];
    expect(/created again by others/.test(drift.stdout), drift.stdout).toBe(names.includes('default-timeout-15'));
    expect(plan.code, excerpt(plan, 2000)).toBe(2);
    expect(plan.stdout).toContain(field);
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    expect(timeoutOf(served)).toBeUndefined();
    expect((await run('plan', '.', '--detailed-exitcode')).code).toBe(0);
  },
);

it('value.defaults: a record that is recreated during an apply is not reported as verified', async () => {
  const { served, run, declare } = await applied(['default-timeout-15']);
  declare(setting(project, 'gvc/shop', ['spec', 'env', 0, 'value'], 'debug'));
  served.onWrite(2, () => recreate(served));
  const ran = await run('apply', '.', '--yes');
  expect(timeoutOf(served)).toBe(77);
  expect(ran.code, excerpt(ran, 2000)).toBe(5);
  expect(ran.stdout + ran.stderr).toContain('another record has its name now');
  expect(ran.stdout).not.toMatch(/^\s*Verified/m);
});

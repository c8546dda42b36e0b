import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/schema/json.ts';
import { openWorld, type World } from '../sweeps/world.ts';
import { inProcess } from './inProcess.ts';

/** Replacements that do not get to their end, as a person meets them at the command line. */
let world: World;
let folder: string;
const run = (...args: readonly string[]) => inProcess(world.platform.url, args, { cwd: folder });
const call = (method: string, path: string, body?: JsonObject) =>
  world.platform.call(method, `/org/local${path}`, body);
const faults = (...list: readonly JsonObject[]) => world.platform.call('POST', '/-faults', { faults: list });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-replacement-'));
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: town\n');
  world = await openWorld();
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

function declare(type: string, more = ''): void {
  writeFileSync(
    join(folder, 'stack.yaml'),
    `kind: gvc
name: town
---
kind: workload
gvc: town
name: hall
spec:
  type: ${type}
  ${more === '' ? '' : 'identityLink: //identity/mayor'}
  containers: [{name: main, image: "registry.example.com/hall:1"}]
${more}`,
  );
}

const identity = '---\nkind: identity\ngvc: town\nname: mayor\n';

describe('a replacement whose prerequisite fails', () => {
  test.each([
    { it: 'a quota', fault: { status: 429, message: 'the quota is reached' }, code: 'api.quota' },
    { it: 'the body', fault: { status: 400, message: 'not like this' }, code: 'api.invalid' },
  ])('leaves the workload where it is: $it', async ({ fault, code }) => {
    declare('stateful');
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    const before = (await call('GET', '/gvc/town/workload/hall')).body;

    declare('standard', identity);
    await faults({ method: 'POST', path: '/org/local/gvc/town/identity', ...fault });
    const failed = await run('apply', '.', '--yes');
    expect(failed.code).not.toBe(0);
    expect(failed.stdout).toContain(code);
    expect(failed.stdout).toContain('Not finished: nothing done, 1 failed, 1 skipped.');
    expect((await call('GET', '/gvc/town/workload/hall')).body['id']).toBe(before['id']);

    await world.platform.call('DELETE', '/-faults');
    expect((await run('apply', '.', '--yes', '--verify=full')).code).toBe(0);
    expect((await call('GET', '/gvc/town/workload/hall')).body).toMatchObject({ spec: { type: 'standard' } });
  });
});

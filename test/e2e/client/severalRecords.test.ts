import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { platformForAll } from '../../server/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { startProxy } from '../harness/proxy.ts';

const platform = platformForAll({}, async (each) => {
  await each.send('POST', 'gvc', { name: 'shop' });
  for (const name of ['web', 'api']) {
    const containers = [{ name: 'main', image: 'web:1', cpu: '50m', memory: '128Mi' }];
    await each.send('POST', 'gvc/shop/workload', { name, spec: { type: 'standard', containers } });
  }
});
const cwd = temporaryFolder('several-records');

function run(line: string, input = '', env: Readonly<Record<string, string>> = {}) {
  const shared = { GANTRY_ORG: 'local', GANTRY_TOKEN: 'secret-token', GANTRY_GVC: 'shop', ...env };
  return inProcess(platform, line.split(' '), { cwd, env: shared, input });
}

async function workload(
  name: string,
): Promise<{ readonly tags: object; readonly spec: { readonly defaultOptions: object } }> {
  return JSON.parse((await run(`workload get ${name} -o json`)).stdout);
}

test.each(['stop web api', 'start web api', 'force-redeployment web api', 'tag web api --tag team=shop'])(
  'gantry workload %s changes both and prints one document',
  async (line) => {
    const { code, stdout } = await run(`workload ${line} -o json`);
    expect(code).toBe(0);
    const { items } = JSON.parse(stdout);
    expect(items.map(({ name }: { readonly name: string }) => name)).toEqual(['web', 'api']);
    const isStopped = { defaultOptions: { suspend: line.startsWith('stop') } };
    if (/^st/.test(line)) expect(await workload('api')).toMatchObject({ spec: isStopped });
    if (line.startsWith('tag')) expect(await workload('api')).toMatchObject({ tags: { team: 'shop' } });
  },
);

test('an unknown name does not stop the records after it, and the exit code is 1', async () => {
  const { code, stderr } = await run('workload tag wed api --tag after=yes');
  expect(code).toBe(1);
  expect(stderr).toMatch(/there is no workload "wed".*\n.*Did you mean web\?/);
  expect(await workload('api')).toMatchObject({ tags: { after: 'yes' } });
});

test('edit opens one record after the other', async () => {
  const editor = join(cwd, 'editor.sh');
  writeFileSync(editor, 'sed -i "s/^description: .*/description: edited/" "$1"\n');
  const { code, stdout } = await run('workload edit web api -o json', '', { EDITOR: `sh ${editor}` });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ items: [{ description: 'edited' }, { description: 'edited' }] });
});

test('edit of several records shows the changed ones only', async () => {
  const editor = join(cwd, 'one.sh');
  writeFileSync(
    editor,
    'if grep -q "^name: web" "$1"; then sed -i "s/^description: .*/description: alone/" "$1"; fi\n',
  );
  const { stdout, stderr } = await run('workload edit web api -o json', '', { EDITOR: `sh ${editor}` });
  const { items } = JSON.parse(stdout);
  expect(items.map(({ name }: { readonly name: string }) => name)).toEqual(['web']);
  expect(stderr).toMatch(/\nNothing was changed\.\n$/);
  expect(await run('workload edit web api', '', { EDITOR: 'true' })).toMatchObject({ code: 0, stdout: '' });
});

test('put creates or replaces records without ownership tags, GVCs first, also from the output of get', async () => {
  const records = [
    'kind: identity\ngvc: other\nname: backend\n',
    'kind: gvc\nname: other\n',
    'kind: gvc\nname: shop\ndescription: replaced\n',
  ];
  const { code, stdout } = await run('put --file -', records.join('---\n'));
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'Created gvc/other\nReplaced gvc/shop\nCreated identity/other/backend\n',
  });
  const { body } = await platform.send('GET', 'gvc/shop');
  expect(body).toMatchObject({ description: 'replaced', tags: {} });
  const list = (await run('gvc get -o yaml')).stdout;
  expect((await run('put -f -', list)).stdout).toBe('Replaced gvc/shop\nReplaced gvc/other\n');
});

test('put refuses a record without a kind, and sends nothing', async () => {
  const { code, stderr } = await run('put --file -', 'kind: gvc\nname: never\n---\nname: x\n');
  expect(code).toBe(1);
  expect(stderr).toMatch(/a record in standard input has no kind or no name/);
  expect((await platform.send('GET', 'gvc/never')).status).toBe(404);
});

describe('a deletion that is refused for one record after another was deleted', () => {
  async function refusing(gvc: string, line: string) {
    const make = (path: string, body: JsonObject) => platform.send('POST', path, body);
    await make('gvc', { name: gvc });
    for (const name of ['one', 'two']) await make(`gvc/${gvc}/identity`, { name });
    const body = { status: 400, message: 'this one not', code: 'invalid', id: 'x' };
    const proxy = await startProxy(platform.url, ({ method, path }) =>
      method === 'DELETE' && path.endsWith('/two') ? { status: 400, body } : 'pass',
    );
    try {
      const env = { GANTRY_ORG: 'local', GANTRY_TOKEN: 'secret-token', GANTRY_GVC: gvc };
      const { code, stdout } = await inProcess(proxy, [...line.split(' '), '--yes', '-o', 'json'], { cwd, env });
      return { code, document: JSON.parse(stdout) };
    } finally {
      await proxy.close();
    }
  }

  test('does not end with the code of the refusal, which may say that nothing was written', async () => {
    const { code, document } = await refusing('left', 'identity delete one two');
    expect(code).toBe(1);
    expect(document).toMatchObject({
      deleted: ['one'],
      error: { code: 'api.several', causes: [{ code: 'api.invalid' }] },
    });
  });

  test('of a GVC by force, is partly done and can be run again', async () => {
    const { code, document } = await refusing('side', 'gvc delete side --force');
    expect(code).toBe(5);
    const message = expect.stringMatching(/^1 of 2 records in the GVC side were deleted, and then: .*this one not/);
    expect(document.error).toMatchObject({ code: 'apply.partly', retry: 'run-again', message });
  });
});

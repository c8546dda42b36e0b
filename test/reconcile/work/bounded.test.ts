import { expect, test } from 'vitest';
import type { StackSource } from '../../../src/reconcile/model.ts';
import { ownTown } from '../ownTown.ts';
import { Repository } from '../sources/repository.ts';
import { entryOf } from '../town.ts';

const { folder, platform, town } = await ownTown('bounded');

function fetched(files: Readonly<Record<string, string>>): StackSource {
  const repository = new Repository(folder);
  repository.commit(files);
  return { kind: 'git', url: repository.folder, repository: repository.folder, ref: 'refs/heads/main' };
}

const settings = (stack: string, more = '') => `stack: ${stack}\norg: local\n${more}`;
const reads = `import { App, Group, Stack } from 'gantry';
import { readFileSync } from 'node:fs';
const attempt = (path) => { try { return readFileSync(path).length > 0; } catch (error) { return error.code; } };
const description = [attempt('gantry.yaml'), attempt('/proc/' + process.ppid + '/environ')].join();
const app = new App();
new Group(new Stack(app, 'curious'), 'curious', { description });
export default app;
`;

test('code of a repository can read its own files, but not the environment of its worker', async () => {
  const source = fetched({ 'gantry.yaml': settings('curious'), 'stack.ts': reads });
  town.entries = [entryOf('', { name: 'curious', source })];
  await town.once();
  expect((await town.board.list()).map(({ state }) => state.state)).toEqual(['in line']);
  const { body } = await platform.call('GET', '/org/local/group/curious');
  expect(body['description']).toBe('true,ERR_ACCESS_DENIED');
});

test('a stack that never ends fails after its time limit, and the other stacks of the worker continue', async () => {
  const manifest = 'kind: group\nname: patient\ndescription: one\n';
  town.entries = [
    entryOf('', { name: 'endless', source: fetched({ 'gantry.yaml': settings('endless'), 'stack.ts': 'for (;;);' }) }),
    entryOf('', { name: 'patient', source: fetched({ 'gantry.yaml': settings('patient'), 'group.yaml': manifest }) }),
  ];
  await town.once({ bounds: { mostMs: 3_000, mostMegabytes: 512 } });
  const [endless, patient] = await town.board.list();
  expect([endless?.state.state, patient?.state.state]).toEqual(['failing', 'in line']);
  expect(endless?.state.because).toContain('the stack took more than 3 s');
});

test('a stack over its memory limit fails, and the other stacks of the worker continue', async () => {
  const manifest = 'kind: group\nname: modest\ndescription: one\n';
  const eats = 'const kept = [];\nfor (;;) kept.push(Buffer.alloc(16 * 1024 * 1024, 1));\n';
  town.entries = [
    entryOf('', { name: 'hungry', source: fetched({ 'gantry.yaml': settings('hungry'), 'stack.ts': eats }) }),
    entryOf('', { name: 'modest', source: fetched({ 'gantry.yaml': settings('modest'), 'group.yaml': manifest }) }),
  ];
  await town.once({ bounds: { mostMs: 60_000, mostMegabytes: 256 } });
  const [hungry, modest] = await town.board.list();
  expect([hungry?.state.state, modest?.state.state]).toEqual(['failing', 'in line']);
  expect(hungry?.state.because).toMatch(/memory/);
});

test('permissions in the gantry.yaml of a repository are ignored', async () => {
  const secret = 'kind: secret\nname: taken\ntype: opaque\ndata: {payload: {fromCommand: [cat, /etc/hostname]}}\n';
  const source = fetched({ 'gantry.yaml': settings('taken', 'secrets: {commands: true}\n'), 'secret.yaml': secret });
  town.entries = [entryOf('', { name: 'taken', source })];
  await town.once();
  const [taken] = await town.board.list();
  expect(taken?.state).toMatchObject({
    state: 'failing',
    because: expect.stringContaining('commands of a repository are not run'),
  });
});

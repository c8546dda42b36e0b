import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPlatform } from '../../e2e/harness/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { Repository } from '../sources/repository.ts';
import { entryOf, openTown, writeStack } from '../town.ts';

const folder = temporaryFolder('run-log');

test('output of code that fails to load is dropped, because its secrets are unknown', async () => {
  const platform = await openPlatform();
  try {
    await using town = await openTown(platform.url, { kind: 'folder', folder: join(folder, 'store') });
    const path = writeStack(folder, 'broken', {});
    writeFileSync(
      join(path, 'stack.ts'),
      "console.log(process.env.SHOP_PASSWORD, process.env.WEBHOOK ?? 'no webhook');\nthrow new Error('it is wrong');\n",
    );
    town.entries = [entryOf(path, { name: 'broken' })];
    const secretVariables = ['WEBHOOK'];
    await town.once({
      environment: { PATH: process.env['PATH'], SHOP_PASSWORD: 'hunter2', WEBHOOK: 'of-the-forge' },
      readConfig: async () => ({
        origin: '/town/reconcile.yaml',
        stacks: town.entries,
        webhooks: { github: [], gitlab: [], standard: [] },
        secretVariables,
      }),
    });
    const [run] = await town.board.runs('broken');
    const kept = JSON.stringify(await town.board.run(run?.id ?? ''));
    expect(kept).toContain('it is wrong');
    expect(kept).toContain('1 line of the code left out: it was not loaded, so its secrets are not known');
    expect(kept).not.toMatch(/hunter2|of-the-forge/);
  } finally {
    await platform.stop();
  }
});

test("a secret or marked value in an app's output is masked, whichever of its stacks declares it", async () => {
  const platform = await openPlatform();
  try {
    await using town = await openTown(platform.url, { kind: 'folder', folder: join(folder, 'app-store') });
    const repository = new Repository(folder);
    repository.commit({
      'gantry.yaml': 'org: local\n',
      'stack.ts': `import { App, Group, Secret, Stack, sensitive } from 'gantry';
const app = new App();
new Group(new Stack(app, 'web'), 'buyers', { description: sensitive('marked-by-its-author') });
const data = new Stack(app, 'data');
new Secret(data, 'key', { type: 'opaque', data: { payload: 'of-the-other-stack' } });
new Secret(data, 'file', { type: 'opaque', data: { payload: 'hunter2\\n' } });
console.log('it prints of-the-other-stack, marked-by-its-author');
console.log('hunter2\\n' + 'x'.repeat(985) + 'hunter2');
`,
    });
    const url = repository.folder;
    const source = { kind: 'git', url, repository: url, ref: 'refs/heads/main' } as const;
    town.entries = [entryOf('', { name: 'web', source, stack: 'web' })];
    await town.once();
    const [run] = await town.board.runs('web');
    const kept = await town.board.run(run?.id ?? '');
    expect(kept).toMatchObject({ outcome: 'applied' });
    expect(JSON.stringify(kept)).toMatch(/it prints (?!of-the)/);
    expect(JSON.stringify(kept)).not.toMatch(/of-the-other-stack|marked-by-its-author|hunte/);
  } finally {
    await platform.stop();
  }
});

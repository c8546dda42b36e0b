import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPlatform } from '../../e2e/harness/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { Repository } from '../sources/repository.ts';
import { entryOf, openTown, writeStack } from '../town.ts';

const folder = temporaryFolder('run-log');

test('output of code that fails to load is dropped, and its error shows no secret that it was given', async () => {
  const platform = await openPlatform();
  try {
    await using town = await openTown(platform.url, { kind: 'folder', folder: join(folder, 'store') });
    const path = writeStack(folder, 'broken', {});
    writeFileSync(
      join(path, 'stack.ts'),
      `console.log(process.env.SHOP_PASSWORD, process.env.WEBHOOK ?? 'no webhook');
throw new Error(\`it is wrong: \${process.env.SHOP_PASSWORD}, postgres://u:of-the-code@db/shop\`);
`,
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
    expect(kept).toContain('it is wrong: ***, postgres://db/shop');
    expect(kept).toContain('1 line of the code left out: it was not loaded, so its secrets are not known');
    const shown = JSON.stringify([kept, town.log, [...(await town.store.stacks()).values()]]);
    expect(shown).not.toMatch(/hunter2|of-the-forge|of-the-code/);
  } finally {
    await platform.stop();
  }
});

test('an error of code from a repository shows no variable of it until its declarations say which are secret', async () => {
  const platform = await openPlatform();
  try {
    await using town = await openTown(platform.url, { kind: 'folder', folder: join(folder, 'variables') });
    const repository = new Repository(folder);
    const url = repository.folder;
    const variables = ['SHOP_DSN', 'SHOP_TOKEN'];
    const source = { kind: 'git', url, repository: url, ref: 'refs/heads/main', variables } as const;
    town.entries = [entryOf('', { name: 'web', source })];
    const errorOf = async (code: string) => {
      repository.commit({ 'gantry.yaml': 'org: local\nstack: web\n', 'stack.ts': code });
      await town.once({ environment: { ...process.env, SHOP_DSN: 'host=db', SHOP_TOKEN: 'hunter2' } });
      const [run] = await town.board.runs('web');
      return JSON.stringify(await town.board.run(run?.id ?? ''));
    };
    const { SHOP_DSN, SHOP_TOKEN } = { SHOP_DSN: '${process.env.SHOP_DSN}', SHOP_TOKEN: '${process.env.SHOP_TOKEN}' };
    expect(await errorOf(`throw new Error(\`wrong: ${SHOP_DSN} ${SHOP_TOKEN}\`);`)).toContain('wrong: *** ***');
    const loaded = `import { App, Stack } from 'gantry';
console.log(\`connected to ${SHOP_DSN} by ${SHOP_TOKEN}\`);
export default new Stack(new App(), 'web');
`;
    expect(await errorOf(loaded)).toContain('connected to host=db by ***');
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
new Secret(data, 'lines', { type: 'opaque', data: { payload: 'root\\n}\\npa55\\n' } });
console.log('it is root\\n  }\\npa55 of a file, but\\nroot\\n}');
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
    expect(JSON.stringify(kept)).not.toMatch(/of-the-other-stack|marked-by-its-author|hunte|pa55/);
    const texts = kept?.log.map(({ text }) => text.replace('stack.ts: ', '')) ?? [];
    const at = texts.indexOf('it is ***');
    expect(texts.slice(at, at + 5)).toEqual(['it is ***', '  ***', '*** of a file, but', 'root', '}']);
  } finally {
    await platform.stop();
  }
});

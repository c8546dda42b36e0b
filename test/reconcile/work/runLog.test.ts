import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPlatform } from '../../e2e/harness/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { entryOf, openTown, writeStack } from '../town.ts';

const folder = temporaryFolder('run-log');

test('what code prints that cannot be loaded is not kept: its secrets are not known', async () => {
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

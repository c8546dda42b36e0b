import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { openPlatform } from '../harness/platform.ts';
import { smallTown } from '../harness/smallTown.ts';

const folder = temporaryFolder('noise');
writeFileSync(join(folder, 'gantry.yaml'), 'stack: town\n');
writeFileSync(join(folder, 'town.yaml'), smallTown());

/** test/noise has all scenarios and generated stacks in every form. */
test('the plan after an apply is empty on a real platform that returns records in other forms', async () => {
  const platform = await openPlatform(['--answers', 'filled,shuffled,short,tagged,legacy,respelled']);
  try {
    await succeeded(inProcess(platform, ['apply', '.', '--yes'], { cwd: folder }));
    const { body } = await platform.call('GET', '/org/local/gvc/town');
    expect(body['tags']).toMatchObject({ 'other-tool/version': 1 });
    await succeeded(inProcess(platform, ['plan', '.', '--detailed-exitcode'], { cwd: folder }));
  } finally {
    await platform.stop();
  }
});

test('an unknown form is refused, and the error lists the known ones', async () => {
  const { code, stderr } = await inProcess(
    undefined,
    ['serve', '--data', ':memory:', '--port', '0', '--answers', 'bare,loud'],
    { cwd: folder },
  );
  expect(code).toBe(64);
  expect(stderr).toContain('"loud"');
  expect(stderr).toContain('bare,filled,shuffled,short,tagged,legacy,respelled');
});

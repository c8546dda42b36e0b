import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modulesOf } from '../../src/policies/sandbox/findPolicyFiles.ts';
import { writeBelow } from '../harness/writeBelow.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('modules-of');
  for (const [path, text] of Object.entries(files)) writeBelow(folder, path, text);
  return folder;
}

test('what a policy imports by a path is found, whatever the form, and nothing else of its folder', async () => {
  const folder = folderWith({
    'policies/a.ts': "import { b } from './lib/b.ts';\nimport names from '../names.json' with { type: 'json' };",
    'policies/lib/b.ts': "export { c } from '../../c.ts';\nconst d = require('./d');",
    'policies/lib/d.js': "import('./e.mjs'); import './a-circle.ts';",
    'policies/lib/e.mjs': '',
    'policies/lib/a-circle.ts': "import '../a.ts';",
    ...{ 'names.json': '["./unread.ts"]', 'c.ts': "import 'a-package'; import './gone.ts'; import '/etc/hostname';" },
    ...{ 'unread.ts': '', 'policies/lib/unread.ts': '', 'node_modules/a-package/index.js': '' },
  });
  const found = await modulesOf([join(folder, 'policies/a.ts')], [folder]);
  expect(found.map((file) => file.slice(folder.length + 1))).toEqual([
    ...['c.ts', 'names.json', 'policies/a.ts', 'policies/lib/a-circle.ts', 'policies/lib/b.ts', 'policies/lib/d.js'],
    'policies/lib/e.mjs',
  ]);
});

test('links that lead back hold nothing up, and those that lead out are not followed', async () => {
  const folder = folderWith({ 'company/ok.ts': "import './lib/a/ok.ts'; import './out.ts';", 'secret.ts': '' });
  mkdirSync(join(folder, 'company/node_modules/@acme'), { recursive: true });
  mkdirSync(join(folder, 'company/lib'));
  symlinkSync('../..', join(folder, 'company/node_modules/self'));
  symlinkSync('../../..', join(folder, 'company/node_modules/@acme/policies'));
  for (const link of ['a', 'b']) symlinkSync('..', join(folder, `company/lib/${link}`));
  symlinkSync('../secret.ts', join(folder, 'company/out.ts'));
  const policy = join(folder, 'company/ok.ts');
  expect(await modulesOf([policy], [join(folder, 'company')])).toEqual([policy]);
});

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { writeBelow } from '../../harness/writeBelow.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const root = temporaryFolder('settings-note');

function project(files: readonly string[]): string {
  const folder = mkdtempSync(join(root, 'p-'));
  for (const file of [...files, 'access.yaml', 'p/stack.yaml', 'p/sub/group.yaml']) {
    writeBelow(folder, file, file.endsWith('gantry.yaml') ? 'stack: shop\n' : 'kind: group\nname: town\n');
  }
  return folder;
}

const elsewhere = 'note: gantry.yaml in the current folder is ignored: settings come from the folder of the first PATH';

/** The note of `validate` in the folder `p` about settings. */
test.each(
  // biome-ignore format: a row is a case
  [
    { path: '.', settings: ['p', '.'], note: undefined },
    { path: 'stack.yaml', settings: ['p', '.'], note: undefined },
    { path: '..', settings: ['p', '.'], note: undefined },
    { path: 'sub', settings: ['p', 'p/sub'], note: undefined },
    { path: 'sub/group.yaml', settings: ['p/sub'], note: undefined },
    { path: '../access.yaml', settings: [], note: undefined },
    { path: '../access.yaml', settings: ['p'], note: elsewhere },
    { path: 'sub/group.yaml', settings: ['p'], note: elsewhere },
    { path: 'sub', settings: ['p'], note: elsewhere },
    { path: '../access.yaml', settings: ['.'],
      note: 'note: using the settings in ../gantry.yaml, next to the first PATH' },
    { path: '../access.yaml', settings: ['p', '.'],
      note: 'note: using the settings in ../gantry.yaml, next to the first PATH, not those in the current folder' },
  ],
)('$path, with gantry.yaml in $settings: $note', async ({ path, settings, note }) => {
  const folder = project(settings.map((each) => join(each, 'gantry.yaml')));
  const { stderr } = await inProcess(undefined, ['validate', path], { cwd: join(folder, 'p') });
  const notes = stderr.split('\n').filter((line) => line.includes('the first PATH'));
  expect(notes).toEqual(note === undefined ? [] : [note]);
});

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filesBelow } from '../../harness/filesBelow.ts';
import { ctrlC, type PseudoTerminal, startInTerminal } from '../../harness/pseudoTerminal.ts';
import { platformForAll } from '../../server/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const platform = platformForAll();
const cwd = temporaryFolder('edit-terminal');
let count = 0;
let name = '';
let terminal: PseudoTerminal | undefined;
beforeEach(async () => {
  count += 1;
  name = `gvc-${count}`;
  await platform.send('POST', 'gvc', { name, description: 'old' });
});
afterEach(() => terminal?.close());

/** Runs `gantry gvc edit` with a script for `sh` as the editor; `$1` is the file. */
function edit(script: string, variable = 'EDITOR', names: readonly string[] = [name]): PseudoTerminal {
  const editor = join(cwd, `editor-${count}.sh`);
  writeFileSync(editor, script);
  const env = { GANTRY_ENDPOINT: platform.url, GANTRY_TOKEN: 'secret-token', GANTRY_ORG: 'local' };
  terminal = startInTerminal(['gvc', 'edit', ...names], {
    cwd,
    env: { ...env, TMPDIR: copies(), [variable]: `sh ${editor}` },
    columns: 120,
  });
  return terminal;
}

/** The folder for temporary files of the current test. */
function copies(): string {
  const folder = join(cwd, `copies-${count}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function live() {
  return (await platform.send('GET', `gvc/${name}`)).body;
}

/** The text in the file that the error names. */
function kept({ screen }: PseudoTerminal): string {
  const [, file = ''] = /Your text is saved in (\S+)\./.exec(screen.text.replaceAll('\n', ' ')) ?? [];
  return readFileSync(file, 'utf8');
}

const change = `sed -i 's/^description: .*/description: typed/' "$1"`;

test('the patch is shown and sent only after the answer yes', async () => {
  const { until, type, ended } = edit(change, 'VISUAL');
  await until(/description: typed\n\nSend this\? \(yes\/no\)/);
  expect(await live()).toMatchObject({ description: 'old', version: 1 });
  type('yes\r');
  expect((await ended).code).toBe(0);
  expect(await live()).toMatchObject({ description: 'typed', version: 2 });
});

test.each([
  { it: 'no', keys: 'no\r', code: 1 },
  { it: 'Ctrl-C', keys: ctrlC, code: 130 },
])('$it at the question sends nothing and names the file with the text', async ({ keys, code }) => {
  const started = edit(change);
  await started.until(/Send this\?/);
  started.type(keys);
  expect((await started.ended).code).toBe(code);
  expect(kept(started)).toContain('description: typed');
  expect(await live()).toMatchObject({ version: 1 });
});

const andEndGantry = 'kill -TERM $(ps -o ppid= -p $PPID); while kill -0 $PPID; do sleep 0.1; done';

test.each([
  { it: 'is saved unchanged', script: 'cp "$1" "$1~"', code: 0 },
  { it: 'fails', script: 'cp "$1" "$1~"; exit 3', code: 1 },
  { it: 'is open when the command is ended', script: `cp "$1" "$1~"; ${andEndGantry}`, code: 130 },
])('an editor without a change that $it leaves no copy', async ({ script, code }) => {
  expect((await edit(script).ended).code).toBe(code);
  expect(filesBelow(copies())).toEqual([]);
});

test.each([
  { it: 'the editor fails', script: `cp "$1" "$1~"; ${change}; exit 3`, code: 1 },
  { it: 'the command is ended', script: `cp "$1" "$1~"; ${change}; ${andEndGantry}`, code: 130 },
])('the typed text is the only file that stays when $it', async ({ script, code }) => {
  const started = edit(script);
  expect((await started.ended).code).toBe(code);
  expect(kept(started)).toContain('description: typed');
  expect(filesBelow(copies())).toHaveLength(1);
});

test('Ctrl-C at the question about one of several records ends the command before the next one is opened', async () => {
  await platform.send('POST', 'gvc', { name: `${name}-next`, description: 'old' });
  const opened = join(cwd, `opened-${count}`);
  const { until, type, ended } = edit(`echo 1 >> ${opened}; ${change}`, 'EDITOR', [name, `${name}-next`]);
  await until(/Send this\?/);
  type(ctrlC);
  expect((await ended).code).toBe(130);
  expect(readFileSync(opened, 'utf8')).toBe('1\n');
});

test('Ctrl-C in the editor reaches the editor only', async () => {
  const { until, type, ended, screen } = edit(`trap 'echo caught' INT; echo editing; while ! read line; do :; done`);
  await until(/^editing$/m);
  type(ctrlC);
  await until(/caught/);
  type('\r');
  expect((await ended).code).toBe(0);
  expect(screen.text).toContain('Nothing was changed.');
});

test('when the editor reopens, the problem is above the text and the typed text is still there', async () => {
  const { until, type, ended, screen } = edit(`
if [ -e ${join(cwd, 'second')} ]; then
  cp "$1" ${join(cwd, 'seen')}
  sed -i 's/^wrongField:.*//' "$1"
else
  touch ${join(cwd, 'second')}
  printf 'wrongField: 1\\n' >> "$1"
  ${change}
fi`);
  await until(/Send this\?/);
  const seen = readFileSync(join(cwd, 'seen'), 'utf8');
  expect(seen).toMatch(/^# gantry: This cannot be saved:\n# gantry: {3}line \d+: wrongField: /);
  expect(seen).toContain('\nwrongField: 1\n');
  expect(seen).toContain('description: typed');
  expect(screen.text).toContain('wrongField');
  type('yes\r');
  expect((await ended).code).toBe(0);
  expect(await live()).toMatchObject({ description: 'typed', version: 2 });
});

// biome-ignore format: a row is a case
test.each([
  { it: 'ends with an error', script: `${change}; exit 3`,
    says: /edit\.editor: the editor ended with exit code 3; nothing/ },
  { it: 'is killed', script: `${change}; kill -9 $$`,
    says: /edit\.editor: the editor (?:was ended by SIGKILL|ended with exit code 137); / },
])('an editor that $it changes nothing, and the typed text is kept', async ({ script, says }) => {
  const started = edit(script);
  expect((await started.ended).code).toBe(1);
  expect(started.screen.text).toMatch(says);
  expect(kept(started)).toContain('description: typed');
  expect(await live()).toMatchObject({ version: 1 });
});

test('an empty text changes nothing, and no file stays', async () => {
  const { ended, screen } = edit(`: > "$1"; echo "$1" > ${join(cwd, 'where')}`);
  expect((await ended).code).toBe(0);
  expect(screen.text).toContain('Nothing was changed.');
  expect(existsSync(readFileSync(join(cwd, 'where'), 'utf8').trim())).toBe(false);
});

test('a change by another client is kept: the edit is rebased on it and shown again', async () => {
  const { until, type, ended } =
    edit(`if [ -e ${join(cwd, 'third')} ]; then cp "$1" ${join(cwd, 'rebased')}; sed -i '/Delete this line/d' "$1"; else
  touch ${join(cwd, 'third')}
  ${change}
fi`);
  await until(/Send this\?/);
  await platform.send('PATCH', `gvc/${name}`, { tags: { theirs: 'kept' } });
  type('yes\r');
  await until(/Somebody else has changed the record in[\s\S]*Send this\?/);
  expect(readFileSync(join(cwd, 'rebased'), 'utf8')).toMatch(
    /^# gantry: Somebody else has changed the record[^\n]*\n# gantry: {3}tags\.theirs: \(none\) → "kept"\n[\s\S]*description: typed\n[\s\S]*theirs: kept\n/,
  );
  type('yes\r');
  expect((await ended).code).toBe(0);
  expect(await live()).toMatchObject({ description: 'typed', tags: { theirs: 'kept' }, version: 3 });
});

test('the typed text is kept if the record was deleted in the meantime', async () => {
  const started = edit(change);
  await started.until(/Send this\?/);
  await platform.send('DELETE', `gvc/${name}`);
  started.type('yes\r');
  expect((await started.ended).code).toBe(1);
  expect(kept(started)).toContain('description: typed');
});

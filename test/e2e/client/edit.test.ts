import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { succeeded } from '../../outcome.ts';
import { platformForAll } from '../../server/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { token } from '../harness/platform.ts';

const location = '//location/aws-us-west-2';
const shop = {
  name: 'shop',
  spec: { staticPlacement: { locationLinks: [location] }, env: [{ name: 'A', value: 'b' }] },
};
const platform = platformForAll({ token }, (each) => each.as(token)('POST', 'gvc', shop));
const cwd = temporaryFolder('edit');

/** Runs gantry with an editor that makes one replacement for each start, in this order. */
async function edit(args: readonly string[], edits: readonly (readonly [string, string])[]) {
  const editor = join(cwd, 'editor.mjs');
  writeFileSync(join(cwd, 'edits.json'), JSON.stringify(edits));
  writeFileSync(join(cwd, 'seen.txt'), '');
  writeFileSync(
    editor,
    `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
const [file] = process.argv.slice(2);
const edits = JSON.parse(readFileSync('edits.json', 'utf8'));
const [from, to] = edits.shift() ?? ['', ''];
const text = readFileSync(file, 'utf8');
appendFileSync('seen.txt', text + '=====\\n');
writeFileSync(file, from === '' ? text : text.replace(from, to));
writeFileSync('edits.json', JSON.stringify(edits));
`,
  );
  const outcome = await inProcess(platform, args, { cwd, env: { EDITOR: `${process.execPath} ${editor}` } });
  return { ...outcome, seen: readFileSync(join(cwd, 'seen.txt'), 'utf8').split('=====\n').slice(0, -1) };
}

function run(args: readonly string[]) {
  return inProcess(platform, args, { cwd });
}

test('edit shows the smallest patch, then sends it', async () => {
  const { code, stdout, stderr, seen } = await edit(['gvc', 'edit', 'shop', '-o', 'json'], [['value: b', 'value: c']]);
  expect(code, stderr).toBe(0);
  expect(seen[0]).toMatch(/^# gantry: Save and close the file to change shop\./);
  expect(seen[0]).not.toMatch(/^(?:id|version|links|status):/m);
  expect(stderr).toContain('spec:\n  $patch/env:\n    - name: A\n      value: c\n');
  expect(JSON.parse(stdout)).toMatchObject({ version: 2, spec: { env: [{ name: 'A', value: 'c' }] } });
});

test('edit sends nothing if the text is unchanged', async () => {
  const { code, stderr } = await edit(['gvc', 'edit', 'shop'], []);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Nothing was changed.\n' });
});

test('a mistake is shown above the text with its line, and the editor reopens with the typed text', async () => {
  const { code, stdout, seen } = await edit(
    ['gvc', 'edit', 'shop', '-o', 'json'],
    [
      ['staticPlacement', 'staticPlacemnt'],
      ['staticPlacemnt:\n', 'staticPlacement:\n'],
      ['description: shop', 'description: edited'],
    ],
  );
  expect(seen).toHaveLength(2);
  expect(seen[1]).toMatch(
    /^# gantry: This cannot be saved:\n# gantry: {3}line \d+: spec\.staticPlacemnt: .*staticPlacement/,
  );
  expect(seen[1]).toContain('staticPlacemnt:');
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: '{\n  "changed": false\n}\n' });
});

test('a refusal of the platform is shown above the text; saving it unchanged ends edit and names the kept file', async () => {
  const { code, stderr, seen } = await edit(
    ['gvc', 'edit', 'shop'],
    [['/org/local/location/aws-us-west-2', '/org/local/location/nowhere']],
  );
  expect(seen.at(-1)).toMatch(/# gantry: {3}.*location\/nowhere does not exist/);
  expect(code).toBe(1);
  const kept = /Your text is saved in (\S+)\./.exec(stderr)?.[1] ?? '';
  expect(readFileSync(kept, 'utf8')).toContain('nowhere');
});

test.each([
  ['two records', 'name: other\n---\nname: shop', 'the text must be one record, in one YAML document'],
  ['another name', 'name: other', 'name: a record cannot be renamed'],
])('%s in place of the record is a mistake', async (_, text, says) => {
  const { code, stderr, seen } = await edit(['gvc', 'edit', 'shop'], [['name: shop', text]]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('edit.not-saved: the text was not corrected')]);
  expect(seen[1]).toContain(`# gantry:   ${says}\n`);
});

test('with --no-input only --yes confirms', async () => {
  const { code, stderr } = await edit(
    ['gvc', 'edit', 'shop', '--no-input'],
    [['description: shop', 'description: no']],
  );
  expect([code, stderr]).toEqual([1, expect.stringMatching(/edit\.not-confirmed: .*nothing was changed\n.*Add --yes/)]);
  expect((await succeeded(run(['gvc', 'get', 'shop', '-o', 'json']))).stdout).not.toContain('"description": "no"');
});

test('--replace sends the whole record', async () => {
  const { code, stdout, stderr } = await edit(
    ['gvc', 'edit', 'shop', '--replace', '-o', 'json'],
    [['description: shop', 'description: new']],
  );
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('replaced:');
  expect(JSON.parse(stdout)).toMatchObject({ description: 'new' });
});

function editBy(script: string) {
  return inProcess(platform, ['gvc', 'edit', 'shop'], { cwd, env: { VISUAL: `f() { ${script}; }; f` } });
}

test('without a terminal, edit ends if the editor saves the same mistake twice', async () => {
  const { code, stderr } = await editBy(`echo "bogus: 1" >> "$1"`);
  expect(code).toBe(1);
  expect(stderr).toMatch(/edit\.not-saved: the text was not corrected; nothing was written\n.*used twice/);
  const kept = /Your text is saved in (\S+)\./.exec(stderr)?.[1] ?? '';
  expect(readFileSync(kept, 'utf8')).toContain('bogus: 1');
});

test.each([
  { it: 'deletes its file', script: 'rm "$1"', says: 'there is no such file' },
  { it: 'leaves a folder in its place', script: 'rm "$1"; mkdir "$1"', says: 'it is a folder, not a file' },
])('an editor that $it changes nothing, and the error promises no kept file', async ({ script, says }) => {
  const { code, stderr } = await editBy(script);
  expect(code).toBe(1);
  expect(stderr).toContain(`what the editor saved cannot be read: ${says}; nothing was written`);
  expect(stderr).not.toContain('Your text');
});

test('a text that is not UTF-8 is not sent, and is kept as it was saved', async () => {
  const live = async () => (await succeeded(run(['gvc', 'get', 'shop', '-o', 'json']))).stdout;
  const before = await live();
  const { code, stderr } = await editBy(`printf 'name: shop\\ndescription: \\377\\n' > "$1"`);
  expect(code).toBe(1);
  expect(stderr).toContain('cannot be read: line 2: the text is not UTF-8; nothing was written');
  expect(existsSync(/Your text is saved in (\S+)\./.exec(stderr)?.[1] ?? '')).toBe(true);
  expect(await live()).toBe(before);
});

test('a record of a stack can be edited; its ownership tags stay, and edit refuses other ones', async () => {
  await succeeded(run(['gvc', 'create', '--name', 'owned', '--location', 'aws-us-west-2']));
  const { stdout } = await succeeded(run(['gvc', 'get', 'owned', '-o', 'yaml-slim']));
  writeFileSync(join(cwd, 'owned.yaml'), stdout);
  await succeeded(run(['apply', 'owned.yaml', '--stack', 'shop', '--adopt', '--yes']));
  const args = ['gvc', 'edit', 'owned', '-o', 'json'];
  const edited = await edit(args, [['description: owned', 'description: edited']]);
  expect(edited.code, edited.stderr).toBe(0);
  expect(JSON.parse(edited.stdout)).toMatchObject({ description: 'edited', tags: { 'gantry/stack': 'shop' } });
  const stolen = await edit(args, [['gantry/stack: shop', 'gantry/stack: other']]);
  expect(stolen.code).toBe(1);
  expect(stolen.stderr).toContain('the tag "gantry/stack" has a prefix that is reserved for Gantry');
});

test('edit accepts problems that the live record already has, and refuses to add more of them', async () => {
  const tags = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`tag-${index}`, 'x']));
  const name = 'labelled';
  const body = JSON.stringify({ name, description: 'before', tags });
  const made = await fetch(`${platform.url}/org/local/group`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body,
  });
  expect(made.status).toBe(201);
  const args = ['group', 'edit', name, '-o', 'json'];
  const edited = await edit(args, [['description: before', 'description: after']]);
  expect(edited.code, edited.stderr).toBe(0);
  expect(JSON.parse(edited.stdout)).toMatchObject({ description: 'after', tags });
  const added = await edit(args, [['  tag-0: x', '  tag-0: x\n  one-more: x']]);
  expect(added.code).toBe(1);
  expect(added.stderr).toContain('tags: 50 tags, at most 48 can be set');
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderProblem } from '../../../src/manifest/model/locatedProblem.ts';
import { searchBounds } from '../../../src/project/inputs/bounds.ts';
import { readInputs } from '../../../src/project/inputs/readInputs.ts';
import { quiet } from '../../surroundings.ts';

let root = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-search-')));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
/** A folder with these files; a value `-> PATH` is a link. */
function project(files: Readonly<Record<string, string>>): string {
  folders += 1;
  const folder = join(root, `p${folders}`);
  mkdirSync(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (content.startsWith('-> ')) symlinkSync(content.slice(3), join(folder, path));
    else writeFileSync(join(folder, path), content);
  }
  return folder;
}

const settings = { 'gantry.yaml': 'stack: p\n' };
const gvc = (name: string) => `kind: gvc\nname: ${name}\n`;

async function read(folder: string, paths: readonly string[] = ['.'], options: object = {}) {
  const inputs = await readInputs(paths, { ...quiet, cwd: folder, ...options });
  return {
    names: inputs.documents.map(({ value }) => String(Object(value).name)),
    problems: inputs.problems.map(renderProblem),
    notes: inputs.notes,
    scope: inputs.scope,
  };
}

describe('no file of a whole project is skipped silently', () => {
  test('suffixes are matched in any case', async () => {
    const folder = project({
      ...settings,
      'a.yaml': gvc('a'),
      'b.YAML': gvc('b'),
      'c.Yml': gvc('c'),
      'd.JSON': '{"kind": "gvc", "name": "d"}',
    });
    expect(await read(folder)).toEqual({ names: ['a', 'b', 'c', 'd'], problems: [], notes: [], scope: 'whole' });
    expect((await read(folder, ['b.YAML', 'd.JSON'])).names).toEqual(['b', 'd']);
    expect((await read(folder, ['*.YAML'])).names).toEqual(['b']);
  });

  test('links to files and folders are followed, inside and outside the project', async () => {
    const outside = project({ 'deep/x.yaml': gvc('x'), 'one.txt.yaml': gvc('one') });
    const folder = project({
      ...settings,
      'a.yaml': gvc('a'),
      linked: `-> ${outside}/deep`,
      'file.yaml': `-> ${outside}/one.txt.yaml`,
    });
    expect(await read(folder)).toEqual({ names: ['a', 'one', 'x'], problems: [], notes: [], scope: 'whole' });
  });

  test('a file with two names is read once, and a circle of links ends', async () => {
    const folder = project({
      ...settings,
      'real/a.yaml': gvc('a'),
      'real/back': '-> ..',
      self: '-> .',
      again: '-> real',
      'again.yaml': '-> real/a.yaml',
      'x/y': '-> ../z',
      'z/x': '-> ../x',
    });
    expect(await read(folder)).toEqual({ names: ['a'], problems: [], notes: [], scope: 'whole' });
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'leads to nothing', files: { gone: '-> nowhere' },
        says: 'gone:1:1  input.link  -  this link leads to nothing' },
      { it: 'leads to a missing manifest', files: { 'a.yaml': '-> nowhere.yaml' }, says: 'a.yaml:1:1  input.link' },
      { it: 'leads to itself', files: { a: '-> a' },
        says: 'a:1:1  input.link  -  this link cannot be followed: its links lead in a circle' },
      { it: 'leads above the project', files: { up: '-> ../..' },
        says: 'up:1:1  input.link  -  this link leads to a folder that holds' },
      { it: 'is a device', files: { 'a.yaml': '-> /dev/zero' },
        says: 'a.yaml:1:1  input.not-a-file  -  it is a device, not a file' },
    ],
  )('a link that $it is an error', async ({ files, says }) => {
    const { problems, names } = await read(project({ ...settings, 'm.yaml': gvc('m'), ...files }));
    expect(problems).toEqual([expect.stringContaining(says)]);
    expect(problems[0]).toContain('.gantryignore');
    expect(names).toEqual(['m']);
  });

  test('a link that .gantryignore names is ignored', async () => {
    const folder = project({ ...settings, 'a.yaml': gvc('a'), gone: '-> nowhere', '.gantryignore': 'gone\n' });
    expect(await read(folder)).toMatchObject({ names: ['a'], problems: [], notes: [] });
  });

  test('a pipe or a socket named like a manifest is an error, and is never waited for', async () => {
    const folder = project({ ...settings, 'a.yaml': gvc('a'), 'linked.yaml': '-> pipe' });
    execFileSync('mkfifo', [join(folder, 'pipe.yaml'), join(folder, 'pipe'), join(folder, '.gitignore')]);
    const server = createServer().listen(join(folder, 'socket.json'));
    await new Promise((resolve) => server.once('listening', resolve));
    const { problems } = await read(folder);
    server.close();
    expect(problems.map((line) => line.split('  ').slice(0, 4).join('  ')).sort()).toEqual([
      '.gitignore:1:1  input.unreadable  -  it is a pipe, not a file',
      'linked.yaml:1:1  input.not-a-file  -  it is a pipe, not a file',
      'pipe.yaml:1:1  input.not-a-file  -  it is a pipe, not a file',
      'socket.json:1:1  input.not-a-file  -  it is a socket, not a file',
    ]);
  });

  test.each([
    { name: 'gantry.yml', says: 'Rename it to gantry.yaml.' },
    { name: 'Gantry.YAML', says: 'Rename it to gantry.yaml.' },
    { name: 'stack.js', says: 'Write main: stack.js into gantry.yaml, or name the file itself.' },
    { name: 'Stack.ts', says: 'Write main: Stack.ts into gantry.yaml, or name the file itself.' },
  ])('$name is similar to a name that is searched for', async ({ name, says }) => {
    const { problems } = await read(project({ 'a.yaml': gvc('a'), [name]: 'stack: p\n' }));
    expect(problems).toEqual([expect.stringContaining(`${name}:1:1  input.name`)]);
    expect(problems[0]).toContain(says);
  });

  test('an unreadable gantry.yaml of a second path is an error', async () => {
    const folder = project({
      'one/gantry.yaml': 'stack: p\n',
      'two/gantry.yaml': 'stack: [\n',
      'two/a.yaml': gvc('a'),
    });
    const { problems } = await read(folder, ['one', 'two']);
    expect(problems).toEqual([expect.stringContaining('two/gantry.yaml:1:1  settings.file  -  line 2, column 1')]);
  });

  test('manifests with names that are skipped are listed in a note', async () => {
    const folder = project({
      ...settings,
      'a.yaml': gvc('a'),
      'off.yaml.disabled': gvc('off'),
      'old.yml~': gvc('old'),
      '.hidden.yaml': gvc('hidden'),
      '.k8s/b.yaml': gvc('b'),
      'dist/c.yaml': gvc('c'),
      'build/d.yaml': gvc('d'),
      'build/notes.json': '{"a": 1}',
      'inner/gantry.yaml': 'stack: inner\n',
      'inner/e.yaml': gvc('e'),
      'code/stack.ts': 'export default [];\n',
      'node_modules/x/f.yaml': gvc('f'),
      'drafts/g.yaml': gvc('g'),
      '.gitignore': 'build/\nnothing-here/\n',
      '.gantryignore': '/drafts\n',
      'template.yaml.tmpl': 'image: {{ image }}\n',
    });
    const { names, problems, notes } = await read(folder);
    expect({ names, problems }).toEqual({ names: ['a'], problems: [] });
    expect(notes).toEqual([
      'note: .hidden.yaml, .k8s/b.yaml, dist/c.yaml are not read: folders called dist and names that begin with a dot are skipped (.hidden.yaml, .k8s/, dist/); to read them, write !PATH into .gantryignore',
      'note: build/d.yaml is not read: .gitignore names build/; to read it, write !PATH into .gantryignore',
      'note: code/stack.ts is not read: it is a stack of its own',
      'note: drafts/g.yaml is not read: .gantryignore names drafts/',
      'note: inner is not read: it is a project of its own (gantry.yaml)',
      'note: off.yaml.disabled, old.yml~ are not read: their names do not end in .yaml, .yml or .json',
      expect.stringMatching(/^read 1 manifest from 1 file in /),
    ]);
  });

  test('.gantryignore can include files that are skipped by default', async () => {
    const folder = project({
      ...settings,
      '.gitignore': 'build/\n',
      '.gantryignore': '!build/\n!dist\n!.k8s\n',
      'build/a.yaml': gvc('a'),
      'dist/b.yaml': gvc('b'),
      '.k8s/c.yaml': gvc('c'),
    });
    expect(await read(folder)).toEqual({ names: ['c', 'a', 'b'], problems: [], notes: [], scope: 'whole' });
  });

  test('manifests beside the stack of a folder are listed in a note', async () => {
    const folder = project({
      'stack.ts': `export default [{ kind: 'gvc', name: 'typed' }];`,
      'package.json': '{"name": "p", "type": "module"}',
      'more.yaml': gvc('more'),
      'data.json': '{"name": "no manifest"}',
      'report.json':
        '{\n  "formatVersion": 1,\n  "changes": [\n    {\n      "kind": "gvc",\n      "name": "a"\n    }\n  ]\n}\n',
    });
    expect(await read(folder)).toMatchObject({
      names: ['typed'],
      notes: ['note: more.yaml is not read: of a folder with a stack only that stack is read'],
    });
  });

  test('a name that is not UTF-8 is an error', async () => {
    const folder = project({ ...settings, 'a.yaml': gvc('a') });
    mkdirSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x62, 0xff])]));
    expect((await read(folder)).problems).toEqual([expect.stringContaining('input.name  -  the name is not UTF-8')]);
  });

  test('unusual names are accepted', async () => {
    const folder = project({ ...settings, 'a b\n.yaml': gvc('a'), '[x].yaml': gvc('x'), '-.yaml': gvc('dash') });
    expect(await read(folder)).toMatchObject({ names: ['dash', 'x', 'a'], problems: [] });
  });

  test('a project without a manifest is noted, because everything would be deleted', async () => {
    const { notes, scope } = await read(project(settings));
    expect({ notes, scope }).toEqual({
      notes: [expect.stringMatching(/^note: there is no manifest in /)],
      scope: 'whole',
    });
  });
});

describe('ignore files', () => {
  test('of folders below and of the repository above apply, except to named files', async () => {
    const folder = project({
      '.gitignore': 'generated/\n*.local.yaml\n',
      'infra/a.yaml': gvc('a'),
      'infra/b.local.yaml': gvc('b'),
      'infra/sub/.gitignore': '!c.local.yaml\n/d.yaml\n',
      'infra/sub/c.local.yaml': gvc('c'),
      'infra/sub/d.yaml': gvc('d'),
      'infra/sub/deep/d.yaml': gvc('deep'),
      'infra/generated/e.yaml': gvc('e'),
    });
    mkdirSync(join(folder, '.git'));
    expect((await read(folder, ['infra'])).names).toEqual(['a', 'c', 'deep']);
    expect((await read(folder, ['infra/generated'])).names).toEqual(['e']);
    expect((await read(folder, ['infra/b.local.yaml'])).names).toEqual(['b']);
  });

  test('above the folder apply only within the same repository', async () => {
    const folder = project({ '.gitignore': '*\n', 'mine/a.yaml': gvc('a') });
    expect((await read(folder, ['mine'])).names).toEqual(['a']);
    mkdirSync(join(folder, 'mine/.git'));
    mkdirSync(join(folder, '.git'));
    expect((await read(folder, ['mine'])).names).toEqual(['a']);
  });
});

describe('a file that is not a manifest', () => {
  test('is not read, and has no note, if gantry.yaml names it as something else', async () => {
    const folder = project({ ...settings, 'a.yaml': gvc('a'), 'words.yaml': 'words: {scheme: quay}\n' });
    const options = { ...quiet, cwd: folder, aside: [join(folder, 'words.yaml')] };
    expect((await readInputs(['.'], options)).notes).toEqual([]);
    expect((await readInputs(['.'], { ...quiet, cwd: folder })).notes.join()).toContain('words.yaml is left out');
    expect((await readInputs(['words.yaml'], options)).documents).toHaveLength(1);
  });

  test.each([
    '{"version": 4, "resources": []}',
    '["red", "green"]',
    '[{"id": 1}]',
    '{"format": 1, "orgs": {"local": {"records": [{"kind": "gvc", "name": "a"}]}}}',
  ])('%s is skipped with a note, and is an error if named', async (text) => {
    const folder = project({ ...settings, 'a.yaml': gvc('a'), 'state.json': text });
    expect(await read(folder)).toMatchObject({
      names: ['a'],
      problems: [],
      notes: ['note: state.json is left out: nothing in it looks like a manifest', expect.stringContaining('read 1 ')],
    });
    const { notes } = await read(folder, ['state.json']);
    expect(notes).toEqual([]);
    expect((await readInputs(['.', 'state.json'], { ...quiet, cwd: folder })).documents).toHaveLength(2);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      'knid: gvc\n', 'Kind: gvc\nnme: a\n', 'name: a\n', 'spec: {}\n', 'gvc: shop\n',
      'items:\n  - {kind: gvc, name: a}\n', 'resource: {kind: gvc, name: a}\n', '- knid: gvc\n  nane: a\n',
      'kind gvc\n', '{}\n', 'a: 1\n---\nkind: gvc\nname: a\n', 'apiVersion: v1\nkind: ConfigMap\n',
    ],
  )('%j could be a manifest with a mistake, so it is read as one', async (text) => {
    const { documents, notes } = await readInputs(['.'], { cwd: project({ ...settings, 'a.yaml': text }), ...quiet });
    expect(documents.length).toBeGreaterThan(0);
    expect(notes).toEqual([]);
  });

  test('a loose folder with only such files is empty', async () => {
    const { problems } = await read(project({ 'state.json': '{"version": 4}' }));
    expect(problems).toEqual([expect.stringContaining('input.empty  -  there is no manifest in it')]);
  });

  test('a loose folder has a note with the number of its manifests', async () => {
    const { notes } = await read(project({ 'a.yaml': `${gvc('a')}---\n${gvc('b')}`, 'b/c.yaml': gvc('c') }));
    expect(notes).toEqual([expect.stringMatching(/^read 3 manifests from 2 files in /)]);
  });
});

describe('a search stops', () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}/a.yaml`, gvc(`g${index}`)]));

  test.each([
    { it: 'files and folders', bounds: { entries: 10 }, says: 'there are more than 10 files and folders' },
    { it: 'manifests', bounds: { manifests: 5 }, says: 'there are more than 5 manifest files' },
    { it: 'depth', bounds: { depth: 0 }, says: 'there are more than 0 folders in each other' },
  ])('at the limit of $it', async ({ bounds, says }) => {
    for (const path of ['.', '**/*.yaml']) {
      if (path !== '.' && 'depth' in bounds) continue; // A pattern has another limit.
      const { problems, names } = await read(project(many), [path], { bounds: { ...searchBounds, ...bounds } });
      expect(names).toEqual([]);
      expect(problems).toEqual([expect.stringContaining(`the search for manifests stopped here: ${says}`)]);
      expect(problems[0]).toContain('Name the folder of the project, or leave folders out with .gantryignore.');
    }
  });

  test('at its time limit', async () => {
    let time = 0;
    const now = () => (time += 10_000);
    const { problems } = await read(project(many), ['.'], { now });
    expect(problems).toEqual([expect.stringContaining('it took more than 60 s')]);
  });

  test('in a chain of links that grows', async () => {
    const folder = project({ ...settings, 'a.yaml': gvc('a') });
    const outside = project({ 'x/b.yaml': gvc('b') });
    symlinkSync(outside, join(folder, 'out'));
    symlinkSync(folder, join(outside, 'in'));
    expect(await read(folder)).toMatchObject({ names: ['a', 'b'], problems: [] });
  });

  test('before it reads a file that is too large, or files that are too large together', async () => {
    const folder = project({
      ...settings,
      'a.yaml': gvc('a'),
      'big.json': '',
      'l1.json': '',
      'l2.json': '',
      'l3.json': '',
    });
    truncateSync(join(folder, 'big.json'), 500 * 2 ** 20); // Without blocks on the disk.
    const before = process.memoryUsage().rss;
    expect((await read(folder)).problems).toContainEqual(
      expect.stringContaining('big.json:1:1  input.unreadable  -  it is larger than 64 MiB'),
    );
    expect((await read(folder, ['big.json'])).problems).toEqual([expect.stringContaining('it is larger than 64 MiB')]);
    rmSync(join(folder, 'big.json'));
    for (const name of ['l1', 'l2', 'l3']) truncateSync(join(folder, `${name}.json`), 60 * 2 ** 20);
    const together = (await read(folder)).problems.filter((line) => line.includes('input.too-many'));
    expect(together).toEqual([expect.stringContaining('all files together are larger than 128 MiB')]);
    expect(process.memoryUsage().rss - before).toBeLessThan(450 * 2 ** 20);
  });
});

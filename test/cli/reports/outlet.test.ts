import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openOutlets, unwritableBy, writeReport } from '../../../src/cli/output/reported.ts';
import { reportForms } from '../../../src/report/forms.ts';
import { changeOf, planReport, reportOf } from '../../report/makeReports.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const folder = temporaryFolder('reports');
let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(folder, 'test-'));
});

const error = { code: 'plan.refused', message: 'no', retry: 'no' };
const plan = {
  ...{ formatVersion: 1, org: 'acme', stack: 'shop', refused: false, changes: [], refusals: [], notes: [] },
  ...{ risk: 'none', requests: { snapshot: 1, apply: 0 }, summary: {} },
};
const drift = {
  ...{ formatVersion: 1, org: 'acme', stack: 'shop', drifted: false, declarationsKnown: true, resources: [] },
  ...{ requests: 3, summary: {} },
};
const explanation = {
  ...{ formatVersion: 1, org: 'acme', stack: 'shop', resource: 'gvc/shop', action: 'keep', reason: '' },
  ...{ requests: [], choices: [], fields: [] },
};

const open = (targets: readonly string[], taken?: string) => openOutlets(targets, { cwd, outFile: taken });

/** The only outlet of a target. */
async function openOne(target: string) {
  const [outlet] = await open([target]);
  if (outlet === undefined) throw new Error('one target has one outlet');
  return outlet;
}

test('two reports in the same file are refused, however the file is named', async () => {
  symlinkSync(cwd, join(cwd, 'link'));
  await expect(open(['a.json', './a.json'])).rejects.toMatchObject({ code: 'cli.usage' });
  await expect(open(['a.json', 'link/a.json'])).rejects.toMatchObject({ code: 'cli.usage' });
  await expect(open(['a.json', 'junit:a.json'])).rejects.toMatchObject({ code: 'cli.usage' });
  expect(await open(['a.json', 'b.json', 'a.xml'])).toHaveLength(3);
});

test('a report in the file of --out is refused', async () => {
  await expect(open(['json:shop.plan'], 'shop.plan')).rejects.toMatchObject({
    code: 'cli.usage',
    message: '--report shop.plan and --out shop.plan are the same file',
  });
});

// biome-ignore format: a row is a case
test.each<[string, string, () => void, string]>([
  ['a folder that does not exist', 'out/a.json', () => {}, 'its folder does not exist'],
  ['a folder', 'a.json', () => mkdirSync(join(cwd, 'a.json')), 'it is a folder'],
  ['a folder below a file', 'file/a.json', () => writeFileSync(join(cwd, 'file'), ''), 'a part of its path is a file'],
  ['a missing folder with a separator', `json:out${sep}`, () => {}, 'it is a folder'],
  ['a name that is too long for a file', `${'a'.repeat(300)}.json`, () => {}, 'its name is too long'],
  ['a circle of links', 'one.json',
    () => { symlinkSync('two.json', join(cwd, 'one.json')); symlinkSync('one.json', join(cwd, 'two.json')); },
    'its links lead in a circle'],
])('%s is an error before anything is done, and no file is left', async (_, file, prepare, why) => {
  prepare();
  const before = readdirSync(cwd);
  await expect(open([file])).rejects.toMatchObject({
    code: 'report.unwritable',
    message: `the report ${file.replace(/^json:/, '')} cannot be written: ${why}`,
    hint: expect.stringMatching(/^(?:Create|Give) .*--report/),
  });
  expect(readdirSync(cwd)).toEqual(before);
});

if (process.platform !== 'linux') console.warn('skipped: the file systems of these tests are those of Linux');
test.skipIf(process.platform !== 'linux')(
  'a file system without files is an error before anything is done',
  async () => {
    // No user can create a file here, not even root, whom permissions do not stop.
    await expect(open(['/proc/self/a.json'])).rejects.toMatchObject({
      code: 'report.unwritable',
      message: expect.stringMatching(/^the report \/proc\/self\/a\.json cannot be written: /),
    });
  },
);

test.skipIf(process.platform !== 'linux')(
  'a full disk is an error with a hint when the report is written',
  async () => {
    const outlet = await openOne('json:/dev/full');
    expect(() => writeReport(outlet, 'new')).toThrow(
      expect.objectContaining({
        code: 'report.unwritable',
        message: 'the report /dev/full cannot be written: no space is left on its disk',
        hint: 'Free some space, or give --report a file on another disk.',
      }),
    );
  },
);

test('every system error has its own explanation; an unknown one keeps the text of the system', () => {
  const said = (code: string) => unwritableBy(Object.assign(new Error(`${code}: by the system`), { code }), 'a.md');
  const codes = 'ENOENT ENOTDIR EISDIR EACCES EPERM EROFS ENOSPC EDQUOT ENXIO EMFILE';
  for (const code of codes.split(' ')) {
    expect(said(code).message, code).toMatch(/^the report a\.md cannot be written: [a-z -]+$/);
    expect(said(code).hint, code).toMatch(/\.$/);
  }
  expect(said('EIO').message).toBe('the report a.md cannot be written: EIO: by the system');
});

// biome-ignore format: a row is a case
test.each([
  ['a manifest', 'shop.json', '{"kind": "gvc", "name": "shop"}'],
  ['a saved plan', 'shop.json', '{\n  "gantry": "saved-plan",\n  "formatVersion": 1}'],
  ['a saved plan of another layout', 'shop.json', JSON.stringify({ ...plan, gantry: 'saved-plan' })],
  ['settings with one member of a plan', 'settings.json', '{"formatVersion": 1, "name": "mine"}'],
  ['a list of stacks', 'stacks.json', '{"stacks": ["shop", "data"]}'],
  ['stacks that are settings', 'stacks.json', '{"stacks": [{"name": "shop", "formatVersion": 1}]}'],
  ['stacks next to another member', 'stacks.json', '{"stacks": [], "owner": "me"}'],
  ['another valid document', 'valid.json', '{"valid": true, "resources": ["a"], "problems": []}'],
  ['an error of another tool', 'error.json', '{"error": "not found"}'],
  ['an error with a code of another tool', 'error.json', '{"error": {"code": 404, "message": "not found"}}'],
  ['an answer with an error', 'error.json', '{"error": {"code": "a.b", "message": "x", "retry": "no"}, "id": 7}'],
  ['a plan that lost a member', 'plan.json', JSON.stringify({ ...plan, summary: undefined })],
  ['a list', 'list.json', '[{"description": "milk"}]'],
  [
    'what another linter found',
    'lint.codequality.json',
    '[{"description": "x", "check_name": "no-var", "fingerprint": "1", "severity": "major", "location": {"path": "a"}}]',
  ],
  ['a truncated file', 'plan.json', '{"formatVersion": 1, "org": "acme", "stack": "shop", "changes": ['],
  ['a page of another tool', 'README.md', '# Shop\n'],
  ['a page that mentions a report', 'README.md', '# Shop\n<!-- gantry report stack=shop env=* -->\n'],
  ['a comment that looks like ours', 'README.md', '<!-- gantry report of last week -->\n# Shop\n'],
  [
    'a page with the same head',
    'index.html',
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="content-security-policy" content="">\n<title>Mine</title>\n',
  ],
  ['results that somebody called gantry', 'junit.xml',
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="gantry">\n<testsuite name="unit tests">'],
  ['results of another tool', 'junit.xml', '<?xml version="1.0"?>\n<testsuites name="vitest">'],
  ['what another tool found', 'lint.sarif',
    '{"$schema": "https://sarif", "runs": [{"tool": {"driver": {"name": "eslint"}}}]}'],
  [
    'what several tools found',
    'all.sarif',
    '{"$schema": "https://sarif", "runs": [{"tool": {"driver": {"name": "gantry"}}}, {"tool": {"driver": {"name": "eslint"}}}]}',
  ],
])('%s is not overwritten', async (_, file, text) => {
  writeFileSync(join(cwd, file), text);
  await expect(open([file])).rejects.toMatchObject({
    code: 'report.unwritable',
    message: expect.stringContaining('is not a report'),
  });
  expect(readFileSync(join(cwd, file), 'utf8')).toBe(text);
});

test.each(reportForms.map(({ name }) => name))(
  'a report as %s is overwritten, and so is an empty file',
  async (name) => {
    for (const report of [
      planReport({ changes: [changeOf({})] }, { document: plan }),
      reportOf({ problems: [problem], document: { error } }),
      reportOf({ problems: [problem], document: { ...plan, error } }),
      reportOf({ problems: [problem], document: { stacks: [plan, { error }], error } }),
      reportOf({ problems: [problem], document: { valid: false, resources: 1, problems: [] } }),
      reportOf({ document: drift }),
      reportOf({ document: explanation }),
      reportOf({ document: { stacks: [] } }),
    ]) {
      const outlet = await openOne(`${name}:report`);
      writeReport(outlet, outlet.render(report));
      for (const form of reportForms) expect(await open([`${form.name}:report`])).toHaveLength(1);
    }
  },
);

const problem = { file: 'a', line: 1, column: 1, rule: 'W12', path: '', message: 'x', severity: 'error' } as const;

test('checking a file neither creates nor changes it', async () => {
  const old = JSON.stringify({ error });
  writeFileSync(join(cwd, 'old.json'), old);
  await open(['old.json', 'new.json']);
  expect(readFileSync(join(cwd, 'old.json'), 'utf8')).toBe(old);
  expect(readdirSync(cwd)).toEqual(['old.json']);
});

test('a report replaces the previous one, through a link, and leaves no other file', async () => {
  writeFileSync(join(cwd, 'a.json'), '');
  symlinkSync(join(cwd, 'a.json'), join(cwd, 'link.json'));
  const outlet = await openOne('link.json');
  writeReport(outlet, 'new');
  expect(readFileSync(join(cwd, 'a.json'), 'utf8')).toBe('new');
  expect(readdirSync(cwd)).toEqual(['a.json', 'link.json']);
});

test('if its folder was deleted, a report is an error, and no folder is created', async () => {
  mkdirSync(join(cwd, 'out'));
  const outlet = await openOne('out/a.json');
  const gone = { ...outlet, path: join(cwd, 'elsewhere/a.json') };
  expect(() => writeReport(gone, 'new')).toThrow(expect.objectContaining({ code: 'report.unwritable' }));
  expect(existsSync(join(cwd, 'elsewhere'))).toBe(false);
});

test('a report can be written to a device, which stays one', async () => {
  const outlet = await openOne('json:/dev/null');
  writeReport(outlet, 'new');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

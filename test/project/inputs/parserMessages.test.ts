import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTokensFile } from '../../../src/cli/commands/serve.ts';
import { openPlanFile } from '../../../src/gantry/savedPlan/file.ts';
import { renderProblem } from '../../../src/manifest/model/locatedProblem.ts';
import { parseManifestText } from '../../../src/manifest/parseManifestText.ts';
import { readDocumentFile } from '../../../src/project/files/documentFile.ts';
import { readInputs } from '../../../src/project/inputs/readInputs.ts';
import { loadDialect } from '../../../src/project/platform/dialectFile.ts';
import { readSettingsFile } from '../../../src/project/settings/settingsFile.ts';
import { startCli } from '../../cli/process.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { brokenJson, brokenYaml, canary } from '../../manifest/text/brokenTexts.ts';
import { quiet } from '../../surroundings.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-broken-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All printable text of an error, with its causes. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const fields = 'hint' in error ? String(error.hint) : '';
  return [error.message, fields, error.stack, error.cause === undefined ? '' : wordsOf(error.cause)].join('\n');
}

const wordsOfFailure = (work: Promise<unknown>): Promise<string> => work.then(() => '', wordsOf);

test.each([
  { it: 'gantry.yaml', read: () => readSettingsFile(folder) },
  { it: 'a dialect', read: () => loadDialect(join(folder, 'gantry.yaml')) },
  { it: 'tokens', read: () => readTokensFile(join(folder, 'gantry.yaml'), 'local') },
  { it: 'faults, or a snapshot', read: () => readDocumentFile(join(folder, 'gantry.yaml'), '--faults') },
])('an unreadable file is refused without quoting it: $it', async ({ read }) => {
  let refused = 0;
  for (const text of [...brokenYaml, ...brokenJson]) {
    writeFileSync(join(folder, 'gantry.yaml'), text);
    const { problems } = parseManifestText({ text, file: '', format: 'yaml' });
    if (problems.length === 0) continue; // Legal YAML: the problem is not one of the parser.
    const words = await wordsOfFailure(read());
    expect(words).toMatch(/line \d+, column \d+: |:\d+:\d+: /);
    expect(words).not.toContain(canary);
    refused += 1;
  }
  expect(refused).toBeGreaterThan(70);
});

test('a truncated saved plan is refused without quoting it', async () => {
  const path = join(folder, 'cut.plan');
  writeFileSync(path, `{"gantry": "saved-plan", "plan": {"a": "${canary}`);
  const words = await wordsOfFailure(openPlanFile(path, { cwd: folder, environment: {} }));
  expect(words).toContain('this plan cannot be read');
  expect(words).not.toContain(canary);
});

test('unreadable standard input is refused without quoting it', async () => {
  for (const text of [...brokenYaml, ...brokenJson]) {
    const stdin = (async function* () {
      yield text;
    })();
    const { problems } = await readInputs(['-'], { ...quiet, cwd: folder, stdin });
    expect(problems.map(renderProblem).join('\n')).not.toContain(canary);
  }
});

test.each([
  { args: ['validate', '-'], input: `kind: secret\nname: a\npassword: !${canary}` },
  { args: ['plan', '-', '--embedded'], input: `kind: secret\nname: a\npassword: *${canary}` },
  { args: ['synth', '-', '-o', 'json'], input: `{"kind": "secret", "password": "${canary}" "x"}` },
])('$args quotes nothing of unreadable input', async ({ args, input }) => {
  const { code, stdout, stderr } = await inProcess(undefined, args, { cwd: mkdtempSync(join(folder, 'run-')), input });
  expect(code).toBe(1);
  expect(stderr + stdout).toContain('manifest.syntax');
  expect(stderr + stdout).not.toContain(canary);
});

test.each(['!', '*'])('gantry.yaml with a token that begins with %s is refused without quoting it', async (sign) => {
  const project = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(project, 'gantry.yaml'), `stack: a\ntoken: ${sign}${canary}\n`);
  const { code, stdout, stderr } = await inProcess(undefined, ['validate', '.'], { cwd: project });
  expect(code).toBe(1);
  expect(stderr).toContain('gantry.yaml:2:8: ');
  expect(stderr + stdout).not.toContain(canary);
});

test.each([
  { GANTRY_ENDPOINT: canary },
  { GANTRY_ENDPOINT: `https://user:${canary}@127.0.0.1:1` },
  { GANTRY_ENDPOINT: 'http://127.0.0.1:1', GANTRY_TOKEN: `${canary}\nx` },
  { GANTRY_ENDPOINT: 'http://127.0.0.1:1', GANTRY_TOKEN: `é${canary}` },
])('unusable settings of the environment are refused without their values: %j', async (env) => {
  const cwd = mkdtempSync(join(folder, 'env-'));
  const args = ['plan', '-', '--stack', 'a', '--org', 'o'];
  const { code, stdout, stderr } = await startCli(args, cwd, 'kind: group\nname: one\n', env).ended;
  expect(code).not.toBe(0);
  expect(stderr + stdout).toMatch(/^error \w+\./);
  expect(stderr + stdout).not.toContain(canary);
});

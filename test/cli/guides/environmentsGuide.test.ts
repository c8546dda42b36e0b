import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { settingsSchema } from '../../../src/project/settings/settingsFile.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { usePlatform } from '../../e2e/harness/usePlatform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const guide = readFileSync(new URL('../../../docs/environments.md', import.meta.url), 'utf8');
const cwd = temporaryFolder('environments');
const platform = usePlatform();

function block(fence: string): string {
  const [, text = ''] = new RegExp(`^\`\`\`${fence}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide) ?? [];
  expect(text).not.toBe('');
  return text;
}

function writeGuide(change: (settings: string) => string = (settings) => settings): void {
  writeFileSync(
    join(cwd, 'gantry.yaml'),
    change(block('yaml gantry.yaml')).replaceAll(/^ {4}(?:org|endpoint): .*\n/gm, ''),
  );
  writeFileSync(join(cwd, 'app.yaml'), block('yaml app.yaml'));
}

function run(...args: readonly string[]) {
  return inProcess(platform, args, { cwd });
}

test('every command of the guide does what the guide says', async () => {
  writeGuide();
  const lines = block('sh').trim().split('\n');
  expect(lines.length).toBe(5);
  for (const line of lines) {
    const args = line
      .split(' ')
      .slice(2)
      .filter((word) => word !== '--embedded');
    const { code } = await run(...args);
    expect([line, code]).toEqual([line, 0]);
  }
  expect(readFileSync(join(cwd, 'gantry.yaml'), 'utf8')).toContain('tag: 1.10 # carried over by gantry promote\n');
});

test('the settings of the guide are valid by the JSON Schema of gantry.yaml, and a misspelt one is not', () => {
  const validate = new Ajv2020({ strict: false }).compile(settingsSchema({}));
  expect([validate(load(block('yaml gantry.yaml'))), validate.errors]).toEqual([true, null]);
  expect(validate({ environments: { prod: { limits: { 'max-delete': 1 } } } })).toBe(false);
});

test('a limit refuses with its path despite flags; a saved plan obeys the limits at planning and the current ones', async () => {
  writeGuide((settings) => settings.replace('max-risk: downtime', 'max-changes: 0'));
  writeFileSync(join(cwd, 'more.yaml'), 'kind: group\nname: more\n');
  const refused = await run('plan', '--env', 'prod', '--max-changes', '10');
  expect(refused.code).toBe(3);
  expect(refused.stdout).toContain('refused limit.max-changes: gantry.yaml: environments.prod.limits.max-changes: ');

  writeGuide();
  expect((await run('plan', '--env', 'prod', '--out', 'prod.plan')).code).toBe(0);
  const other = await run('apply', 'prod.plan', '--env', 'dev', '--yes');
  expect(other.stderr).toContain('saved.other-environment: this plan is for the environment prod, not dev');
  writeGuide((settings) => settings.replace('max-risk: downtime', 'max-changes: 0'));
  const late = await run('apply', 'prod.plan', '--yes');
  expect([late.code, late.stdout]).toEqual([3, expect.stringContaining('refused limit.max-changes: ')]);
  writeGuide((settings) => settings.replace('max-risk: downtime', 'rehearsal: required'));
  const unrehearsed = await run('apply', 'prod.plan', '--yes');
  expect([unrehearsed.code, unrehearsed.stdout]).toEqual([3, expect.stringContaining('refused limit.rehearsal: ')]);
  expect((await run('plan', '--env', 'prod')).stdout).toContain(
    'note: at the time of planning, an apply would be refused: ',
  );
  writeGuide();
  expect((await run('apply', 'prod.plan', '--yes')).code).toBe(0);
});

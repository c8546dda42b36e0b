import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { errorSchema } from '../../src/kinds/errorSchema.ts';
import { OneDocument, outputFormatOf } from '../../src/terminal/answer.ts';
import { errorToJson } from '../../src/terminal/errorDocument.ts';
import { exitCode } from '../../src/terminal/exitCode.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { listenOnLoopback } from '../harness/loopback.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { startCli } from './process.ts';

const root = temporaryFolder('errors');
const valid = new Ajv2020({ strict: false }).compile(errorSchema);

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return name;
}

const cli = (args: readonly string[], cwd: string) => inProcess(undefined, args, { cwd });
const group = 'kind: group\nname: readers\n';
folder('good', { 'gantry.yaml': 'stack: good\n', 'group.yaml': group });
folder('nameless', { 'group.yaml': group });
folder('bad', {
  'gantry.yaml': 'stack: bad\n',
  'group.yaml': 'kind: group\nname: readers\ndescripton: x\n---\nkind: nothing\nname: y\n',
});
folder('settings', { 'gantry.yaml': 'stakc: x\n', 'group.yaml': group });
folder('throws', { 'gantry.yaml': 'stack: throws\n', 'stack.ts': "throw new Error('the moon is full');\n" });
folder('taken', { 'gantry.yaml': 'stack: taken\n', 'group.yaml': group });
const here = ['--embedded', '--data', 'data'];
const somewhere = ['--org', 'acme', '--endpoint', 'http://127.0.0.1:9'];

interface Case {
  readonly it: string;
  readonly args: readonly string[];
  readonly code: number;
  readonly error: Readonly<Record<string, unknown>>;
}

const misspelt = {
  code: 'shape.unknown-field',
  message: expect.stringContaining('descripton'),
  resource: 'group/readers',
  place: { file: 'bad/group.yaml', line: 3, column: 1 },
};
const invalid = {
  code: 'input.invalid',
  retry: 'no',
  causes: expect.arrayContaining([expect.objectContaining(misspelt)]),
};

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { it: 'no command', args: [], code: 64, error: { code: 'cli.usage', message: 'no command is given' } },
  { it: 'an unknown command', args: ['plna'], code: 64, error: { code: 'cli.usage', hint: 'Did you mean plan?' } },
  { it: 'an unknown option', args: ['plan', '--bogus'], code: 64,
    error: { code: 'cli.usage', message: "unknown option '--bogus' of gantry plan" } },
  { it: 'an invalid value', args: ['plan', '--max-deletes', 'x'], code: 64, error: { code: 'cli.usage' } },
  { it: 'one argument too many', args: ['schema', 'gvc', 'x'], code: 64, error: { code: 'cli.usage' } },
  { it: 'an unknown schema', args: ['schema', 'x'], code: 64, error: { code: 'cli.usage' } },
  { it: 'nothing to adopt', args: ['adopt'], code: 64, error: { code: 'cli.usage' } },
  { it: 'a file that is no saved plan', args: ['undo', 'good/group.yaml'], code: 64, error: { code: 'cli.usage' } },
  { it: 'no stack', args: ['plan', 'nameless', ...somewhere], code: 1, error: { code: 'settings.stack' } },
  { it: 'no org', args: ['plan', 'good', '--endpoint', 'http://x'], code: 1, error: { code: 'settings.org' } },
  { it: 'no platform', args: ['plan', 'good', '--org', 'acme'], code: 1, error: { code: 'settings.endpoint' } },
  { it: 'a wrong gantry.yaml', args: ['plan', 'settings', ...here], code: 1,
    error: { code: 'settings.file', place: { file: expect.stringContaining('settings/gantry.yaml') } } },
  { it: 'a file that does not exist', args: ['plan', 'absent.yaml', '--stack', 'x', ...here], code: 1,
    error: { code: 'input.invalid', causes: [{ code: 'input.missing', place: { file: 'absent.yaml' } }] } },
  { it: 'a stack that throws', args: ['synth', 'throws'], code: 1, error: { code: 'input.invalid', causes: [
    { code: 'stack.throws', message: expect.stringContaining('the moon is full'), place: { file: 'throws/stack.ts' } },
  ] } },
  ...['validate', 'plan', 'apply', 'synth', 'graph', 'drift'].map((command) =>
    ({ it: `${command} of wrong manifests`, args: [command, 'bad', '--embedded'], code: 1, error: invalid })),
  { it: 'explain of wrong manifests', args: ['explain', 'bad', 'group/readers', ...here], code: 1, error: invalid },
  { it: 'an unknown resource', args: ['explain', 'good', 'group/absent', ...here], code: 1,
    error: { code: 'explain.unknown-resource' } },
  { it: 'no permission to write', args: ['apply', 'good', ...here], code: 1,
    error: { code: 'apply.not-confirmed', retry: 'no' } },
  { it: 'serve with a wrong file', args: ['serve', '--data', 'd', '--tokens', 'absent'], code: 1, error: {} },
  { it: 'serve with forms of answers that do not exist', args: ['serve', '--data', ':memory:', '--answers', 'x'], code: 64,
    error: { code: 'cli.usage' } },
];

describe('a failure is one document on standard output, and text on standard error', () => {
  test.each(cases)('$it', async ({ args, code, error }) => {
    const json = await cli([...args, '-o', 'json'], root);
    expect(json.code, json.stderr).toBe(code);
    const document: unknown = JSON.parse(json.stdout);
    expect(valid(document), JSON.stringify(valid.errors)).toBe(true);
    expect(document).toMatchObject({ error: { message: expect.any(String), ...error } });
    expect(json.stderr).toMatch(/./);
  });

  test.each(cases.filter((_, index) => index % 4 === 2))('$it, as YAML', async ({ args, code, error }) => {
    const yaml = await cli(['--output=yaml', ...args], root);
    expect(yaml.code).toBe(code);
    expect(load(yaml.stdout)).toMatchObject({ error: { message: expect.any(String), ...error } });
  });

  test('serve with a port that is in use', async () => {
    const taken = createServer();
    const port = String(await listenOnLoopback(taken));
    const { code, stdout } = await cli(['serve', '--data', 'serve', '--port', port, '-o', 'json'], root);
    taken.close();
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'server.listen' } });
  });

  test('serve prints its address as a document, and nothing after it', async () => {
    const running = startCli(['serve', '--data', ':memory:', '--port', '0', '-o', 'json'], root);
    await running.line(/^}$/);
    running.child.kill('SIGTERM');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    const { url, console: page, ...others } = JSON.parse(stdout);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([page, others]).toEqual([`${url}/-console`, {}]);
  });

  test('a success has no error', async () => {
    const { code, stdout } = await cli(['plan', 'good', ...here, '--detailed-exitcode', '-o', 'json'], root);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).not.toHaveProperty('error');
  });

  test('a missing confirmation is an error next to the plan, which is printed once', async () => {
    const { code, stdout } = await cli(['apply', 'good', ...here, '-o', 'json'], root);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [{ id: 'group/readers', action: 'create' }],
      error: {
        code: 'apply.not-confirmed',
        message: 'confirmation needed, but there is no terminal, or --no-input was given; nothing was changed',
        hint: 'Review the plan, then add --yes.',
      },
    });
  });

  test('a refused plan is the document, with its refusals as causes, and the exit code is 3', async () => {
    expect((await cli(['apply', 'taken', ...here, '--yes'], root)).code).toBe(0);
    for (const args of [['plan'], ['plan', '--detailed-exitcode'], ['apply', '--yes']]) {
      const { code, stdout, stderr } = await cli([...args, 'taken', '--stack', 'other', ...here, '-o', 'json'], root);
      expect(code).toBe(3);
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toMatchObject({
        refused: true,
        error: {
          code: 'plan.refused',
          retry: 'no',
          causes: [{ code: 'owner.other', resource: 'group/readers', hint: expect.stringContaining('To permit it: ') }],
        },
      });
    }
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s before anything was written: 130 and one document',
    async (signal) => {
      const quiet = createServer(() => {});
      const endpoint = `http://127.0.0.1:${await listenOnLoopback(quiet)}`;
      const asked = new Promise((resolve) => quiet.once('connection', resolve));
      const running = startCli(['plan', 'good', '--org', 'acme', '--endpoint', endpoint, '-o', 'json'], root);
      await asked;
      running.child.kill(signal);
      const { code, stdout } = await running.ended;
      quiet.close();
      expect(code).toBe(130);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'cli.interrupted', retry: 'run-again' } });
    },
  );
});

test('an internal error has the code internal, whatever was thrown', () => {
  expect(errorToJson(new TypeError('x is undefined'), exitCode.failed)).toMatchObject({
    code: 'internal',
    message: 'TypeError: x is undefined',
    retry: 'no',
  });
  expect(valid({ error: errorToJson(null, exitCode.failed) })).toBe(true);
});

describe('OneDocument', () => {
  async function printed(format: 'text' | 'json', use: (answer: OneDocument) => void | Promise<void>): Promise<string> {
    let text = '';
    const answer = new OneDocument(format, (more) => {
      text += more;
    });
    await use(answer);
    return text;
  }
  const error = { code: 'x.y', message: 'm', retry: 'no' };

  test.each([
    { it: 'the result', result: { a: 1 }, failed: undefined, document: { a: 1 } },
    { it: 'the error next to the result', result: { a: 1 }, failed: error, document: { a: 1, error } },
    { it: 'the error instead of a list', result: [1], failed: error, document: { error } },
    { it: 'the error only', result: undefined, failed: error, document: { error } },
  ])('prints $it', async ({ result, failed, document }) => {
    const text = await printed('json', async (answer) => {
      if (result !== undefined) answer.document(result);
      await answer.close(failed);
      await answer.close(failed);
      answer.closeNow(error, () => expect.fail('it was printed before'));
    });
    expect(JSON.parse(text)).toEqual(document);
  });

  test('prints nothing for text output', async () => {
    expect(
      await printed('text', async (answer) => {
        answer.document({ a: 1 });
        await answer.close(error);
      }),
    ).toBe('');
  });
});

test.each([
  { args: ['plan', '-o', 'json'], format: 'json' },
  { args: ['-ojson', 'plan'], format: 'json' },
  { args: ['plan', '--output', 'yaml', '--bogus'], format: 'yaml' },
  { args: ['--output=json', '-o', 'text'], format: 'text' },
  { args: ['plan', '-o'], format: 'text' },
  { args: ['plan', '-o', 'xml'], format: 'text' },
  { args: ['plan', '--', '-o', 'json'], format: 'text' },
  { args: ['plan', '--stack', 'json'], format: 'text' },
])('the output format of $args is $format', ({ args, format }) => {
  expect(outputFormatOf(args)).toBe(format);
});

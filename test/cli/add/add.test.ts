import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { pascal } from '../../../scripts/interfaces/forms.ts';
import { manifestOf, programOf } from '../../../src/cli/commands/addTemplate.ts';
import { templateNames } from '../../../src/cli/commands/initTemplates.ts';
import { snippetSchema } from '../../../src/cli/schemas/commands.ts';
import { creatableKinds, isGvcScoped } from '../../../src/schema/record/kinds.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { sampled } from '../../harness/sampled.ts';
import { succeeded } from '../../outcome.ts';
import { compile } from '../../types/compile.ts';
import { linkPackages, useProjectFolder } from '../projectFolder.ts';

const project = useProjectFolder('add');
const { read, run, write } = project;
const gvcYaml = 'kind: gvc\nname: shop\nspec: {}\n';

/** The result of `gantry add` for each kind. */
async function addEach(
  format: 'ts' | 'yaml',
  cwd = project.path,
): Promise<ReadonlyMap<string, { file: string; next: readonly string[] }>> {
  const added = new Map<string, { file: string; next: readonly string[] }>();
  for (const kind of creatableKinds) {
    // The manifest of a domain leads to this workload.
    const args = ['add', kind, ...(kind === 'workload' ? ['web'] : []), '--format', format, '-o', 'json'];
    const { stdout } = await succeeded(inProcess(undefined, args, { cwd }));
    const result: { file: string; next: readonly string[] } = JSON.parse(stdout);
    added.set(kind, result);
  }
  return added;
}

describe('every kind', () => {
  test('as manifests: all are valid together, in the GVC that the project declares', async () => {
    write('gantry.yaml', 'stack: shop\n');
    write('a.yaml', gvcYaml);
    const added = await addEach('yaml');
    const manifests = [...added.values()].map(({ file }) => Object(load(readFileSync(file, 'utf8'))));
    expect(manifests.map(({ kind }) => kind)).toEqual(creatableKinds);
    for (const { kind, gvc } of manifests) expect(gvc, kind).toBe(isGvcScoped(kind) ? 'shop' : undefined);

    const { stdout, stderr } = await run(['validate', '.']);
    expect(stdout + stderr).toBe(`${creatableKinds.length + 1} resources are valid\n`);
  });

  test('as TypeScript: all compile and make the same resources as the manifests', async () => {
    write('gantry.yaml', 'stack: shop\n');
    write('a.yaml', gvcYaml);
    await addEach('yaml');
    const expected = await synthesized();

    const inCode = join(project.path, 'code');
    linkPackages(inCode);
    write('code/package.json', '{"type": "module"}');
    const code = [...(await addEach('ts', inCode)).values()];
    const calls = code.map(({ next }) => next[1] ?? '');
    expect(calls).toContain('addWebWorkload(gvc);');
    const body = [
      'const app = new App();',
      `const stack = new Stack(app, 'shop');`,
      `const gvc = new Gvc(stack, 'shop');`,
      'const workload = addWebWorkload(gvc);',
      ...calls.filter((call) => call !== 'addWebWorkload(gvc);'),
      'export default app;',
      '',
    ].join('\n');
    // The compiler gets one file with all of the code, Node the separate files.
    const texts = code.map(({ file }) => readFileSync(file, 'utf8').replaceAll(/^import .*$/gm, ''));
    const classes = creatableKinds.map((kind) => pascal(kind)).filter((name) => name !== 'Gvc');
    const program = `import { App, Gvc, Stack, ${classes.join(', ')} } from 'gantry';\n${texts.join('')}${body}`;
    expect((await compile(new Map([['stack', program]]))).get('stack')).toBe('');

    const imports = code.map(({ next }) => next[0] ?? '').join('\n');
    write('code/gantry.yaml', 'stack: shop\nmain: main.ts\n');
    write('code/main.ts', `import { App, Gvc, Stack } from 'gantry';\n${imports}\n${body}`);
    expect(await synthesized(inCode)).toEqual(expected);
  });
});

test('a kind without templates gets the manifest of its example, and the equivalent program', async () => {
  write('gantry.yaml', 'stack: shop\n');
  const programs = new Map<string, string>();
  for (const kind of creatableKinds) {
    const manifest = await manifestOf(kind);
    const name = kind === 'domain' ? 'shop.example.com' : 'sample';
    write(`${kind}.yaml`, manifest.replaceAll('sample-gvc', 'shop').replace('name: sample', `name: ${name}`));
    programs.set(kind, programOf(kind, manifest));
  }
  const { stdout, stderr } = await run(['validate', '.']);
  expect(stdout + stderr).toBe(`${creatableKinds.length} resources are valid\n`);
  const wrong = [...(await compile(programs))].filter(([, message]) => message !== '');
  expect(wrong).toEqual([]);
});

/** The resources of the project in canonical order. */
async function synthesized(cwd = project.path): Promise<unknown> {
  const synth = inProcess(undefined, ['synth', '.', '--reveal', '-o', 'json'], { cwd });
  return JSON.parse((await succeeded(synth)).stdout);
}

test('the file is named after kind and name, and its use is printed', async () => {
  write('tsconfig.json', '{}');
  const { code, stdout } = await run(['add', 'workload', 'api-v2']);
  expect(code).toBe(0);
  expect(stdout).toBe(`created  workload-api-v2.ts

Use it in the stack:
  import { addApiV2Workload } from './workload-api-v2.ts';
  addApiV2Workload(gvc);
`);
  expect(read('workload-api-v2.ts')).toContain(`new Workload(gvc, 'api-v2', {`);
});

describe('in a new project', () => {
  const addAll = async () => {
    const lines: string[][] = [];
    for (const kind of creatableKinds) lines.push(JSON.parse((await run(['add', kind, '-o', 'json'])).stdout).next);
    return lines;
  };

  test.each(
    sampled(
      templateNames.filter((name) => name !== 'yaml'),
      0,
      1,
    ),
  )('from %s, the stack with the printed lines of every kind can be planned', async (template) => {
    linkPackages(project.path);
    await run(['init', template, '--name', 'orders']);
    const lines = await addAll();
    const calls = lines.map(([, call = '']) => call);
    const remark = ' // First give your Workload a name: const workload = …';
    expect(calls.filter((call) => call.includes('//'))).toEqual([`addWwwExampleComDomain(stack, workload);${remark}`]);
    const stack = read('stack.ts').replace(/^(?=add)/m, 'const workload = ');
    write('stack.ts', [...lines.map(([first = '']) => first), stack, ...calls].join('\n'));
    const { code, stdout, stderr } = await run(['plan', '.', '--embedded']);
    expect(code, stderr).toBe(0);
    for (const kind of creatableKinds) expect(stdout).toMatch(new RegExp(`^ *\\+ ${kind}/`, 'm'));
  });

  test('of manifests, those of every kind can be planned', async () => {
    await run(['init', 'yaml', '--name', 'orders']);
    await addAll();
    const { code, stdout, stderr } = await run(['plan', '.', '--embedded']);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Plan: ${creatableKinds.length + 2} to create`, 'm'));
  });
});

test.each([
  {
    it: 'its name',
    stack: 'const a = new Gvc(stack);\nexport const gvc = make();',
    call: 'addViewersPolicy(stack, gvc);',
  },
  { it: 'its type', stack: 'const shop: Gvc = new Gvc(stack);', call: 'addViewersPolicy(stack, shop);' },
])('the use names the variable of the stack file by $it', async ({ stack, call }) => {
  write('stack.ts', `const stack = new Stack(app);\n${stack}\n`);
  expect((await run(['add', 'policy'])).stdout).toContain(`\n  ${call}\n`);
});

test('a project of manifests gets a manifest; its document follows the schema', async () => {
  write('a.yaml', gvcYaml);
  const { code, stdout } = await run(['add', 'identity', '-o', 'json']);
  expect(code).toBe(0);
  const result = JSON.parse(stdout);
  const check = new Ajv2020({ strict: false }).compile(snippetSchema);
  check(result);
  expect(check.errors).toBeNull();
  const file = join(project.path, 'identity-backend.yaml');
  const next = ['npx gantry validate .'];
  expect(result).toEqual({ kind: 'identity', name: 'backend', format: 'yaml', file, next });
  expect(load(read('identity-backend.yaml'))).toMatchObject({ kind: 'identity', name: 'backend', gvc: 'shop' });
});

test.each([
  { it: '--gvc', settings: 'gvc: other\n', args: ['--gvc', 'main'], gvc: 'main' },
  { it: 'the settings', settings: 'gvc: other\n', args: [], gvc: 'other' },
  { it: 'the name of the stack, if no GVC is declared', settings: 'stack: My-Stack\n', args: [], gvc: 'my-stack' },
])('a manifest names the GVC of $it', async ({ settings, args, gvc }) => {
  write('gantry.yaml', settings);
  const { code, stderr } = await run(['add', 'volumeset', '--format', 'yaml', ...args]);
  expect(code, stderr).toBe(0);
  expect(load(read('volumeset-files.yaml'))).toMatchObject({ gvc });
});

test('the next command names a folder whose name has spaces', async () => {
  write('my shop/a.yaml', gvcYaml);
  const { stdout } = await run(['add', 'identity', '--dir', 'my shop']);
  expect(stdout).toContain("\n  npx gantry validate 'my shop'\n");
});

test('the next command names a manifest that the stack file beside it does not read', async () => {
  write('stack.ts', 'export {};\n');
  const { stdout } = await run(['add', 'group', '--format', 'yaml']);
  expect(stdout).toMatch(/created {2}(\S+\.yaml)\n.*\n {2}npx gantry validate \1\n/s);
});

test('a name that YAML could parse as another type is quoted', async () => {
  const { code, stderr } = await run(['add', 'group', 'null', '--format', 'yaml']);
  expect(code, stderr).toBe(0);
  expect(load(read('group-null.yaml'))).toMatchObject({ name: 'null' });
});

describe('add writes nothing', () => {
  test('over a file that exists', async () => {
    write('workload-api.ts', 'mine');
    const { code, stderr } = await run(['add', 'workload', '--format', 'ts']);
    expect(code).toBe(1);
    expect(stderr).toContain('error add.exists: ');
    expect(read('workload-api.ts')).toBe('mine');
  });

  test.each([
    {
      args: ['add', 'worklod'],
      says: 'there is no kind "worklod" that can be created\n  hint: Did you mean workload?',
    },
    { args: ['add', 'user'], says: 'Available: agent, auditctx' },
    { args: ['add', 'workload', 'My Web'], says: 'this cannot be its name: ' },
    { args: ['add', 'workload', '../web'], says: 'this cannot be its name: ' },
    { args: ['add', 'domain', 'not a host'], says: 'this cannot be its name: ' },
  ])('for a usage error: $args', async ({ args, says }) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(64);
    expect(stderr).toContain(says);
    expect(readdirSync(project.path)).toEqual([]);
  });

  test('in a folder that does not exist', async () => {
    const { code, stderr } = await run(['add', 'workload', '--dir', 'nowhere']);
    expect(code).toBe(1);
    expect(stderr).toContain('error add.files: ');
  });
});

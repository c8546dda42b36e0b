import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { driftsSchema, plansSchema, statusesSchema } from '../../../src/cli/schemas/plans.ts';
import { remembering } from '../../e2e/harness/rememberedStacks.ts';
import { succeeded } from '../../outcome.ts';
import { makeStackFolder } from './stackFolder.ts';

const made = makeStackFolder();
/** Each test begins with an empty platform; a stack program that an earlier test has run is not run again. */
const folder: typeof made = { ...made, run: (args, env = {}) => made.run(args, { [remembering]: 'yes', ...env }) };
afterEach(() => {
  for (const left of ['.gantry', 'gantry.yaml']) rmSync(join(folder.path, left), { recursive: true, force: true });
});
afterAll(() => folder.remove());

const app = `import { App, Environments, Gvc, Identity, Stack } from 'gantry';
const app = new App();
`;

/** `shop`, which is created first, needs the GVC of `network`. */
const shopOnNetwork = `${app}const shop = new Stack(app, 'shop');
const network = new Stack(app, 'network');
const gvc = new Gvc(network, 'europe');
new Identity(shop, 'api', { gvc });
`;

const embedded = ['--embedded', '--data', '.gantry'];

interface PlanDocument {
  readonly stack: string;
  readonly changes: readonly { readonly id: string; readonly action: string }[];
}

function actionsOf({ stack, changes }: PlanDocument): string {
  return `${stack}: ${changes.map(({ action, id }) => `${action} ${id}`).join(', ')}`;
}

describe('an app with several stacks', () => {
  test('is planned stack by stack, in the order of their references', async () => {
    folder.write('stack.ts', shopOnNetwork);
    const { code, stdout, stderr } = await folder.run(['plan', '--all', ...embedded, '-o', 'json']);
    expect(code, stderr).toBe(0);
    const { stacks } = JSON.parse(stdout);
    const check = new Ajv2020({ strict: false }).compile(plansSchema);
    expect(check({ stacks }), JSON.stringify(check.errors)).toBe(true);
    expect(stacks.map(actionsOf)).toEqual(['network: create gvc/europe', 'shop: create identity/europe/api']);
  });

  test('is applied and destroyed as separate deployments', async () => {
    folder.write('stack.ts', shopOnNetwork);
    const applied = await succeeded(folder.run(['apply', '--all', ...embedded, '--yes', '-o', 'json']));
    expect(JSON.parse(applied.stdout).stacks.map(actionsOf)).toEqual([
      'network: create gvc/europe',
      'shop: create identity/europe/api',
    ]);

    const again = await succeeded(folder.run(['plan', 'network', ...embedded, '--detailed-exitcode']));
    expect(again.stdout).toContain('network');

    const destroyed = await succeeded(folder.run(['destroy', '--all', ...embedded, '--yes', '-o', 'json']));
    expect(JSON.parse(destroyed.stdout).stacks.map(actionsOf)).toEqual([
      'shop: delete identity/europe/api',
      'network: delete gvc/europe',
    ]);
  });

  test('has one document with the status and drift of each', async () => {
    folder.write('stack.ts', shopOnNetwork);
    await succeeded(folder.run(['apply', '--all', ...embedded, '--yes']));
    const by = ['--set', 'description=by hand', ...embedded];
    await succeeded(folder.run(['identity', 'update', 'api', '--gvc', 'europe', ...by]));

    const drift = await folder.run(['drift', '--all', ...embedded, '--detailed-exitcode', '-o', 'json']);
    expect(drift.code, drift.stderr).toBe(2);
    const drifts: { readonly stacks: readonly { readonly stack: string; readonly drifted: boolean }[] } = JSON.parse(
      drift.stdout,
    );
    expect(drifts.stacks.map(({ stack, drifted }) => [stack, drifted])).toEqual([
      ['network', false],
      ['shop', true],
    ]);
    const check = new Ajv2020({ strict: false });
    expect(check.validate(driftsSchema, drifts), JSON.stringify(check.errors)).toBe(true);

    const status = await succeeded(folder.run(['status', '--all', ...embedded, '-o', 'json']));
    const statuses = JSON.parse(status.stdout);
    expect(statuses.stacks.map(({ stack }: { readonly stack: string }) => stack)).toEqual(['network', 'shop']);
    expect(check.validate(statusesSchema, statuses), JSON.stringify(check.errors)).toBe(true);
  });

  test('has one report with the drift of all, with a section for each', async () => {
    folder.write('stack.ts', shopOnNetwork);
    await succeeded(folder.run(['apply', '--all', ...embedded, '--yes']));
    const by = ['--set', 'description=by hand', ...embedded];
    await succeeded(folder.run(['identity', 'update', 'api', '--gvc', 'europe', ...by]));
    await succeeded(folder.run(['drift', '--all', ...embedded, '--report', 'drift.md', '--report', 'drift.xml']));
    const report = readFileSync(join(folder.path, 'drift.md'), 'utf8');
    expect(report.match(/^#### Stack `\w+`$/gm)).toEqual(['#### Stack `network`', '#### Stack `shop`']);
    expect(report).toContain('Drift: something changed outside of the code.');
    expect(report.indexOf('identity/europe/api')).toBeGreaterThan(report.indexOf('#### Stack `shop`'));
    expect(readFileSync(join(folder.path, 'drift.xml'), 'utf8')).toContain('drift.touched identity/europe/api');
  });

  test.each([
    { it: 'by its name', args: ['network'], plans: 'network: create gvc/europe' },
    { it: 'behind the file', args: ['stack.ts/network'], plans: 'network: create gvc/europe' },
    { it: 'behind the folder', args: ['./network'], plans: 'network: create gvc/europe' },
    { it: 'by --stack', args: ['--stack', 'network'], plans: 'network: create gvc/europe' },
  ])('can be limited to one of them $it', async ({ args, plans }) => {
    folder.write('stack.ts', shopOnNetwork);
    const { code, stdout, stderr } = await folder.run(['plan', ...args, ...embedded, '-o', 'json']);
    expect(code, stderr).toBe(0);
    expect(actionsOf(JSON.parse(stdout))).toBe(plans);
  });

  test.each([
    { it: 'no stack is chosen', args: ['plan', '.'], code: 'stack.choose', says: 'network, shop' },
    { it: 'no stack is chosen', args: ['status', '.'], code: 'stack.choose', says: 'network, shop' },
    { it: 'no stack is chosen', args: ['drift', '.'], code: 'stack.choose', says: 'network, shop' },
    { it: 'no stack is chosen', args: ['destroy', '.', '--yes'], code: 'stack.choose', says: 'network, shop' },
    { it: 'an unknown name', args: ['plan', '.', '--stack', 'net'], code: 'stack.unknown', says: '"net"' },
  ])('refuses $args: $it', async ({ args, code, says }) => {
    folder.write('stack.ts', shopOnNetwork);
    const { stdout } = await folder.run([...args, ...embedded, '-o', 'json']);
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code });
    expect(`${error.message} ${error.hint}`).toContain(says);
  });

  test.each([
    { it: 'for all', text: '# ours\nstack: shop\n', line: 2, env: [] },
    { it: 'for an environment', text: 'environments:\n  dev:\n    stack: shop\n', line: 3, env: ['--env', 'dev'] },
  ])('reports the line of gantry.yaml that names one stack $it', async ({ text, line, env }) => {
    folder.write('stack.ts', shopOnNetwork);
    folder.write('gantry.yaml', text);
    const { stdout } = await folder.run(['plan', '.', ...env, ...embedded, '-o', 'json']);
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code: 'settings.stack', place: { file: join(folder.path, 'gantry.yaml'), line } });
    expect(error.message).toContain('stack is "shop", but the app has 2 stacks: network, shop');
  });

  test.each([['--stack', 'network'], ['./network']])('accepts a named stack, also with --all: %j', async (...named) => {
    folder.write('stack.ts', shopOnNetwork);
    await succeeded(folder.run(['apply', '--all', ...embedded, '--yes']));
    const planned = await succeeded(folder.run(['plan', '--all', ...named, ...embedded, '-o', 'json']));
    expect(actionsOf(JSON.parse(planned.stdout))).toBe('network: keep gvc/europe');
    const shop = named.map((word) => word.replace('network', 'shop'));
    const gone = await succeeded(folder.run(['destroy', '--all', ...shop, ...embedded, '--yes', '-o', 'json']));
    expect(actionsOf(JSON.parse(gone.stdout))).toBe('shop: delete identity/europe/api');
    await succeeded(folder.run(['gvc', 'get', 'europe', ...embedded]));
  });

  test('is explained by the stack that has the resource, without naming the stack', async () => {
    folder.write('stack.ts', shopOnNetwork);
    for (const id of ['gvc/europe', 'identity/europe/api']) {
      const { stdout } = await succeeded(folder.run(['explain', '.', id, ...embedded, '-o', 'json']));
      expect(JSON.parse(stdout)).toMatchObject({ resource: id, action: 'create' });
    }
    const { stderr } = await folder.run(['explain', '.', 'identity/europe/apo', ...embedded]);
    expect(stderr).toContain('Did you mean identity/europe/api? Available: gvc/europe, identity/europe/api.');
  });

  test('refuses a path that is neither a file nor a stack, with the list', async () => {
    folder.write('stack.ts', shopOnNetwork);
    const { code, stdout } = await folder.run(['validate', 'netwrk']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/stack\.unknown .* neither a file nor a stack "netwrk" .* shop, network/);
  });

  test('has no resource outside its stacks', async () => {
    folder.write('stack.ts', `${shopOnNetwork}new Gvc(app, 'lost');\n`);
    const { stdout } = await folder.run(['validate']);
    expect(stdout).toMatch(/^stack\.ts:7:1 {2}stack\.outside {2}- {2}this resource is in none of the 2 stacks/m);
  });

  test('refuses stacks that need each other, with the lines of both', async () => {
    folder.write(
      'stack.ts',
      `${app}const [one, two] = [new Stack(app, 'one'), new Stack(app, 'two')];
const [a, b] = [new Gvc(one, 'aaa'), new Gvc(two, 'bbb')];
new Identity(one, 'in-b', { gvc: b });
new Identity(two, 'in-a', { gvc: a });
`,
    );
    const { code, stdout } = await folder.run(['validate']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^stack\.ts:5:29 {2}stack\.order /m);
    expect(stdout).toContain('one needs two, because gvc of identity/bbb/in-b refers to gvc/bbb (stack.ts:5:29)');
    expect(stdout).toContain('two needs one, because gvc of identity/aaa/in-a refers to gvc/aaa (stack.ts:6:29)');
  });

  test('shows all of them to commands without a platform, and one if it is named', async () => {
    folder.write('stack.ts', shopOnNetwork);
    const all = await folder.run(['synth', '-o', 'json']);
    expect(JSON.parse(all.stdout).map(({ name }: { name: string }) => name)).toEqual(['europe', 'api']);
    const one = await folder.run(['synth', 'shop', '-o', 'json']);
    expect(JSON.parse(one.stdout).map(({ name }: { name: string }) => name)).toEqual(['api']);
  });
});

describe('the name of a stack', () => {
  const one = `${app}new Gvc(new Stack(app, 'in-code'), 'europe');\n`;
  test.each([
    { it: 'is that of the code', args: [], yaml: undefined, name: 'in-code' },
    { it: 'is that of gantry.yaml, if it has one', args: [], yaml: 'stack: in-yaml\n', name: 'in-yaml' },
    { it: 'is that of --stack, if given', args: ['--stack', 'in-flag'], yaml: 'stack: in-yaml\n', name: 'in-flag' },
  ])('$it', async ({ args, yaml, name }) => {
    folder.write('stack.ts', one);
    if (yaml !== undefined) folder.write('gantry.yaml', yaml);
    const { stdout, stderr } = await folder.run(['plan', ...args, ...embedded, '-o', 'json']);
    expect(JSON.parse(stdout).stack, stderr).toBe(name);
  });
});

describe('the environment', () => {
  const perEnvironment = `${app}const environments = new Environments({ staging: { at: 'aws-eu-central-1' }, prod: { at: 'aws-us-east-1' } });
const { name, config } = environments.current();
new Gvc(new Stack(app, \`shop-\${name}\`), name, { locations: [config.at] });
`;
  test.each([
    { it: '--env', args: ['--env', 'prod'], env: {}, yaml: '' },
    { it: 'GANTRY_ENV', args: [], env: { GANTRY_ENV: 'prod' }, yaml: '' },
    { it: 'gantry.yaml', args: [], env: {}, yaml: 'env: prod\n' },
  ])('is chosen by $it', async ({ args, env, yaml }) => {
    folder.write('stack.ts', perEnvironment);
    folder.write('gantry.yaml', yaml);
    const { stdout, stderr } = await folder.run(['plan', ...args, ...embedded, '-o', 'json'], env);
    expect(actionsOf(JSON.parse(stdout)), stderr).toBe('shop-prod: create gvc/prod');
  });

  test('is refused at the line that reads it if it is missing or wrong', async () => {
    folder.write('stack.ts', perEnvironment);
    const none = await folder.run(['validate']);
    expect(none.stdout).toMatch(/^stack\.ts:4:39 {2}stack\.environment .* Available: staging, prod\./);
    const wrong = await folder.run(['validate', '--env', 'stagin']);
    expect(wrong.stdout).toMatch(/there is no environment "stagin" .* Did you mean staging\?/);
  });

  test('is refused if it was named explicitly and the code never reads it', async () => {
    folder.write('stack.ts', `${app}new Gvc(new Stack(app, 's'), 'europe');\n`);
    const { stderr } = await folder.run(['validate', '--env', 'prod']);
    expect(stderr).toMatch(
      /error stack\.environment: --env prod has no effect: neither gantry\.yaml nor the stack uses environments/,
    );
  });
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { changesById } from '../harness/gantry.ts';
import { inProcess } from '../harness/inProcess.ts';
import { type ServedPlatform, startPlatform } from '../harness/platform.ts';
import { Canaries } from './canaries.ts';
import { applyThrough, mishaps } from './mishaps.ts';
import { Search } from './search.ts';

/** Values in fields that are not secret by kind, but marked by the author. */
interface Values {
  readonly password: string;
  readonly key: string;
  readonly flag: string;
  readonly url: string;
  readonly tag: string;
  readonly shared: string;
}

function round(name: string): Values & { readonly all: readonly string[] } {
  const canaries = new Canaries(`marked ${name}`);
  const made = {
    password: canaries.text(),
    key: canaries.text(300),
    flag: canaries.text(),
    url: canaries.text(),
    tag: canaries.text(),
    shared: canaries.text(),
  };
  return { ...made, all: canaries.values };
}

const [first, second, third] = [round('first'), round('second'), round('third')];
const search = new Search([first, second, third].flatMap(({ all }) => all));

/** Not marked, but repeats a marked value; when that value changes, another text replaces it. */
function urlOf({ key }: Values): string {
  return `postgres://shop:${key}@db/shop`;
}

/** `moved`: the same items in another order, and the container with another name. */
function manifests(values: Values, image: string, moved = false): string {
  const env = [
    { name: 'DB_PASSWORD', value: { fromEnv: 'DB_PASSWORD' } },
    { name: 'PLAIN', value: 'for everybody' },
    { name: 'KEY', value: values.key },
    { name: 'URL', value: values === second ? 'none' : urlOf(values) },
  ];
  const container = moved ? 'application' : 'main';
  const workload = {
    kind: 'workload',
    name: 'web',
    gvc: 'shop',
    tags: { credential: values.tag, team: 'shop' },
    lifecycle: {
      sensitive: [
        'tags.credential',
        `spec.containers.${container}.env.DB_PASSWORD.value`,
        'spec.containers.*.env.KEY.value',
        `spec.containers.${container}.args.1`,
        `spec.containers.${container}.command`,
      ],
    },
    spec: {
      type: 'standard',
      containers: [
        {
          name: container,
          image,
          cpu: '50m',
          memory: '64Mi',
          command: `run --at postgres://shop:${values.url}@db/shop`,
          args: ['--verbose', `--password=${values.flag}`],
          env: moved ? env.toReversed() : env,
        },
      ],
    },
  };
  const gvc = {
    kind: 'gvc',
    name: 'shop',
    spec: {
      staticPlacement: { locationLinks: ['//location/aws-eu-central-1'] },
      env: [{ name: 'SHARED', value: values.shared }],
    },
    lifecycle: { sensitive: ['spec.env.*.value'] },
  };
  return [gvc, workload].map((manifest) => JSON.stringify(manifest)).join('\n---\n');
}

const root = temporaryFolder('marked');
const folder = join(root, 'project');
const env = { TMPDIR: join(root, 'tmp'), XDG_CACHE_HOME: join(root, 'tmp'), GANTRY_SECRET_KEY: 'k'.repeat(40) };
const outputs: string[] = [];
let platform: ServedPlatform;
let password = first.password;

function write(values: Values, image = 'registry.example.com/web:1', moved = false): void {
  password = values.password;
  writeFileSync(join(folder, 'stack.yaml'), manifests(values, image, moved));
}

async function run(...args: readonly string[]): Promise<Outcome> {
  const outcome = await inProcess(platform, args, { cwd: folder, env: { ...env, DB_PASSWORD: password } });
  outputs.push(outcome.stdout, outcome.stderr);
  return outcome;
}

async function runWell(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect(code, args.join(' ') + stderr.slice(0, 2_000) + stdout.slice(-2_000)).toBe(0);
  return stdout;
}

/** The platform stores these values like all others and shows them to readers, so its folder is not searched. */
function expectNothingFound(): void {
  expect([...outputs.splice(0), ...platform.log].flatMap((text) => search.in(text))).toEqual([]);
  expect(search.below(root, new Set(['project/stack.yaml']))).toEqual([]);
}

beforeAll(async () => {
  mkdirSync(env.TMPDIR, { recursive: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: marked\n');
  platform = await startPlatform([], { TMPDIR: env.TMPDIR });
});
afterAll(async () => {
  await platform.stop();
});

describe('no byte of a marked value in any output or file', () => {
  test('of refused manifests, whose problems repeat values', async () => {
    const wrong = {
      kind: 'workload',
      name: 'web',
      gvc: 'shop',
      lifecycle: {
        sensitive: ['spec.containers.main.cpu', 'spec.containers.main.env.A.value', 'spec.containers.main.image'],
      },
      spec: {
        type: first.key,
        containers: [
          {
            name: 'main',
            image: `bad image ${first.key}`,
            cpu: first.flag,
            env: [{ name: 'A', value: `scheme://secret/${first.url}/x` }],
          },
        ],
      },
    };
    writeFileSync(join(folder, 'stack.yaml'), JSON.stringify(wrong));
    for (const output of ['text', 'json']) {
      const { code } = await run('validate', '.', '-o', output);
      expect(code).toBe(1);
    }
    await run('plan', '.');
    expectNothingFound();
  });

  test('of plans that are shown, saved or rehearsed, and of synth', async () => {
    write(first);
    await runWell('validate', '.');
    await runWell('graph', '.');
    for (const output of ['text', 'json', 'yaml']) {
      const plan = await runWell('plan', '.', '--patch', '-o', output);
      expect(plan).toContain('for everybody');
      await runWell('synth', '.', '-o', output);
    }
    await runWell('plan', '.', '--out', 'create.plan');
    expect(readFileSync(join(folder, 'create.plan'), 'utf8')).toContain('for everybody');
    await runWell('plan', '.', '--rehearse=crash', '-o', 'json');
    await runWell('plan', '.', '--rehearse');
    expectNothingFound();
  });

  test.each(mishaps)('of an apply that encounters $it', async ({ judge }) => {
    for (const { stdout, stderr } of await applyThrough(platform.url, judge, folder, { DB_PASSWORD: password })) {
      outputs.push(stdout, stderr);
      expect(stderr).not.toContain('value.env');
    }
    expectNothingFound();
  });

  test('of a saved plan that is applied and writes the approved values', async () => {
    await runWell('apply', 'create.plan', '--yes', '-o', 'json');
    const { body } = await platform.call('GET', '/org/local/gvc/shop/workload/web');
    const shown = JSON.stringify(body);
    for (const value of [first.password, first.key, first.flag, first.url, first.tag]) expect(shown).toContain(value);
    expect(shown).not.toContain('"sensitive"');
    await runWell('plan', '.', '--detailed-exitcode');
    await runWell('undo', 'create.plan', '--out', 'back.plan');
    await runWell('show', 'back.plan', '--patch');
    expectNothingFound();
  });

  test('of a saved plan whose value has changed since', async () => {
    write(second);
    await runWell('plan', '.', '--out', 'change.plan');
    password = third.password;
    const { code, stderr } = await run('apply', 'change.plan', '--yes');
    expect(code).not.toBe(0);
    expect(stderr).toContain('saved.secret-changed');
    expectNothingFound();
  });

  test('of plans that change values', async () => {
    write(second);
    const changes = changesById(await runWell('plan', '.', '--patch', '-o', 'json'));
    const hidden = { sensitive: true, changed: true };
    expect(changes.get('workload/shop/web')?.['fields']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'spec.containers.main.env.DB_PASSWORD.value', old: hidden, new: hidden }),
        expect.objectContaining({ path: 'spec.containers.main.env.KEY.value', old: hidden, new: hidden }),
        expect.objectContaining({ path: 'spec.containers.main.args', old: hidden, new: hidden }),
        expect.objectContaining({ path: 'tags.credential', old: hidden, new: hidden }),
      ]),
    );
    expect(await runWell('plan', '.')).toContain('spec.containers.main.env.DB_PASSWORD.value  (sensitive, changed)');
    expectNothingFound();
  });

  test('of explanations of changed values', async () => {
    await runWell('explain', '.', 'gvc/shop');
    await runWell('explain', '.', 'workload/shop/web');
    await runWell('explain', '.', 'workload/shop/web', '-o', 'json');
    for (const path of ['spec.containers.main.args', 'spec.containers.main', 'tags']) {
      await runWell('explain', '.', 'workload/shop/web', path, '-o', 'json');
    }
    expectNothingFound();
  });

  test('of a saved plan that changes values, and its undo', async () => {
    await runWell('plan', '.', '--out', 'change.plan');
    await runWell('explain', 'change.plan', 'workload/shop/web');
    await runWell('explain', 'change.plan', 'workload/shop/web', '-o', 'json');
    await runWell('apply', 'change.plan', '--yes');
    await runWell('plan', '.', '--detailed-exitcode');
    await runWell('explain', '.', 'workload/shop/web');
    await run('apply', 'change.plan', '--yes');
    const undo = await run('undo', 'change.plan');
    expect(undo.stdout).toContain('the former secret values are not in the file');
    await run('undo', 'change.plan', '--out', 'back.plan', '-o', 'json');
    expectNothingFound();
  });

  test('of a saved plan that changes other fields while another client changes the record', async () => {
    write(second, 'registry.example.com/web:2');
    await runWell('plan', '.', '--out', 'image.plan');
    await platform.call('PATCH', '/org/local/gvc/shop/workload/web', { tags: { somebody: 'was here' } });
    await runWell('apply', 'image.plan', '--yes');
    const { body } = await platform.call('GET', '/org/local/gvc/shop/workload/web');
    expect(JSON.stringify(body)).toContain(second.password);
    expect(body['tags']).toMatchObject({ somebody: 'was here' });
    const undo = await runWell('undo', 'image.plan', '--out', 'back.plan');
    expect(undo).toContain('registry.example.com/web:1');
    await runWell('apply', 'back.plan', '--yes');
    const back = JSON.stringify((await platform.call('GET', '/org/local/gvc/shop/workload/web')).body);
    expect(back).toContain('registry.example.com/web:1');
    for (const value of [second.password, second.key, second.flag]) expect(back).toContain(value);
    await runWell('apply', '.', '--yes');
    expectNothingFound();
  });

  test('of changes by others: drift, stale plans, races', async () => {
    write(third, 'registry.example.com/web:2');
    await runWell('plan', '.', '--out', 'stale.plan');
    await platform.call('PATCH', '/org/local/gvc/shop/workload/web', {
      tags: { credential: first.tag },
      spec: {
        '$patch/containers': [
          {
            name: 'main',
            args: ['--verbose', `--password=${first.flag}`],
            '$patch/env': [
              { name: 'KEY', value: first.key },
              { name: 'URL', value: urlOf(first) },
            ],
          },
        ],
      },
    });
    const drift = await runWell('drift', '.');
    expect(drift).toContain('tags.credential');
    await runWell('drift', '.', '-o', 'json');
    const stale = await run('apply', 'stale.plan', '--yes');
    expect(stale.code).not.toBe(0);
    await run('apply', 'stale.plan', '--yes', '-o', 'json');
    for (const output of ['text', 'json']) await runWell('plan', '.', '--patch', '-o', output);
    await runWell('explain', '.', 'workload/shop/web', '-o', 'json');
    await runWell('apply', '.', '--yes', '--verify=full', '-o', 'json');
    expectNothingFound();
  });

  test('of reordered items, and a renamed container', async () => {
    write(third, 'registry.example.com/web:2', true);
    for (const output of ['text', 'json']) await runWell('plan', '.', '--patch', '-o', output);
    await runWell('plan', '.', '--out', 'moved.plan');
    await runWell('apply', 'moved.plan', '--yes');
    const undo = await run('undo', 'moved.plan');
    expect(undo.stdout).toContain('refused plan.masked');
    expectNothingFound();
  });

  test('of a replacement, a rename and a destroy', async () => {
    const text = manifests(third, 'registry.example.com/web:2', true);
    writeFileSync(join(folder, 'stack.yaml'), text.replace('"type":"standard"', '"type":"stateful"'));
    for (const output of ['text', 'json']) await runWell('plan', '.', '--patch', '-o', output);
    await runWell('plan', '.', '--out', 'replace.plan');
    await runWell('explain', '.', 'workload/shop/web', '-o', 'json');
    writeFileSync(
      join(folder, 'stack.yaml'),
      text
        .replace('"name":"web"', '"name":"site"')
        .replace('"lifecycle":{"sensitive":["tags', '"lifecycle":{"previously":"web","sensitive":["tags'),
    );
    await runWell('plan', '.', '--out', 'rename.plan', '-o', 'json');
    await runWell('apply', 'rename.plan', '--yes');
    await run('undo', 'rename.plan');
    await runWell('destroy', '--yes', '-o', 'json');
    expectNothingFound();
  });
});

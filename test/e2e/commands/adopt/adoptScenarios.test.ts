import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isArray, isObject, type JsonValue } from '../../../../src/base/json/json.ts';
import { whyNotAdopted } from '../../../../src/change/adopt.ts';
import { typescriptStack } from '../../../../src/gantry/adoptionFiles.ts';
import { secretTypes } from '../../../../src/kinds/secret/fields.ts';
import type { LiveResource } from '../../../../src/manifest/live/snapshot.ts';
import type { ManifestDocument } from '../../../../src/manifest/model/manifest.ts';
import { adopt, asYaml, objections, ownerless } from '../../../plan/ownership/adoption.ts';
import { foreign, hash } from '../../../plan/world.ts';
import { expectDone } from '../../../sweeps/harness/scenarioSteps.ts';
import { applyWork, clientOn, workOf } from '../../../sweeps/harness/stack.ts';
import { openWorld } from '../../../sweeps/harness/world.ts';
import { scenarioSample } from '../../scenarios/all.ts';

const org = 'local';
const repository = new URL('../../../..', import.meta.url).pathname;
/** Inside the repository, so that code resolves the package. */
const folder = mkdtempSync(join(repository, '.adopt-scenarios-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Held {
  readonly it: string;
  readonly lives: readonly LiveResource[];
}

/** The records after each step of each scenario, without owner tags. */
async function heldAfterSteps(): Promise<readonly Held[]> {
  const held: Held[] = [];
  for (const { number, serve, steps } of scenarioSample) {
    const owner = `scenario-${number}`;
    const world = await openWorld(serve);
    try {
      for (const step of steps) {
        if (step.before !== undefined) await step.before(world.platform);
        if ('codes' in step) continue;
        expectDone((await applyWork(world.exchange, await workOf(step, owner))).result);
        const owned = await clientOn(world.exchange).owned(owner);
        const lives = owned.map(ownerless).filter((live) => whyNotAdopted(live, { owner, org, hash }) === undefined);
        if (lives.length > 0) held.push({ it: `${number}: ${step.it}`, lives });
        if (step.after !== undefined) await step.after(world.platform);
      }
    } finally {
      await world.close();
    }
  }
  const secrets = secretTypes.map((type) => foreign(`secret/${type}`, { type }));
  return [...held, { it: 'a secret of every type', lives: secrets }];
}

/** Runs stack files as Node does and returns the manifests of each. */
function synthesized(names: readonly string[]): readonly (readonly ManifestDocument[])[] {
  const script = [
    "import { appCollector } from './collector.ts';",
    'const all = [];',
    `for (const name of ${JSON.stringify(names)}) {`,
    '  const apps = [];',
    '  globalThis[appCollector] = apps;',
    '  await import(name);',
    '  all.push(apps.flatMap((app) => app.synth().map(({ value }) => value)));',
    '}',
    'console.log(JSON.stringify(all));',
  ];
  writeFileSync(
    join(folder, 'collector.ts'),
    `export { appCollector } from '${repository}constructs/appCollector.ts';\n`,
  );
  writeFileSync(join(folder, 'synth.mjs'), script.join('\n'));
  const node = join(repository, 'node_modules/.bin/node');
  const text = execFileSync(node, [join(folder, 'synth.mjs')], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const lists: JsonValue = JSON.parse(text);
  const place = { file: 'stack.ts', line: 1, column: 1 };
  return (isArray(lists) ? lists : []).map((list) =>
    (isArray(list) ? list.filter(isObject) : []).map((value) => ({ value, locate: () => place })),
  );
}

test('law: every record of the scenarios is adopted by writing only two tags, from YAML and from code', async () => {
  const held = await heldAfterSteps();
  expect(new Set(held.map(({ it }) => it.split(':')[0])).size).toBe(scenarioSample.length + 1);
  for (const { it, lives } of held) {
    const documents = await asYaml(adopt(lives, org));
    expect({ it, objections: objections(documents, lives, org) }).toEqual({ it, objections: [] });
  }

  const names = held.map((_, index) => `./stack-${index}.ts`);
  for (const [index, { lives }] of held.entries()) {
    writeFileSync(join(folder, `stack-${index}.ts`), typescriptStack(adopt(lives, org), 'stack'));
  }
  const stacks = synthesized(names);
  for (const [index, { it, lives }] of held.entries()) {
    expect({ it, objections: objections(stacks[index] ?? [], lives, org) }).toEqual({ it, objections: [] });
  }

  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions: { paths: { gantry: ['../src/index.ts'] } },
      include: ['stack-*.ts'],
    }),
  );
  expect(compiled()).toBe('');
});

/** The output of the compiler under the strictest settings. */
function compiled(): string {
  try {
    return execFileSync(join(repository, 'node_modules/.bin/tsc'), ['-p', folder, '--noEmit'], { encoding: 'utf8' });
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
  }
}

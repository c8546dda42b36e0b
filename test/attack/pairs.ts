import { isArray, isObject, type JsonObject } from '../../src/base/json/json.ts';
import { writesSince } from '../e2e/harness/platform.ts';
import { Dice } from '../fuzz/dice.ts';
import { type Attack, demand } from './attack.ts';
import { type Act, formOf, makeWorld, type World } from './pairs/acts.ts';
import { org, workloads } from './pairs/kinds.ts';
import { MemoryStage } from './pairs/memoryStage.ts';
import { type Broken, play } from './pairs/play.ts';
import { shrink } from './pairs/shrink.ts';
import { CommandStage, manifestOf, type Stage } from './pairs/stage.ts';

/*
 * Random worlds: an owner applies several declarations, while three other stacks own parts of the same record, a person
 * edits it, and the platform learns unknown fields; with adoptions, replacements, renamings, saved plans and undos.
 * Every apply is a pair of (live, desired). The expected result follows from what each actor declared and wrote
 * (pairs/oracle.ts), without the planner.
 */

/** How many broken worlds of a run are shrunk. */
const mostShrunk = 3;

async function withStage(work: (stage: Stage) => Promise<void>, open = CommandStage.open): Promise<void> {
  const stage = await open();
  try {
    await work(stage);
  } finally {
    await stage.close();
  }
}

/** `GANTRY_SEED` makes other worlds. `open`: opens the stage for them. */
export async function randomPairs(worlds: number, open = CommandStage.open): Promise<void> {
  const seed = process.env['GANTRY_SEED'] ?? 'pairs';
  await withStage(async (stage) => {
    const found: string[] = [];
    for (let index = 0; index < worlds; index += 1) {
      const world = makeWorld(new Dice(`${seed}-${index}`));
      const broken = await play(stage, world);
      if (broken === undefined) continue;
      const shown = found.length < mostShrunk ? await shrink(stage, world, broken) : ([world, broken] as const);
      found.push(`GANTRY_SEED=${seed}, world ${index}: ${told(...shown)}`);
    }
    demand(found.length === 0, `${found.length} worlds are not as they have to be`, found.join('\n\n'));
    const refused = [...stage.refusals.values()].reduce((sum, times) => sum + times, 0);
    demand(stage.applied > 2 * refused, 'too many plans are refused to prove anything', [...stage.refusals]);
  }, open);
}

function told({ kind, acts }: World, { act, law, seen }: Broken): string {
  const lines = acts.map((each, index) => `  ${index}: ${JSON.stringify(each)}`);
  return [`${law}: broken by act ${act} on a ${kind}`, `  ${seen}`, ...lines].join('\n');
}

async function holds(world: World): Promise<void> {
  await withStage(async (stage) => {
    const broken = await play(stage, world);
    if (broken !== undefined) demand(false, told(world, broken));
  });
}

const [red = '', blue = '', green = ''] = workloads;
const port = { 'spec|ports|443': true, 'spec|ports|443|protocol': 'http2' };

function owner(declares: Extract<Act, { declares: unknown }>['declares'], ...ignore: readonly string[]): Act {
  return { by: 'owner', declares, ignore };
}

/** A new route takes no value from the old one at its place. */
const newRoute: World = {
  kind: 'domain',
  acts: [
    owner({
      ...port,
      'spec|ports|443|routes|^/y.*$': true,
      'spec|ports|443|routes|^/y.*$|workloadLink': red,
      'spec|ports|443|routes|/': true,
      'spec|ports|443|routes|/|workloadLink': blue,
    }),
    owner(
      {
        ...port,
        'spec|ports|443|routes|/c': true,
        'spec|ports|443|routes|/c|workloadLink': green,
        'spec|ports|443|routes|/': true,
        'spec|ports|443|routes|/|workloadLink': blue,
      },
      'spec|ports|443|routes|/c|workloadLink',
    ),
  ],
};

/** A new variable takes no value from the one that it replaces. */
const newVariable: World = {
  kind: 'gvc',
  acts: [
    owner({ ...formOf('gvc').base, 'spec|env|A': true, 'spec|env|A|value': '1' }),
    owner({ ...formOf('gvc').base, 'spec|env|C': true, 'spec|env|C|value': '2' }, 'spec|env|C|value'),
  ],
};

/** An item that another stack declared, and a person removed, is created once. */
const removedItem: World = {
  kind: 'gvc',
  acts: [
    owner({ ...formOf('gvc').base }),
    { by: 'q', declares: { 'spec|env|A': true, 'spec|env|A|value': '1' } },
    { by: 'person', set: {}, drop: ['spec|env|A'] },
    owner({ ...formOf('gvc').base, 'spec|env|A': true, 'spec|env|A|value': '1' }),
  ],
};

interface Raw {
  readonly manifest: JsonObject;
  readonly path: string;
}

/** A manifest that must be refused, or must change nothing without a right to it. */
async function afterRaw(stage: Stage, first: JsonObject, edit: JsonObject, { manifest, path }: Raw) {
  await stage.reset();
  const created = await stage.run('owner', ['apply', '.', '--yes'], [first]);
  demand(created.code === 0, 'the first apply', created);
  const { status, body } = await stage.platform.call('PATCH', path, edit);
  demand(status === 200, 'what somebody writes in between', body);
  const from = await stage.platform.seen();
  const outcome = await stage.run('owner', ['apply', '.', '--yes', '-o', 'json'], [manifest]);
  await stage.platform.seen();
  const live = (await stage.platform.call('GET', path)).body;
  return { outcome, live, writes: writesSince(stage.platform, from) };
}

/** Bindings have no key. Whatever an index means, no principal gets a right that was not granted. */
async function ignoredBinding(): Promise<void> {
  const policy = (bindings: JsonObject[], index: string): JsonObject => ({
    kind: 'policy',
    name: 'subject',
    targetKind: 'gvc',
    target: 'all',
    bindings,
    lifecycle: { ignore: [`bindings.${index}.principalLinks`] },
  });
  const [ada, bob, cyd] = ['ada', 'bob', 'cyd'].map((name) => `${org}/serviceaccount/${name}`);
  const view = { permissions: ['view'], principalLinks: [ada ?? ''] };
  const manage = { permissions: ['manage'], principalLinks: [bob ?? ''] };
  const stranger = { bindings: [{ permissions: ['view'], principalLinks: [ada ?? '', cyd ?? ''] }] };
  const first: JsonObject = { kind: 'policy', name: 'subject', targetKind: 'gvc', target: 'all', bindings: [view] };
  await withStage(async (stage) => {
    for (const index of ['0', '1', '*']) {
      const path = `${org}/policy/subject`;
      const second = { manifest: policy([manage, view], index), path };
      const { outcome, live, writes } = await afterRaw(stage, first, stranger, second);
      if (outcome.code !== 0) {
        demand(writes.length === 0, `bindings.${index}: it was refused, and wrote`, writes);
        continue;
      }
      const bindings = isArray(live['bindings'] ?? null) ? live['bindings'] : [];
      const ofManage = (isArray(bindings ?? []) ? [...Object(bindings)] : [])
        .filter(isObject)
        .filter(({ permissions }) => JSON.stringify(permissions) === '["manage"]');
      demand(
        JSON.stringify(ofManage.map(({ principalLinks }) => principalLinks)) === JSON.stringify([[bob]]),
        `bindings.${index}: who may manage`,
        live,
      );
    }
  });
}

/** An index into a list with a key would be another item after any change of the list. */
async function indexIntoKeyed(): Promise<void> {
  await withStage(async (stage) => {
    const form = formOf('gvc');
    const declares = { ...form.base, 'spec|env|A': true, 'spec|env|A|value': '1' };
    const second = {
      manifest: manifestOf(form, declares, { ignore: ['spec.env.0.value'] }),
      path: `${org}/gvc/subject`,
    };
    const { outcome, writes } = await afterRaw(stage, manifestOf(form, declares, {}), { description: 'new' }, second);
    demand(outcome.code === 1 && writes.length === 0, 'it must be refused', outcome);
    demand(outcome.stdout.includes('spec.env.A'), 'the refusal names the key', outcome.stdout);
  });
}

/** A value of an operator contradicts the code: the plan reports that, and nothing is begun. */
async function keptValue(): Promise<void> {
  await withStage(async (stage) => {
    const form = formOf('workload');
    const declares = { ...form.base, 'spec|type': 'standard' };
    const max = (value: number) => ({ ...declares, 'spec|defaultOptions|autoscaling|maxScale': value });
    const edit = { spec: { defaultOptions: { autoscaling: { minScale: 4 } } } };
    const second = { manifest: manifestOf(form, max(3), {}), path: `${org}/gvc/base/workload/subject` };
    const { outcome, writes } = await afterRaw(stage, manifestOf(form, max(8), {}), edit, second);
    demand(outcome.code === 3 && writes.length === 0, 'it must be refused before anything is written', outcome);
    demand(outcome.stdout.includes('minScale'), 'the refusal names the value', outcome.stdout);
    const plan = await stage.run('owner', ['plan', '.'], [second.manifest]);
    demand(plan.code === 3, 'the plan says it too', plan);
  });
}

export const fixedPairs: readonly Attack[] = [
  { name: 'a new route with an ignored target', run: () => holds(newRoute) },
  { name: 'a new variable with an ignored value', run: () => holds(newVariable) },
  { name: 'a removed item of a part, declared by the owner', run: () => holds(removedItem) },
  { name: 'ignored principals of a binding, by its index', run: ignoredBinding },
  { name: 'an ignored value by an index into a list with a key', run: indexIntoKeyed },
  { name: 'a kept value that contradicts the declared ones', run: keptValue },
];

export const pairs: readonly Attack[] = [
  ...fixedPairs,
  { name: '30 random worlds, by the command line', run: () => randomPairs(30) },
  { name: '100 random worlds, in memory', run: () => randomPairs(100, MemoryStage.open) },
  { name: '20,000 random worlds, in memory', long: true, run: () => randomPairs(20_000, MemoryStage.open) },
];

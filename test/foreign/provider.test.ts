import { expect, it } from 'vitest';
import { isObject, stringAt } from '../../src/base/json/json.ts';
import type { ObjectValue } from '../../src/hcl/value.ts';
import { configOf } from '../../src/hcl/values/stateOf.ts';
import { isCreatableKind } from '../../src/schema/record/kinds.ts';
import { type Calls, errorsOf, startCalls, stateIn } from '../provider/harness/calls.ts';
import { folder } from './applied.ts';
import { type Project, pathOf, project, setting } from './project.ts';
import type { JsonObject } from './server/json.ts';
import type { Served } from './server/serve.ts';
import type { SwitchName } from './server/switches.ts';

/** What the platform answers anew each time, and nobody declares. */
const moving = new Set(['version', 'last_modified', 'status']);

function lasting(state: ObjectValue | undefined): ObjectValue {
  return Object.fromEntries(Object.entries(state ?? {}).filter(([name]) => !moving.has(name)));
}

/** The configuration of a resource of the project. */
function configured(manifest: JsonObject): readonly [type: string, config: ObjectValue] {
  const { kind, gvc, ...record } = manifest;
  if (typeof kind !== 'string' || !isCreatableKind(kind)) throw new Error(`no resource is a ${String(kind)}`);
  return [`gantry_${kind}`, configOf(kind, record, typeof gvc === 'string' ? { org: 'local', gvc } : { org: 'local' })];
}

interface Managed {
  readonly manifest: JsonObject;
  readonly state: ObjectValue;
}

async function createAll(calls: Calls, declared: Project): Promise<readonly Managed[]> {
  const made: Managed[] = [];
  for (const manifest of declared) {
    const state = await calls.run(...configured(manifest));
    if (state !== undefined) made.push({ manifest, state });
  }
  return made;
}

/** Errors, and what a refresh and a plan would change of a resource that nobody has changed. */
async function changesOf(calls: Calls, { manifest, state }: Managed): Promise<readonly unknown[]> {
  const [type, config] = configured(manifest);
  const read = await calls.read(type, state);
  const again = await calls.plan(type, config, stateIn(read));
  expect(lasting(stateIn(read))).toEqual(lasting(state));
  expect(lasting(again.planned)).toEqual(lasting(stateIn(read)));
  return [...errorsOf(read.told), ...errorsOf(again.told)];
}

function ours({ platform }: Served): readonly string[] {
  return project.map(pathOf).filter((path) => platform.records().has(path));
}

/** The content of a GVC is not known there. */
const listless: ReadonlySet<SwitchName> = new Set(['no-collections', 'collections-404', 'query-and-lists-absent']);

const platforms: readonly (readonly SwitchName[])[] = [
  [],
  ['no-collections'],
  ['collections-404'],
  ['query-and-lists-absent'],
  ['cut-total'],
  ['items-without-spec'],
  ['versions-jump'],
  ['versions-text'],
  ['reveal-403-masked'],
  ['patch-refuses-id-and-version'],
  ['patch-answers-old'],
  ['type-capitalised'],
  ['links-none'],
  ['gone-410'],
];

it.each(platforms.map((names) => [names.join() || 'no switch', names] as const))(
  'read.list: the Terraform provider creates, reads, changes and deletes what is declared on a platform with %s',
  async (_, names) => {
    const { served, cwd } = await folder(names);
    const calls = await startCalls(cwd);
    const said = await calls.configure({ endpoint: served.url, org: 'local', token: 'key-of-a-robot' });
    expect(errorsOf(said)).toEqual([]);
    const managed = await createAll(calls, project);
    expect(ours(served)).toHaveLength(project.length);
    for (const each of managed) expect(await changesOf(calls, each)).toEqual([]);

    // A change, and nothing else.
    const image = ['spec', 'containers', 0, 'image'];
    const next = setting(project, 'workload/web', image, 'nginx:2').find(({ name }) => name === 'web') ?? {};
    const web = managed.find(({ manifest }) => manifest['name'] === 'web');
    const [type, config] = configured(next);
    const before = served.platform.changes.length;
    const state = await calls.run(type, config, stateIn(await calls.read(type, web?.state ?? {})));
    const changed = new Set(served.platform.changes.slice(before).map(({ path }) => path));
    expect([...changed]).toEqual([pathOf(next)]);
    expect(JSON.stringify(served.platform.records().get(pathOf(next)))).toContain('nginx:2');
    expect(await changesOf(calls, { manifest: next, state: state ?? {} })).toEqual([]);

    // What somebody else deleted is gone from the state; the others are deleted.
    const [gone = {}] = project.filter(({ kind }) => kind === 'domain');
    served.platform.uproot(pathOf(gone));
    for (const { manifest, state: last } of managed.toReversed()) {
      const [each] = configured(manifest);
      const read = await calls.read(each, last);
      expect(errorsOf(read.told)).toEqual([]);
      expect(read.state === undefined).toBe(manifest === gone);
      if (read.state === undefined) continue;
      const rest =
        isObject(manifest['spec']) && stringAt(manifest, 'kind') === 'volumeset' ? { allow_data_loss: true } : {};
      if (each === 'gantry_gvc' && names.some((name) => listless.has(name))) {
        await expect(calls.run(each, undefined, read.state)).rejects.toThrow(/is not known what would be lost/);
        expect(ours(served)).toEqual([pathOf(manifest)]);
        return;
      }
      await calls.run(each, undefined, { ...read.state, ...rest });
    }
    expect(ours(served)).toEqual([]);
  },
);

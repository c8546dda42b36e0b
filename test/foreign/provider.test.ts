import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isObject, stringAt } from '../../src/base/json/json.ts';
import type { AttributePath } from '../../src/hcl/diagnostic.ts';
import {
  attributeOf,
  isListValue,
  isObjectValue,
  type ObjectValue,
  sameValue,
  type Value,
} from '../../src/hcl/value.ts';
import { pathText } from '../../src/hcl/values/manifestOf.ts';
import { configOf } from '../../src/hcl/values/stateOf.ts';
import { isCreatableKind } from '../../src/schema/record/kinds.ts';
import { type Calls, type Diagnostic, errorsOf, startCalls, stateIn } from '../provider/harness/calls.ts';
import { folder } from './applied.ts';
import { difference, pathOf, project, setting } from './project.ts';
import type { JsonObject } from './server/json.ts';
import type { Served } from './server/serve.ts';
import { type SwitchName, switches } from './server/switches.ts';

/** Values that the platform changes each time, and that are never declared. */
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
  /** The private state of the provider. */
  readonly own: Uint8Array | undefined;
  /** The diagnostics of the apply. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads, plans and applies a resource, as Terraform does: it applies only if the plan has a change. */
async function manage(calls: Calls, manifest: JsonObject, before?: Managed): Promise<Managed> {
  const [type, config] = configured(manifest);
  const read = before === undefined ? undefined : await calls.read(type, before.state, before.own);
  const prior = read === undefined ? undefined : stateIn(read);
  const plan = await calls.plan(type, config, prior, read?.own);
  const { state, own, diagnostics } = await calls.apply(type, config, prior, plan);
  expect([...errorsOf(read?.diagnostics ?? []), ...errorsOf(plan.diagnostics), ...errorsOf(diagnostics)]).toEqual([]);
  return { manifest, state: state ?? {}, own, diagnostics };
}

/** The changes in a refresh and a plan of a resource that was not changed. */
async function changesOf(calls: Calls, { manifest, state, own, diagnostics }: Managed): Promise<readonly string[]> {
  const [type, config] = configured(manifest);
  const read = await calls.read(type, state, own);
  const again = await calls.plan(type, config, stateIn(read), read.own);
  // Terraform lets no state differ from the plan, so the apply has reported what the next plan shows.
  const isTold = (path: string): boolean => diagnostics.some(({ detail }) => detail.includes(` for ${path}, which`));
  return [
    ...errorsOf(read.diagnostics),
    ...errorsOf(again.diagnostics),
    ...changed(lasting(state), lasting(stateIn(read))).filter((path) => !isTold(path)),
    ...changed(lasting(stateIn(read)), lasting(again.planned)),
  ];
}

/** The paths at which two values differ. */
function changed(one: Value = null, other: Value = null, path: AttributePath = []): readonly string[] {
  if (isListValue(one) && isListValue(other) && one.length === other.length)
    return one.flatMap((item, index) => changed(item, other[index], [...path, index]));
  if (!isObjectValue(one) || !isObjectValue(other)) return sameValue(one, other) ? [] : [pathText(path)];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => changed(attributeOf(one, name), attributeOf(other, name), [...path, name]));
}

function ours({ platform }: Served): readonly string[] {
  return project.map(pathOf).filter((path) => platform.records().has(path));
}

/** Platforms on which the content of a GVC is unknown. */
const listless: ReadonlySet<SwitchName> = new Set(['no-collections', 'collections-404', 'query-and-lists-absent']);
/** Platforms on which a deletion cannot be confirmed, so that Terraform cannot delete. */
const endless: ReadonlySet<SwitchName> = new Set(['absent-400', 'absent-200-null']);

const usable = switches.filter(({ use }) => !String(use).startsWith('unusable')).map(({ name }) => name);

/** A test run has switches of each kind, of different subjects together; `GANTRY_FOREIGN=all` takes all usable ones, alone. */
const sample: readonly (readonly SwitchName[])[] = [
  ['no-collections', 'default-timeout-15', 'type-capitalised', 'versions-jump'],
  ['collections-404', 'default-cpu-100m', 'image-digest', 'versions-text'],
  ['query-and-lists-absent', 'default-memory-256Mi', 'image-registry', 'reveal-403-masked'],
  ['cut-total', 'default-probe', 'empty-for-absent', 'items-without-spec', 'patch-answers-old'],
  ['default-tls', 'false-dropped', 'links-none', 'gone-410', 'description-empty'],
  ['list-directives-stored', 'patch-refuses-id-and-version'],
  ['reads-lag', 'gvc-in-background'],
  ['all-in-background'],
];
/** Platforms that show changes late, so the next command must wait. */
const late: ReadonlySet<SwitchName> = new Set(['reads-lag', 'lists-lag', 'gvc-in-background', 'all-in-background']);

const platforms: readonly (readonly SwitchName[])[] = [
  [],
  ...sample,
  ...(process.env['GANTRY_FOREIGN'] === 'all' ? usable.map((name) => [name]) : []),
];

it.each(platforms.map((names) => [names.join(' and ') || 'no switch', names] as const))(
  'read.list: the Terraform provider creates, reads, changes and deletes resources on a platform with %s',
  async (_, names) => {
    const { served, cwd } = await folder(names);
    const calls = await startCalls(cwd);
    const command = async (): Promise<void> => {
      if (names.some((name) => late.has(name))) await pause(500);
      const said = await calls.configure({ endpoint: served.url, org: 'local', token: 'key-of-a-robot' });
      expect(errorsOf(said)).toEqual([]);
    };
    await command();
    const made = new Map<string, Managed>();
    for (const manifest of project) made.set(pathOf(manifest), await manage(calls, manifest));
    expect(ours(served)).toHaveLength(project.length);
    await command();
    for (const each of made.values()) expect(await changesOf(calls, each)).toEqual([]);

    // Exactly two changes.
    const image = ['spec', 'containers', 0, 'image'];
    const level = ['spec', 'env', 0, 'value'];
    const next = setting(setting(project, 'workload/web', image, 'nginx:2'), 'gvc/shop', level, 'debug');
    const before = served.platform.changes.length;
    await command();
    for (const manifest of next.filter((each) => !project.includes(each))) {
      made.set(pathOf(manifest), await manage(calls, manifest, made.get(pathOf(manifest))));
      expect(difference(manifest, served.platform.records().get(pathOf(manifest)))).toBeUndefined();
    }
    const written = new Set(served.platform.changes.slice(before).map(({ path }) => path));
    expect([...written]).toEqual(['/org/local/gvc/shop', '/org/local/gvc/shop/workload/web']);
    await command();
    for (const each of made.values()) expect(await changesOf(calls, each)).toEqual([]);

    // The resource that was deleted by others leaves the state; the provider deletes the others.
    const [gone = {}] = project.filter(({ kind }) => kind === 'domain');
    if (names.some((name) => endless.has(name))) return;
    served.platform.uproot(pathOf(gone));
    await command();
    // If no list works, only a record shows that the org exists.
    const [shop] = made.values();
    if (shop !== undefined) await calls.read('gantry_gvc', shop.state, shop.own);
    for (const { manifest, state: last, own } of [...made.values()].toReversed()) {
      const [each] = configured(manifest);
      const read = await calls.read(each, last, own);
      expect(errorsOf(read.diagnostics)).toEqual([]);
      expect(read.state === undefined).toBe(manifest === gone);
      if (read.state === undefined) continue;
      const rest =
        isObject(manifest['spec']) && stringAt(manifest, 'kind') === 'volumeset' ? { allow_data_loss: true } : {};
      if (each === 'gantry_gvc' && names.some((name) => listless.has(name))) {
        await expect(calls.run(each, undefined, read.state)).rejects.toThrow(/is not known what would be lost/);
        expect(ours(served)).toEqual([pathOf(manifest)]);
        return;
      }
      const plan = await calls.plan(each, undefined, { ...read.state, ...rest }, read.own);
      const { diagnostics } = await calls.apply(each, undefined, { ...read.state, ...rest }, plan);
      expect([...errorsOf(plan.diagnostics), ...errorsOf(diagnostics)]).toEqual([]);
    }
    expect(ours(served)).toEqual([]);
  },
);

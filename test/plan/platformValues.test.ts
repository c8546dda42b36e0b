import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, mapMembers, objectAt } from '../../src/base/json/json.ts';
import { Capabilities, keptOf, storedValues } from '../../src/capabilities/capabilities.ts';
import { startFrom } from '../../src/capabilities/kept.ts';
import { study } from '../../src/change/explainChange.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import type { LiveResource, Snapshot } from '../../src/manifest/live/snapshot.ts';
import type { DesiredResource, Lifecycle } from '../../src/manifest/model/manifest.ts';
import { appliedTag } from '../../src/manifest/model/ownTags.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { isFormOf } from '../../src/plan/record/platformValues.ts';
import { makeReplan } from '../../src/plan/replan.ts';
import { shapeAt } from '../../src/schema/shape/paths.ts';
import { changeOf, declare, live, options, org, plan, snapshot } from './world.ts';

type Stores = (record: JsonObject) => JsonObject;

const asWritten: Stores = (record) => record;
const at = '2026-01-01T00:00:00Z';

/** Workloads of one GVC on a platform that stores values in its own way. */
class OddPlatform {
  readonly #stores: Stores;
  readonly records = new Map<string, LiveResource>([
    ['gvc/g', live('gvc/g', {}, { applied: { uid: 'uid-gvc/g', declaredPaths: [] } })],
  ]);
  /** False: the run is killed before it marks a created record. */
  marksAnswers = true;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** Plans and applies the workloads; returns the changes. */
  apply(...desired: readonly DesiredResource[]): readonly string[] {
    const all = [declare('gvc/g'), ...desired];
    const capabilities = new Capabilities();
    const made = plan(all, this.snapshot({ capabilities }), { adopt: true });
    const replan = makeReplan(all, this.snapshot({ capabilities }), options);
    return made.changes.flatMap((change) => {
      if (change.action === 'keep') return [];
      const before = this.records.get(change.id);
      if (change.create !== undefined) {
        this.write(change.id, change.create.expose(), 1);
        const answer = this.records.get(change.id);
        const mark = answer && replan.ofAnswer?.(change.id, answer, 'answer')?.mark;
        if (mark !== undefined && this.marksAnswers) this.patch(change.id, { tags: { [appliedTag]: mark } });
      } else if (before !== undefined) this.patch(change.id, change.patch?.expose() ?? {});
      return [`${change.action} ${change.id} ${change.fields.map(({ path }) => path).join(' ')}`.trim()];
    });
  }

  /** A write of another client. */
  patch(id: string, body: JsonObject): void {
    const before = this.records.get(id);
    if (before === undefined) throw new Error(`there is no ${id}`);
    const patched = applyPatch(shapeOf('workload', before.record), before.record, body, { org, gvc: 'g' });
    if (!patched.ok) throw new Error(JSON.stringify(patched.problems));
    this.write(id, patched.record, before.version + 1);
  }

  /** A person deletes the record, and creates it again from its export, with our tags and other fields. */
  recreate(id: string, spec: JsonObject, version = 1): void {
    const before = this.records.get(id)?.record ?? {};
    this.write(id, { ...before, spec: { ...objectAt(before, 'spec'), ...spec } }, version, `again-${id}`);
  }

  write(id: string, record: JsonObject, version: number, uid = this.records.get(id)?.uid ?? `uid-${id}`): void {
    const [, , name = ''] = id.split('/');
    const stamps = { created: at, lastModified: version === 1 ? at : '2026-02-02T00:00:00Z' };
    const stored = { ...this.#stores(record), id: uid, kind: 'workload', name, version, ...stamps };
    const ref = { kind: 'workload', name, gvc: 'g' } as const;
    this.records.set(id, { ref, id, uid, version, record: stored });
  }

  snapshot(parts: Partial<Snapshot> = {}): Snapshot {
    return snapshot([...this.records.values()], { preconditions: 'unsaid', ...parts });
  }
}

function main(container: JsonObject = {}, defaultOptions?: JsonObject): JsonObject {
  const containers = [{ name: 'main', image: 'nginx:1.27', ...container }];
  return { spec: { type: 'standard', containers, ...(defaultOptions === undefined ? {} : { defaultOptions }) } };
}

function web(fields: JsonObject, lifecycle = {}): DesiredResource {
  return declare('workload/g/web', fields, lifecycle);
}

/** The record with these default options, except those that it has. */
function filling(filled: JsonObject): Stores {
  return (record) => {
    const spec = objectAt(record, 'spec');
    return { ...record, spec: { ...spec, defaultOptions: { ...filled, ...objectAt(spec, 'defaultOptions') } } };
  };
}

/** Changes each stored container. */
function containers(store: (container: JsonObject) => JsonObject): Stores {
  return (record) => {
    const spec = objectAt(record, 'spec');
    const list = spec['containers'];
    const stored = Array.isArray(list) ? list.map((each) => (isObject(each) ? store(each) : each)) : [];
    return { ...record, spec: { ...spec, containers: stored } };
  };
}

const slow = filling({ timeoutSeconds: 15 });
const scaled = filling({ autoscaling: { maxScale: 7 } });

/** Fields of a container or its default options, by word. */
const declares: Readonly<Record<string, (given: string) => readonly [container: JsonObject, options?: JsonObject]>> = {
  image: (image) => [{ image }],
  command: (command) => [{ command }],
  inherits: (is) => [{ inheritEnv: is === 'true' }],
  probe: () => [{ readinessProbe: { httpGet: { path: '/up', port: 80 } }, args: ['-v'], ports: [{ number: 80 }] }],
  timeout: (seconds) => [{}, { timeoutSeconds: Number(seconds) }],
  scale: (most) => [{}, { autoscaling: { maxScale: Number(most) } }],
};
const paths: Readonly<Record<string, string>> = {
  image: 'spec.containers.main.image',
  command: 'spec.containers.main.command',
  workingDir: 'spec.containers.main.workingDir',
  timeout: 'spec.defaultOptions.timeoutSeconds',
  scale: 'spec.defaultOptions.autoscaling.maxScale',
  type: 'spec.type',
  main: 'spec.containers.main.name',
  probe: 'spec.containers.main.readinessProbe',
  args: 'spec.containers.main.args',
  ports: 'spec.containers.main.ports',
};
const theirs: Readonly<Record<string, (given: string) => JsonObject>> = {
  tag: () => ({ tags: { theirs: 'x' } }),
  text: (description) => ({ description }),
  timeout: (seconds) => ({ spec: { defaultOptions: { timeoutSeconds: Number(seconds) } } }),
  image: (image) => ({ spec: { '$patch/containers': [{ name: 'main', image }] } }),
  workingDir: (workingDir) => ({ spec: { '$patch/containers': [{ name: 'main', workingDir }] } }),
};

function call(word: string): readonly [name: string, given: string] {
  const [, name = '', given = ''] = /^(\w+)(?:\((.*)\))?$/.exec(word) ?? [];
  return [name, given];
}

function declaring(words: readonly string[]): { readonly fields: JsonObject; readonly ignore: readonly string[] } {
  const calls = words.map(call);
  const all = calls.flatMap(([name, given]) => [declares[name]?.(given) ?? []]);
  const options = all.find(([, each]) => each !== undefined)?.[1];
  return {
    fields: main(Object.assign({}, ...all.map(([container]) => container)), options),
    ignore: calls.flatMap(([name, given]) => (name === 'ignoring' ? [given] : [])),
  };
}

/**
 * Steps on a platform, separated by `; `: `web image(b)` plans and applies that; `web = patch image` also expects this
 * change; `web, api` are two workloads. Between applies another client writes a workload: `web: timeout(77)`; creates it
 * again with our tags, at a version if one is given: `web again 2: timeout(77)`. `killed`: the run is killed before it
 * marks. `web risen`: the version rises without a write.
 */
type Row = readonly [title: string, stores: Stores, steps: string];

function step(platform: OddPlatform, text: string): void {
  const [, id = '', again, version, change = ''] = /^(\w+)(?: (again)(?: (\d))?)?: (.*)$/.exec(text) ?? [];
  const workload = (name: string) => `workload/g/${name}`;
  if (text === 'killed') platform.marksAnswers = false;
  else if (text.endsWith(' risen')) {
    const {
      record,
      version: before,
      id: of,
    } = platform.records.get(workload(text.split(' ')[0] ?? '')) ?? live('gvc/g');
    platform.write(of, record, before + 7);
  } else if (id !== '') {
    const [name, given] = call(change);
    const body = theirs[name]?.(given) ?? {};
    const containers = name === 'image' ? { containers: [{ name: 'main', image: given }] } : objectAt(body, 'spec');
    if (again === undefined) platform.patch(workload(id), body);
    else platform.recreate(workload(id), containers, Number(version ?? 1));
  } else {
    const [declared = '', expected] = text.split(' = ');
    const desired = declared.split(', ').map((each) => {
      const [name = '', ...words] = each.split(' ');
      const { fields, ignore } = declaring(words);
      return declare(workload(name), fields, ignore.length === 0 ? {} : { ignore });
    });
    const done = platform.apply(...desired);
    const wanted = expected?.split(', ').map((each) => {
      const [action = '', name = '', ...fields] = each.split(' ');
      return [action, workload(name), ...fields.map((field) => paths[field] ?? field)].join(' ');
    });
    if (wanted !== undefined) expect(done, text).toEqual(expected === 'nothing' ? [] : wanted);
  }
}

function testSteps(rows: readonly Row[]): void {
  for (const [title, stores, steps] of rows)
    test(title, () => {
      const platform = new OddPlatform(stores);
      for (const each of steps.split('; ')) step(platform, each);
    });
}

const filled = containers((each) => ({ cpu: '100m', readinessProbe: { tcpSocket: { port: 80 } }, ...each }));
const emptying = containers((each) => ({ command: '', args: [], ...each }));
const describing =
  (description: string): Stores =>
  (record) => ({ description, ...record });
const digest = `sha256:${'a'.repeat(64)}`;
const resolving = containers((container) => {
  const image = String(container['image']);
  return { ...container, image: image.includes('@') ? image : `${image}@${digest}` };
});
const registry = (image: string): string => (image.includes('/') ? image : `docker.io/library/${image}`);
const naming = containers((container) => ({ ...container, image: registry(String(container['image'])) }));
const lean = containers((each) => mapMembers(each, (value) => (value === '' || value === false ? undefined : value)));
const ignored = 'ignoring(spec.defaultOptions.timeoutSeconds)';

// biome-ignore format: a row is a case
const defaults: readonly Row[] = [
  ['is no difference, after a creation and after a change', slow,
    'web = create web name type main image; web = nothing; web image(b) = patch web image; web image(b) = nothing'],
  ['is no difference in a list or as a whole object either', filled, 'web; web = nothing'],
  ['is no difference if it is an empty description, even in the only record of a kind after a write of others',
    describing(''), 'web; web: tag; web = nothing; web: text(theirs); web = patch web description'],
  ['is no difference if it is a description that is not empty', describing('by the platform'),
    'web; web = nothing; web: text(theirs); web = patch web description'],
  ['is no difference if it is empty in a record that was created and not marked, because the run was killed',
    emptying, 'killed; web; web = nothing; web: workingDir(); web = patch web command workingDir'],
  ['is a difference, once, if a record that was not marked has a value that is not empty', slow,
    'killed; web; web = patch web timeout; web = nothing'],
  ['is learnt for a record that others have written since from the other records', slow,
    'web, api; web: tag; web, api = nothing'],
];

// biome-ignore format: a row is a case
const persons: readonly Row[] = [
  ['if it was written after our last write', asWritten, 'web; web: timeout(77); web = patch web timeout'],
  ['if the platform has another default for the field', slow,
    'web, api; web: timeout(77); web, api = patch web timeout'],
  ['if it was ignored when this stack wrote last', asWritten,
    `web ${ignored}; web: timeout(77); web image(b) ${ignored} = patch web image; web image(b) = patch web timeout`],
  ['if it was ignored with its whole parent', asWritten, 'web ignoring(spec.defaultOptions); web: timeout(77); ' +
      'web image(b) ignoring(spec.defaultOptions); web image(b) = patch web timeout'],
];

// biome-ignore format: a row is a case
const again: readonly Row[] = [
  ['teaches no default for the others', asWritten,
    'web, api; web again: timeout(77); api: timeout(77); web, api = patch api timeout, patch web timeout'],
  ['shows its new values if all records of the kind were created again with the same ones', asWritten,
    'web, api; web again: timeout(77); api again: timeout(77); web, api = patch api timeout, patch web timeout'],
  ['shows its new values on a platform that has another default', slow,
    'web; web again: timeout(77); web = patch web timeout; web = nothing'],
  ['shows a digest that was pinned in it, and an empty value that it lacks', asWritten,
    `web command(); web again: image(nginx:1.27@${digest}); web command() = patch web image command`],
];

// biome-ignore format: a row is a case
const versions: readonly Row[] = [
  ["a value in the response to our write is the platform's if the record still has it",
    slow, 'web; web risen; web = nothing'],
  ["a digest in that response is the platform's too", resolving, 'web; web risen; web = nothing'],
  ['a value that others changed is a difference', slow,
    'web; web risen; web: timeout(30); web = patch web timeout'],
  ["a change of the code keeps the platform's value", slow,
    'web; web risen; web image(b) = patch web image; web risen; web image(b) = nothing'],
];

// biome-ignore format: a row is a case
const dropped: readonly Row[] = [
  ['is removed, also by all workloads together', asWritten,
    'web timeout(30), api timeout(30); web, api = patch api timeout, patch web timeout'],
  ['is removed if the platform has its own default, which is then no difference', slow,
    'web timeout(30); web = patch web timeout; web = nothing'],
  ['is removed if it had replaced a value of the platform', scaled,
    'web; web scale(3) = patch web scale; web = patch web scale; web = nothing'],
];

// biome-ignore format: a row is a case
const forms: readonly Row[] = [
  ['value.digests: a digest that the platform adds to an image is no difference, and another tag is one', resolving,
    'web; web = nothing; web image(nginx:1.2) = patch web image'],
  ['value.digests: a digest is a difference if this stack had declared it', asWritten,
    `web image(nginx:1.27@${digest}); web = patch web image`],
  ['value.digests: a digest is a difference if a person pinned it', asWritten,
    `web; web: image(nginx:1.27@${digest}); web = patch web image`],
  ['value.digests: a registry that the platform adds to an image is no difference', naming, 'web; web = nothing'],
  ['value.digests: a registry is a difference if this stack had declared it', asWritten,
    'web image(registry.example.com/nginx:1.27); web = patch web image'],
  ['value.digests: a registry is a difference if a change of this stack had declared it', asWritten,
    'web; web image(registry.example.com/nginx:1.27) = patch web image; web = patch web image'],
  ['value.digests: a digest is a difference if a change of this stack had declared it', asWritten,
    `web; web image(nginx:1.27@${digest}) = patch web image; web = patch web image`],
  ['value.digests: a registry is a difference if another image ends with the same name', naming,
    'web image(my-nginx:1.27); web = patch web image'],
  ['value.empty: an empty value that the platform drops is no difference if absence means the same', lean,
    'web inherits(false) command(); web inherits(false) command() = nothing'],
  ['value.empty: an empty value is a difference if it was just declared', asWritten,
    'web; web command() = patch web command'],
];

describe('a field that this stack declared and no longer declares', () => {
  testSteps(dropped);

  test('is removed with everything in it', () => {
    const platform = new OddPlatform(asWritten);
    step(platform, 'web probe');
    const [only] = platform.apply(web(main()));
    for (const name of ['probe', 'args', 'ports']) expect(only).toContain(paths[name]);
  });
});

describe('the form in which the platform stores a value', () => {
  testSteps(forms);
});

describe('value.defaults: a value that the platform fills in for an undeclared field', () => {
  testSteps(defaults);

  test('is sent for a new item that declares the documented default, if the platform is known to have another', () => {
    const ports = (...numbers: readonly number[]): JsonObject =>
      main({ ports: numbers.map((number) => ({ number, protocol: 'http' })) });
    const platform = new OddPlatform(asWritten);
    platform.apply(web(ports(8080)));
    const patchWith = (capabilities: Capabilities): unknown => {
      const made = plan([declare('gvc/g'), web(ports(8080, 9000))], platform.snapshot({ capabilities }));
      return objectAt(made.changes.find(({ id }) => id === 'workload/g/web')?.patch?.expose() ?? {}, 'spec');
    };
    const known = new Capabilities();
    known.learnDefault('workload', 'spec.containers.*.ports.*.protocol', 'tcp');
    const appending = (port: JsonObject) => ({ '$patch/containers': [{ name: 'main', '$append/ports': [port] }] });
    expect(patchWith(new Capabilities())).toEqual(appending({ number: 9000 }));
    expect(patchWith(known)).toEqual(appending({ number: 9000, protocol: 'http' }));
  });

  test('is sent for a new item that declares the documented default, in the plan that first shows another', () => {
    const fill = containers((container) => ({ cpu: '100m', ...container }));
    const platform = new OddPlatform(fill);
    platform.apply(web(main()));
    platform.apply(web(main({ image: 'nginx:2' })));
    const more = web(main({ image: 'nginx:2', ports: [{ number: 9000, protocol: 'http' }] }));
    const capabilities = new Capabilities();
    const sent = plan([declare('gvc/g'), more], platform.snapshot({ capabilities }));
    const later = plan([declare('gvc/g'), more], platform.snapshot({ capabilities }));
    expect(changeOf(sent, 'workload/g/web').patch?.expose()['spec']).toEqual({
      '$patch/containers': [{ name: 'main', ports: [{ number: 9000, protocol: 'http' }] }],
    });
    expect(later.changes).toEqual(sent.changes);
    expect(sent.notes.filter((note) => note.includes('"100m"'))).toHaveLength(1);
    expect(later.notes.filter((note) => note.includes('"100m"'))).toEqual([]);
  });

  test('is noted once, with its value, and stored with the capabilities', () => {
    const platform = new OddPlatform(slow);
    platform.apply(web(main()));
    const capabilities = new Capabilities();
    const notes = (): readonly string[] =>
      plan([declare('gvc/g'), web(main())], platform.snapshot({ capabilities })).notes;
    expect(notes()).toEqual([
      'the platform fills in 15 where a workload leaves out spec.defaultOptions.timeoutSeconds: that is its default, ' +
        'and no difference',
    ]);
    expect(notes()).toEqual([]);
    expect(startFrom([keptOf(capabilities)]).defaultOf('workload', 'spec.defaultOptions.timeoutSeconds')).toBe(15);
  });

  test("is explained as the platform's own value", () => {
    const platform = new OddPlatform(slow);
    platform.apply(web(main()));
    const desired = [declare('gvc/g'), web(main())];
    const taken = platform.snapshot();
    const explained = { plan: plan(desired, taken), desired, snapshot: taken, options };
    const { before } = study(explained, 'workload/g/web');
    expect(before.find(({ path }) => path === 'spec.defaultOptions.timeoutSeconds')?.why).toBe('own-form');
  });
});

describe("a person's value is never taken for a default", () => {
  testSteps(persons);

  test('if the record is adopted: the first write removes it', () => {
    const platform = new OddPlatform(asWritten);
    platform.write('workload/g/web', { ...main({}, { timeoutSeconds: 77 }), description: 'web', tags: {} }, 1);
    step(platform, 'web = adopt web timeout');
    step(platform, 'web = nothing');
    expect(objectAt(platform.records.get('workload/g/web')?.record ?? {}, 'spec')['defaultOptions']).toBeUndefined();
  });

  test('if the versions are equal, and nothing shows when the first version was written', () => {
    const platform = new OddPlatform(asWritten);
    platform.apply(web(main()));
    const [before] = [...platform.records.values()].filter(({ id }) => id === 'workload/g/web');
    const record = { ...before?.record, ...main({}, { timeoutSeconds: 77 }), lastModified: '2026-03-03T00:00:00Z' };
    if (before !== undefined) platform.records.set(before.id, { ...before, record });
    expect(platform.apply(web(main()))).toEqual(['patch workload/g/web spec.defaultOptions.timeoutSeconds']);
  });
});

describe('value.defaults: a record that a person created again with our tags', () => {
  testSteps(again);

  test.each([1, 2, 3])('shows its differences, even with the version %i that our last write had', (version) => {
    const platform = new OddPlatform(asWritten);
    const writes = ['web', 'web image(b)', 'web'].slice(0, version);
    for (const each of writes) step(platform, each);
    expect(platform.records.get('workload/g/web')?.version).toBe(version);
    step(platform, `web again ${version}: timeout(77)`);
    step(platform, `${writes.at(-1)} = patch web timeout`);
    step(platform, `${writes.at(-1)} = nothing`);
  });

  test('shows its differences after the record was adopted, and after it was replaced', () => {
    const platform = new OddPlatform(asWritten);
    platform.write('workload/g/web', { ...main(), description: 'web', tags: {} }, 1);
    for (const each of ['web', 'web again 2: timeout(77)', 'web = patch web timeout']) step(platform, each);
    const serverless = web({ spec: { ...objectAt(main(), 'spec'), type: 'serverless' } });
    platform.apply(serverless);
    step(platform, 'web again: timeout(77)');
    expect(platform.apply(serverless)).toEqual([`patch workload/g/web ${paths['timeout']}`]);
  });
});

describe('value.defaults: a version does not prove that nothing else wrote', () => {
  testSteps(versions);
});

describe('value.defaults: the learnt default of one field', () => {
  const path = 'spec.defaultOptions.timeoutSeconds';
  const known = (value: number): Capabilities => new Capabilities([], [[`workload ${path}`, value]]);
  const changes = (platform: OddPlatform, capabilities: Capabilities, ...desired: readonly DesiredResource[]) =>
    plan([declare('gvc/g'), ...desired], platform.snapshot({ capabilities })).changes.flatMap(({ id, fields }) =>
      fields.map((field) => `${id} ${field.path}`),
    );

  test('applies to a record that others wrote, if nothing contradicts it', () => {
    const platform = new OddPlatform(slow);
    const declared = web(main(), { ignore: ['description'] });
    platform.apply(declared);
    platform.patch('workload/g/web', { description: 'theirs' });
    expect(changes(platform, known(15), declared)).toEqual([]);
    expect(changes(platform, known(20), declared)).toEqual([`workload/g/web ${path}`]);
  });

  test('applies to a record that is planned again alone, if another record shows it', () => {
    const platform = new OddPlatform(slow);
    const web2 = declare('workload/g/api', main(), { ignore: ['description'] });
    const desired = [declare('gvc/g'), web(main()), web2];
    platform.apply(web(main()), web2);
    platform.patch('workload/g/api', { description: 'theirs' });
    const seen = platform.snapshot({ capabilities: new Capabilities() });
    const api = platform.records.get('workload/g/api');
    expect(api && makeReplan(desired, seen, options)('workload/g/api', api)).toBeUndefined();
  });

  test.each([
    ['has another value', slow],
    ['has no value', asWritten],
  ] as const)('is outdated if a record that nothing else wrote %s', (_, stores) => {
    const platform = new OddPlatform(stores);
    const desired = [web(main()), declare('workload/g/api', main({ image: 'nginx:1' }))];
    platform.apply(...desired);
    const api = declare('workload/g/api', main({ image: 'nginx:2' }));
    platform.apply(web(main()), api);
    platform.patch('workload/g/web', { spec: { defaultOptions: { timeoutSeconds: 77 } } });
    expect(changes(platform, known(77), web(main()), api)).toEqual([`workload/g/web ${path}`]);
  });

  test('is dropped when two responses differ, and is not stored', () => {
    const stores = (record: JsonObject): JsonObject =>
      filling({ timeoutSeconds: JSON.stringify(record).includes('nginx:2') ? 20 : 15 })(record);
    const platform = new OddPlatform(stores);
    const api = declare('workload/g/api', main({ image: 'nginx:2' }));
    platform.apply(web(main()), api);
    const capabilities = known(15);
    expect(changes(platform, capabilities, web(main()), api)).toEqual([]);
    expect(capabilities.defaultOf('workload', path)).toBeUndefined();
    expect([...capabilities.disproved()]).toEqual([`workload ${path}`]);
    expect(keptOf(capabilities)['defaults']).toBeUndefined();
  });

  test('is learnt from the response to a write, not from a later read', () => {
    const learntFrom = (as: 'answer' | 'read') => {
      const platform = new OddPlatform(slow);
      const capabilities = new Capabilities();
      const replan = makeReplan([declare('gvc/g'), web(main())], platform.snapshot({ capabilities }), options);
      platform.apply(web(main()));
      const shown = platform.records.get('workload/g/web');
      expect(shown && replan.ofAnswer?.(shown.id, shown, as)?.own).toContain(path);
      return capabilities.defaultOf('workload', path);
    };
    expect(learntFrom('answer')).toBe(15);
    expect(learntFrom('read')).toBeUndefined();
  });

  test('is not what a later read shows in another version: another client may have written it', () => {
    const platform = new OddPlatform(slow);
    const replan = makeReplan([declare('gvc/g'), web(main())], platform.snapshot(), options);
    platform.apply(web(main()));
    platform.patch('workload/g/web', { spec: { defaultOptions: { timeoutSeconds: 77 } } });
    const shown = platform.records.get('workload/g/web');
    const left = (as: 'answer' | 'read') => shown && replan.ofAnswer?.(shown.id, shown, as)?.left;
    expect([left('read'), left('answer')]).toEqual([[path], []]);
  });
});

describe('a platform that declares that it stores values as documented', () => {
  const documented = new Capabilities(storedValues.map((id) => [id, 'holds']));

  test('teaches no default: a person may have created a record again with the tags of this stack', () => {
    const platform = new OddPlatform(asWritten);
    platform.apply(web(main()));
    const ours = platform.records.get('workload/g/web')?.record ?? {};
    const theirs = main({ env: [{ name: 'DEBUG', value: '1' }] }, { timeoutSeconds: 77 });
    platform.write('workload/g/web', { ...ours, ...theirs }, 1);
    const [change] = plan(
      [declare('gvc/g'), web(main())],
      platform.snapshot({ capabilities: documented }),
    ).changes.filter(({ id }) => id === 'workload/g/web');
    expect(change?.fields.map(({ path }) => path)).toEqual([
      'spec.containers.main.env.DEBUG.name',
      'spec.containers.main.env.DEBUG.value',
      'spec.defaultOptions.timeoutSeconds',
    ]);
  });

  test('is not believed if only a file contains that fact', () => {
    const read = startFrom([keptOf(documented)]);
    expect(storedValues.map((id) => read.of(id))).toEqual([undefined, undefined, undefined]);
  });
});

describe('the response to our own write', () => {
  const read = (stores: Stores, declared: JsonObject) => {
    const platform = new OddPlatform(stores);
    const desired = [declare('gvc/g'), web(declared)];
    const replan = makeReplan(desired, platform.snapshot({ preconditions: 'unsaid' }), options);
    platform.apply(web(declared));
    const answer = platform.records.get('workload/g/web');
    if (answer === undefined) throw new Error('it was not created');
    // An installation may count versions in its own way.
    return replan.ofAnswer?.(answer.id, { ...answer, version: 41 }, 'answer');
  };

  test('values that the platform chose are its own', () => {
    expect(read(scaled, main())?.own).toContain('spec.defaultOptions.autoscaling.maxScale');
    expect(read(scaled, main({}, { autoscaling: { maxScale: 7 } }))?.own).toEqual([]);
  });

  test("lists the platform's own values, and other values", () => {
    expect(read(slow, main())).toMatchObject({ own: ['spec.defaultOptions.timeoutSeconds'], left: [] });
    const other = containers((container) => ({ ...container, image: 'other:1' }));
    expect(read(other, main())).toMatchObject({ own: [], left: ['spec.containers.main.image'] });
  });
});

test.each([
  ['a platform that fills in values', slow, true],
  ['one that stores them as written', asWritten, false],
])('on %s, the mark of a change records the content: %s', (_, stores, expected) => {
  const platform = new OddPlatform(stores);
  for (const image of ['nginx:1', 'nginx:2']) platform.apply(web(main({ image })));
  const tags = objectAt(platform.records.get('workload/g/web')?.record ?? {}, 'tags');
  expect(/;c[\w-]{6}/.test(String(tags[appliedTag]))).toBe(expected);
});

test('ignored tags are not recorded with the declared paths of other fields', () => {
  const pathsOf = (lifecycle: Lifecycle) => {
    const made = plan([declare('group/a', { description: 'a', tags: { team: 'x' } }, lifecycle)], []);
    const tags = objectAt(changeOf(made, 'group/a').create?.expose() ?? {}, 'tags');
    return /;p([\w-]*)/.exec(String(tags[appliedTag]))?.[1];
  };
  const paths = pathsOf({});
  expect(paths).toHaveLength(3);
  expect([['tags'], ['tags.team']].map((ignore) => pathsOf({ ignore }))).toEqual([paths, paths]);
});

test('an unchanged plan on a platform that works as documented has no notes', () => {
  const platform = new OddPlatform(asWritten);
  platform.apply(web(main()));
  const made = plan([declare('gvc/g'), web(main())], platform.snapshot());
  expect(changeOf(made, 'workload/g/web').action).toBe('keep');
  expect(made.notes).toEqual([]);
});

// biome-ignore format: a row is a case
test.each([
  [['workload', ['spec', 'containers', 0, 'readinessProbe', 'grpc']], {}, false],
  [['workload', ['spec', 'defaultOptions']], {}, true],
  [['workload', ['spec', 'containers', 0, 'command']], '', true],
  [['workload', ['spec', 'containers', 0, 'command']], 'run', false],
  [['workload', ['spec', 'containers', 0, 'inheritEnv']], false, true],
  [['workload', ['spec', 'containers', 0, 'inheritEnv']], true, false],
] as const)('%j: that the platform stores nothing is the form of %j: %s', ([kind, pointer], value, expected) => {
  const shape = shapeAt(shapeOf(kind), pointer);
  expect(shape && isFormOf(shape, undefined, value, { context: { org }, wasDeclaredWith: () => false })).toBe(expected);
});

// biome-ignore format: a row is a case
test.each([
  ['docker.io/library/nginx:1', 'nginx:1', true], ['localhost/nginx:1', 'nginx:1', true],
  ['registry:5000/nginx:1', 'nginx:1', true], ['docker.io/team/nginx:1', 'team/nginx:1', true],
  ['team/nginx:1', 'nginx:1', false], ['docker.io/library/nginx:2', 'nginx:1', false],
  ['docker.io/mynginx:1', 'nginx:1', false], ['docker.io/ghcr.io/nginx:1', 'ghcr.io/nginx:1', false],
])('the image %s as the form of %s: %s', (stored, image, expected) => {
  const shape = shapeAt(shapeOf('workload'), ['spec', 'containers', 0, 'image']);
  const around = { context: { org, gvc: 'g' }, wasDeclaredWith: () => false };
  expect(shape && isFormOf(shape, stored, image, around)).toBe(expected);
});

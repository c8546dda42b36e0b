import { expect, test } from 'vitest';
import type { SettledRace } from '../../../src/apply/races.ts';
import type { ApplyOptions } from '../../../src/apply/runApply.ts';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { Change, Edge, UncheckedChange } from '../../../src/plan/model/change.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import type { FakeOptions, FakePlatform, Fault, Picture, Verb } from './fakePlatform.ts';
import { type Applied, fakePlatform, writes } from './harness.ts';
import { body, change, creating, deleting, patching, plan, ref, tags } from './plans.ts';

/**
 * Runs of the applier as text in and text out. All parts are separated by `; `.
 *
 * - Changes: `delete secret/a`, with words of `words` below. The live records that they need exist before.
 * - Events, each an id with a list: writes to a record before the run (`secret/a: gone`), or faults of the next calls on it
 *   (`delete secret/a: busy, -, lost`), by the words of `happenings` and `faults`; `busy*9` is nine of them. A write to
 *   another record names it: `owned shop: secret/a gone & secret/b gone`.
 * - The end: `done secret/a`, `failed gvc/shop plan.stale (a part of its message → its hint, or = the message)`, `skipped`,
 *   `sent` (the writes), `calls` (all but the verification), `there` (the ids of all records), `now`
 *   (`gvc/shop@3=its description`) and others. Failures are always compared, the rest if the text names it.
 */
export type RunRow = readonly [title: string, changes: string, events: string, end: string, more?: More];

export interface More extends Omit<FakeOptions, 'clock'> {
  readonly run?: ApplyOptions;
  /** The plan does not know whether versions are checked. */
  readonly unsaid?: true;
  /** Creations of replacements can be tried in a dry run. */
  readonly offered?: true;
  /** The records of the snapshot are available. */
  readonly compared?: true;
  /** Planned again, a patch is the same, over this value if given; false if nothing is left of it. */
  readonly again?: boolean | string;
}

const edges = (ids: readonly string[], more: Partial<Edge> = {}): readonly Edge[] =>
  ids.map((on) => ({ on, because: 'it refers to it', soft: false, ...more }));

const describing = (old: string) => ({ fields: [{ path: 'description', old, new: 'new' }] });

/** The parts of a change, by word. */
const words: Readonly<Record<string, (...given: readonly string[]) => Partial<UncheckedChange>>> = {
  after: (...ids) => ({ requires: edges(ids) }),
  softly: (...ids) => ({ requires: edges(ids, { soft: true }) }),
  afterDeletion: (...ids) => ({ requires: edges(ids, { step: 'delete' }) }),
  goneAfter: (...ids) => ({ deleteRequires: edges(ids, { step: 'delete' }) }),
  softlyGoneAfter: (...ids) => ({ deleteRequires: edges(ids, { soft: true }) }),
  cascades: (...ids) => ({ cascadesTo: ids }),
  via: (gvc = '') => ({ via: gvc }),
  loses: (...ids) => ({ losesData: ids }),
  renames: (id = '') => ({ renamedFrom: id, requires: edges([id]) }),
  over: (old = '') => describing(old),
  carries: (...paths) => ({ carries: paths }),
  unmarked: () => ({ unmarked: true }),
  unowned: () => ({ unowned: true }),
  unchecked: () => ({ unchecked: true }),
  wait: () => ({ wait: true }),
  part: () => ({ part: true }),
  then: (...ids) => ({
    then: body({ description: 'second' }),
    expectedThen: body({ description: 'second' }),
    thenRequires: edges(ids),
  }),
};

const volumes = (count: number): JsonObject => ({
  status: { locations: [{ name: 'l', volumes: Array.from({ length: count }, () => ({ lifecycle: 'unbound' })) }] },
});

/** Writes of another client; `live` is the record of the plan. */
const happenings: Readonly<Record<string, (platform: FakePlatform, live: LiveResource, given: string) => void>> = {
  gone: (platform, { id }) => platform.drop(id),
  another: (platform, live) => void platform.put(live.ref, {}, 1, 'another'),
  edited: (platform, live, given) => {
    const [version = '', description = 'edited'] = given.split(',');
    put(platform, live, { description }, version);
  },
  tagged: (platform, live, given) => {
    const [version = '', key = 'team', value = 'theirs'] = given.split(',');
    const own = objectAt(platform.at(live.id)?.record ?? {}, 'tags');
    put(platform, live, { tags: { ...own, [key]: value } }, version);
  },
  touched: (platform, live, version) => put(platform, live, { alias: 'x' }, version),
  stolen: (platform, live, version) => put(platform, live, { tags: { 'gantry/stack': 'other' } }, version),
  disowned: (platform, live, version) => put(platform, live, { tags: {} }, version),
  marking: (platform, live, given) => {
    const [version = '', by = 'shop'] = given.split(',');
    put(platform, live, { tags: { ...tags(live.id, Number(version)), 'gantry/replacing': by } }, version);
  },
  filled: (platform, live, count) => put(platform, live, volumes(Number(count)), String(live.version)),
  protected: (platform, live, version) =>
    put(platform, live, { tags: { ...tags(live.id), 'scheme/protected': 'true' } }, version),
  recreated: (platform, live, version) => void platform.put(live.ref, live.record, Number(version || 1), 'another'),
  restored: (platform, live, version) => void platform.put(live.ref, live.record, Number(version), live.uid),
  // For a name that was unused at the time of the plan.
  added: (platform, live) => void platform.put(live.ref, {}),
  holding: (platform, live, count) => void platform.put(live.ref, volumes(Number(count))),
  taken: (platform, live) => void platform.put(live.ref, { description: 'made', tags: { owner: 'other' } }),
  made: (platform, live, description) => void platform.put(live.ref, { description, tags: tags(live.id) }),
  marked: (platform, live, mark) =>
    void platform.put(live.ref, { description: 'made', tags: { ...tags(live.id), 'gantry/applied': mark } }),
  '-': () => {},
};

/** A write of another client to the current record. */
function put(platform: FakePlatform, live: LiveResource, record: JsonObject, version: string): void {
  const now = platform.at(live.id) ?? live;
  platform.put(live.ref, { ...now.record, ...record }, Number(version || now.version + 1), now.uid);
}

/** The faults of a call. */
const faults: Readonly<Record<string, Fault>> = {
  busy: { kind: 'error', code: 'api.conflict', message: 'busy' },
  lost: { kind: 'lost-after' },
  unsent: { kind: 'lost-before' },
  repeated: { kind: 'repeated' },
  denied: { kind: 'denied' },
  hidden: { kind: 'stale', picture: new Map() },
  other: { kind: 'divergent', change: (record) => ({ ...record, description: 'other' }) },
};

const verbs: readonly Verb[] = ['create', 'try', 'patch', 'delete', 'read', 'children', 'owned'];

const parts = (text: string, by = '; '): readonly string[] => (text === '' ? [] : text.split(by));

function word(text: string): readonly [name: string, given: string] {
  const [, name = '', given = ''] = /^([^(]+)(?:\((.*)\))?$/.exec(text) ?? [];
  return [name, given];
}

/** The record before the run, at the version of `at(3)`, owned by this stack unless `foreign()`, without volumes. */
function before(platform: FakePlatform, id: string, version: number, isForeign: boolean): LiveResource {
  const record = { description: 'old', tags: isForeign ? {} : tags(id, version), ...volumes(0) };
  return platform.put(ref(id), record, version);
}

function changeOf(platform: FakePlatform, text: string): Change {
  const [action = '', id = '', ...said] = text.split(' ');
  const version = Number(said.map(word).find(([name]) => name === 'at')?.[1] ?? 1);
  const fields = said.map(word).reduce<Partial<UncheckedChange>>((all, [name, given]) => {
    if (name === 'at' || name === 'foreign') return all;
    const of = words[name];
    if (of === undefined) throw new Error(`"${name}" is no word of a run`);
    return Object.assign(all, of(...parts(given, ',')));
  }, {});
  if (action === 'create') return creating(id, fields);
  const live = platform.at(id) ?? before(platform, id, version, said.includes('foreign()'));
  const pin = { liveUid: live.uid, liveVersion: live.version };
  if (action === 'delete') return deleting(live, fields);
  if (action === 'patch') {
    const expected = body({ name: live.ref.name, description: 'new', tags: tags(id, live.version + 1) });
    return patching(live, { description: 'new' }, { expected, ...fields });
  }
  if (action === 'forget') {
    const dropped = { tags: { 'gantry/stack': null, 'gantry/applied': null }, id: live.uid, version: live.version };
    return change(id, { action, patch: body(dropped), expected: body({ description: 'old' }), ...pin, ...fields });
  }
  if (action === 'replace') return creating(id, { action, ...pin, ...fields });
  if (action === 'keep') return change(id, { action, ...pin, ...fields });
  throw new Error(`"${action}" is no action of a run`);
}

function meet(platform: FakePlatform, planned: Picture, text: string, stop: () => void): void {
  const [, said, id = '', list = ''] = /^(?:(\w+) )?(\S+): (.*)$/.exec(text) ?? [];
  if (list === '') throw new Error(`"${text}" is no event of a run`);
  const verb = verbs.find((each) => each === said);
  /** Undefined if it is a fault of the call. */
  const happeningOf = (text: string): (() => void) | undefined => {
    const [, of = id, met = ''] = /^(?:([a-z]+\/\S+) )?(.*)$/.exec(text) ?? [];
    const live = planned.get(of) ?? platform.at(of) ?? { ref: ref(of), id: of, uid: 'theirs', version: 0, record: {} };
    const [name, given] = word(met);
    const happening = name === 'abort' ? stop : happenings[name];
    return happening && (() => happening(platform, live, given));
  };
  for (const each of parts(list, ', ')) {
    const [met = '', times = '1'] = each.split('*');
    const all = met.split(' & ').map(happeningOf);
    const happens = all[0] && (() => void all.map((happening) => happening?.()));
    const fault = happens === undefined ? faultOf(planned, ...word(met)) : { kind: 'meanwhile' as const, happens };
    if (verb !== undefined) platform.fault(verb, id, ...Array.from({ length: Number(times) }, () => fault));
    else if (said === undefined && happens !== undefined) happens();
    else throw new Error(`"${text}" is no event of a run`);
  }
}

function faultOf(planned: Picture, name: string, message: string): Fault {
  if (name === 'old') return { kind: 'stale', picture: planned };
  if (name === 'older') {
    const before = [...planned].map(([id, live]) => [id, { ...live, version: live.version - 1 }] as const);
    return { kind: 'stale', picture: new Map(before) };
  }
  const fault = name.startsWith('api.')
    ? { kind: 'error' as const, code: name, message: message || name }
    : faults[name];
  if (fault === undefined) throw new Error(`"${name}" is no fault of a run`);
  return fault;
}

/** The result of a run as text, with the parts that the expected text contains. */
function describeRun({ result, events }: Applied, platform: FakePlatform, expected: string): string {
  const found: Readonly<Record<string, (text: string) => readonly unknown[]>> = {
    done: () => result.done,
    skipped: () => result.skipped.map(({ id }) => id),
    because: () => result.skipped.map(({ because }) => because),
    reached: () => result.failed.map(({ reached }) => reached ?? 'nothing'),
    retried: () => events.flatMap((event) => (event.type === 'retrying' ? [event.id] : [])),
    sent: () => writes(platform),
    made: () => writes(platform).filter((line) => !line.startsWith('patch ')),
    asked: () => platform.log.filter((line) => /^(try|create|patch|delete) /.test(line)),
    calls: () => platform.log.filter((line) => !line.startsWith('owned ')),
    log: () => platform.log,
    lists: () => platform.log.filter((line) => line.startsWith('owned ')),
    there: () => platform.ids(),
    versions: () =>
      (result.changes ?? [])
        .map(({ id, version, already }) => `${id}@${version}${already === true ? ' already' : ''}`)
        .toSorted(),
    marks: () => platform.ids().map((id) => `${id} ${/v\d+/.exec(JSON.stringify(platform.at(id)?.record['tags']))}`),
    now: () =>
      platform.ids().map((id) => `${id}@${platform.at(id)?.version}=${platform.at(id)?.record['description']}`),
    requests: () => [result.requests],
    notes: () => result.notes ?? [],
    causes: () =>
      result.failed.flatMap(({ error }) =>
        error.causes.map(({ code, message, resource }) => `${resource} ${code} ${message}`),
      ),
    already: () => events.flatMap((event) => (event.type === 'done' && event.already === true ? [event.id] : [])),
    races: () => (result.races ?? []).map(raced),
    theirs: () => (result.races ?? []).flatMap(({ id, theirs }) => theirs.map((path) => `${id} ${path}`)),
    // Only of the named ones: one response may show several facts.
    learned: (named) =>
      [...platform.capabilities.known()].flatMap(([id, how]) =>
        how === 'otherwise' && named.includes(id) ? [id] : [],
      ),
    verified: () => [result.verified],
    differences: () => result.differences ?? [],
    written: () => [result.compared?.written],
    unchanged: () => [result.compared?.unchanged],
    rewritten: () => result.compared?.rewritten ?? [],
    'not-compared': () => result.compared?.notCompared ?? [],
    interrupted: () => [result.interrupted],
  };
  const wanted = parts(expected).filter((text) => !text.startsWith('failed '));
  const failures = result.failed.map(({ id, error }) => {
    const of = parts(expected).find((text) => text.startsWith(`failed ${id} `));
    const [, message] = /\((.*)\)$/.exec(of ?? '') ?? [];
    const says =
      message !== undefined &&
      (message === `= ${error.message}` || `${error.message} → ${error.hint}`.includes(message));
    return `failed ${id} ${error.code}${says ? ` (${message})` : ''}`;
  });
  const others = wanted.map((text) => {
    const [name = ''] = text.split(' ');
    const of = found[name];
    if (of === undefined) throw new Error(`"${name}" is nothing that a run ends with`);
    return `${name} ${of(text).join(', ') || 'nothing'}`;
  });
  return [...failures.toSorted(), ...others].join('; ');
}

/** `gvc/shop stale 3-5 theirs(tags.team) not-written(description) by(ann)`. */
function raced({ id, outcome, from, to, theirs, notWritten, by }: SettledRace): string {
  const lists = `theirs(${theirs.join()}) not-written(${notWritten.join()}) by(${by.join()})`;
  return `${id} ${outcome} ${from}-${to ?? (outcome === 'written' ? 'unknown' : 'gone')} ${lists}`;
}

/** The platform before the run, the plan of these changes, and the options of the run. */
export function planned(changes: string, { run, unsaid, offered, compared, again, ...options }: More = {}) {
  const fake = fakePlatform(options);
  const { platform } = fake;
  const made: Plan = {
    ...plan(...parts(changes).map((text) => changeOf(platform, text))),
    ...(unsaid === true ? { preconditions: 'unsaid' } : {}),
    ...(offered === true ? { dryRun: 'honoured' } : {}),
  };
  const from = platform.picture();
  const replan = (_: string, now: LiveResource) =>
    again === false
      ? undefined
      : patching(now, { description: 'new' }, typeof again === 'string' ? describing(again) : {});
  const given: ApplyOptions = {
    ...(again === undefined ? {} : { replan }),
    ...(compared === true ? { planned: (id) => from.get(id) } : {}),
    ...run,
  };
  const apply = (more: ApplyOptions = {}) => fake.apply(made, { ...given, ...more });
  return { ...fake, made, from, apply };
}

/** One test for each row. */
export function testRuns(rows: readonly RunRow[]): void {
  for (const [title, changes, events, end, more] of rows)
    test(title, async () => {
      const { platform, from, apply } = planned(changes, more);
      const controller = new AbortController();
      for (const event of parts(events)) meet(platform, from, event, () => controller.abort());
      const applied = await apply({ signal: controller.signal });
      const failures = parts(end).filter((text) => text.startsWith('failed '));
      const others = parts(end).filter((text) => !text.startsWith('failed '));
      expect(describeRun(applied, platform, end)).toBe([...failures.toSorted(), ...others].join('; '));
    });
}

import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../src/base/json/json.ts';
import type { Capabilities } from '../../src/capabilities/capabilities.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { AnswerReading } from '../../src/plan/replan.ts';
import type { Fault } from './harness/fakePlatform.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { body, creating, patching, plan, ref, tags } from './harness/plans.ts';

const id = 'gvc/shop';

/** A GVC of this stack with additional tags; the platform stores `stored` of the record after a PATCH. */
function world(more: JsonObject, stored: (record: JsonObject) => JsonObject) {
  const made = fakePlatform();
  const live = made.platform.put(ref(id), { description: 'old', tags: { ...tags(id), ...more } }, 3);
  made.platform.fault('patch', id, { kind: 'divergent', change: stored });
  return { ...made, live };
}

function withTag(key: string, value: string) {
  return (record: JsonObject): JsonObject => ({ ...record, tags: { ...objectAt(record, 'tags'), [key]: value } });
}

describe('write.drop, write.null: a removed value', () => {
  test('is compared: a remaining tag is a divergence, and the run is not verified', async () => {
    const { live, apply } = world({ team: 'a' }, withTag('team', 'a'));
    const change = patching(
      live,
      { tags: { ...tags(id, 4), $drop: ['team'] } },
      { expected: body({ tags: tags(id, 4) }) },
    );
    const applied = await apply(plan(change));
    expect(failures(applied)).toEqual([`${id}: apply.divergence`]);
    expect(applied.result).toMatchObject({
      verified: false,
      differences: [`${id} was written, but not stored as planned: tags.team`],
    });
    expect(applied.result.compared).toBeUndefined();
  });

  test('of Gantry that the platform does not keep is named as such', async () => {
    const { live, platform, apply } = world({}, ({ tags: _, ...record }) => record);
    const applied = await apply(plan(patching(live, { description: 'new', tags: tags(id, 4) })));
    expect(applied.result.failed[0]?.error).toMatchObject({
      code: 'apply.divergence',
      message: expect.stringMatching(/did not keep the tags by which Gantry finds what it owns: .*gantry\/stack/),
    });
    expect(platform.capabilities.of('value.tag-keys')).toBe('otherwise');
  });

  test('that was kept in doubt is noted in a verified result', async () => {
    const { live, apply } = world({ team: 'a' }, (record) => record);
    const stays = 'tags.team stays: somebody may have set it';
    const change = patching(live, { description: 'new' }, { notes: [stays, 'another note'], doubts: [stays] });
    expect((await apply(plan(change))).result).toMatchObject({
      verified: true,
      inDoubt: 1,
      notes: [`${id}: ${stays}`],
    });
  });

  test('that is no longer stored is verified', async () => {
    const { live, apply } = world({ team: 'a' }, (record) => record);
    const change = patching(
      live,
      { tags: { ...tags(id, 4), $drop: ['team'] } },
      { expected: body({ tags: tags(id, 4) }) },
    );
    expect((await apply(plan(change))).result.verified).toBe(true);
  });
});

describe('value.tags: tags of the platform', () => {
  const revision = withTag('its/revision', '8');
  const losing = (record: JsonObject): JsonObject => ({ ...record, tags: tags(id, 4) });

  // biome-ignore format: a row is a case
  test.each<[string, JsonObject, (record: JsonObject) => JsonObject, divergent?: true]>([
    ['that change with each write stop nothing', { 'its/revision': '7' }, revision],
    ['that appear with a write stop nothing', {}, revision],
    ['of others that a write loses are a divergence', { theirs: 'x' }, losing, true],
    ['of our own with another value are a divergence', {}, withTag('gantry/stack', 'other'), true],
  ])('%s', async (_, more, stored, divergent) => {
    const { live, apply } = world(more, stored);
    const expected = body({ description: 'new', tags: { ...tags(id, 4), ...more } });
    const applied = await apply(plan(patching(live, { description: 'new' }, { expected })));
    expect(failures(applied)).toEqual(divergent === true ? [`${id}: apply.divergence`] : []);
    if (divergent === undefined) expect(applied.result).toMatchObject({ done: [id], verified: true });
  });

  test('that a replacement carries over may change in the new record', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', id, { kind: 'divergent', change: withTag('its/revision', '1') });
    const made = { description: 'made', tags: { ...tags(id), 'its/revision': '8' } };
    const change = creating(id, { carries: ['tags."its/revision"'] }, made);
    expect((await apply(plan(change))).result).toMatchObject({ done: [id], verified: true });
  });
});

describe('value.defaults: a declared value that was omitted as the documented default', () => {
  const workload = 'workload/shop/web';
  const path = 'spec.containers.main.ports.9000.protocol';
  const spec = (...ports: readonly JsonObject[]): JsonObject => ({ containers: [{ name: 'main', ports }] });
  const [first, http, tcp] = [
    { number: 8080, protocol: 'http' },
    { number: 9000, protocol: 'http' },
    { number: 9000, protocol: 'tcp' },
  ];

  /** A platform that stores this `protocol` for the port that the PATCH appends. */
  async function run(
    port: JsonObject,
    options: Parameters<typeof fakePlatform>[0] = {},
    declared = http,
    others: readonly { readonly path: string }[] = [],
  ) {
    const made = fakePlatform(options);
    const live = made.platform.put(ref(workload), { spec: spec(first), tags: tags(workload) }, 3);
    made.platform.fault('patch', workload, {
      kind: 'divergent',
      change: (record) => ({ ...record, spec: spec(first, tcp) }),
    });
    const appending = { '$patch/containers': [{ name: 'main', '$append/ports': [port] }] };
    const expected = (version: number) => body({ spec: spec(first, declared), tags: tags(workload, version) });
    const change = patching(live, { spec: appending }, { expected: expected(4) });
    const replan = Object.assign(
      (_: string, now: LiveResource) =>
        patching(
          now,
          { spec: { containers: [{ name: 'main', ports: [first, declared] }] } },
          { fields: [{ path, old: 'tcp', new: declared.protocol }, ...others], expected: expected(now.version + 1) },
        ),
      { ofAnswer: () => ({ own: [], left: [path], notes: [] }) },
    );
    return { ...(await made.apply(plan(change), { replan })), platform: made.platform };
  }

  test.each([
    { answer: 'shows it', options: {} },
    { answer: 'is the record before it', options: { answersOld: true } as const },
    { answer: 'shows it, and directives work', options: { knows: [['write.directives', 'holds']] } as const },
  ])(
    'is written in a second request if the platform fills in another value and the response $answer',
    async ({ options }) => {
      const { result, platform } = await run({ number: 9000 }, options);
      expect(result).toMatchObject({ done: [workload], verified: true });
      expect(result.notes).toEqual([
        'the platform fills in "tcp" where a workload leaves out spec.containers.*.ports.*.protocol: the declared value ' +
          'was written in a second request',
      ]);
      expect(platform.at(workload)?.record['spec']).toEqual(spec(first, http));
      const [[, forms] = ['', undefined]] = 'knows' in options ? options.knows : [];
      expect(platform.capabilities.of('write.directives')).toBe(forms);
      expect([...platform.capabilities.defaults()]).toHaveLength(1);
    },
  );

  test('is a divergence if it was sent and the platform stores another value', async () => {
    expect(failures(await run(http))).toEqual([`${workload}: apply.divergence`]);
  });

  test('is a divergence if something else would be written with it', async () => {
    const applied = await run({ number: 9000 }, {}, http, [{ path: 'description' }]);
    expect(failures(applied)).toEqual([`${workload}: apply.divergence`]);
    expect([...applied.platform.capabilities.defaults()]).toEqual([]);
  });

  test('is a divergence if it is not the documented default', async () => {
    const knows = [['write.directives', 'holds']] as const;
    const applied = await run({ number: 9000 }, { knows }, { number: 9000, protocol: 'grpc' });
    expect(failures(applied)).toEqual([`${workload}: apply.divergence`]);
    expect([...applied.platform.capabilities.defaults()]).toEqual([]);
  });
});

describe('a value that the platform stores in its own way', () => {
  const field = 'spec.defaultOptions.timeoutSeconds';
  const workload = 'workload/shop/web';
  const spec = (timeoutSeconds?: number): JsonObject => ({
    defaultOptions: timeoutSeconds === undefined ? {} : { timeoutSeconds },
  });

  /** A run whose PATCH drops the field or sets it to 5, and whose response contains 15. */
  async function run(reading: Partial<AnswerReading>, patched: JsonObject, promised: JsonObject) {
    const made = fakePlatform();
    const live = made.platform.put(ref(workload), { spec: spec(30), tags: tags(workload) }, 3);
    made.platform.fault('patch', workload, { kind: 'divergent', change: (record) => ({ ...record, spec: spec(15) }) });
    const change = patching(live, { spec: patched }, { expected: body({ spec: promised, tags: tags(workload, 4) }) });
    const replan = Object.assign(() => undefined, { ofAnswer: () => ({ own: [], left: [], notes: [], ...reading }) });
    return made.apply(plan(change), { replan });
  }

  const [kept, dropped] = [{ defaultOptions: {} }, { defaultOptions: { $drop: ['timeoutSeconds'] } }];

  // biome-ignore format: a row is a case
  test.each<[string, Partial<AnswerReading>, patched: JsonObject, promised: JsonObject, verified: boolean]>([
    ["is verified if it is known to be the platform's own", { own: [field] }, kept, spec(5), true],
    ['is a divergence if that is unknown', {}, kept, spec(5), false],
    ['is a divergence if a plan would change it again', { own: [field], left: [field] }, kept, spec(5), false],
    ['instead of a dropped value is verified if a plan would not drop it again', { own: [field] }, dropped,
      spec(), true],
    ['instead of a dropped value is a divergence if a plan would drop it again', { left: [field] }, dropped,
      spec(), false],
  ])('%s', async (_, reading, patched, promised, verified) => {
    const applied = await run({ ...reading, notes: ['15 is its default'] }, patched, promised);
    expect(failures(applied)).toEqual(verified ? [] : [`${workload}: apply.divergence`]);
    expect(applied.result.verified).toBe(verified);
    if (verified) expect(applied.result).toMatchObject({ done: [workload], notes: ['15 is its default'] });
  });
});

describe('the mark of a record that the platform stored in its own way', () => {
  const workload = 'workload/shop/web';
  const markAt = (version: number, content = '') => `1;lAAAAAAAAAAAA;v${version};i;s;uBBBBBB${content};pCCC`;
  const markedAt = (version: number): JsonObject => ({ 'gantry/stack': 'shop', 'gantry/applied': markAt(version) });

  /** A PATCH of a record that is stored in another way; `faults` are those of writing the mark. */
  async function run(knows: ConstructorParameters<typeof Capabilities>[0], ...faults: readonly Fault[]) {
    const { platform, apply } = fakePlatform(knows === undefined ? {} : { knows });
    const live = platform.put(ref(workload), { tags: markedAt(3) }, 3);
    platform.fault('patch', workload, { kind: 'divergent', change: (record) => record }, ...faults);
    const change = patching(
      live,
      { alias: 'new', tags: markedAt(4) },
      { expected: body({ alias: 'new', tags: markedAt(4) }) },
    );
    const ofAnswer = () => ({ own: ['alias'], left: [], notes: [], mark: markAt(4, ';cDDDDDD') });
    const { result } = await apply(plan(change), { replan: Object.assign(() => undefined, { ofAnswer }) });
    expect(result).toMatchObject({ done: [workload], verified: true });
    return { mark: objectAt(platform.at(workload)?.record ?? {}, 'tags')['gantry/applied'], sent: writes(platform) };
  }

  test('contains the stored values, as the version may rise by itself after the run', async () => {
    expect(await run([])).toMatchObject({ mark: markAt(5, ';cDDDDDD') });
  });

  test('stays that of an earlier write if the write keeps that one', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(workload), { tags: markedAt(1) }, 3);
    const kept = { description: 'new', tags: markedAt(1) };
    const { result } = await apply(plan(patching(live, kept, { expected: body(kept) })));
    expect(result).toMatchObject({ done: [workload], verified: true });
    expect(platform.capabilities.of('write.answer')).toBeUndefined();
    expect(platform.at(workload)).toMatchObject({ version: 4, record: { tags: markedAt(1) } });
  });

  test('is omitted if the platform reports that versions prove who wrote', async () => {
    expect(await run([['version.plus-one', 'holds']])).toEqual({ mark: markAt(4), sent: [`patch ${workload}`] });
  });

  const lost: Fault = { kind: 'lost-after' };
  const conflict: Fault = { kind: 'error', code: 'api.conflict' };
  const theirs = { team: 'theirs' };

  // biome-ignore format: a row is a case
  test.each<[string, Fault, at: number, others: JsonObject, sent: number]>([
    ['a lost response does not cover values that others may have set since', lost, 9, theirs, 1],
    ['a lost response is sent if the version proves that ours was the last write', lost, 4, theirs, 2],
    ['a lost response is sent if later versions have no other values', lost, 9, {}, 2],
    ['a run that wrote the same does not cover values that others may have set since', conflict, 9, theirs, 1],
    ['a run that wrote the same is sent if later versions have no other values', conflict, 9, {}, 2],
  ])('after %s', async (_, fault, at, others, sent) => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(workload), { tags: markedAt(3) }, 3);
    const written = { description: 'new', tags: markedAt(4) };
    const happens = () =>
      platform.put(ref(workload), { ...written, tags: { ...markedAt(4), ...others } }, at, live.uid);
    platform.fault('patch', workload, fault);
    platform.fault('read', workload, { kind: 'meanwhile', happens });
    const ofAnswer = () => ({ own: ['alias'], left: [], notes: [], mark: markAt(4, ';cDDDDDD') });
    const replan = Object.assign(() => undefined, { ofAnswer });
    const { result } = await apply(plan(patching(live, written, { expected: body(written) })), {
      replan,
      planned: () => live,
    });
    expect(result.done).toEqual([workload]);
    expect(writes(platform)).toHaveLength(sent);
  });

  test('does not hide that another run of the same code made and named the record: it is done', async () => {
    const { platform, apply } = fakePlatform();
    const made = creating(workload, {}, { tags: { ...markedAt(1), 'gantry/applied': '1;lAAAAAAAAAAAA;v1;i;s;pCCC' } });
    platform.put(ref(workload), { name: 'web', description: 'made', tags: markedAt(2) }, 2);
    const { result } = await apply(plan(made));
    expect(result).toMatchObject({ done: [workload], failed: [], verified: true });
    expect(writes(platform)).toEqual([`create ${workload}`]);
  });

  test('is written after the second of two steps, not after the first one', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(workload), { tags: markedAt(3) }, 3);
    const step = (description: string, version: number) => ({ description, tags: markedAt(version) });
    const twoSteps = patching(live, step('first', 4), {
      expected: body(step('first', 4)),
      then: body(step('second', 5)),
      expectedThen: body(step('second', 5)),
    });
    const ofAnswer = () => ({ own: [], left: [], notes: [], mark: markAt(4, ';cDDDDDD') });
    const { result } = await apply(plan(twoSteps), { replan: Object.assign(() => undefined, { ofAnswer }) });
    expect(result.failed).toEqual([]);
    expect(writes(platform)).toHaveLength(3);
    expect(platform.at(workload)?.record).toMatchObject({
      description: 'second',
      tags: { 'gantry/applied': markAt(6, ';cDDDDDD') },
    });
  });

  test('is sent again if the record does not accept a PATCH yet', async () => {
    const { mark, sent } = await run([], { kind: 'error', code: 'api.not-found' });
    expect(mark).toBe(markAt(5, ';cDDDDDD'));
    expect(sent).toHaveLength(3);
  });

  test.each([
    { it: 'wrote', left: 'theirs', meanwhile: { description: 'theirs' } },
    { it: 'deleted', left: undefined, meanwhile: undefined },
  ])('is not written to a record that others $it since', async ({ left, meanwhile }) => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(workload), { description: 'old', tags: markedAt(3) }, 3);
    const happens = () => {
      if (meanwhile === undefined) platform.drop(workload);
      else platform.put(ref(workload), { ...platform.at(workload)?.record, ...meanwhile }, 5, live.uid);
    };
    platform.fault(
      'patch',
      workload,
      { kind: 'divergent', change: (record) => record },
      { kind: 'meanwhile', happens },
    );
    const written = { description: 'new', tags: markedAt(4) };
    const ofAnswer = () => ({ own: [], left: [], notes: [], mark: markAt(4, ';cDDDDDD') });
    const { result } = await apply(plan(patching(live, written, { expected: body(written) })), {
      replan: Object.assign(() => undefined, { ofAnswer }),
    });
    expect(result.done).toEqual([workload]);
    expect(writes(platform)).toHaveLength(2);
    expect(platform.at(workload)?.record['description']).toBe(left);
    expect(JSON.stringify(platform.at(workload)?.record ?? {})).not.toContain('cDDDDDD');
  });

  test('of a new record is written although versions prove who wrote, as that of its creation names no record', async () => {
    const { platform, apply } = fakePlatform({ knows: [['version.plus-one', 'holds']] });
    const made = creating(workload, {}, { tags: { ...markedAt(1), 'gantry/applied': '1;lAAAAAAAAAAAA;v1;i;s;pCCC' } });
    const ofAnswer = () => ({ own: [], left: [], notes: [], mark: markAt(1) });
    const { result } = await apply(plan(made), { replan: Object.assign(() => undefined, { ofAnswer }) });
    expect(result).toMatchObject({ done: [workload], verified: true });
    expect(platform.at(workload)?.record['tags']).toEqual(markedAt(2));
  });

  test('is not sent again if the platform refuses it', async () => {
    const { mark, sent } = await run([], { kind: 'error', code: 'api.forbidden' });
    expect(mark).toBe(markAt(4));
    expect(sent).toHaveLength(2);
  });
});

describe('value.tag-case: a platform that stores tag keys in lower case', () => {
  const lowered = (record: JsonObject): JsonObject => {
    const keys = Object.entries(objectAt(record, 'tags')).map(([key, value]) => [key.toLowerCase(), value] as const);
    return { ...record, tags: Object.fromEntries(keys) };
  };

  test('ends the run with the keys that it changes, and is known from then on', async () => {
    const { live, apply, platform } = world({}, lowered);
    const written = { ...tags(id, 4), Tier: '1' };
    const applied = await apply(plan(patching(live, { tags: written }, { expected: body({ tags: written }) })));
    expect(failures(applied)).toEqual([`${id}: apply.tag-case`]);
    expect(applied.result.failed[0]?.error.message).toBe(
      'gvc/shop was written, but the platform has the keys of its tags in lower case: tags.Tier',
    );
    expect(platform.capabilities.isOtherwise('value.tag-case')).toBe(true);
  });

  test('is not the only cause if another value differs too: all differences are named', async () => {
    const { live, apply, platform } = world({}, (record) => ({ ...lowered(record), description: 'other' }));
    const written = { description: 'new', tags: { ...tags(id, 4), Tier: '1' } };
    const applied = await apply(plan(patching(live, written, { expected: body(written) })));
    expect(failures(applied)).toEqual([`${id}: apply.divergence`]);
    expect(applied.result.differences).toEqual([
      `${id} was written, but not stored as planned: description, tags.Tier`,
    ]);
    expect(platform.capabilities.of('value.tag-case')).toBeUndefined();
  });

  test('keeps a key in lower case', async () => {
    const { live, apply } = world({}, lowered);
    const written = { ...tags(id, 4), tier: '1' };
    const applied = await apply(plan(patching(live, { tags: written }, { expected: body({ tags: written }) })));
    expect(applied.result).toMatchObject({ failed: [], verified: true });
  });
});

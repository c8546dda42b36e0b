import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { attributeCauses, trailsWanted } from '../../../src/change/attributeCauses.ts';
import { planSchema, planToJson } from '../../../src/change/documents/planDocument.ts';
import { liveReferences } from '../../../src/manifest/live/liveReference.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { WriteEvent } from '../../../src/manifest/live/writer.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { Cause } from '../../../src/plan/model/cause.ts';
import type { Change } from '../../../src/plan/model/change.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { fillReads } from '../../../src/plan/planWithReads.ts';
import { changeOf, declare, hash, live, options, org, owner, partTag, plan, snapshot } from '../world.ts';

const id = 'workload/g/web';
const gvc = [live('gvc/g')];
const web = (image: string, more: JsonObject = {}): JsonObject => ({
  spec: { type: 'standard', containers: [{ name: 'main', image, cpu: '50m', memory: '128Mi', ...more }] },
});

/** One write of a record; `record` is its state afterwards. */
function write(
  version: number,
  by: string,
  { record }: LiveResource,
  action: WriteEvent['action'] = 'edit',
): WriteEvent {
  const at = `2026-11-20T14:0${version}:30.000Z`;
  return { version, at, action, writer: { name: by, type: 'user' }, record: { ...record, version } };
}

const by = (name: string, version: number) => ({
  name,
  type: 'user',
  version,
  at: `2026-11-20T14:0${version}:30.000Z`,
});

/** A record that this stack wrote as version 7 and that others may have written since. */
function atVersion(version: number, fields: JsonObject, of = id): LiveResource {
  return live(of, fields, { version, applied: { version: 7, tagKeys: [] } });
}

const ours = (image: string, more: JsonObject = {}) => write(7, 'ci@example.com', atVersion(7, web(image, more)));
const theirs = (version: number, name: string, fields: JsonObject) => write(version, name, atVersion(version, fields));

const taking = (text: string, description: string) =>
  fillReads(
    [
      { ...declare(id, web('a:1', { env: [{ name: 'TO', value: text }] })), reads: liveReferences(text) },
      declare('gvc/g', { description }),
    ],
    snapshot(gvc),
  )[0] ?? declare(id);

describe('values that a resource reads from another record', () => {
  const reads = [{ id: 'gvc/g', path: 'description' }];
  const env = (value: string) => ({ env: [{ name: 'TO', value }] });

  test('a changed value is reported as a cause beside the writes of others, field by field', () => {
    const declared = taking('to ${live.gvc/g:description}', 'two');
    const held = atVersion(8, web('b:1', env('to one')));
    const trail = [theirs(8, 'ana@example.com', web('b:1', env('to one'))), ours('a:1', env('to one'))];
    const { cause, fields, reason } = settled(declared, held, trail);
    expect(fields).toEqual({
      'spec.containers.main.image': { others: [by('ana@example.com', 8)] },
      'spec.containers.main.env.TO.value': { reads },
    });
    expect(cause).toEqual({ reads, others: [by('ana@example.com', 8)], since: 7 });
    expect(reason).toBe(
      'changed in what it takes (description of gvc/g), and by ana@example.com at 2026-11-20 14:08 UTC, after version 7',
    );
  });

  test('a changed value counts as a cause even if others overwrote it', () => {
    const held = atVersion(8, web('a:1', env('theirs')));
    const trail = [theirs(8, 'ana@example.com', web('a:1', env('theirs'))), ours('a:1', env('to one'))];
    const of = (description: string) => settled(taking('to ${live.gvc/g:description}', description), held, trail).cause;
    expect(of('two')).toEqual({ reads, others: [by('ana@example.com', 8)], since: 7 });
    expect(of('one')).toEqual({ others: [by('ana@example.com', 8)], since: 7 });
  });

  test('a changed value is reported beside a change of the code', () => {
    const held = atVersion(7, web('b:1', env('to one')));
    const { cause } = settled(taking('to ${live.gvc/g:description}', 'two'), held, [ours('b:1', env('to one'))]);
    expect(cause).toEqual({ code: true, reads });
  });

  test('the cause is unsure while the audit trail has not been read', () => {
    const held = atVersion(8, web('a:1', env('to one')));
    const { cause } = settled(taking('to ${live.gvc/g:description}', 'two'), held, null);
    expect(cause).toEqual({ reads, others: [], unsure: true, since: 7 });
  });
});

/** The change after the trail of the record was read; null if the trail cannot be read. */
function settled(
  declared: DesiredResource,
  held: LiveResource,
  trail: readonly WriteEvent[] | null,
): Pick<Change, 'cause' | 'reason'> & { readonly fields: Readonly<Record<string, Cause>> } {
  const desired = [declare('gvc/g'), declared];
  const state = snapshot([...gvc, held]);
  const made = plan(desired, state);
  const trails = new Map(trail === null ? [] : [[held.uid, trail]]);
  const { cause, reason, fields } = changeOf(
    attributeCauses(made, { desired, snapshot: state, options }, trails),
    declared.id,
  );
  const causes = fields.map((field) => [field.path, { ...field.cause }] as const);
  return { reason, fields: Object.fromEntries(causes), ...(cause === undefined ? {} : { cause }) };
}

const image = 'spec.containers.main.image';

const code = 'changed in the code';
const secret = (payload: string, more: JsonObject = {}) => ({
  type: 'opaque',
  data: { payload, encoding: 'plain' },
  ...more,
});
const key = 'secret/key';
const secretTrail = [
  write(8, 'ana@example.com', atVersion(8, { type: 'opaque' }, key)),
  write(7, 'ci@example.com', atVersion(7, { type: 'opaque' }, key)),
];
const ana = (fields: JsonObject) => theirs(8, 'ana@example.com', fields);
const byAna = { others: [by('ana@example.com', 8)], since: 7 };
const atAna = 'ana@example.com at 2026-11-20 14:08 UTC';
const tagged = (image: string, tags: JsonObject) => ({ ...web(image), tags });
const described = { ...web('web:1'), description: 'theirs' };
const other: JsonObject = { spec: { type: 'standard', containers: [{ name: 'other', image: 'o:1' }] } };
const unmarked = live(id, web('web:3'), { version: 8, applied: null });
const anew = live(id, web('web:3'), { version: 1, applied: { version: 7 } });
const serverless = { spec: { ...objectAt(web('web:1'), 'spec'), type: 'serverless' } };

/** The expected parts of the change; other parts are not compared. */
type Row = readonly [
  title: string,
  declared: DesiredResource,
  held: LiveResource,
  trail: readonly WriteEvent[] | null,
  expected: Partial<ReturnType<typeof settled>>,
];

// biome-ignore format: a row is a case
const rows: readonly Row[] = [
  ['without other writes since ours, the cause is the code',
    declare(id, web('web:2')), atVersion(7, web('web:1')), null,
    { reason: code, cause: { code: true }, fields: { [image]: {} } }],
  ['without other writes and with an undeclared field that differs, the cause is the code or a default',
    declare(id, web('web:1')),
    atVersion(7, web('web:1', { workingDir: '/x' })), null,
    { reason: `${code}, or by a default of the platform`, cause: { code: true, platform: true, unsure: true } }],
  ['a change of lifecycle.retain alone is a change of the code', declare(id, web('web:1'), { retain: true }),
    atVersion(7, web('web:1')), null, { reason: code, cause: { code: true } }],
  ['another client wrote another value than the declared one, and the code is unchanged', declare(id, web('web:1')),
    atVersion(8, web('web:3')), [ana(web('web:3')), ours('web:1')],
    { reason: `changed by ${atAna}, after version 7`, cause: byAna, fields: { [image]: { others: byAna.others } } }],
  ['the same amount in another unit is no change of the code', declare(id, web('web:1', { cpu: '0.05' })),
    atVersion(8, web('web:1', { cpu: '1' })), [ana(web('web:1', { cpu: '1' })), ours('web:1')], { cause: byAna }],
  ['a writer with several writes is named once', declare(id, web('web:1', { workingDir: '/y' })),
    atVersion(9, web('web:2', { workingDir: '/x' })),
    [theirs(9, 'ana@example.com', web('web:2', { workingDir: '/x' })), ana(web('web:2', { workingDir: '/y' })),
      ours('web:1', { workingDir: '/y' })],
    { reason: 'changed by ana@example.com at 2026-11-20 14:09 UTC (2 writes), after version 7' }],
  ['if the code and others changed the record, each field names its cause',
    declare(id, web('web:2', { command: 'serve' })),
    atVersion(9, web('web:3', { workingDir: '/x' })),
    [theirs(9, 'bob@example.com', web('web:3', { workingDir: '/x' })), ana(web('web:3')), ours('web:1')],
    { reason: `${code}, and by bob@example.com at 2026-11-20 14:09 UTC, ${atAna}, after version 7`,
      cause: { code: true, others: [by('bob@example.com', 9), by('ana@example.com', 8)], since: 7 },
      fields: { [image]: { code: true, others: byAna.others },
        'spec.containers.main.workingDir': { others: [by('bob@example.com', 9)] },
        'spec.containers.main.command': { code: true } } }],
  ['a writer of another field is not named', declare(id, web('web:2')), atVersion(8, tagged('web:1', { team: 'x' })),
    [ana(tagged('web:1', { team: 'x' })), ours('web:1')], { reason: code, cause: { code: true } }],
  ['the trail cannot be read', declare(id, web('web:2')), atVersion(8, web('web:3')), null,
    { reason: `${code}, or by others, after version 7`, cause: expect.objectContaining({ code: true, unsure: true }) }],
  ['the trail does not reach back to our write', declare(id, web('web:2')), atVersion(8, web('web:3')),
    [ana(web('web:3'))],
    { reason: `${code}, or by ${atAna}, after version 7`,
      cause: expect.objectContaining({ code: true, unsure: true }) }],
  ['a version is missing in the trail: others changed it, without a name', declare(id, web('web:1')),
    atVersion(9, web('web:3')), [theirs(9, 'bob@example.com', web('web:3')), ours('web:1')],
    { reason: 'changed by others, after version 7', cause: { others: [], since: 7 } }],
  ['the live version is missing in the trail: others changed it, without a name', declare(id, web('web:1')),
    atVersion(8, web('web:3')), [ours('web:1')],
    { reason: 'changed by others, after version 7', cause: { others: [], since: 7 } }],
  ['a change of a lifecycle setting is caused by the code', declare(id, web('web:1'), { retain: true }),
    atVersion(8, tagged('web:1', { team: 'x' })), [ana(tagged('web:1', { team: 'x' })), ours('web:1')],
    { cause: { code: true }, fields: expect.objectContaining({ 'lifecycle.retain': { code: true } }) }],
  ['one field was changed by the platform, another by the code: both are named',
    declare(id, web('web:1', { command: 'serve' })),
    atVersion(8, tagged('web:3', { a: 'x' })), [ana(tagged('web:1', { a: 'x' })), ours('web:1')],
    { cause: { code: true, platform: true } }],
  ['a value that no recorded write set was changed by the platform', declare(id, web('web:1')),
    atVersion(8, tagged('web:3', { team: 'x' })), [ana(tagged('web:1', { team: 'x' })), ours('web:1')],
    { reason: 'changed by the platform', cause: { platform: true } }],
  ['gantry/applied was removed: our last write is the one that contained it', declare(id, web('web:1')), unmarked,
    [write(8, 'ana@example.com', unmarked), ours('web:1')], { reason: `changed by ${atAna}, after version 7` }],
  ['another client created the record again with our tags', declare(id, web('web:1')), anew,
    [write(1, 'ana@example.com', anew, 'create')],
    { reason: `${code}, or by ana@example.com at 2026-11-20 14:01 UTC, after version 7` }],
  ['a replacement names the field that cannot be changed in place, and who changed it', declare(id, web('web:1')),
    atVersion(7, serverless), null, { reason: `spec.type cannot be changed in place; ${code}` }],
  ['the trail contains no secret values, so the cause is the code or others', declare(key, secret('new')),
    atVersion(8, secret('theirs'), key), secretTrail, { reason: `${code}, or by ${atAna}, after version 7` }],
  ['beside a secret value, another field that the code changed does not make the cause sure',
    declare(key, secret('new', { description: 'new' })), atVersion(8, secret('theirs'), key), secretTrail,
    { cause: expect.objectContaining({ code: true, unsure: true }),
      fields: expect.objectContaining({ description: { code: true } }) }],
  ['a field that the code and others changed names both, even if others removed the whole item',
    declare(id, web('web:2')), atVersion(8, other), [ana(other), ours('web:1')],
    { cause: expect.objectContaining({ code: true, others: byAna.others }) }],
  ['only others are named if they removed the item and the code is unchanged', declare(id, web('web:1')),
    atVersion(8, other), [ana(other), ours('web:1')], { cause: byAna }],
  ['a description that the code omits and others set is changed by them, not by the code',
    declare(id, web('web:1')), atVersion(8, described), [ana(described), ours('web:1')], { cause: byAna }],
];

describe('why a resource changes', () => {
  test.each(rows)('%s', (_, declared, held, trail, expected) => {
    const found = settled(declared, held, trail);
    expect(found).toEqual({ ...found, ...expected });
  });

  test('a change that creates, deletes or adopts has no cause', () => {
    const made = plan(
      [declare('gvc/g'), declare(id, web('web:1')), declare('group/x', {}, { adopt: true })],
      [...gvc, live('secret/old', { type: 'opaque' }), live('group/x', {}, { owner: null, applied: null })],
    );
    expect(made.changes.map(({ action, reason, cause }) => [action, reason, cause])).toEqual([
      ['adopt', 'adopted: it has no owner', undefined],
      ['delete', 'it is no longer declared', undefined],
      ['create', 'it does not exist yet', undefined],
      ['keep', '', undefined],
    ]);
  });
});

describe('a list shared with a part of another stack', () => {
  const team = 'group/team';
  const members = (...names: readonly string[]) => names.map((name) => `/org/${org}/serviceaccount/${name}`);
  const record = (version: number, names: readonly string[], theirPart: readonly string[], more: JsonObject = {}) => {
    const items = members(...theirPart).map((member) => ['memberLinks', member]);
    const tags = items.length === 0 ? {} : partTag('bank', { kind: 'group', name: 'team' }, items, { version });
    return atVersion(version, { memberLinks: members(...names), ...more, tags }, team);
  };
  const declared = (...names: readonly string[]) => declare(team, { description: 'x', memberLinks: members(...names) });
  const before = write(7, 'ci@example.com', record(7, ['a'], [], { description: 'x' }));
  const shared = record(8, ['a', 'theirs'], ['theirs'], { description: 'x' });
  const joined = write(8, 'bank@example.com', shared);

  const ana = { others: [by('ana@example.com', 9)], since: 7 };

  test.each<[string, readonly string[], boolean, Cause]>([
    ['an item that a person adds is changed by that person, not by the code', ['a'], true, ana],
    ['an item that the code adds is changed by the code alone', ['a', 'b'], false, { code: true }],
    ['items that a person and the code add have both causes', ['a', 'b'], true, { code: true, ...ana }],
  ])('%s', (_, items, hasStray, cause) => {
    const now = hasStray ? record(9, ['a', 'theirs', 'stray'], ['theirs'], { description: 'x' }) : shared;
    const trail = hasStray ? [write(9, 'ana@example.com', now), joined, before] : [joined, before];
    expect(settled(declared(...items), now, trail).cause).toEqual(cause);
  });
});

test('a first part of a resource is changed by the code', () => {
  const domain = 'group/team';
  const record = (members: readonly string[]): JsonObject => ({ memberLinks: members });
  const part = declare(domain, record(['//serviceaccount/ci']), { part: true });
  const first = plan(
    [part],
    [live(domain, record([]), { owner: null, applied: null, version: 3 }), live('serviceaccount/ci')],
  );
  expect(changeOf(first, domain)).toMatchObject({
    cause: { code: true },
    reason: "this stack's part: changed in the code",
  });
});

test('for a part, items that others add are no cause, and removing one of its items is', () => {
  const team = 'group/team';
  const members = (...names: readonly string[]) => names.map((name) => `/org/${org}/serviceaccount/${name}`);
  const mine = partTag(owner, { kind: 'group', name: 'team' }, [['memberLinks', members('a')[0] ?? '']], {
    version: 7,
  });
  const record = (version: number, ...names: readonly string[]) =>
    live(team, { memberLinks: members(...names), tags: mine }, { owner: 'bank', applied: null, version });
  const now = record(9, 'x');
  const found = settled(declare(team, { memberLinks: members('a') }, { part: true }), now, [
    write(9, 'ana@example.com', now),
    write(8, 'bank@example.com', record(8, 'a', 'x')),
    write(7, 'ci@example.com', record(7, 'a')),
  ]);
  expect(found.cause).toEqual({ others: [by('ana@example.com', 9)], since: 7 });
});

describe('audit trails that a plan reads', () => {
  const many = Array.from({ length: 1000 }, (_, index) => `group/g${index}`);
  const planned = (version: number): Plan =>
    plan(
      many.map((each) => declare(each, { description: 'new' })),
      many.map((each) => live(each, {}, { version, applied: { version: 7 } })),
    );

  test('none is read if nothing else wrote since', () => {
    expect(trailsWanted(planned(7))).toEqual([]);
  });

  test('at most 25 are read, however many records changed', () => {
    expect(trailsWanted(planned(8))).toHaveLength(25);
  });
});

test('the JSON plan matches its schema and contains the cause of the change and of its fields', () => {
  const held = web('web:3');
  const desired = [declare('gvc/g'), declare(id, web('web:1'))];
  const state = snapshot([...gvc, atVersion(8, held)]);
  const trails = new Map([[`uid-${id}`, [theirs(8, 'ana@example.com', held), ours('web:1')]]]);
  const json = planToJson(
    attributeCauses(plan(desired, state), { desired, snapshot: state, options: { owner, hash } }, trails),
  );
  const validate = new Ajv2020({ strict: true }).compile(planSchema);
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
  expect(JSON.stringify(json)).toContain('"cause":{"others":[{"name":"ana@example.com"');
});

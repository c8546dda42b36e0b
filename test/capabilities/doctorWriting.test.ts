import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { Capabilities } from '../../src/capabilities/capabilities.ts';
import { examine } from '../../src/capabilities/examination.ts';
import { isCurrent, isGone, otherDefaults, steps, writingDecisions } from '../../src/capabilities/examineWriting.ts';
import { type Seen, Survey } from '../../src/capabilities/survey.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';

const name = 'gantry-doctor-1';
const ok = (body: JsonValue, status = 200): Seen => ({ status, body });
const refused = (status: number): Seen => ({ status, body: { status, message: 'no' } });
const env = (...names: readonly string[]): readonly JsonObject[] =>
  names.map((each) => {
    const [key = '', value = ''] = each.split('=');
    return { name: key, value };
  });

/** The GVC after the steps, written by hand. */
function gvc(version: number, tags: JsonObject, list: readonly JsonObject[]): JsonObject {
  return { id: 'g', name, kind: 'gvc', version, tags, spec: { env: list }, links: [] };
}
const long = 'x'.repeat(480);
const marks = { 'gantry/doctor': name, 'gantry/doctor-long': long };
const abc = env('A=1', 'B=2', 'C=3');
const workload: JsonObject = {
  id: 'w',
  name: 'doctor',
  kind: 'workload',
  version: 1,
  description: 'doctor',
  tags: {},
  links: [{ rel: 'gvc', href: `/org/acme/gvc/${name}` }],
  spec: {
    type: 'standard',
    containers: [
      {
        name: 'main',
        image: 'registry.invalid/doctor:1',
        cpu: '50m',
        inheritEnv: false,
        memory: '128Mi',
        ports: [{ number: 8080, protocol: 'http' }],
      },
    ],
    defaultOptions: { suspend: true, timeoutSeconds: 5 },
  },
};

/** Each PATCH, the GVC after it, and its version, which is new except for the PATCH that changes nothing. */
const patches: readonly (readonly [string, JsonObject, readonly JsonObject[], number])[] = [
  ['pinned', { one: 'a', two: 'b', three: 'c' }, abc, 2],
  ['changed', { one: 'a', two: 'b', three: 'c', four: 'd' }, abc, 3],
  ['same', { one: 'a', two: 'b', three: 'c', four: 'd' }, abc, 3],
  ['null', { two: 'b', three: 'c', four: 'd' }, abc, 4],
  ['drop', { three: 'c', four: 'd' }, abc, 5],
  ['patch', { three: 'c', four: 'd' }, env('A=1', 'B=x', 'C=3'), 6],
  ['append', { three: 'c', four: 'd' }, env('A=1', 'B=x', 'C=3', 'D=4', 'E=5'), 7],
  ['drop-items', { three: 'c', four: 'd' }, env('B=x', 'C=3', 'D=4', 'E=5'), 8],
  ['retain', { three: 'c', four: 'd' }, env('C=3', 'E=5'), 9],
  ['replace', { three: 'c', four: 'd' }, env('D=4', 'A=1'), 10],
  ['list', { three: 'c', four: 'd' }, env('B=2'), 11],
];
const after = (record: JsonObject, step: string) =>
  [step, `${step}:first`, `${step}:after`].map((key) => [key, ok(record)] as const);
const created = gvc(1, { ...marks, one: 'a', two: 'b' }, abc);
const last = gvc(11, { ...marks, three: 'c', four: 'd' }, env('B=2'));

/** The answers of a platform that meets all assumptions. */
const usual: Readonly<Record<string, Seen>> = Object.fromEntries([
  ...after(created, 'create'),
  ['fresh', ok({ items: [created] })],
  ['taken', refused(409)],
  ['other-version', refused(409)],
  ['other-id', refused(409)],
  ...patches.flatMap(([step, tags, list, version]) => after(gvc(version, { ...marks, ...tags }, list), step)),
  ...after(workload, 'workload'),
  ['list-in-own', ok({ items: [workload] })],
  ['deployments-of-own', ok({ items: [] })],
  ['dry-run', ok(workload)],
  ['dry-run:stored', refused(404)],
  ['delete', ok({}, 202)],
  ['delete:first', refused(404)],
  ['delete:after', refused(404)],
  ['delete-again', refused(404)],
  ...after({ ...workload, id: 'w2' }, 'again'),
  ['idle', ok(last)],
  ['delete-gvc', ok({}, 202)],
  ['delete-gvc:first', refused(404)],
  ['delete-gvc:after', refused(404)],
  ['cascade', refused(404)],
]);

const verdict = (id: keyof typeof writingDecisions, other: Readonly<Record<string, Seen>> = {}) =>
  writingDecisions[id](new Survey('acme', new Map(Object.entries({ ...usual, ...other }))));
type Id = keyof typeof writingDecisions;
const isId = (id: string): id is Id => Object.hasOwn(writingDecisions, id);
const ids = Object.keys(writingDecisions).filter(isId);

const shownAfter = (step: string, record: JsonObject): Readonly<Record<string, Seen>> => ({
  [`${step}:first`]: ok(record),
  [`${step}:after`]: ok(record),
});
const withSpec = (spec: JsonObject): JsonObject => ({ ...workload, spec });
const { spec } = { spec: { type: 'standard', containers: [], defaultOptions: { suspend: true } } };
const containing = (container: JsonObject): JsonObject =>
  withSpec({ ...spec, containers: [{ name: 'main', image: 'registry.invalid/doctor:1', ports: [], ...container }] });

test.each(ids)('%s holds on a platform that meets all assumptions', (id) => {
  expect(verdict(id)).toEqual({ finding: 'holds' });
});

/** An answer that refutes an assumption, and the details of the finding; written by hand. */
const differing: readonly (readonly [Id, Readonly<Record<string, Seen>>, string | undefined])[] = [
  ['write.preconditions', { 'other-version': ok(created) }, '200'],
  ['write.preconditions', { 'other-id': ok(created) }, '200'],
  ['write.pins', { pinned: refused(400) }, '400'],
  ['write.answer', { create: ok({}) }, 'POST'],
  ['write.answer', { pinned: ok(created) }, 'PATCH'],
  ['write.at-once', { 'workload:first-answer': refused(404) }, '404'],
  ['write.taken', { taken: ok(created) }, '200'],
  ['write.drop', { drop: refused(400) }, '400'],
  ['write.drop', shownAfter('drop', created), 'accepted, with another effect'],
  ['write.null', shownAfter('null', created), 'accepted, with another effect'],
  ['write.patch-items', shownAfter('patch', gvc(6, {}, env('B=x'))), 'accepted, with another effect'],
  ['write.append', shownAfter('append', gvc(7, {}, env('D=4', 'E=5', 'A=1'))), 'accepted, with another effect'],
  ['write.drop-items', shownAfter('drop-items', gvc(8, {}, abc)), 'accepted, with another effect'],
  ['write.retain', shownAfter('retain', gvc(9, {}, env('E=5'))), 'accepted, with another effect'],
  ['write.replace', shownAfter('replace', gvc(10, {}, env('A=1', 'D=4'))), 'accepted, with another effect'],
  ['write.list', shownAfter('list', gvc(11, {}, env('D=4', 'A=1', 'B=2'))), 'accepted, with another effect'],
  ['write.dry-run', { 'dry-run': refused(405) }, '405'],
  ['write.dry-run', { 'dry-run:stored': ok(workload) }, 'it was stored'],
  [
    'read.query-tag',
    { fresh: ok({ items: [created, gvc(1, {}, []), { name: 'other' }] }) },
    'it returns records that do not match',
  ],
  ['read.list-of-gvc', { 'list-in-own': ok({ items: [] }) }, 'it lacks what was created'],
  ['read.deployments', { 'deployments-of-own': refused(404) }, '404'],
  ['read.own-writes', { 'null:first': ok(created) }, 'null'],
  ['read.own-writes', { fresh: ok({ items: [] }) }, 'query'],
  ['link.gvc', { 'workload:after': ok({ ...workload, links: [] }) }, undefined],
  ['version.plus-one', shownAfter('changed', gvc(7, {}, [])), '2, then 7'],
  ['version.rises', shownAfter('changed', gvc(2, {}, [])), '2, then 2'],
  ['version.counts-changes', shownAfter('same', gvc(4, {}, [])), '3, then 4'],
  ['version.only-writes', { idle: ok(gvc(12, {}, [])) }, '11, then 12'],
  ['value.case', { 'workload:after': ok(withSpec({ ...spec, type: 'Standard' })) }, 'type, protocol'],
  ['value.empty', { 'workload:after': ok(containing({})) }, 'a false'],
  ['value.types', { 'workload:after': ok(containing({ ports: [{ number: '8080' }] })) }, 'number'],
  ['value.order', shownAfter('create', gvc(1, marks, env('B=2', 'A=1', 'C=3'))), undefined],
  ['value.digests', { 'workload:after': ok(containing({ image: 'registry.invalid/doctor:1@sha256:0' })) }, undefined],
  ['value.description', { 'workload:after': ok({ ...workload, description: '' }) }, undefined],
  ['value.defaults', { 'workload:after': ok(containing({ cpu: '100m' })) }, 'spec.containers.*.cpu'],
  ['value.tags', shownAfter('create', gvc(1, { ...marks, owner: 'platform' }, abc)), 'it adds some'],
  ['value.tag-keys', shownAfter('create', gvc(1, { one: 'a' }, abc)), 'they are missing'],
  ['value.tag-keys', shownAfter('create', gvc(1, { 'gantry/doctor': name }, abc)), 'they are cut'],
  ['value.tag-keys', { 'create:refused': refused(400) }, '400'],
  ['delete.absent', { 'delete:after': refused(410) }, '410'],
  ['delete.again', { 'delete-again': ok({}) }, '200'],
  ['delete.name-reusable', { again: refused(409) }, '409'],
  ['delete.cascade', { 'delete-gvc': refused(409) }, '409'],
  ['delete.cascade', { cascade: ok(workload) }, 'its workload is still there'],
];

test.each(differing)('%s is refuted by the answer %o', (id, other, detail) => {
  expect(verdict(id, other)).toEqual({ finding: 'otherwise', detail });
});

test('every assumption about writing has an answer in this table that refutes it', () => {
  expect(ids.filter((id) => !differing.some(([each]) => each === id))).toEqual([]);
});

describe('without any write', () => {
  const state = (other: Readonly<Record<string, Seen>>) =>
    examine(new Survey('acme', new Map(Object.entries(other))), new Capabilities());

  test('no row that needs a write has a finding, and the reason names --write', () => {
    const found = state({}).filter(({ id }) => isId(id));
    expect(found.filter(({ state: each }) => each === 'otherwise')).toEqual([]);
    expect(found.find(({ id }) => id === 'write.drop')?.because).toBe('gantry doctor --write asks it');
  });

  test('because the platform refuses the GVC, no row has a finding either', () => {
    const found = state({ create: refused(403) }).filter(({ id }) => isId(id));
    expect(found.filter(({ state: each }) => each === 'otherwise')).toEqual([]);
  });
});

describe('a read after a write', () => {
  const [patch, deletion] = [steps.find((step) => step.name === 'drop'), steps.find((step) => step.name === 'delete')];

  test.each([
    [5, 4, false],
    [5, 5, true],
    [5, 6, true],
  ])('of version %d that shows version %d is current: %s', (answered, shown, expected) => {
    expect(patch && isCurrent(patch, ok({ version: answered }), ok({ version: shown }))).toBe(expected);
  });

  test('of a deletion is current if the answer is the same as for a name that never existed', () => {
    expect(deletion && isCurrent(deletion, ok({}), ok(workload), refused(403))).toBe(false);
    expect(deletion && isCurrent(deletion, ok({}), refused(403), refused(403))).toBe(true);
    expect(isGone(refused(410), refused(404))).toBe(true);
    expect(isGone(refused(302), refused(302))).toBe(false);
    expect(isGone(ok(workload), ok({}))).toBe(false);
  });
});

test('only an omitted field whose answer differs from the documented default is another default', () => {
  const sent: JsonObject = { spec: { containers: [{ name: 'main' }], defaultOptions: {} } };
  const shown: JsonObject = {
    spec: {
      containers: [{ name: 'main', cpu: '50m', memory: '1Gi' }],
      defaultOptions: { timeoutSeconds: 15, unknown: 1 },
    },
  };
  expect(otherDefaults(shapeOf('workload'), sent, shown)).toEqual([
    ['spec.containers.*.memory', '1Gi'],
    ['spec.defaultOptions.timeoutSeconds', 15],
  ]);
});

test("every step that writes changes the doctor's GVC, or records in it", () => {
  const survey = new Survey('acme', new Map(Object.entries(usual)));
  for (const step of steps) {
    const { method = 'GET', path = '', body = {} } = step.ask(survey, name) ?? {};
    const isOwn = path.startsWith(`/org/acme/gvc/${name}`) || (path === '/org/acme/gvc' && body['name'] === name);
    expect(isOwn || method === 'GET' || path.endsWith('/-query'), `${step.name}: ${method} ${path}`).toBe(true);
  }
});

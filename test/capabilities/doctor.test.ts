import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { type AssumptionId, assumptions } from '../../src/capabilities/assumptions.ts';
import { Capabilities, keptOf } from '../../src/capabilities/capabilities.ts';
import {
  examine,
  findingsOf,
  isAskedAbout,
  lacking,
  learntByRuns,
  sections,
} from '../../src/capabilities/examination.ts';
import { readingRounds } from '../../src/capabilities/examineReading.ts';
import { isAssumption, rows, startFrom } from '../../src/capabilities/kept.ts';
import { type Seen, Survey } from '../../src/capabilities/survey.ts';
import { declarableKinds, isGvcScoped } from '../../src/schema/record/kinds.ts';

const ok = (body: JsonValue): Seen => ({ status: 200, body });
const refused = (status: number): Seen => ({ status, body: { status, message: 'no' } });
const page: Seen = { status: 200, body: undefined };

function recordOf(kind: string): JsonObject {
  const self = isGvcScoped(kind) ? `/org/acme/gvc/shop/${kind}/one` : `/org/acme/${kind}/one`;
  const links = [
    { rel: 'self', href: self },
    ...(isGvcScoped(kind) ? [{ rel: 'gvc', href: '/org/acme/gvc/shop' }] : []),
  ];
  return { id: `id-${kind}`, name: 'one', kind, version: 3, tags: { team: 'a' }, spec: {}, links };
}

const list = (...items: readonly JsonValue[]): Seen => ok({ kind: 'list', items, links: [] });
const location = (name: string): JsonObject => ({ ...recordOf('location'), name });
const onePage: JsonObject = {
  kind: 'list',
  items: [location('one')],
  links: [{ rel: 'next', href: '/org/acme/location?next=2' }],
};
const event: JsonObject = {
  action: { type: 'edit' },
  result: { status: 'OK' },
  resource: { data: { version: 3, links: [] } },
};

/** The answers of a platform that meets all assumptions, written by hand. */
const usual: Readonly<Record<string, Seen>> = {
  org: ok({ kind: 'org', name: 'acme' }),
  discovery: ok({ preconditions: 'honoured' }),
  user: ok({ kind: 'user', name: 'ann' }),
  plain: list(recordOf('gvc')),
  page: ok(onePage),
  absent: refused(404),
  'unknown-kind': refused(404),
  query: list(),
  'query-of-org': list(),
  policies: list(),
  audit: list(event),
  ...Object.fromEntries(declarableKinds().map((kind) => [`list:${kind}`, list(recordOf(kind))])),
  'list:location': list(location('one'), location('two')),
  ...Object.fromEntries(declarableKinds().map((kind) => [`record:${kind}`, ok(recordOf(kind))])),
  reveal: ok({ ...recordOf('secret'), data: { password: 'canary' } }),
  deployments: list(),
  'list-of-gvc': list(recordOf('workload')),
  'query-name': list(recordOf('gvc')),
  'query-tag': list(recordOf('gvc')),
};

const answered = (other: Readonly<Record<string, Seen>> = {}) =>
  new Survey('acme', new Map(Object.entries({ ...usual, ...other })));
const found = (id: AssumptionId, other: Readonly<Record<string, Seen>>) =>
  examine(answered(other), new Capabilities()).find((each) => each.id === id);

test('no assumption about reading is refuted on a platform that meets all assumptions', () => {
  const asked = examine(answered(), new Capabilities()).filter(({ id }) => isAskedAbout(id));
  expect(asked.filter(({ state }) => state === 'otherwise')).toEqual([]);
  expect(asked.filter(({ state }) => state === 'holds').length).toBeGreaterThan(20);
});

const { version: _, ...unversioned } = recordOf('gvc');
const { spec: _spec, tags: _tags, ...slim } = recordOf('gvc');
const linked = (href: string): JsonObject => ({ ...recordOf('gvc'), links: [{ rel: 'self', href }] });

/** Answers that refute an assumption, and the details of the finding; written by hand. */
const differing: readonly (readonly [AssumptionId, Readonly<Record<string, Seen>>, string | undefined])[] = [
  ['read.discovery', { discovery: refused(404) }, '404'],
  ['read.kinds', { 'list:agent': refused(404), 'list:ipset': page }, 'agent 404, ipset 200 without JSON'],
  ['read.list', { plain: refused(405) }, '405'],
  ['read.list-of-org', { 'list:workload': refused(404) }, '404'],
  ['read.list-of-gvc', { 'list-of-gvc': refused(405) }, '405'],
  ['read.limit', { page: refused(400) }, '400'],
  ['read.pages', { page: list(location('one')) }, undefined],
  ['read.next-path', { page: ok({ ...onePage, links: [{ rel: 'next', href: '?next=2' }] }) }, 'a relative path'],
  ['read.items', { 'list:gvc': list(slim) }, 'gvc: tags, spec'],
  ['read.query', { query: refused(405) }, '405'],
  ['read.query-tag', { 'query-tag': list() }, 'it does not return what matches'],
  ['read.query-tag', { query: list(recordOf('gvc')) }, 'it returns records that do not match'],
  ['read.query-name', { 'query-name': refused(400) }, '400'],
  ['read.record', { 'record:gvc': refused(405) }, 'gvc 405'],
  ['read.envelope', { 'record:gvc': ok({ name: 'one', kind: 'gvc' }) }, 'gvc: id'],
  ['read.absent', { absent: refused(410) }, '410'],
  ['read.unknown-kind', { 'unknown-kind': page }, '200 without JSON'],
  ['read.deployments', { deployments: refused(404) }, '404'],
  ['version.integer', { 'record:gvc': ok(unversioned) }, 'gvc: none'],
  ['version.integer', { 'record:gvc': ok({ ...unversioned, version: 'x17' }) }, 'gvc: a string'],
  ['link.self', { 'list:gvc': list(linked('https://host/org/acme/gvc/one')) }, 'gvc: an address'],
  ['link.gvc', { 'list:workload': list({ ...recordOf('workload'), links: [] }) }, 'workload'],
  ['access.user', { user: refused(404) }, '404'],
  ['access.policies', { policies: refused(404) }, '404'],
  ['audit.trail', { audit: refused(404) }, '404'],
  ['audit.events', { audit: list({ what: 'edited' }) }, undefined],
  ['secret.reveal', { reveal: refused(404) }, '404'],
  ['secret.hidden', { 'record:secret': ok({ ...recordOf('secret'), data: '***' }) }, undefined],
];

describe('an answer that refutes an assumption', () => {
  test.each(differing)('refutes %s with %o', (id, other, detail) => {
    expect(found(id, other)).toEqual({ id, state: 'otherwise', detail });
  });
});

describe('an inconclusive answer', () => {
  test.each([401, 403, 429, 503, 0])('with status %d gives no finding', (status) => {
    const silent = Object.fromEntries(Object.keys(usual).map((name) => [name, refused(status)]));
    const judged = examine(new Survey('acme', new Map(Object.entries(silent))), new Capabilities());
    expect(judged.filter(({ id, state }) => state === 'otherwise' && id !== 'access.bearer')).toEqual([]);
    expect(found('read.query', { query: refused(status) })?.state).toBe('not-asked');
  });

  test('gives no finding beyond the links if a list has records without links', () => {
    const answers = new Map(Object.entries(usual));
    answers.set('list:workload', list({ kind: 'workload', name: 'web', links: [] }));
    answers.delete('record:workload');
    const judged = examine(new Survey('acme', answers), new Capabilities());
    expect(judged.filter(({ state }) => state === 'otherwise').map(({ id }) => id)).toEqual(['link.self', 'link.gvc']);
  });

  test('a question that needs a record is not asked if there is none, and the finding says so', () => {
    expect(found('secret.reveal', { 'list:secret': list() })).toMatchObject({ state: 'holds' }); // it was asked
    const { reveal: _reveal, ...without } = usual;
    const survey = new Survey('acme', new Map(Object.entries(without)));
    expect(examine(survey, new Capabilities()).find(({ id }) => id === 'secret.reveal')).toEqual({
      id: 'secret.reveal',
      state: 'not-asked',
      because: 'there is no secret',
    });
  });
});

describe('the table of questions', () => {
  const ids = Object.keys(assumptions).filter(isAssumption);

  test.each(ids)('%s has a question, or is marked as learnt by runs only', (id) => {
    const isAsked = isAskedAbout(id);
    const isOfRuns = Object.hasOwn(learntByRuns, id) || rows[id].learnt === 'not learnt';
    expect([isAsked, isOfRuns].filter(Boolean)).toHaveLength(1);
  });

  test.each(ids)('%s belongs to a section', (id) => {
    expect(Object.keys(sections)).toContain(id.split('.')[0]);
  });

  test('a platform that lacks a required assumption is unusable', () => {
    expect(lacking(examine(answered({ 'record:gvc': refused(405) }), new Capabilities()))).toEqual(['read.record']);
    expect(lacking(examine(answered({ query: refused(405) }), new Capabilities()))).toEqual([]);
  });
});

describe('the questions', () => {
  test('about reading are only GETs and queries', () => {
    const asked = readingRounds.flatMap((round) => [...round(answered(), 'unused').values()]);
    expect(asked.length).toBeGreaterThan(30);
    for (const { method, path } of asked) {
      expect(method === 'GET' || (method === 'POST' && path.includes('/-query'))).toBe(true);
    }
  });

  test('omit the limit if the platform refuses it', () => {
    const [, lists] = readingRounds;
    const asked = lists?.(answered({ page: refused(400) }), 'unused').get('list:gvc');
    expect(asked?.path).toBe('/org/acme/gvc');
  });
});

describe('stored findings', () => {
  test('are read as they were stored, in the order of their ids', () => {
    const known = new Capabilities([
      ['read.query', 'otherwise'],
      ['read.list', 'holds'],
    ]);
    expect(keptOf(known)).toEqual({ findings: { 'read.list': 'holds', 'read.query': 'otherwise' } });
    expect([...startFrom([keptOf(known)]).known()]).toEqual([
      ['read.list', 'holds'],
      ['read.query', 'otherwise'],
    ]);
  });

  test('include a deviation that only makes runs more careful', () => {
    const kept = { findings: { 'write.preconditions': 'otherwise', 'delete.name-reusable': 'otherwise' } };
    expect([...startFrom([kept]).known().keys()].sort()).toEqual(['delete.name-reusable', 'write.preconditions']);
  });

  test('never include that this token cannot reveal values, or how absence is answered', () => {
    const kept = { findings: { 'secret.reveal': 'otherwise', 'read.absent': 'otherwise' } };
    expect([...startFrom([kept]).known()]).toEqual([]);
  });

  test.each([
    'write.preconditions',
    'write.dry-run',
    'read.pages',
    'delete.name-reusable',
    'version.plus-one',
    'version.only-writes',
  ])('never let a run assume %s, which each run finds out itself', (id) => {
    expect([...startFrom([{ findings: { [id]: 'holds' } }]).known()]).toEqual([]);
  });

  test('never include assumptions that each run asks again, or ids of other versions', () => {
    const kept = { findings: { 'write.preconditions': 'holds', 'read.future': 'holds', 'read.query': 'perhaps' } };
    expect([...startFrom([kept]).known()]).toEqual([]);
  });

  test('of an examination are those of its answered rows only', () => {
    const examined = examine(answered({ query: refused(405), user: refused(403) }), new Capabilities());
    const findings = findingsOf(examined, [['spec.containers.*.cpu', '100m']]);
    expect(keptOf(findings)['defaults']).toEqual({ 'workload spec.containers.*.cpu': '100m' });
    expect([...startFrom([keptOf(findings)]).defaults()]).toEqual([['workload spec.containers.*.cpu', '100m']]);
    expect(findings.of('read.query')).toBe('otherwise');
    expect(findings.of('access.user')).toBeUndefined();
  });
});

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

/** A platform that does all that is assumed, by hand. */
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

test('on a platform that does all that is assumed every question of reading is answered so', () => {
  const asked = examine(answered(), new Capabilities()).filter(({ id }) => isAskedAbout(id));
  expect(asked.filter(({ state }) => state === 'otherwise')).toEqual([]);
  expect(asked.filter(({ state }) => state === 'holds').length).toBeGreaterThan(20);
});

const { version: _, ...unversioned } = recordOf('gvc');
const { spec: _spec, tags: _tags, ...slim } = recordOf('gvc');
const linked = (href: string): JsonObject => ({ ...recordOf('gvc'), links: [{ rel: 'self', href }] });

/** By hand: an answer that is otherwise, and what is said of it. */
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

describe('an answer that is otherwise', () => {
  test.each(differing)('%s is found to be otherwise in %o', (id, other, detail) => {
    expect(found(id, other)).toEqual({ id, state: 'otherwise', detail });
  });
});

describe('an answer that says nothing', () => {
  test.each([401, 403, 429, 503, 0])('of %d no assumption is judged', (status) => {
    const silent = Object.fromEntries(Object.keys(usual).map((name) => [name, refused(status)]));
    const judged = examine(new Survey('acme', new Map(Object.entries(silent))), new Capabilities());
    expect(judged.filter(({ id, state }) => state === 'otherwise' && id !== 'access.bearer')).toEqual([]);
    expect(found('read.query', { query: refused(status) })?.state).toBe('not-asked');
  });

  test('of a record whose list does not say where it is, nothing is said beyond the links', () => {
    const answers = new Map(Object.entries(usual));
    answers.set('list:workload', list({ kind: 'workload', name: 'web', links: [] }));
    answers.delete('record:workload');
    const judged = examine(new Survey('acme', answers), new Capabilities());
    expect(judged.filter(({ state }) => state === 'otherwise').map(({ id }) => id)).toEqual(['link.self', 'link.gvc']);
  });

  test('without a record there is nothing to ask with, and that is the reason', () => {
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

describe('the table', () => {
  const ids = Object.keys(assumptions).filter(isAssumption);

  test.each(ids)('%s is asked about, or is known as one that only a run finds out', (id) => {
    const isAsked = isAskedAbout(id);
    const isOfRuns = Object.hasOwn(learntByRuns, id) || rows[id].learnt === 'not learnt';
    expect([isAsked, isOfRuns].filter(Boolean)).toHaveLength(1);
  });

  test.each(ids)('%s belongs to a section', (id) => {
    expect(Object.keys(sections)).toContain(id.split('.')[0]);
  });

  test('what is needed, and is not so, makes a platform unusable', () => {
    expect(lacking(examine(answered({ 'record:gvc': refused(405) }), new Capabilities()))).toEqual(['read.record']);
    expect(lacking(examine(answered({ query: refused(405) }), new Capabilities()))).toEqual([]);
  });
});

describe('the questions', () => {
  test('of reading are GETs and queries, and nothing else', () => {
    const asked = readingRounds.flatMap((round) => [...round(answered(), 'unused').values()]);
    expect(asked.length).toBeGreaterThan(30);
    for (const { method, path } of asked) {
      expect(method === 'GET' || (method === 'POST' && path.includes('/-query'))).toBe(true);
    }
  });

  test('leave out the limit where the platform refuses it', () => {
    const [, lists] = readingRounds;
    const asked = lists?.(answered({ page: refused(400) }), 'unused').get('list:gvc');
    expect(asked?.path).toBe('/org/acme/gvc');
  });
});

describe('what is kept', () => {
  test('is read back as it was, in the order of the ids', () => {
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

  test('that something is otherwise is kept where it only makes runs more careful', () => {
    const kept = { findings: { 'write.preconditions': 'otherwise', 'delete.name-reusable': 'otherwise' } };
    expect([...startFrom([kept]).known().keys()].sort()).toEqual(['delete.name-reusable', 'write.preconditions']);
  });

  test('that this token may not reveal values, or what absence looks like, is never kept', () => {
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
  ])('that %s holds is found out by each run, whatever a file says', (id) => {
    expect([...startFrom([{ findings: { [id]: 'holds' } }]).known()]).toEqual([]);
  });

  test('a row that each run asks anew is never started from, and ids of other versions are left out', () => {
    const kept = { findings: { 'write.preconditions': 'holds', 'read.future': 'holds', 'read.query': 'perhaps' } };
    expect([...startFrom([kept]).known()]).toEqual([]);
  });

  test('the findings of an examination are those of its rows, and no more', () => {
    const examined = examine(answered({ query: refused(405), user: refused(403) }), new Capabilities());
    const findings = findingsOf(examined, [['spec.containers.*.cpu', '100m']]);
    expect(keptOf(findings)['defaults']).toEqual({ 'workload spec.containers.*.cpu': '100m' });
    expect([...startFrom([keptOf(findings)]).defaults()]).toEqual([['workload spec.containers.*.cpu', '100m']]);
    expect(findings.of('read.query')).toBe('otherwise');
    expect(findings.of('access.user')).toBeUndefined();
  });
});

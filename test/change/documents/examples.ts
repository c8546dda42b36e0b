import type { JsonObject } from '../../../src/base/json/json.ts';

const position = { file: 'stack.yaml', line: 3, column: 1 };
const writer = { name: 'ana@example.com', type: 'user' };
const written = { ...writer, version: 4, at: '2026-11-20T14:03:00Z' };
const cause = { code: true, others: [written], platform: true, unsure: true, since: 3 };
const access = [
  {
    ...{ change: 'gained', principal: 'group/ops', permission: 'reveal', target: 'secret/db', through: 'group/all' },
    members: { users: 3, serviceAccounts: 1, more: true },
  },
];
const field = { path: 'spec.a', old: 1, new: 2, risk: 'metadata', cause, place: position };
const edge = { on: 'gvc/g', because: 'it lives in it', soft: false, ready: true };
const refusal = { code: 'adopt.not-asked', message: 'it exists', allow: '--adopt', place: position };

const signature = {
  ...{ role: 'approval', key: 'SHA256:abc', name: 'ana', state: 'valid', org: 'acme', stack: 'shop' },
  ...{ endpoints: ['https://a.b'], environment: 'prod', signedAt: '2026-11-20T14:03:00Z' },
  expiresAt: '2026-11-21T14:03:00Z',
};

const request = { number: 1, method: 'PATCH', path: '/org/acme/gvc/g' };
const rehearsal = {
  ...{ consistent: false, requests: 2, points: { tried: 1, of: 4, seed: 'a' } },
  ...{ stoodInFor: ['secret/a'], proposed: ['p'], unreadReferrers: ['u'] },
  problem: { what: 'apply', point: { ...request, when: 'before' }, request, differences: ['d'] },
};

// biome-ignore format: a row is a case
const result = {
  ...{ outcome: 'partly', startedAt: '2026-11-20T14:03:00Z', elapsedMs: 1.5, done: ['gvc/g'], ready: ['gvc/h'] },
  failed: [{ id: 'gvc/g', code: 'api.conflict', message: 'moved', hint: 'again', reached: 'written' }],
  skipped: [{ id: 'gvc/h', because: 'gvc/g failed', reached: 'deleted' }],
  changes: [{ ...{ id: 'gvc/g', outcome: 'done', reached: 'written', version: 2, endpoints: ['https://a.b'] },
      ...{ startedAt: '2026-11-20T14:03:00Z', elapsedMs: 0 } }],
  ...{ requests: 3, verified: null, verification: 'full', differences: ['gvc/g'], interrupted: false },
  races: [{ id: 'gvc/g', outcome: 'stale', from: 1, to: 2, theirs: ['a'], notWritten: ['b'], by: ['ana'] }],
  notes: ['n'],
};

// biome-ignore format: a row is a case
const plan = {
  ...{ formatVersion: 1, org: 'acme', stack: 'shop', refused: true },
  changes: [
    { ...{ id: 'gvc/g', action: 'refuse', intended: 'patch', kind: 'gvc', name: 'g', gvc: 'g', place: position },
      ...{ reason: 'changed', cause, renamedFrom: 'gvc/old', part: true, unowned: true, fields: [field], access },
      ...{ create: {}, patch: {}, then: {}, liveVersion: 1, requires: ['gvc/h'], thenRequires: ['gvc/i'] },
      waitsFor: [{ ...edge, step: 'then', onStep: 'delete' }],
      ...{ cascadesTo: ['identity/g/i'], via: 'gvc/g', wait: true, waitTimeoutMs: 1000, risk: 'downtime' },
      takes: [{ what: 'variable', name: 'A' }],
      ...{ losesData: ['volumeset/g/v'], victims: ['workload/g/w'], refusals: [refusal], notes: ['n'] } }],
  ...{ refusals: [refusal], notes: ['n'], risk: 'downtime' },
  storage: { ...{ before: { gb: 1, cost: 2 }, after: { gb: 1 }, ceiling: { gb: 1 }, currency: 'EUR', atLeast: true },
    sets: [{ id: 'volumeset/g/v', before: 1, after: 1, ceiling: 1, concerned: true }] },
  leftOut: [{ id: 'gvc/h', action: 'create' }],
  requests: { snapshot: 1, apply: 2 },
  summary: { create: 0, patch: 0, replace: 0, delete: 0, keep: 0, adopt: 0, forget: 0, refuse: 1 },
  ...{ rehearsal, result, signatures: [signature] },
};

// biome-ignore format: a row is a case
const drift = {
  ...{ formatVersion: 1, org: 'acme', stack: 'shop', drifted: true, declarationsKnown: true },
  resources: [
    { ...{ id: 'gvc/g', state: 'touched', part: true, orphaned: false, version: 4, recordedVersion: 3, owner: 'other' },
      fields: [field], access, leftAlone: [field],
      writes: [{ action: 'edit', version: 4, at: '2026-11-20T14:03:00Z', by: writer, fields: [field] }],
      secretsUnknown: true }],
  requests: 2,
  summary: { ...{ untouched: 0, touched: 1, recreated: 0, unrecorded: 0, copy: 0, 'owner-lost': 0, 'other-owner': 0 },
    ...{ 'left-alone': 0, risen: 0, unfinished: 0, deleted: 0, hidden: 0, orphaned: 0 } },
};

const explained = {
  ...{ path: 'spec.a', why: 'differs', because: 'it differs', declared: 1, at: position, live: 2, before: 3, means: 4 },
  ...{ writer: written, risk: 'metadata' },
};
const way = { entries: ['$patch'], leaves: 1, bytes: 20 };

// biome-ignore format: a row is a case
const explanation = {
  ...{ formatVersion: 1, org: 'acme', stack: 'shop', resource: 'gvc/g', action: 'refuse', intended: 'patch' },
  ...{ reason: 'changed', risk: 'metadata', liveVersion: 1, owner: 'shop', at: position },
  requests: [{ method: 'PATCH', then: true, body: {} }],
  proof: { holds: true, managed: 1, untouched: 2, against: ['a'] },
  choices: [{ ...{ path: 'spec.a', then: true, chosen: way, rejected: [way] },
      impossible: [{ directives: ['$drop'], because: 'it is required' }] }],
  ...{ fields: [explained], equal: [{ ...explained, writer: null }], counts: { differs: 1 }, waitsFor: [edge] },
  takesAlong: [{ id: 'identity/g/i', owner: 'shop' }],
  ...{ hits: ['workload/g/w'], renamedFrom: 'gvc/old', via: 'gvc/g', refusals: [refusal], notes: ['n'] },
};

const promoted = { value: 1, at: position, values: ['replicas'] };
const promotion = {
  ...{ formatVersion: 1, from: 'dev', to: 'prod', differs: true, written: false },
  carried: [{ value: 'values.tag', from: 1, to: 2 }],
  differences: [{ resource: 'gvc/g', path: 'spec.a', from: promoted, to: promoted, mayDiffer: false }],
};

// biome-ignore format: a row is a case
const status = {
  ...{ formatVersion: 1, org: 'acme', stack: 'shop', state: 'ready', declarationsKnown: true },
  resources: [{ ...{ id: 'workload/g/w', state: 'ready', health: 'ready', reasons: ['r'], declared: true, version: 3 },
      ...{ processedVersion: 3, locations: { ready: 1, total: 2 }, replicas: { ready: 1, total: 2 } },
      endpoints: ['https://a.b'], deployments: [{ location: 'a', ready: true, processedVersion: 3, message: 'm' }],
      certificates: [{ location: 'a', status: 'ready' }], dnsRecords: [{ type: 'TXT', host: 'a.b', value: 'v' }],
      volumes: { count: 1, capacityGb: 10, usedGb: 2.5 } }],
  requests: 2,
  summary: { ready: 1, 'not-ready': 0, failed: 0 },
};

// biome-ignore format: a row is a case
const validation = {
  valid: false,
  resources: 1,
  declared: ['gvc/g'],
  problems: [{ ...{ ...position, rule: 'W1', path: 'spec', message: 'wrong', hint: 'right', severity: 'error' },
      ...{ resource: 'gvc/g', construct: 'app/g', callers: [position] } }],
};

/** A handwritten document of each kind with every optional member, except `error`, which all may have. */
export const examples = {
  ...{ plan, drift, explanation, promotion, status, validation },
  adoption: {
    formatVersion: 1,
    manifests: [{ kind: 'gvc', name: 'g' }],
    placeholders: { 'secret/s': ['data'] },
    skipped: [{ id: 'gvc/h', because: 'it is built in' }],
    files: ['gvc.yaml'],
  },
  approval: { plan: 'a.plan', file: 'a.plan.sig', signatures: [signature] },
} as const satisfies Readonly<Record<string, JsonObject>>;

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { behaviours } from '../../../src/kinds/behaviours.ts';
import { asLenient, checkChange, checkRecord, checkRelated, rules } from '../../../src/kinds/registry.ts';
import { secretTypes } from '../../../src/kinds/secret/fields.ts';
import { creatableKinds } from '../../../src/schema/record/kinds.ts';
import type { Problem } from '../../../src/schema/record/problem.ts';
import { runs } from '../../harness/sampled.ts';
import { context, problemsOf, relatedOf } from './ruleCase.ts';
import { cases, tables } from './tables.ts';

describe.each(Object.entries(tables))('%s', (_, table) => {
  test.each(table)('$rule refuses $it, and lets the other pass', (ruleCase) => {
    const { rule, passes, fails, path } = ruleCase;
    const found = problemsOf(ruleCase, fails).filter((problem) => problem.rule === rule);
    expect(found.map((problem) => problem.path)).toContain(path);
    expect(problemsOf(ruleCase, passes).filter((problem) => problem.rule === rule)).toEqual([]);
  });
});

test('S9 has the fix: an identity if there is none, otherwise a binding of the existing one', () => {
  const hints = tables['what workloads connect to']
    .filter(({ rule }) => rule === 'S9')
    .map((ruleCase) => problemsOf(ruleCase, ruleCase.fails).find(({ rule }) => rule === 'S9')?.hint);
  expect(hints).toEqual([
    'Set identityLink in the workload, and bind that identity to the permission reveal in a policy on the secret.',
    'Bind "//identity/other" to the permission reveal in a policy on the secret.',
  ]);
});

/** A requirement; or the problem of the shown value, if that cannot be understood as a requirement. */
const demand = /\b(must|may|cannot|needs?|(at|by) (most|least)|only|are allowed|is not allowed|is required)\b/;
const defect =
  /\b(does not exist|is not an?|is not among|is missing|is reserved|is deprecated|is not offered|has no effect)\b/;

test.each(cases)('the message of $rule about $it is a requirement, or the problem of the shown value', (one) => {
  const found = problemsOf(one, one.fails).filter(({ rule }) => rule === one.rule);
  for (const { message, hint } of found) {
    expect(demand.test(message) || defect.test(message), message).toBe(true);
    expect(hint, message).toMatch(/^[^a-z].*[.?]$/s);
  }
});

test('a cron workload with localOptions gets a message that they are not permitted, with a fix', () => {
  const spec = { type: 'cron', job: { schedule: '0 * * * *' }, localOptions: [{ location: 'aws-eu-central-1' }] };
  const found = checkRecord('workload', { name: 'job', spec: { ...spec, containers: [] } }, context);
  expect(found.find(({ rule }) => rule === 'W11')).toMatchObject({
    message: 'a cron workload cannot have localOptions',
    hint: 'Remove localOptions; defaultOptions apply to all locations.',
  });
});

describe('the registry', () => {
  test('every rule has a record that passes and one that fails', () => {
    const tested = new Set(cases.map(({ rule }) => rule));
    expect(rules.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([]);
  });

  test('ids are unique, also against the behaviours', () => {
    const ids = [...rules, ...behaviours].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('every numbered id is a rule or a behaviour', () => {
    const numbered = (prefix: string, last: number) =>
      Array.from({ length: last }, (_, index) => `${prefix}${index + 1}`);
    const numberedIds = [
      ...numbered('G', 8),
      ...numbered('W', 42),
      ...numbered('D', 20),
      ...numbered('V', 15),
      ...numbered('I', 7),
      ...numbered('P', 5),
      ...numbered('GR', 4),
      ...numbered('PO', 8),
      ...numbered('S', 9),
    ];
    const known = new Set([...rules, ...behaviours].map(({ id }) => id));
    expect(numberedIds.filter((id) => !known.has(id))).toEqual([]);
  });

  test('lenient mode downgrades exactly the rules of platform/errors.lenient', () => {
    const lenient = rules.filter((rule) => rule.lenient === true).map(({ id }) => id);
    const expected = 'PO4 V5 V6 V9.vm W12 W16.keda W31.vm W38 W8.ports W9 domain.cipher-suites'.split(' ');
    expect(lenient.sort()).toEqual(expected);

    const cron = { name: 'job', spec: { type: 'cron', containers: [{ name: 'main', readinessProbe: { exec: {} } }] } };
    const severities = asLenient(checkRecord('workload', cron, context)).map(({ rule, severity }) => [rule, severity]);
    expect(severities).toContainEqual(['W9', 'warning']);
    expect(severities).toContainEqual(['W10', 'error']);
  });

  test('a volume set with fields of another file system is refused by the server, and warned of offline', () => {
    const spec = { initialCapacity: 10, performanceClass: 'shared', fileSystemType: 'shared' };
    const shared = { name: 'files', spec: { ...spec, snapshots: { retentionDuration: '7d' } } };
    const block = { ...spec, performanceClass: 'general-purpose-ssd', fileSystemType: 'ext4' };
    const mounted = { name: 'files', spec: { ...block, mountOptions: { resources: { minCpu: '500m' } } } };
    for (const [record, id] of [
      [shared, 'V5'],
      [mounted, 'V6'],
    ] as const) {
      const severityIn = (problems: readonly Problem[]) => problems.find(({ rule }) => rule === id)?.severity;
      const onServer = checkRecord('volumeset', record, context, 'server');
      expect(severityIn(onServer), id).toBe('error');
      expect(severityIn(asLenient(onServer)), id).toBe('warning');
      expect(severityIn(checkRecord('volumeset', record, context, 'offline')), id).toBe('warning');
    }
  });

  test('a mistake that the real service accepts is a warning, offline and on the server', () => {
    for (const id of ['W19', 'W36', 'W37', 'G5', 'D8', 'D19', 'reference.dangling']) {
      const rule = rules.find((known) => known.id === id);
      expect(rule, id).toMatchObject({ severity: 'warning' });
      expect(rule?.where, id).toBeUndefined();
    }
  });

  test('each rule has its section, and a fix in whole sentences', () => {
    for (const { id, section, title, fix } of rules) {
      expect(section, id).toMatch(/^[a-z]+\.[a-z-]+$/);
      expect(title, id).toMatch(/^[A-Za-z].*\.$/);
      expect(fix, id).toMatch(/\.$/);
    }
  });

  test('a message of a secret holds no value of its data (law 8)', () => {
    const marker = 'hunter2';
    const keys = ['payload', 'username', 'password', 'cert', 'key', 'secretKey', 'accessKey', 'roleArn', 'url', 'code'];
    const data = Object.fromEntries(
      [...keys, 'accountId', 'privateKey', 'encoding', 'a b'].map((key) => [key, marker]),
    );
    for (const type of secretTypes) {
      for (const value of [{ ...data, repos: [marker] }, marker, JSON.stringify({ tenantId: marker, auths: marker })]) {
        const problems = checkRecord('secret', { name: 'hidden', type, data: value }, context);
        expect(problems.length, type).toBeGreaterThan(0);
        expect(JSON.stringify(problems), type).not.toContain(marker);
      }
    }
  });

  test('tags of Gantry are refused offline and accepted by the server', () => {
    const record = { name: 'office', tags: { 'gantry/stack': 'shop' } };
    expect(checkRecord('agent', record, context, 'server')).toEqual([]);
    expect(checkRecord('agent', record, context, 'offline').map(({ rule }) => rule)).toEqual(['tags.reserved']);
  });
});

describe('whatever JSON it is given', () => {
  /** Field names that rules read, to test them with wrong types. */
  const field = fc.constantFrom(
    ...['name', 'spec', 'tags', 'description', 'containers', 'ports', 'port', 'env', 'volumes', 'uri', 'path', 'type'],
    ...['defaultOptions', 'localOptions', 'location', 'autoscaling', 'multi', 'keda', 'triggers', 'metric', 'minScale'],
    ...['cpu', 'memory', 'minCpu', 'gpu', 'nvidia', 'readinessProbe', 'httpGet', 'job', 'schedule', 'loadBalancer'],
    ...[
      'firewallConfig',
      'external',
      'inboundAllowCIDR',
      'routes',
      'prefix',
      'regex',
      'mirror',
      'workloadLink',
      'gvcLink',
    ],
    ...[
      'cors',
      'allowOrigins',
      'tls',
      'cipherSuites',
      'data',
      'payload',
      'repos',
      'bindings',
      'permissions',
      'targetKind',
    ],
    ...['principalLinks', 'targetLinks', 'memberLinks', 'aws', 'networkResources', 'IPs', 'FQDN', 'locations', 'link'],
    ...[
      'customEncryption',
      'regions',
      'mountOptions',
      'resources',
      'status',
      'staticPlacement',
      'locationLinks',
      'tracing',
    ],
    ...['__proto__', 'constructor', 'toString', ''],
  );
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'cron',
      'standard',
      'stateful',
      'serverless',
      'shared',
      '//secret/a',
      '/org/acme/gvc/a/workload/b',
      '//',
      '/',
    ),
    fc.constantFrom(
      'scheme://secret/a.b',
      'scheme://volumeset/x',
      'opaque',
      'docker',
      'gcp',
      'dictionary',
      'ns',
      '(',
      '1e9',
    ),
  );
  const json = fc.letrec<{ value: JsonObject[string]; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthSize: 'large' },
      text,
      fc.constantFrom(null, true, false, 0, -1, 443, 1e308),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(field, tie('value'), { maxKeys: 8 }),
  })).object;

  test.each(creatableKinds)('no rule of %s throws', (kind) => {
    fc.assert(
      fc.property(json, json, json, (spec, fields, otherSpec) => {
        const record = { ...fields, spec };
        const others = relatedOf([
          { ref: { kind: 'gvc', name: 'shop' }, record: otherSpec },
          { ref: { kind: 'workload', gvc: 'shop', name: 'x' }, record: { spec: otherSpec } },
          { ref: { kind: 'secret', name: 'a' }, record: otherSpec },
          { ref: { kind: 'volumeset', gvc: 'shop', name: 'x' }, record: { spec: otherSpec } },
        ]);
        for (const where of ['offline', 'server'] as const) {
          checkRecord(kind, record, context, where);
          checkRelated(kind, record, context, others, where);
          checkChange(kind, { spec: otherSpec }, record, context, where);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

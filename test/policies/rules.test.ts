import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { readPolicySettings } from '../../src/policies/rules/policySettings.ts';
import { judgeByRule } from '../../src/policies/rules/ruleJudge.ts';

const at = (pointer: readonly (string | number)[]) => ({ file: pointer.join('.'), line: 1, column: 1 });

function read(value: JsonValue) {
  const { settings, problems } = readPolicySettings(value, at);
  return {
    settings,
    says: problems.map(({ position, message, hint }) => `${position.file}: ${message} | ${hint ?? ''}`),
  };
}

function web(spec: JsonObject, more: JsonObject = {}): JsonObject {
  const containers = [
    { name: 'main', image: 'a:1', cpu: '500m', memory: '1Gi', args: ['serve', '--debug'] },
    { name: 'side', image: 'b' },
  ];
  return { kind: 'workload', name: 'web', gvc: 'shop', ...more, spec: { type: 'standard', containers, ...spec } };
}

/** The paths at which a condition on workloads fails. */
function failing(condition: JsonObject, manifest: JsonObject): readonly string[] {
  const { settings, says } = read({ rules: [{ id: 'tried', kind: 'workload', ...condition }] });
  expect(says).toEqual([]);
  return settings.rules.flatMap((rule) => judgeByRule(rule, manifest).map(({ path = '' }) => path));
}

const cpu = 'spec.containers.main.cpu';
const cpus = 'spec.containers.*.cpu';

describe('a condition', () => {
  test.each<{ it: string; condition: JsonObject; fails: readonly string[] }>(
    // biome-ignore format: a row is a case
    [
      { it: 'exists', condition: { path: cpus, exists: true }, fails: ['spec.containers.side.cpu'] },
      { it: 'does not exist', condition: { path: cpus, exists: false }, fails: [cpu] },
      { it: 'equals, in another spelling of the amount', condition: { path: cpu, equals: 0.5 }, fails: [] },
      { it: 'equals', condition: { path: 'spec.type', equals: 'cron' }, fails: ['spec.type'] },
      { it: 'equals an object', condition: { path: 'spec.containers.side', equals: { image: 'b', name: 'side' } },
        fails: [] },
      { it: 'is one of', condition: { path: 'spec.type', in: ['cron', 'standard'] }, fails: [] },
      { it: 'is none of', condition: { path: 'spec.type', in: ['cron'] }, fails: ['spec.type'] },
      { it: 'matches a part', condition: { path: 'spec.containers.*.image', matches: ':' },
        fails: ['spec.containers.side.image'] },
      { it: 'does not match an object', condition: { path: 'spec.containers', matches: '' },
        fails: ['spec.containers'] },
      { it: 'is at least', condition: { path: cpu, min: '500m' }, fails: [] },
      { it: 'is not at least', condition: { path: cpu, min: 0.6 }, fails: [cpu] },
      { it: 'is at most', condition: { path: 'spec.containers.main.memory', max: '1024Mi' }, fails: [] },
      { it: 'is not at most', condition: { path: 'spec.containers.main.memory', max: '1023Mi' },
        fails: ['spec.containers.main.memory'] },
      { it: 'is absent, and so not an amount', condition: { path: cpus, max: 4 }, fails: ['spec.containers.side.cpu'] },
      { it: 'is absent or an amount', condition: { path: cpus, any: [{ exists: false }, { max: 4 }] }, fails: [] },
      { it: 'is not so', condition: { path: 'spec.type', not: { equals: 'standard' } }, fails: ['spec.type'] },
      { it: 'is two things at the same time', condition: { path: cpu, min: '100m', max: '200m' }, fails: [cpu] },
      { it: 'applies to one', condition: { path: cpus, of: 'any', exists: true }, fails: [] },
      { it: 'applies to none', condition: { path: cpus, of: 'any', min: 4 }, fails: ['spec.containers'] },
      { it: 'has no value to check', condition: { path: 'spec.containers.*.env.*.value', exists: false }, fails: [] },
      { it: 'has a missing parent', condition: { path: 'spec.firewallConfig.external.inboundAllowCIDR', exists: true },
        fails: ['spec.firewallConfig.external.inboundAllowCIDR'] },
      { it: 'applies to each text in it', condition: { path: 'spec.containers.*.args.*', not: { equals: '--debug' } },
        fails: ['spec.containers.main.args.1'] },
      { it: 'applies to a position', condition: { path: 'spec.containers.1.image', equals: 'b' }, fails: [] },
      { it: 'applies to the lifecycle', condition: { path: 'lifecycle.protect', equals: true },
        fails: ['lifecycle.protect'] },
      { it: 'is null, which is not a text', condition: { path: 'tags.none', matches: 'null' }, fails: ['tags.none'] },
      { it: 'is a text instead of a number', condition: { path: 'spec.type', min: 1 }, fails: ['spec.type'] },
      { it: 'is a list instead of an amount', condition: { path: cpu, equals: ['500m'] }, fails: [cpu] },
      { it: 'applies to each tag', condition: { path: 'tags.*', equals: 1 }, fails: ['tags.none'] },
      { it: 'applies to a tag with a dot', condition: { path: 'tags."a.b"', equals: 1 }, fails: [] },
    ],
  )('$it', ({ condition, fails }) => {
    expect(failing(condition, web({}, { tags: { 'a.b': 1, none: null } }))).toEqual(fails);
  });

  test('is checked only if its rule applies', () => {
    const rule = { when: [{ path: 'tags.stage', equals: 'prod' }], path: 'spec.type', equals: 'stateful' };
    expect(failing(rule, web({}, { tags: { stage: 'dev' } }))).toEqual([]);
    expect(failing(rule, web({}))).toEqual([]);
    expect(failing(rule, web({}, { tags: { stage: 'prod' } }))).toEqual(['spec.type']);
  });

  test('describes itself if the rule has no message', () => {
    const { settings } = read({
      rules: [
        { id: 'x', kind: 'workload', path: cpu, any: [{ exists: false }, { min: '1', max: 2, not: { in: [1.5] } }] },
      ],
    });
    expect(settings.rules.flatMap((rule) => judgeByRule(rule, web({})))).toEqual([
      { path: cpu, message: 'must not be there or be at least 1 and be at most 2 and not (be one of 1.5)' },
    ]);
  });
});

/** From docs/policies.md. */
test('settings that are omitted or wrong get their defaults', () => {
  const usual = { use: [], files: undefined, rules: [], inputs: {}, exceptions: [], timeoutMs: 10_000, memoryMb: 1024 };
  for (const given of [undefined, null, {}])
    expect(readPolicySettings(given, at)).toEqual({ settings: usual, problems: [] });
  const exception = { policy: 'a', resource: 'gvc/shop', reason: ' x ', until: '2027-01-31' };
  const written = { timeout: '30s', memory: 1, use: ['starter'], inputs: { a: 'a.json' }, exceptions: [exception] };
  expect(read(written).settings).toEqual({
    ...{ ...usual, use: ['starter'], inputs: { a: 'a.json' }, timeoutMs: 30_000 },
    exceptions: [{ ...exception, reason: 'x', position: at(['policies', 'exceptions', 0]) }],
  });
});

/** A condition inside `depth` others. */
function nested(depth: number): JsonObject {
  return depth === 0 ? { exists: true } : { not: nested(depth - 1) };
}

describe('a problem in the settings is reported at its place', () => {
  const rule = { id: 'tried', kind: 'workload', path: 'spec.type', exists: true };
  // biome-ignore format: a row is a case
  test.each<{ it: string; given: JsonValue; says: readonly string[] }>([
    { it: 'nothing', given: null, says: [] },
    { it: 'a list', given: [], says: ['policies: policies must be an object such as {use: [starter]} | '] },
    {
      it: 'a key',
      given: { rule: [] },
      says: [
        'policies.rule: policies has no field "rule" | Did you mean "rules"? Available: use, files, inputs, timeout, memory, rules, exceptions.',
      ],
    },
    { it: 'names', given: { use: 'starter' },
      says: ['policies.use: policies.use must be a list such as [starter] | '] },
    { it: 'a time', given: { timeout: 10 },
      says: ['policies.timeout: policies.timeout must be a duration of at most 10m, such as 30s | '] },
    ...['0s', '11m'].map((timeout) => ({ it: `a time of ${timeout}`, given: { timeout },
      says: ['policies.timeout: policies.timeout must be a duration of at most 10m, such as 30s | '] })),
    { it: 'the longest time, and the most memory', given: { timeout: '10m', memory: 2048 }, says: [] },
    { it: 'too much memory', given: { memory: 2049 },
      says: ['policies.memory: policies.memory must be at most 2048 | '] },
    { it: 'too little memory', given: { memory: 1 },
      says: ['policies.memory: policies.memory must be at least 64 | '] },
    {
      it: 'an id',
      given: { rules: [{ ...rule, id: 'Two Words' }] },
      says: [
        'policies.rules.0.id: policies.rules[0].id must be lower-case words with hyphens, such as two-replicas | ',
      ],
    },
    { it: 'a kind', given: { rules: [{ ...rule, kind: 'wrokload' }] },
      says: ['policies.rules.0.kind: policies.rules[0].kind: there is no kind "wrokload" | Did you mean "workload"?'] },
    {
      it: 'an unknown kind in a list',
      given: { rules: [{ ...rule, kind: [] }] },
      says: [
        'policies.rules.0.kind: policies.rules[0].kind must be a kind, or a list of kinds | An example: kind: workload',
      ],
    },
    { it: 'a mistyped key of the path',
      given: { rules: [{ id: 'tried', kind: 'workload', pth: 'spec.type', exists: true }] },
      says: ['policies.rules.0.path: policies.rules[0].path must be a path | Did you mean "path" in place of "pth"?'] },
    {
      it: 'no path',
      given: { rules: [{ id: 'tried', kind: 'workload', exists: true }] },
      says: [
        'policies.rules.0.path: policies.rules[0].path must be a path | An example: path: spec.containers.*.image',
      ],
    },
    {
      it: 'a path of dots only',
      given: { rules: [{ ...rule, path: 'spec..type' }] },
      says: [
        'policies.rules.0.path: policies.rules[0].path must be a path | An example: path: spec.containers.*.image',
      ],
    },
    { it: 'an empty message', given: { rules: [{ ...rule, message: ' ' }] },
      says: ['policies.rules.0.message: policies.rules[0].message must be text | '] },
    { it: 'a wrong field in a path', given: { rules: [{ ...rule, message: 'No.', fix: 'Do it.' }] }, says: [] },
    {
      it: 'a path',
      given: { rules: [{ ...rule, path: 'spec.tpye' }] },
      says: [
        'policies.rules.0.path: policies.rules[0].path: spec of a workload has no field "tpye" | Did you mean "type"?',
      ],
    },
    {
      it: 'a path in a list',
      given: { rules: [{ ...rule, path: 'spec.containers.*.imge' }] },
      says: [
        'policies.rules.0.path: policies.rules[0].path: spec.containers.* of a workload has no field "imge" | Did you mean "image"?',
      ],
    },
    { it: 'a path from the start', given: { rules: [{ ...rule, path: 'sepc.type' }] },
      says: ['policies.rules.0.path: policies.rules[0].path: workload has no field "sepc" | Did you mean "spec"?'] },
    {
      it: 'a path that is like no other',
      given: { rules: [{ ...rule, kind: ['volumeset'], path: 'spec.customEncryption.x' }] },
      says: [
        'policies.rules.0.path: policies.rules[0].path: spec.customEncryption of a volumeset has no field "x" | Known here: regions.',
      ],
    },
    { it: 'paths that no schema has', given: { rules: [{ ...rule, path: 'gvc' }, { ...rule, path: 'lifecycle' }] },
      says: [] },
    {
      it: 'a field of the lifecycle',
      given: { rules: [{ ...rule, path: 'lifecycle.protected' }] },
      says: [
        'policies.rules.0.path: policies.rules[0].path: lifecycle has no field "protected" | Did you mean "protect"?',
      ],
    },
    {
      it: 'no condition',
      given: { rules: [{ id: 'x', kind: 'gvc', path: 'name' }] },
      says: [
        'policies.rules.0: policies.rules[0] has no condition | Give one of exists, equals, in, matches, min, max, not, any.',
      ],
    },
    {
      it: 'an operator',
      given: { rules: [{ ...rule, equal: 1 }] },
      says: [
        'policies.rules.0.equal: policies.rules[0] has no field "equal" | Did you mean "equals"? Available: id, kind, severity, message, fix, when, path, of, exists, equals, in, matches, min, max, not, any.',
      ],
    },
    {
      it: 'a pattern',
      given: { rules: [{ ...rule, matches: '(' }] },
      says: [
        "policies.rules.0.matches: policies.rules[0].matches is not a valid regular expression | An example: matches: '^registry\\.example\\.com/'",
      ],
    },
    { it: 'an amount', given: { rules: [{ ...rule, path: cpu, max: 'much' }] },
      says: ['policies.rules.0.max: policies.rules[0].max must be an amount of CPU, such as 500m or 0.5 | '] },
    { it: 'an operator without a value, beside another one',
      given: { rules: [{ ...rule, path: 'spec.containers.*.ports.*.number', min: 1, max: null }] },
      says: ['policies.rules.0.max: policies.rules[0].max must be a number | '] },
    { it: 'a number', given: { rules: [{ ...rule, max: '4Gi' }] },
      says: ['policies.rules.0.max: policies.rules[0].max must be a number | '] },
    {
      it: 'a condition in another',
      given: { rules: [{ ...rule, any: [{ exist: true }] }] },
      says: [
        'policies.rules.0.any.0.exist: policies.rules[0].any[0] has no field "exist" | Did you mean "exists"? Available: exists, equals, in, matches, min, max, not, any.',
      ],
    },
    {
      it: 'conditions in each other without end',
      given: { rules: [{ ...rule, not: nested(30) }] },
      says: [
        `policies.rules.0${'.not'.repeat(18)}: policies.rules[0]${'.not'.repeat(18)} holds more than 10 conditions in each other | `,
      ],
    },
    { it: 'a few conditions in each other', given: { rules: [{ ...rule, not: nested(8) }] }, says: [] },
    ...[
      { policy: '', says: 'policies.exceptions.0.policy: policies.exceptions[0].policy must be the id of a policy | ' },
      {
        resource: 'web',
        says: 'policies.exceptions.0.resource: policies.exceptions[0].resource must be the id of a resource, such as workload/shop/web | ',
      },
      {
        reason: ' ',
        says: 'policies.exceptions.0.reason: policies.exceptions[0].reason must be text: why the policy does not hold for this resource | ',
      },
    ].map(({ says, ...wrong }) => ({
      it: `an exception with ${JSON.stringify(wrong)}`,
      given: { exceptions: [{ policy: 'a', resource: 'gvc/shop', reason: 'x', until: '2027-01-31', ...wrong }] },
      says: [says],
    })),
    {
      it: 'an exception without a reason',
      given: { exceptions: [{ policy: 'a', resource: 'workload/shop/web', until: '2027-01-31' }] },
      says: [
        'policies.exceptions.0.reason: policies.exceptions[0].reason is missing | An example: {policy: images-pinned, resource: workload/shop/web, reason: "…", until: 2027-01-31}',
      ],
    },
    ...['2027-02-29', '2027-13-01', '27-01-01', '2027-1-1', 'soon'].map((until) => ({
      it: `an exception until ${until}`,
      given: { exceptions: [{ policy: 'a', resource: 'gvc/shop', reason: 'x', until }] },
      says: [
        'policies.exceptions.0.until: policies.exceptions[0].until must be the last day on which it holds, such as 2027-01-31 | ',
      ],
    })),
    { it: 'a leap day',
      given: { exceptions: [{ policy: 'a', resource: 'gvc/shop', reason: 'x', until: '2028-02-29' }] }, says: [] },
  ])('$it', ({ given, says }) => {
    expect(read(given).says).toEqual(says);
  });
});

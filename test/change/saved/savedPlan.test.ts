import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, listAt } from '../../../src/base/json/json.ts';
import { canonicalText } from '../../../src/base/json/jsonText.ts';
import { ToolError } from '../../../src/base/toolError.ts';
import { planToJson } from '../../../src/change/documents/planDocument.ts';
import { isSavedPlan } from '../../../src/change/isSavedPlan.ts';
import { savedPlanSchema } from '../../../src/change/savedForm.ts';
import { readSavedPlans, writeSavedPlans } from '../../../src/change/savedPlanText.ts';
import { fillSecrets, findSecrets, fingerprintText } from '../../../src/change/savedSecrets.ts';
import { isRefused } from '../../../src/plan/model/plan.ts';
import { runs } from '../../harness/sampled.ts';
import { builtIn, carryOut, ModelPlatform } from '../../plan/model.ts';
import { parts, stackOf } from '../../plan/stacks.ts';
import { declare, live, plan, workload } from '../../plan/world.ts';
import { digest, fingerprint, keyedDigest, planned, readBack, saved, textOf } from './saving.ts';

const canary = 'c4n4ry-"of"-a-s3cret/ü';
const secret = declare('secret/key', { type: 'opaque', data: { payload: canary } }, {}, 7);
const gvc = declare('gvc/g', { description: 'new' }, {}, 1);
const web = declare('workload/g/web', workload('web:2'), { dependsOn: ['group/people'] }, 3);
const before = [live('gvc/g', { description: 'old' }), live('group/people'), live('workload/g/old', workload('o:1'))];

const example = planned([secret, gvc, web, declare('group/people', {}, {}, 9)], before);
const text = textOf(example);

function json(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value));
}

function codeOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
  return 'read';
}

function members(of: string): JsonObject {
  const parsed: unknown = JSON.parse(of);
  if (!isObject(parsed)) throw new Error('no object');
  return parsed;
}

describe('a saved plan is read as it was written', () => {
  test('over generated plans: changes, order, edges, bodies, declared and live records, and facts', () => {
    let kept = 0;
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 3 }), (stacks) => {
        const platform = new ModelPlatform();
        platform.put(builtIn);
        for (const stack of [...stacks, undefined]) {
          const desired = stack === undefined ? [] : stackOf(stack);
          const given = { maxDeletes: undefined, allowEmpty: true } as const;
          const of = planned(desired, platform.snapshot(), given);
          if (isRefused(of.plan)) continue;
          const [whole, written] = [saved(of), textOf(of)];
          const read = readBack(written);
          expect(json(read.plan)).toEqual(json(of.plan));
          expect(planToJson(read.plan)).toEqual(planToJson(of.plan));
          expect(json([...read.live, read.facts, read.secrets, read.inputs, [...read.unrevealed]])).toEqual(
            json([...whole.live, whole.facts, whole.secrets, whole.inputs, [...whole.unrevealed]]),
          );
          expect(read.options).toEqual(whole.options);
          expect(read.declared.map(({ id, lifecycle }) => [id, lifecycle])).toEqual(
            whole.declared.map(({ id, lifecycle }) => [id, lifecycle]),
          );
          expect(writeSavedPlans([read], digest)).toBe(written);
          carryOut(of.plan, platform, () => 0);
          kept += 1;
        }
      }),
      { numRuns: runs(60) },
    );
    expect(kept).toBeGreaterThan(runs(40));
  });

  test('with its secrets filled in, every body equals the planned one byte by byte', () => {
    const values = new Map<string, JsonValue>();
    for (const { value, resource } of findSecrets(example.plan, example.desired)) {
      values.set(fingerprint(fingerprintText(resource, value)), value);
    }
    const read = readBack(text);
    const filled = read.plan.changes.map((change) =>
      fillSecrets(change, read.secrets, (place) => values.get(place.fingerprint)),
    );
    expect(filled.map(({ create, patch }) => [create?.expose(), patch?.expose()])).toEqual(
      example.plan.changes.map(({ create, patch }) => [create?.expose(), patch?.expose()]),
    );
    expect(JSON.stringify(filled)).not.toContain('c4n4ry');
  });

  test('the place of each changed field is kept', () => {
    const read = readBack(text).declared.find(({ id }) => id === 'workload/g/web');
    expect(read?.locate(['spec', 'containers', 0, 'image'])).toEqual({ file: 'stack.yaml', line: 3, column: 1 });
  });

  test('the file matches its schema', () => {
    const validate = new Ajv2020({ strict: false }).compile(savedPlanSchema);
    expect(validate(members(text)), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...members(text), more: 1 })).toBe(false);
  });
});

describe('a saved plan contains no secret', () => {
  const forms = [canary, JSON.stringify(canary).slice(1, -1), Buffer.from(canary).toString('base64'), 'c4n4ry'];
  test.each(forms)('not as %j', (form) => expect(text).not.toContain(form));

  test('not even a live value that is changed', () => {
    const old = live('secret/key', { type: 'opaque', data: { payload: 'c4n4ry-before' } });
    const changed = textOf(planned([secret], [old]));
    expect(readBack(changed).plan.changes[0]?.action).toBe('patch');
    expect(changed).not.toContain('c4n4ry');
  });

  test('the same value of two resources has two fingerprints', () => {
    const twin = declare('secret/twin', { type: 'opaque', data: { payload: canary } });
    const prints = new Set(saved(planned([secret, twin], [])).secrets.map((each) => each.fingerprint));
    expect(prints.size).toBe(2);
  });
});

describe('a changed file is refused', () => {
  const names = Object.keys(members(text)).filter((name) => !['gantry', 'formatVersion', 'digest'].includes(name));
  test.each(names)('%s was changed', (name) => {
    const forged = JSON.stringify({ ...members(text), [name]: 'forged' });
    expect(codeOf(() => readBack(forged))).toBe('saved.tampered');
  });

  test.each(names)('%s was removed', (name) => {
    const { [name]: _gone, ...rest } = members(text);
    expect(codeOf(() => readBack(JSON.stringify(rest)))).toBe('saved.tampered');
  });

  test('a member was added', () => {
    expect(codeOf(() => readBack(JSON.stringify({ ...members(text), extra: [] })))).toBe('saved.tampered');
  });

  test('a nested value was changed', () => {
    expect(codeOf(() => readBack(text.replace('web:2', 'web:3')))).toBe('saved.tampered');
  });

  test('the digest was changed or is missing', () => {
    const forged = { ...members(text), digest: { method: 'sha256', value: 'AAAA' } };
    expect(codeOf(() => readBack(JSON.stringify(forged)))).toBe('saved.tampered');
    const { digest: _digest, ...rest } = members(text);
    expect(codeOf(() => readBack(JSON.stringify(rest)))).toBe('saved.damaged');
  });

  test('the format is newer', () => {
    expect(codeOf(() => readBack(JSON.stringify({ ...members(text), formatVersion: 2 })))).toBe('saved.newer-format');
  });

  test('it was truncated at any point', () => {
    for (let length = 60; length < text.trimEnd().length; length += 97) {
      expect(codeOf(() => readBack(text.slice(0, length)))).toBe('saved.damaged');
    }
  });

  test('its form is invalid although its digest is right, as in a handwritten file', () => {
    const { digest: _digest, ...content } = members(text);
    const forged = { ...content, changes: [{ id: 'gvc/g' }] };
    // The digest does not depend on the order of keys: it is that of their sorted text.
    const sorted = JSON.stringify(forged, (_, value: unknown) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
    );
    const whole = { ...forged, digest: { method: 'sha256', value: digest.of(sorted) } };
    expect(codeOf(() => readBack(JSON.stringify(whole)))).toBe('saved.damaged');
  });

  test.each<readonly [string, string, JsonObject]>([
    ['another resource than it shows', 'group/people', { ref: { kind: 'group', name: 'victim' }, name: 'victim' }],
    ['another name than it creates', 'workload/g/web', { create: { name: 'victim' } }],
    ['another record than the pinned one', 'gvc/g', { patch: { id: 'uid-other', version: 1 } }],
  ])('it would write to %s, although its digest is right', (_what, id, forged) => {
    const { digest: _digest, ...content } = members(text);
    const changes = listAt(content, 'changes').filter(isObject);
    const others = changes.map((change) => (change['id'] === id ? { ...change, ...forged } : change));
    const made = { ...content, changes: others };
    const value = digest.of(canonicalText(made));
    expect(others).not.toEqual(changes);
    expect(codeOf(() => readBack(JSON.stringify({ ...made, digest: { method: 'sha256', value } })))).toBe(
      'saved.damaged',
    );
  });

  test('its plans are of several orgs or environments, although all are applied to those of the first', () => {
    const plan = saved(example);
    const others = [
      { ...plan, plan: { ...plan.plan, org: 'other' } },
      { ...plan, inputs: { ...plan.inputs, environment: 'prod' } },
    ];
    const read = (second: typeof plan) =>
      codeOf(() => readSavedPlans(writeSavedPlans([plan, second], digest), [digest]));
    expect([...others, plan].map(read)).toEqual(['saved.damaged', 'saved.damaged', 'read']);
  });

  test('with another layout it is still the same plan', () => {
    const { gantry, ...rest } = members(text);
    const other = JSON.stringify({ gantry, ...Object.fromEntries(Object.entries(rest).reverse()) });
    expect(json(readBack(other).plan)).toEqual(json(example.plan));
  });
});

describe('with a key, no plan can be made or changed without that key', () => {
  const keyed = writeSavedPlans([saved(example)], keyedDigest('right'));

  test('the right key reads it', () => {
    expect(json(readSavedPlans(keyed, [keyedDigest('right')])[0]?.plan)).toEqual(json(example.plan));
  });

  test('another key reports that it was changed, no key reports a missing one', () => {
    expect(codeOf(() => readSavedPlans(keyed, [keyedDigest('wrong')]))).toBe('saved.tampered');
    expect(codeOf(() => readSavedPlans(keyed, [digest]))).toBe('saved.key-missing');
  });

  test('one plan of a file of several is not a valid file', () => {
    const several = writeSavedPlans([saved(example), saved(planned([secret], []))], keyedDigest('key'));
    const stacks = listAt(members(several), 'stacks');
    expect(stacks).toHaveLength(2);
    const read = (each: JsonValue) => codeOf(() => readSavedPlans(JSON.stringify(each), [keyedDigest('key')]));
    expect(stacks.map(read)).toEqual(['saved.damaged', 'saved.damaged']);
  });

  test('a file without a key is refused if one is set', () => {
    expect(codeOf(() => readSavedPlans(text, [keyedDigest('right')]))).toBe('saved.unsigned');
  });
});

describe('a saved plan is recognised by its beginning', () => {
  test.each([text, JSON.stringify(members(text)), `\uFEFF${text}`])('as a saved plan', (each) => {
    expect(isSavedPlan(each.slice(0, 512))).toBe(true);
  });

  test.each([
    'kind: gvc\nname: g\n',
    '{"kind": "gvc", "name": "gantry"}',
    '{"kind": "gvc", "gantry": "saved-plan"}',
    JSON.stringify(planToJson(plan([gvc], before))),
    '',
  ])('not %j', (each) => expect(isSavedPlan(each)).toBe(false));
});

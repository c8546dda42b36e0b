import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { attributeCauses, trailsWanted } from '../../../src/change/attributeCauses.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import type { WriteEvent } from '../../../src/manifest/live/writer.ts';
import { placesOf } from '../../../src/plan/record/items.ts';
import { changeOf, codes, declare, foreign, live, options, partTag, plan, snapshot } from '../world.ts';

const web = 'workload/g/web';
const gvc = foreign('gvc/g');

function workload(autoscaling: JsonObject, image = 'a'): JsonObject {
  return {
    spec: {
      type: 'standard',
      containers: [{ name: 'main', image, cpu: '50m', memory: '128Mi' }],
      defaultOptions: { autoscaling },
    },
  };
}

const held = live(web, workload({ minScale: 4, maxScale: 5 }), { applied: { version: 1 }, version: 2 });
const lowered = declare(web, workload({ maxScale: 3 }), {}, 7);

const min = 'spec.defaultOptions.autoscaling.minScale';
const max = 'spec.defaultOptions.autoscaling.maxScale';

describe('a live value that is kept and conflicts with a declared one', () => {
  const made = plan([lowered], snapshot([gvc, held]));

  test('refuses the change, with the field, its line and three ways to resolve it', () => {
    expect(changeOf(made, web).refusals).toEqual([
      {
        code: 'update.rule',
        message:
          `the platform would refuse the result (rule W17, ${min}): minScale 4 must not be more than maxScale 3; ` +
          `${min}, which this manifest does not set, stays as it is, set not by this stack`,
        allow: `${min} in its manifest, lifecycle.ignore for ${max}, or another live value: ask the operator who set it`,
        kept: min,
        place: { file: 'stack.yaml', line: 7, column: 1 },
      },
    ]);
  });

  test('names its writer if the audit trail contains it', () => {
    const write = (version: number, minScale: number, name: string): WriteEvent => ({
      version,
      at: `2026-11-20T14:0${version}:00.000Z`,
      action: version === 1 ? 'create' : 'edit',
      writer: { name, type: 'user' },
      record: { ...held.record, ...workload({ minScale, maxScale: 5 }) },
    });
    expect(trailsWanted(made)).toEqual([held.uid]);
    const trails = new Map([[held.uid, [write(2, 4, 'ana@example.com'), write(1, 1, 'ci')]]]);
    const named = attributeCauses(made, { desired: [lowered], snapshot: snapshot([gvc, held]), options }, trails);
    const [refusal] = changeOf(named, web).refusals;
    expect(refusal?.message).toContain('stays as it is, set by ana@example.com at 2026-11-20 14:02 UTC, version 2');
  });

  test('refuses the change also under lifecycle.ignore', () => {
    const ignoring = declare(web, workload({ minScale: 1, maxScale: 3 }), { ignore: [min] });
    const [refusal] = changeOf(plan([ignoring], snapshot([gvc, held])), web).refusals;
    expect(refusal).toMatchObject({ code: 'update.rule', kept: min });
  });

  test('is not in the refusal if it is marked as sensitive', () => {
    const marked = declare(web, workload({ minScale: 1, maxScale: 3 }), { ignore: [min], sensitive: [min] });
    const [refusal] = changeOf(plan([marked], snapshot([gvc, held])), web).refusals;
    expect(refusal?.message).toContain('minScale *** must not be more than maxScale 3');
  });

  test.each([
    { it: 'if it is declared', record: workload({ minScale: 2, maxScale: 3 }), ignore: [] },
    { it: 'if the changed field is ignored', record: workload({ maxScale: 3 }, 'b'), ignore: [max] },
    { it: 'if the change fits it', record: workload({ maxScale: 4 }), ignore: [] },
  ])('a kept value does not refuse the change $it', ({ record, ignore }) => {
    const after = plan([declare(web, record, { ignore })], snapshot([gvc, held]));
    expect(changeOf(after, web).action).toBe('patch');
    expect(codes(after)).toEqual([]);
  });
});

describe('a rule that this change does not break does not refuse it', () => {
  const broken = live(web, workload({ minScale: 4, maxScale: 3 }));

  test('if the live record breaks it already', () => {
    const made = plan([declare(web, workload({}, 'b'))], snapshot([gvc, broken]));
    expect(changeOf(made, web).action).toBe('patch');
    expect(codes(made)).toEqual([]);
  });

  test('if the manifest alone breaks it: that is reported with its line earlier', () => {
    const wrong = declare(web, workload({ minScale: 3, maxScale: 2 }));
    expect(codes(plan([wrong], snapshot([gvc, live(web, workload({ minScale: 1, maxScale: 5 }))])))).toEqual([]);
  });
});

const tags = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`t${index}`, 'x']));

test('adopting a record is refused in the plan if the tags of others would be too many', () => {
  const made = plan([declare('group/x')], snapshot([foreign('group/x', { tags })]), { adopt: true });
  expect(codes(made)).toEqual(['update.rule']);
  const [refusal] = changeOf(made, 'group/x').refusals;
  expect(refusal?.message).toContain(
    '51 tags, at most 50 are allowed; tags.t0, tags.t1, tags.t10, tags.t11, tags.t12 and 44 more',
  );
});

test('a protection that others set is one of the tags that stay', () => {
  const { t0: _, ...others } = tags;
  const theirs = foreign('group/x', { tags: { ...others, 'scheme/protected': 'true' } });
  const refusal = (protect: boolean) =>
    changeOf(plan([declare('group/x', {}, protect ? { protect } : {})], snapshot([theirs]), { adopt: true }), 'group/x')
      .refusals[0]?.message;
  expect(refusal(false)).toMatch(/tags\.t1, .* and 44 more/);
  expect(refusal(true)).toMatch(/tags\.t1, .* and 43 more/);
});

test('a part is checked together with the rest of the record', () => {
  const part = declare('group/x', { tags: { mine: 'y' } }, { part: true });
  const made = plan([part], snapshot([foreign('group/x', { tags })]));
  expect(codes(made)).toEqual(['update.rule']);
});

test('a replacement is checked together with the values that it keeps', () => {
  const typed = (type: string, autoscaling: JsonObject): JsonObject => {
    const record = workload(autoscaling);
    return { spec: { ...objectAt(record, 'spec'), type } };
  };
  const desired = declare(web, typed('standard', { minScale: 1, maxScale: 3 }), { ignore: [min] });
  const made = plan([desired], snapshot([gvc, live(web, typed('stateful', { minScale: 4, maxScale: 5 }))]));
  expect(changeOf(made, web)).toMatchObject({ intended: 'replace', refusals: [{ code: 'update.rule', kept: min }] });
});

describe('the tags that Gantry adds count towards the limit', () => {
  const declared = (count: number) => ({
    tags: Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, 'x'])),
  });
  const over = {
    code: 'update.rule',
    message:
      "the platform would refuse the result (rule tags.count, tags): 51 tags, at most 50 are allowed; 3 of them are Gantry's " +
      'own: gantry/applied, gantry/stack, scheme/protected',
    allow: 'fewer tags in its manifest',
  };

  test('a new protected record with 48 tags has 51 and is refused', () => {
    const made = plan([declare('group/x', declared(48), { protect: true })], []);
    expect(changeOf(made, 'group/x').refusals).toMatchObject([over]);
    expect(codes(plan([declare('group/x', declared(47), { protect: true })], []))).toEqual([]);
  });

  test('a record with 48 tags that becomes protected has 51 and is refused', () => {
    const made = plan([declare('group/x', declared(48), { protect: true })], [live('group/x', declared(48))]);
    expect(changeOf(made, 'group/x').refusals).toMatchObject([over]);
  });
});

test('a renamed record is checked together with the values that it keeps', () => {
  const renamed = 'workload/g/shop';
  const desired = declare(renamed, workload({ minScale: 1, maxScale: 3 }), { previously: 'web', ignore: [min] });
  const made = plan([desired], snapshot([gvc, held]));
  expect(changeOf(made, renamed)).toMatchObject({ intended: 'create', refusals: [{ code: 'update.rule', kept: min }] });
});

describe('bindings with the same permissions', () => {
  const bound = (group: string): JsonObject => ({ permissions: ['edit'], principalLinks: [`/org/o/group/${group}`] });
  const policy = (...groups: readonly string[]): JsonObject => ({
    targetKind: 'gvc',
    target: 'all',
    bindings: groups.map(bound),
  });
  const others = [foreign('group/a'), foreign('group/b')];
  const told =
    'the platform would refuse the result (rule PO5, bindings.1): two bindings must not grant the same permissions (edit)';

  test('a part cannot add one equal to that of the owner, and the plan names the owner', () => {
    const part = declare('policy/x', { bindings: [bound('a')] }, { part: true });
    const theirs = live('policy/x', policy('b'), { owner: 'net' });
    const [refusal] = changeOf(plan([part], snapshot([theirs, ...others])), 'policy/x').refusals;
    expect(refusal).toMatchObject({
      code: 'update.rule',
      message: `${told}; bindings.0, which this manifest does not set, stays as it is, because it belongs to the stack net`,
    });
    expect(refusal?.allow).toBe('another value for what it changes here, or for bindings.0 in the stack net');
  });

  test('the owner cannot add one equal to that of a part, and the plan names the stack of the part', () => {
    const address = { kind: 'policy', name: 'x' } as const;
    const before = live('policy/x', policy('a'), {});
    const tags = partTag('net', address, placesOf(shapeOf('policy', before.record), before.record, { org: 'o' }));
    const held = { ...before, record: { ...before.record, tags: { ...objectAt(before.record, 'tags'), ...tags } } };
    const made = plan([declare('policy/x', policy('b'))], snapshot([held, ...others]));
    expect(changeOf(made, 'policy/x').refusals).toMatchObject([
      {
        code: 'update.rule',
        message: `${told}; bindings.0, which this manifest does not set, stays as it is, because it belongs to the stack net`,
      },
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import type { Pointer } from '../../../src/base/json/pointer.ts';
import { planToJson } from '../../../src/change/documents/planDocument.ts';
import { writeDeclaration, writeSavedPlans } from '../../../src/change/savedPlanText.ts';
import type { Position } from '../../../src/manifest/model/manifest.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { forgetKinds, withKinds } from '../../kinds/withKinds.ts';
import { changeOf, closure, declare, foreign, live, snapshot, workload } from '../../plan/world.ts';
import { digest, planned, readBack, saved } from './saving.ts';

const theme = { scope: 'org', immutable: ['base'], listKeys: {}, disposable: true } as const;
const alarm = { scope: 'gvc', immutable: [], listKeys: {}, disposable: false } as const;
withKinds({ theme, alarm });

const keda = { spec: { keda: { enabled: true, identityLink: '//gvc/g/identity/app' } } };
const given: Partial<PlanOptions> = {
  writeUnknownSecrets: true,
  excludes: ['group/other'],
  limits: [{ at: 'environments.prod.limits', maxDeletes: 9 }],
  rehearsed: true,
  storagePrice: { storageGbMonth: 0.1, currency: 'EUR' },
};

/** A plan with every member of the file. */
function everything() {
  const secret = (payload: string) => ({ type: 'opaque', data: { payload } });
  const declared = [
    declare('gvc/g', { description: 'new', ...keda }),
    declare('identity/g/app'),
    declare('theme/dark', { base: 'night' }),
    declare('alarm/g/bell', { loud: true }),
    declare('secret/key', secret('x')),
    declare('secret/far', secret('x')),
    declare('group/same', { description: 'same' }),
    declare('group/other', { description: 'b' }),
  ];
  const child = live('workload/old/web', workload('web:1'));
  const state = snapshot(
    [
      ...[live('gvc/old'), live('gvc/g', { description: 'old' }), live('group/other', { description: 'a' })],
      ...[live('group/same', { description: 'same' }), foreign('secret/elsewhere')],
      ...[live('secret/key', { type: 'opaque' }), live('secret/far', { type: 'opaque' })],
    ],
    {
      closures: closure('old', [child]),
      unrevealed: new Set(['secret/key', 'secret/elsewhere', 'secret/far']),
      preconditions: 'unsaid',
      dryRun: 'honoured',
    },
  );
  return planned(declared, state, given);
}

function fileOf(text: string): JsonObject {
  const file: unknown = JSON.parse(text);
  if (!isObject(file)) throw new Error('no object');
  return file;
}

function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('a file with every member', () => {
  const without = everything();
  const of = { ...without, policies: ['no-latest', 'sized'] };
  const text = () => writeSavedPlans([saved(of)], digest);

  test('contains everything that the test needs', () => {
    const { then, expectedThen } = changeOf(of.plan, 'gvc/g');
    expect([then, expectedThen].map((body) => body === undefined)).toEqual([false, false]);
    expect(of.plan.leftOut).toEqual([{ id: 'group/other', action: 'patch' }]);
  });

  test('is read as it was written: the plan with its bodies, and the options', () => {
    const read = readBack(text());
    expect(planToJson(read.plan)).toEqual(planToJson(of.plan));
    const bodies = ({ plan }: typeof read) =>
      plan.changes.map((change) => [change.then?.masked, change.expected?.masked, change.expectedThen?.masked]);
    expect(json(bodies(read))).toEqual(json(bodies(saved(of))));
    expect(read.options).toEqual(saved(of).options);
    expect(read.options).toMatchObject(given);
    expect(writeSavedPlans([read], digest)).toBe(text());
  });

  test('contains only what concerns its changes: records by name, declarations, and unreadable secrets', () => {
    const read = readBack(text());
    expect([...read.live.keys()]).toEqual(['gvc/g', 'gvc/old', 'secret/far', 'secret/key', 'workload/old/web']);
    const changed = ['alarm/g/bell', 'gvc/g', 'identity/g/app', 'secret/far', 'secret/key', 'theme/dark'];
    expect(read.declared.map(({ id }) => id).sort()).toEqual(changed);
    expect([...read.unrevealed]).toEqual(['secret/far', 'secret/key']);
  });

  test('contains the policies, and the other resources that they read', () => {
    const { judged } = readBack(text());
    expect(judged?.policies).toEqual(['no-latest', 'sized']);
    expect(judged?.beside.map(({ id, record }) => [id, record['description']])).toEqual([
      ['group/same', 'same'],
      ['group/other', 'b'],
    ]);
    expect(readBack(writeSavedPlans([saved(without)], digest)).judged).toBeUndefined();
  });

  test('contains the known facts of its custom kinds, by name; a plan without any has none', () => {
    const written = text();
    expect(Object.entries(Object(fileOf(written)['kinds']))).toEqual([
      ['alarm', alarm],
      ['theme', theme],
    ]);
    forgetKinds();
    expect(changeOf(readBack(written).plan, 'theme/dark').kind).toBe('theme');
    const plain = writeSavedPlans([saved(planned([declare('group/a')], []))], digest);
    expect(fileOf(plain)).not.toHaveProperty('kinds');
  });
});

describe('the places of changes', () => {
  const at = (file: string, line: number): Position => ({ file, line, column: 5 });
  const lines = new Map([
    ['description', at('stack.yaml', 4)],
    ['tags.team', at('tags.yaml', 2)],
    ['spec', at('stack.yaml', 9)],
  ]);
  const gvc = {
    ...declare('gvc/g', { description: 'new', tags: { team: 'red' }, spec: { endpointNamingFormat: 'org' } }),
    locate: (pointer: Pointer) => lines.get(pointer.join('.')) ?? at('stack.yaml', 1),
  };
  const of = planned([gvc], [live('gvc/g', { description: 'old', spec: { endpointNamingFormat: 'org' } })]);

  test.each<{ it: string; pointer: Pointer; place: Position }>([
    { it: 'a changed field', pointer: ['description'], place: at('stack.yaml', 4) },
    { it: 'a changed field in another file', pointer: ['tags', 'team'], place: at('tags.yaml', 2) },
    { it: 'a value inside a changed field', pointer: ['description', 'x', 0], place: at('stack.yaml', 4) },
    { it: 'an unchanged field: the place of the resource', pointer: ['spec'], place: at('stack.yaml', 1) },
    { it: 'the resource', pointer: [], place: at('stack.yaml', 1) },
  ])('$it', ({ pointer, place }) => {
    const [declared] = readBack(writeSavedPlans([saved(of)], digest)).declared;
    expect(declared?.locate(pointer)).toEqual(place);
  });

  test('the file of a place is only written if it differs', () => {
    expect(writeDeclaration(gvc, changeOf(of.plan, 'gvc/g')).places).toEqual([
      { pointer: ['description'], line: 4, column: 5 },
      { pointer: ['tags', 'team'], line: 2, column: 5, file: 'tags.yaml' },
    ]);
    expect(writeDeclaration(gvc, undefined).places).toEqual([]);
  });
});

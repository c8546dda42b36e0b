import { describe, expect, test } from 'vitest';
import { checkManifests, kindsOf, relatedSet } from '../../../src/manifest/checkManifests.ts';
import type { MadeBy } from '../../../src/manifest/model/manifest.ts';
import { check, documentsIn, options } from '../checking.ts';

describe('the other resources that rules can read', () => {
  const member = (kind: 'gvc' | 'workload', name: string, gvc?: string) => {
    const ref = gvc === undefined ? { kind, name } : { kind, name, gvc };
    return { id: gvc === undefined ? `${kind}/${name}` : `${kind}/${gvc}/${name}`, ref, record: { name } };
  };
  const related = relatedSet([
    member('gvc', 'a'),
    member('workload', 'x', 'a'),
    member('workload', 'y', 'a'),
    member('workload', 'x', 'b'),
  ]);
  const ids = (kind: 'gvc' | 'workload' | 'secret', gvc?: string) =>
    related.list(kind, gvc).map(({ ref }) => `${ref.gvc ?? ''}/${ref.name}`);

  test('all of a kind, or those in one GVC', () => {
    expect(ids('gvc')).toEqual(['/a']);
    expect(ids('workload')).toEqual(['a/x', 'a/y', 'b/x']);
    expect(ids('workload', 'a')).toEqual(['a/x', 'a/y']);
    expect(ids('workload', 'c')).toEqual([]);
    expect(ids('secret')).toEqual([]);
  });

  test('a single one; an undeclared one may be live', () => {
    expect(related.get({ kind: 'workload', name: 'x', gvc: 'b' })).toEqual({ name: 'x' });
    expect(related.get({ kind: 'workload', name: 'y', gvc: 'b' })).toBe('unknown');
  });

  test('not a part of a resource, whose other fields are unknown', () => {
    const workload = `kind: workload
name: web
gvc: shop
spec:
  type: standard
  containers: [{name: main, image: "a:1"}]
  localOptions: [{location: aws-eu-central-1}]
`;
    const gvc = '---\nkind: gvc\nname: shop\nspec: {env: [{name: A, value: b}]}\n';
    expect(check(workload + gvc).problems).not.toEqual([]);
    expect(check(`${workload}${gvc}lifecycle: {part: true}\n`).problems).toEqual([]);
  });
});

test('the kinds of documents, to load their validators', () => {
  const text =
    '- {kind: gvc}\n- {kind: list, items: [{kind: secret}, {kind: gvc}, 5]}\n- {kind: nothing}\n- {kind: 5}\n- text\n- {name: a}\n';
  expect(kindsOf(documentsIn(text))).toEqual(new Set(['gvc', 'secret']));
});

describe('a resource made by code', () => {
  const made = (madeBy?: MadeBy, text = 'kind: gvc\nname: shop') =>
    documentsIn(text).map((document) => (madeBy === undefined ? document : { ...document, madeBy }));

  test('belongs to its stack', () => {
    const callers = [{ file: 's.ts', line: 1, column: 1 }];
    const { resources } = checkManifests(made({ construct: 'a', stack: 'front', callers }), options);
    expect(resources).toEqual([expect.objectContaining({ id: 'gvc/shop', stack: 'front' })]);
    expect(checkManifests(made({ construct: 'a', callers }), options).resources[0]).not.toHaveProperty('stack');
    expect(checkManifests(made(), options).resources[0]).not.toHaveProperty('stack');
    const inList = made({ construct: 'a', stack: 'front', callers }, '[{kind: gvc, name: shop}]');
    expect(checkManifests(inList, options).resources).toEqual([expect.objectContaining({ stack: 'front' })]);
  });

  test('twice is reported with the construct of the second', () => {
    const { problems, resources } = checkManifests(
      [...made(), ...made({ construct: 'front/shop', callers: [] })],
      options,
    );
    expect(resources).toHaveLength(1);
    expect(problems).toEqual([
      {
        rule: 'manifest.duplicate',
        path: 'name',
        pointer: ['name'],
        message: 'gvc/shop is declared twice; first at a.yaml:2',
        hint: 'Remove or rename one of the two.',
        severity: 'error',
        position: { file: 'a.yaml', line: 2, column: 7 },
        resource: 'gvc/shop',
        construct: 'front/shop',
      },
    ]);
  });
});

test('an exempted field includes its nested fields, and no others', () => {
  const { problems } = check(`kind: gvc
name: shop
spec: {brandNew: {deep: 1}, tracing: {sampling: 1, provider: {controlplane: {odd: 1, other: 1}}}}
lifecycle: {untyped: [spec.brandNew, spec.tracing.provider.controlplane.odd]}`);
  expect(problems.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
    'shape.unknown-field spec.tracing.provider.controlplane.other',
  ]);
});

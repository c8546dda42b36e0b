import { expect, test } from 'vitest';
import { changeOf, declare, live, plan } from '../world.ts';

test('a value that an earlier write set and is no longer declared is removed by the first step only', () => {
  const declared = declare('gvc/g', { spec: { keda: { enabled: true, identityLink: '//identity/app' } } });
  const held = live(
    'gvc/g',
    { spec: { endpointNamingFormat: 'org' } },
    { applied: { servicePaths: ['spec.endpointNamingFormat'] } },
  );
  const change = changeOf(plan([declared, declare('identity/g/app')], [held]), 'gvc/g');
  // One removed leaf; as a field it would be two.
  expect(change.patch?.masked['$replace/spec']).toEqual({ keda: { enabled: true } });
  expect(change.then?.masked['spec']).toEqual({ keda: { identityLink: '//identity/app' } });
});

test('an undeclared child is named in the first step, with a note: the platform accepts it (platform/deletion.references)', () => {
  const spec = { keda: { enabled: true, identityLink: '//identity/none' }, aliasWorkloadLink: '//workload/none' };
  for (const lives of [[], [live('gvc/g', {})]]) {
    const change = changeOf(plan([declare('gvc/g', { spec })], lives), 'gvc/g');
    expect(change.refusals).toEqual([]);
    expect(change.then).toBeUndefined();
    expect(JSON.stringify(change.create?.masked ?? change.patch?.masked)).toContain('//identity/none');
    expect(change.notes.filter((note) => note.endsWith('which does not exist'))).toHaveLength(2);
  }
});

test('a child that a live GVC already names is created after the GVC changes: they do not wait for each other', () => {
  const spec = { keda: { enabled: true, identityLink: '//identity/late' } };
  const held = live('gvc/g', { spec: { keda: { enabled: true, identityLink: '/org/o/gvc/g/identity/late' } } });
  const made = plan([declare('gvc/g', { spec, tags: { a: '1' } }), declare('identity/g/late')], [held]);
  expect(made.changes.map(({ id, action }) => [id, action])).toEqual(
    expect.arrayContaining([
      ['gvc/g', 'patch'],
      ['identity/g/late', 'create'],
    ]),
  );
  expect(changeOf(made, 'gvc/g').then).toBeUndefined();
});

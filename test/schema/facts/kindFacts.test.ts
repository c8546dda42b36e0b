import { describe, expect, test } from 'vitest';
import type { ActionRisks } from '../../../src/kinds/common/facts.ts';
import {
  becomesReady,
  hasPermission,
  hiddenField,
  isBoundByMutualLink,
  isNamedByEmail,
  isNamedByHost,
  isUndeletable,
  isUnrevealed,
  kindFacts,
  mayStore,
  partHidden,
  permissions,
  releases,
  storesData,
  targetKinds,
  viewing,
} from '../../../src/kinds/kindFacts.ts';
import { onlyNamed } from '../../../src/schema/record/customKinds.ts';
import { creatableKinds, type Kind, kindNamed, readOnlyKinds } from '../../../src/schema/record/kinds.ts';
import { withKinds } from '../../kinds/withKinds.ts';
import { catalogue } from '../../server/access/catalogue.ts';

withKinds({ theme: onlyNamed, lamp: { ...onlyNamed, disposable: true } });

const known: readonly Kind[] = [...creatableKinds, ...readOnlyKinds];

interface Fact {
  readonly it: string;
  readonly holds: (kind: Kind) => boolean;
  readonly of: readonly string[];
}

test.each<Fact>(
  // biome-ignore format: a row is a case
  [
    { it: 'has a field that is shown on request only (platform/secret.data)',
      holds: (kind) => hiddenField(kind) !== undefined, of: ['secret'] },
    { it: 'stores data (platform/volumeset)', holds: storesData, of: ['volumeset'] },
    { it: 'loses data when it is deleted', holds: mayStore, of: ['volumeset'] },
    { it: 'becomes ready later (platform/workload.status)', holds: becomesReady, of: ['workload'] },
    { it: 'is named by its host (platform/domain)', holds: isNamedByHost, of: ['domain'] },
    { it: 'is named by e-mail (platform/group.members)', holds: isNamedByEmail, of: ['user'] },
    { it: 'is answered, not changed (platform/task.answers)', holds: (kind) => kindFacts(kind).unchangeable === true,
      of: ['task'] },
    { it: 'is bound by a link back to it (platform/ipset.addresses)', holds: isBoundByMutualLink, of: ['ipset'] },
    { it: 'is never deleted (platform/deletion.refusal)', holds: (kind) => isUndeletable(kind, {}),
      of: ['auditctx', 'quota'] },
  ],
)('a kind that $it: $of', ({ holds, of }) => {
  expect(known.filter(holds)).toEqual(of);
});

test('built-in records of every kind cannot be deleted (platform/concepts.built-in)', () => {
  expect(known.filter((kind) => !isUndeletable(kind, { origin: 'builtin' }))).toEqual([]);
  expect(isUndeletable('group', { origin: 'default' })).toBe(false);
});

describe('risks of writing whole records', () => {
  const governing: ActionRisks = { create: 'none', write: 'metadata', delete: 'endpoint-change' };
  const serving: ActionRisks = { create: 'none', write: 'metadata', delete: 'downtime' };

  test.each<[string, ActionRisks, readonly string[]]>(
    // biome-ignore format: a row is a case
    [
      ['kinds without effect on running workloads', governing,
        ['auditctx', 'cloudaccount', 'group', 'identity', 'policy', 'deployment', 'image', 'org', 'quota', 'task',
          'user']],
      ['kinds that serve traffic, or are needed to serve it',
        serving, ['agent', 'domain', 'gvc', 'ipset', 'location', 'secret']],
      ['keys that are shown only once', { ...governing, delete: 'data-loss' }, ['serviceaccount']],
      ['volumes, which have a cost', { create: 'cost-up', write: 'metadata', delete: 'data-loss' }, ['volumeset']],
      ['replicas, which are rolled out', { create: 'cost-up', write: 'rolling-restart', delete: 'downtime' },
        ['workload']],
    ],
  )('%s', (_what, risks, kinds) => {
    expect(known.filter((kind) => JSON.stringify(kindFacts(kind).risks) === JSON.stringify(risks))).toEqual(kinds);
  });

  test.each<[string, ActionRisks, boolean]>([
    ['theme', { create: 'none', write: 'metadata', delete: 'data-loss' }, true],
    ['lamp', { create: 'none', write: 'metadata', delete: 'downtime' }, false],
  ])('a custom kind may store data, unless it is disposable: %s', (name, risks, stores) => {
    const kind = kindNamed(name) ?? 'task';
    expect(kindFacts(kind).risks).toEqual(risks);
    expect([mayStore(kind), storesData(kind), hasPermission(kind, 'view')]).toEqual([stores, false, false]);
  });
});

describe('permissions (platform/access.permissions)', () => {
  test('are those that a policy can grant', () => {
    const named = [...permissions].map(([kind, names]) => [kind, names.toSorted().join(' ')]);
    expect(Object.fromEntries(named)).toEqual({ ...catalogue, mk8s: 'clusterAdmin create delete edit manage view' });
  });

  test('exist for the target kinds of policies', () => {
    expect(targetKinds).toEqual([...Object.keys(catalogue), 'mk8s'].sort());
  });

  test.each<[Kind, string, boolean]>([
    ['secret', 'reveal', true],
    ['gvc', 'reveal', false],
    ['deployment', 'view', false],
  ])('%s has %s: %s', (kind, permission, has) => {
    expect(hasPermission(kind, permission)).toBe(has);
  });

  test('to write include reading', () => {
    expect([...viewing].sort()).toEqual(['create', 'delete', 'edit', 'manage', 'view']);
  });
});

test.each<[Kind, Kind, boolean]>([
  ['domain', 'workload', true],
  ['domain', 'secret', false],
  ['group', 'serviceaccount', true],
  ['org', 'secret', true],
  ['workload', 'identity', false],
])('%s lets %s be deleted: %s (platform/deletion)', (referrer, target, lets) => {
  expect(releases(referrer, target)).toBe(lets);
});

describe('data of a secret (platform/secret.data)', () => {
  const secret = { name: 's', data: { payload: 'x' } };

  test('is separated from the rest of the record', () => {
    expect(partHidden('secret', secret)).toStrictEqual({ shown: { name: 's' }, hidden: { data: { payload: 'x' } } });
    expect(partHidden('secret', { name: 's' })).toStrictEqual({ shown: { name: 's' }, hidden: {} });
    expect(partHidden('cloudaccount', secret)).toStrictEqual({ shown: secret, hidden: {} });
  });

  test('is missing in a record read without -reveal', () => {
    expect([isUnrevealed('secret', { name: 's' }), isUnrevealed('secret', secret)]).toEqual([true, false]);
    expect(isUnrevealed('cloudaccount', { name: 's' })).toBe(false);
  });
});

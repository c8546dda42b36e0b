import { expect, test } from 'vitest';
import { impliedBy, withImplied } from '../../../src/kinds/impliedPermissions.ts';
import { viewing } from '../../../src/kinds/kindFacts.ts';
import {
  checkedPermission,
  permissionSchema,
  permissionsOf,
} from '../../../src/server/access/decisions/permissionCatalog.ts';
import { catalogue, volumeCommands } from './catalogue.ts';

test.each(Object.entries(catalogue))('the permissions of %s (platform/access.permissions)', (kind, names) => {
  expect(permissionsOf(kind).map(({ name }) => name)).toEqual(names.split(' '));
});

test.each(Object.keys(catalogue))('each permission of %s has a description', (kind) => {
  for (const { name, description } of permissionsOf(kind)) {
    expect(description, name).toMatch(/^[A-Z].+\.$/);
    expect(description).not.toContain('%');
  }
});

test('a kind that policies cannot target has no permissions', () => {
  expect(permissionsOf('deployment')).toEqual([]);
  expect(permissionsOf('constructor')).toEqual([]);
});

interface Implication {
  readonly kind: string;
  readonly of: string;
  readonly implies: string;
}

const implications: readonly Implication[] = [
  { kind: 'gvc', of: 'create', implies: 'view' },
  { kind: 'gvc', of: 'edit', implies: 'view' },
  { kind: 'gvc', of: 'delete', implies: 'view' },
  { kind: 'gvc', of: 'view', implies: '' },
  { kind: 'gvc', of: 'configureLoadBalancer', implies: '' },
  { kind: 'gvc', of: 'manage', implies: 'configureLoadBalancer create delete edit view' },
  { kind: 'workload', of: 'exec', implies: 'exec.runCronWorkload exec.stopReplica' },
  { kind: 'workload', of: 'exec.stopReplica', implies: '' },
  { kind: 'volumeset', of: 'exec', implies: volumeCommands },
  { kind: 'org', of: 'exec', implies: 'exec.echo' },
  { kind: 'secret', of: 'edit', implies: 'reveal view' },
  { kind: 'secret', of: 'reveal', implies: '' },
  { kind: 'secret', of: 'create', implies: 'view' },
  { kind: 'identity', of: 'use', implies: '' },
  { kind: 'user', of: 'manage', implies: 'delete edit impersonate invite view' },
  { kind: 'serviceaccount', of: 'addKey', implies: '' },
];

test.each(implications)('$of on a $kind implies "$implies" (platform/access.permissions)', ({ kind, of, implies }) => {
  expect(impliedBy(kind, of)).toEqual(implies === '' ? [] : implies.split(' '));
});

test.each(Object.entries(catalogue))(
  'manage on %s gives every permission of the kind (platform/access.permissions)',
  (kind, names) => {
    expect([...withImplied(kind, ['manage'])].sort()).toEqual(names.split(' '));
  },
);

test('several permissions add up, and a name that the kind does not have grants nothing (platform/policy, PO4)', () => {
  expect([...withImplied('secret', ['edit', 'use', 'fly', 'exec'])].sort()).toEqual(['edit', 'reveal', 'use', 'view']);
  expect([...withImplied('workload', ['reveal'])]).toEqual([]);
  expect([...withImplied('nothing', ['manage'])]).toEqual([]);
});

test.each([
  ['volumeset', 'exec.expandVolume', 'exec.expandVolume'],
  ['volumeset', 'exec.deleteVolumeSet', 'exec'],
  ['workload', 'edit', 'edit'],
  ['secret', 'exec.x', 'exec'],
])(
  "on a %s, %s needs %s, because the platform's own commands have no permission of their own",
  (kind, permission, asked) => {
    expect(checkedPermission(kind, permission)).toBe(asked);
  },
);

test('the shape of -schema/permissions (platform/access.permissions)', () => {
  expect(permissionSchema('task')).toEqual({
    kind: 'permissions',
    targetKind: 'task',
    items: [
      { name: 'delete', description: 'Delete the task.' },
      { name: 'edit', description: 'Change the task.' },
      { name: 'manage', description: 'Do everything with the task.' },
      { name: 'view', description: 'Read the task.' },
    ],
    implied: { delete: ['view'], edit: ['view'], manage: ['delete', 'edit', 'view'] },
  });
});

test('clients and the platform have the same list of permissions that imply view', () => {
  for (const kind of Object.keys(catalogue)) {
    const reads = permissionsOf(kind).flatMap(({ name }) => (withImplied(kind, [name]).has('view') ? [name] : []));
    expect(
      reads.filter((name) => !viewing.has(name)),
      kind,
    ).toEqual([]);
    const promised = permissionsOf(kind).filter(({ name }) => viewing.has(name) && kind !== 'org');
    expect(
      promised.map(({ name }) => name),
      kind,
    ).toEqual(kind === 'org' ? [] : reads);
  }
});

import { expect, test } from 'vitest';
import {
  askedFor,
  impliedBy,
  permissionSchema,
  permissionsOf,
  withImplied,
} from '../../../src/server/rules/access/permissionCatalog.ts';

const volumeCommands =
  'exec.createVolumeSnapshot exec.deleteVolume exec.deleteVolumeSnapshot exec.expandVolume exec.replaceVolume exec.restoreVolume exec.shrinkVolume';

/** Protocol 7.4, by hand; the commands of a volume set are those of protocol 3.5 that a client may send. */
const catalogue: Readonly<Record<string, string>> = {
  gvc: 'configureLoadBalancer create delete edit manage view',
  workload: 'configureLoadBalancer connect create delete edit exec exec.runCronWorkload exec.stopReplica manage view',
  identity: 'create delete edit manage use view',
  volumeset: `create delete edit exec ${volumeCommands} manage view`,
  domain: 'create delete edit manage use view',
  group: 'create delete edit manage view',
  serviceaccount: 'addKey create delete edit manage view',
  auditctx: 'create edit manage readAudit view writeAudit',
  secret: 'create delete edit manage reveal use view',
  policy: 'create delete edit manage view',
  image: 'create delete edit manage pull view',
  agent: 'create delete edit manage use view',
  cloudaccount: 'browse create delete edit manage use view',
  quota: 'create edit manage view',
  user: 'delete edit impersonate invite manage view',
  org: 'edit exec exec.echo grafanaAdmin manage readLogs readMetrics readUsage view viewAccessReport',
  ipset: 'create delete edit manage view',
  location: 'create delete edit manage view',
  task: 'delete edit manage view',
};

test.each(Object.entries(catalogue))('the permissions of %s (protocol 7.4)', (kind, names) => {
  expect(permissionsOf(kind).map(({ name }) => name)).toEqual(names.split(' '));
});

test.each(Object.keys(catalogue))('each permission of %s says what it allows', (kind) => {
  for (const { name, description } of permissionsOf(kind)) {
    expect(description, name).toMatch(/^[A-Z].+\.$/);
    expect(description).not.toContain('%');
  }
});

test('a kind that no policy can be about has no permissions', () => {
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

test.each(implications)('$of on a $kind implies "$implies" (protocol 7.4, resources C.5)', ({ kind, of, implies }) => {
  expect(impliedBy(kind, of)).toEqual(implies === '' ? [] : implies.split(' '));
});

test.each(Object.entries(catalogue))(
  'manage on %s gives every permission of the kind (protocol 7.4)',
  (kind, names) => {
    expect([...withImplied(kind, ['manage'])].sort()).toEqual(names.split(' '));
  },
);

test('several permissions add up, and a name that the kind does not have gives nothing (resources B12, PO4)', () => {
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
  'on a %s, %s is asked for as %s: commands of the platform itself have no permission of their own',
  (kind, permission, asked) => {
    expect(askedFor(kind, permission)).toBe(asked);
  },
);

test('the shape of -schema/permissions (protocol 7.4)', () => {
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

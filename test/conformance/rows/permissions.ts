import { expect } from 'vitest';
import { at, itemsAt } from '../harness/place.ts';
import { type Part, parted, type Row } from '../harness/row.ts';

const usual = ['create', 'delete', 'edit', 'manage', 'view'];
const volumeCommands = [
  'createVolumeSnapshot',
  'deleteVolume',
  'deleteVolumeSnapshot',
  'expandVolume',
  'restoreVolume',
  'shrinkVolume',
];

/** What may be granted for each kind; children of `exec` apart (platform/access.permissions). */
const granted: Readonly<Record<string, readonly string[]>> = {
  gvc: ['configureLoadBalancer', ...usual],
  workload: ['configureLoadBalancer', 'connect', 'exec', ...usual],
  identity: ['use', ...usual],
  volumeset: ['exec', ...usual],
  domain: ['use', ...usual],
  group: usual,
  serviceaccount: ['addKey', ...usual],
  auditctx: ['create', 'edit', 'manage', 'readAudit', 'view', 'writeAudit'],
  secret: ['reveal', 'use', ...usual],
  policy: usual,
  image: ['pull', ...usual],
  agent: ['use', ...usual],
  cloudaccount: ['browse', 'use', ...usual],
  quota: ['create', 'edit', 'manage', 'view'],
  user: ['delete', 'edit', 'impersonate', 'invite', 'manage', 'view'],
  org: ['edit', 'exec', 'grafanaAdmin', 'manage', 'readLogs', 'readMetrics', 'readUsage', 'view', 'viewAccessReport'],
  ipset: usual,
  location: usual,
  task: ['delete', 'edit', 'manage', 'view'],
};

/** Which permission implies which, beyond what holds for every kind. */
const implied: readonly (readonly [kind: string, permission: string, implies: readonly string[]])[] = [
  ['workload', 'exec', ['exec.runCronWorkload', 'exec.stopReplica']],
  ['volumeset', 'exec', volumeCommands.map((type) => `exec.${type}`)],
  ['org', 'exec', ['exec.echo']],
  ['secret', 'edit', ['reveal', 'view']],
  ['gvc', 'create', ['view']],
  ['gvc', 'delete', ['view']],
  ['gvc', 'manage', ['configureLoadBalancer', 'create', 'delete', 'edit', 'view']],
];

function schemaOf(kind: string): string {
  return kind === 'org' ? '/org/-schema/permissions' : `/org/local/${kind}/-schema/permissions`;
}

/** What the permission model is (platform/access.permissions, platform/access.evaluation). */
export const permissionRows: readonly Row[] = [
  parted(
    'access/permissions',
    'each kind has its permissions, and some imply others',
    ...Object.entries(granted).map(
      ([kind, names]): Part => [
        `what may be granted for the kind ${kind}`,
        async (wire) => {
          const permissions = await wire.get(schemaOf(kind));
          expect(permissions).toMatchObject({ kind: 'permissions', targetKind: kind });
          const found = itemsAt(permissions, 'items').map(({ name }) => String(name));
          expect(found.filter((name) => !name.startsWith('exec.')).toSorted()).toEqual([...names].toSorted());
          for (const { description } of itemsAt(permissions, 'items')) expect(description).toMatch(/\w/);
        },
      ],
    ),
    ...implied.map(
      ([kind, permission, implies]): Part => [
        `${permission} of the kind ${kind} implies ${implies.join(', ')}`,
        async (wire) => {
          const permissions = await wire.get(schemaOf(kind));
          expect(at(permissions, `implied/${permission}`)).toEqual(expect.arrayContaining([...implies]));
        },
      ],
    ),
  ),
];

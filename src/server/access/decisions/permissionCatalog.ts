import type { JsonObject, JsonValue } from '../../../base/json/json.ts';
import { impliedBy } from '../../../kinds/impliedPermissions.ts';
import { permissions } from '../../../kinds/kindFacts.ts';

/** One permission of a kind, as `-schema/permissions` shows it (platform/access.permissions). */
export interface Permission {
  readonly name: string;
  readonly description: string;
}

/** The description of each permission; `%` is replaced by the kind. */
const descriptions: ReadonlyMap<string, string> = new Map([
  ['addKey', 'Add a key to the %.'],
  ['browse', 'Look at what the % can reach.'],
  ['clusterAdmin', 'Administer the cluster.'],
  ['configureLoadBalancer', 'Set or change the load balancer of the %.'],
  ['connect', 'Open a session in a replica of the %.'],
  ['create', 'Create the %.'],
  ['delete', 'Delete the %.'],
  ['edit', 'Change the %.'],
  ['exec', 'Run every command of the %.'],
  ['grafanaAdmin', 'Administer the dashboards of the %.'],
  ['impersonate', 'Act as the %.'],
  ['invite', 'Invite the %.'],
  ['manage', 'Do everything with the %.'],
  ['pull', 'Pull the %.'],
  ['readAudit', 'Read the events of the %.'],
  ['readLogs', 'Read the logs of the %.'],
  ['readMetrics', 'Read the metrics of the %.'],
  ['readUsage', 'Read the usage of the %.'],
  ['reveal', 'Read the values of the %.'],
  ['use', 'Refer to the % in other records.'],
  ['view', 'Read the %.'],
  ['viewAccessReport', 'Read the access report of the %.'],
  ['writeAudit', 'Write events to the %.'],
]);

/** Sorted by name; empty for a kind that policies cannot target. */
export function permissionsOf(kind: string): readonly Permission[] {
  return [...(permissions.get(kind) ?? [])].sort().map((name) => ({ name, description: describe(kind, name) }));
}

function describe(kind: string, name: string): string {
  const command = /^exec\.(.+)$/.exec(name)?.[1];
  const text = command === undefined ? descriptions.get(name) : `Run the command ${command} of the %.`;
  return (text ?? name).replace('%', kind);
}

/** The permission to check: `exec` for a command without its own permission, such as one of the platform itself. */
export function checkedPermission(kind: string, permission: string): string {
  const isOther = permission.startsWith('exec.') && permissions.get(kind)?.includes(permission) !== true;
  return isOther ? 'exec' : permission;
}

/** The body of `-schema/permissions`, without its links (platform/access.permissions). */
export function permissionSchema(kind: string): JsonObject {
  const items = permissionsOf(kind);
  const implied: Record<string, JsonValue> = {};
  for (const { name } of items) {
    const names = impliedBy(kind, name);
    if (names.length > 0) implied[name] = names;
  }
  return { kind: 'permissions', targetKind: kind, items: items.map((item) => ({ ...item })), implied };
}

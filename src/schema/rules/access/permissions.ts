const common = ['create', 'delete', 'edit', 'manage', 'view'] as const;

/**
 * What can be done with a volume set by a command of a client (platform/commands.types); each is a permission of its own.
 */
const volumeCommands = [
  'createVolumeSnapshot',
  'deleteVolume',
  'deleteVolumeSnapshot',
  'expandVolume',
  'replaceVolume',
  'restoreVolume',
  'shrinkVolume',
] as const;

/** The permissions that a policy can grant, by the kind that it is about (platform/access.permissions). */
export const permissions: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['agent', [...common, 'use']],
  ['domain', [...common, 'use']],
  ['identity', [...common, 'use']],
  ['auditctx', ['create', 'edit', 'manage', 'readAudit', 'view', 'writeAudit']],
  ['cloudaccount', [...common, 'browse', 'use']],
  ['group', common],
  ['policy', common],
  ['gvc', [...common, 'configureLoadBalancer']],
  ['image', [...common, 'pull']],
  ['ipset', common],
  ['location', common],
  ['mk8s', [...common, 'clusterAdmin']],
  [
    'org',
    [
      'edit',
      'exec',
      'exec.echo',
      'grafanaAdmin',
      'manage',
      'readLogs',
      'readMetrics',
      'readUsage',
      'view',
      'viewAccessReport',
    ],
  ],
  ['quota', ['create', 'edit', 'manage', 'view']],
  ['secret', [...common, 'reveal', 'use']],
  ['serviceaccount', [...common, 'addKey']],
  ['task', ['delete', 'edit', 'manage', 'view']],
  ['user', ['delete', 'edit', 'impersonate', 'invite', 'manage', 'view']],
  ['volumeset', [...common, 'exec', ...volumeCommands.map((command) => `exec.${command}`)]],
  ['workload', [...common, 'configureLoadBalancer', 'connect', 'exec', 'exec.runCronWorkload', 'exec.stopReplica']],
]);

/** Each of these lets its holder read a record too (platform/access.permissions). */
export const viewing: ReadonlySet<unknown> = new Set(['view', 'create', 'edit', 'delete', 'manage']);

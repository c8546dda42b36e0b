const common = ['create', 'delete', 'edit', 'manage', 'view'] as const;

/** The permissions that a policy can grant, by the kind that it is about (resources C.5). */
export const permissions: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['agent', [...common, 'use']],
  ['domain', [...common, 'use']],
  ['identity', [...common, 'use']],
  ['auditctx', ['create', 'edit', 'manage', 'readAudit', 'view', 'writeAudit']],
  ['cloudaccount', [...common, 'browse']],
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
  ['task', ['delete', 'manage', 'view']],
  ['user', ['delete', 'edit', 'impersonate', 'invite', 'manage', 'view']],
  ['volumeset', [...common, 'exec']],
  ['workload', [...common, 'configureLoadBalancer', 'connect', 'exec', 'exec.runCronWorkload', 'exec.stopReplica']],
]);

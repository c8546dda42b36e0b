export const volumeCommands =
  'exec.createVolumeSnapshot exec.deleteVolume exec.deleteVolumeSnapshot exec.expandVolume exec.replaceVolume exec.restoreVolume exec.shrinkVolume';

/**
 * Written by hand (platform/access.permissions). The commands of a volume set are those that a client may send
 * (platform/commands.types).
 */
export const catalogue: Readonly<Record<string, string>> = {
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

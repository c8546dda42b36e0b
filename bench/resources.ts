/** The N resources of every benchmark, as plain records: GVCs of 100 resources each, most of them workloads. */

function workloadSpec(index: number, tag: string) {
  return {
    type: 'standard',
    containers: [
      {
        name: 'main',
        image: `registry.example.com/team/app-${index}:${tag}`,
        cpu: '250m',
        memory: '256Mi',
        inheritEnv: false,
        ports: [{ number: 8080, protocol: 'http' }],
        env: Array.from({ length: 12 }, (_, at) => ({ name: `SETTING_${at}`, value: `value-${at}-${index}` })),
        readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 10 },
      },
      {
        name: 'sidecar',
        image: 'registry.example.com/team/sidecar:v1',
        cpu: '50m',
        memory: '128Mi',
        inheritEnv: false,
      },
    ],
    defaultOptions: { autoscaling: { metric: 'cpu', target: 80, minScale: 1, maxScale: 4 }, capacityAI: false },
    firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'], outboundAllowCIDR: ['0.0.0.0/0'] } },
  } as const;
}

/** With `changed`, every tenth resource is a workload with another image. */
export function benchResources(total: number, changed: boolean) {
  const gvcs = [];
  for (let made = 0; made < total; made += 100) {
    const gvc = `gvc-${made / 100}`;
    const count = Math.min(99, total - made - 1);
    const indexes = Array.from({ length: count }, (_, index) => index);
    gvcs.push({
      name: gvc,
      spec: {
        staticPlacement: {
          locationLinks: ['/org/local/location/aws-us-west-2', '/org/local/location/gcp-us-east1'] as const,
        },
        endpointNamingFormat: 'org' as const,
      },
      identities: indexes.filter((index) => index % 10 === 0).map((index) => ({ name: `id-${index}` })),
      volumesets: indexes
        .filter((index) => index % 10 === 1)
        .map((index) => ({
          name: `vol-${index}`,
          spec: { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 20 } as const,
        })),
      workloads: indexes
        .filter((index) => index % 10 > 1)
        .map((index) => ({
          name: `app-${index}`,
          spec: workloadSpec(index, changed && index % 10 === 2 ? 'v2' : 'v1'),
        })),
    });
  }
  return gvcs;
}

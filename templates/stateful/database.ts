import { type Gvc, Identity, Policy, Secret, type Stack, VolumeSet, Workload } from 'gantry';

export interface DatabaseOptions {
  /** Of the user `sample`. */
  readonly password: string;
  readonly capacityGb: number;
}

/** PostgreSQL on a volume that grows and is snapshotted every night. Only workloads of its own GVC reach it. */
export function addDatabase(stack: Stack, gvc: Gvc, { password, capacityGb }: DatabaseOptions): Workload {
  const secret = new Secret(stack, 'sample-database', {
    type: 'userpass',
    data: { username: 'sample', password },
  });
  const identity = new Identity(gvc, 'database-access');
  new Policy(stack, 'sample-database-reveal', {
    targetKind: 'secret',
    targetLinks: [secret],
    bindings: [{ permissions: ['reveal'], principalLinks: [identity] }],
  });
  const data = new VolumeSet(gvc, 'data', {
    performanceClass: 'general-purpose-ssd',
    initialCapacity: capacityGb,
    autoscaling: { maxCapacity: 10 * capacityGb, minFreePercentage: 20, scalingFactor: 1.5 },
    snapshots: { schedule: '0 3 * * *', retentionDuration: '7d' },
  });
  return new Workload(gvc, 'database', {
    type: 'stateful',
    identity,
    containers: [
      {
        name: 'postgres',
        image: 'postgres:17',
        cpu: '500m',
        memory: '1Gi',
        ports: [{ number: 5432, protocol: 'tcp' }],
        env: [
          { name: 'POSTGRES_USER', value: secret.uri('username') },
          { name: 'POSTGRES_PASSWORD', value: secret.uri('password') },
          { name: 'PGDATA', value: '/data/postgres' },
        ],
        volumes: [{ uri: data, path: '/data' }],
        readinessProbe: { tcpSocket: { port: 5432 } },
      },
    ],
    defaultOptions: { autoscaling: { metric: 'disabled', minScale: 1, maxScale: 1 } },
    firewallConfig: { internal: { inboundAllowType: 'same-gvc' } },
  });
}

/**
 * Data that survives: a database on a volume set that grows before it is full and is snapshotted every night, and a
 * shared file system that several workloads mount. Try it with `npx gantry apply examples/data --embedded`.
 */
import { App, Gvc, Identity, Secret, Stack, VolumeSet, Workload } from 'gantry';

const stack = new Stack(new App(), 'data');
const gvc = new Gvc(stack, 'data', { locations: ['aws-eu-central-1'] });

const login = new Secret(stack, 'data-login', {
  type: 'userpass',
  data: { username: 'data', password: process.env['DATA_PASSWORD'] ?? 'development-only' },
});
const reader = new Identity(gvc, 'reader');
login.grantReveal(reader);

// `protect`: no plan deletes or replaces it, whatever the stack says.
const rows = new VolumeSet(gvc, 'rows', {
  fileSystemType: 'xfs',
  performanceClass: 'high-throughput-ssd',
  initialCapacity: 200,
  autoscaling: {
    minFreePercentage: 20,
    scalingFactor: 1.25,
    maxCapacity: 1_000,
    predictive: { enabled: true, lookbackHours: 48, projectionHours: 12 },
  },
  snapshots: { schedule: '15 3 * * *', retentionDuration: '14d', createFinalSnapshot: true },
  lifecycle: { protect: true },
});

const uploads = new VolumeSet(gvc, 'uploads', {
  fileSystemType: 'shared',
  initialCapacity: 50,
  autoscaling: { minFreePercentage: 10, scalingFactor: 1.5, maxCapacity: 500 },
});

const database = new Workload(gvc, 'database', {
  type: 'stateful',
  identity: reader,
  containers: [
    {
      name: 'postgres',
      image: 'postgres:17.2',
      cpu: '1',
      memory: '2Gi',
      ports: [{ number: 5432, protocol: 'tcp' }],
      env: {
        PGDATA: '/rows/postgres',
        POSTGRES_USER: login.key('username'),
        POSTGRES_PASSWORD: login.key('password'),
      },
      volumes: [rows.mount('/rows', { recoveryPolicy: 'retain' })],
      readinessProbe: { exec: { command: ['pg_isready'] } },
    },
  ],
  defaultOptions: { autoscaling: { metric: 'cpu', target: 95, minScale: 1, maxScale: 1 } },
});

// Any number of replicas of any number of workloads write to a shared volume set at the same time.
for (const name of ['thumbnails', 'archive']) {
  const worker = new Workload(gvc, name, {
    type: 'standard',
    identity: reader,
    containers: [
      {
        name,
        image: `registry.example.com/data/${name}:3.0`,
        cpu: '250m',
        memory: '256Mi',
        env: { DATABASE_URL: database.internalUrl(5432), DATABASE_PASSWORD: login.key('password') },
        volumes: [uploads.mount('/uploads')],
      },
    ],
    defaultOptions: { autoscaling: { metric: 'cpu', target: 70, minScale: 1, maxScale: 4 } },
  });
  database.allowFrom(worker);
}

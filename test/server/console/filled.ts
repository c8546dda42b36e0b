import type { TestPlatform } from '../platform.ts';

/** Markup that must not take effect if a page shows it. */
export const markup = '<img src=x onerror="document.title=1">';

/** Adds a GVC, a service in three versions, a job that has run, and a volume set that has grown. The clock is virtual. */
export async function fillConsole({ send }: Pick<TestPlatform, 'send'>): Promise<void> {
  async function made(method: string, path: string, body: object): Promise<void> {
    const answer = await send(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  }
  await made('POST', 'gvc', {
    name: 'shop',
    spec: { staticPlacement: { locationLinks: ['//location/aws-eu-central-1', '//location/aws-us-west-2'] } },
  });
  const container = { name: 'main', image: 'web:1', ports: [{ number: 8080, protocol: 'http' }] };
  await made('POST', 'gvc/shop/workload', {
    name: 'web',
    description: markup,
    spec: { type: 'serverless', containers: [container] },
  });
  await made('PATCH', 'gvc/shop/workload/web', { spec: { containers: [{ ...container, image: 'web:2' }] } });
  await made('PATCH', 'gvc/shop/workload/web', { tags: { owner: 'ann' } });
  await made('POST', 'gvc/shop/workload', {
    name: 'nightly',
    spec: {
      type: 'cron',
      containers: [{ name: 'main', image: 'nightly:1' }],
      job: { schedule: '0 * * * *', concurrencyPolicy: 'Forbid', restartPolicy: 'Never' },
    },
  });
  await made('POST', 'gvc/shop/volumeset', {
    name: 'data',
    spec: {
      initialCapacity: 10,
      performanceClass: 'general-purpose-ssd',
      fileSystemType: 'ext4',
      autoscaling: { minFreePercentage: 20, scalingFactor: 1.5, maxCapacity: 100 },
    },
  });
  await made('POST', 'gvc/shop/workload', {
    name: 'database',
    spec: {
      type: 'stateful',
      containers: [{ name: 'main', image: 'db:1', volumes: [{ uri: 'scheme://volumeset/data', path: '/data' }] }],
      defaultOptions: { autoscaling: { minScale: 1, maxScale: 1 } },
    },
  });
  await made('POST', 'secret', { name: 'key', type: 'opaque', data: { payload: 'a-hidden-value' } });
  await made('POST', '/-clock', { advance: '1m' });
  await made('POST', 'gvc/shop/volumeset/data/-simulate', { usedGb: 4, gbPerHour: 1 });
  await made('POST', '/-clock', { advance: '24h' });
}

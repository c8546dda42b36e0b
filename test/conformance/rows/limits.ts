import { expect } from 'vitest';
import { allPages } from '../harness/client.ts';
import { executionsOf, makeCron } from '../harness/cron.ts';
import { problemPaths } from '../harness/fieldRows.ts';
import { container, filled, makeGvc, makeWorkload, specOf, town } from '../harness/fixtures.ts';
import { at, itemsAt } from '../harness/place.ts';
import { ownPart, ownRow, type Part, parted, partOf, type Row, row } from '../harness/row.ts';
import type { Wire } from '../harness/wire.ts';
import { boundedDescription } from './envelope.ts';

// biome-ignore format: a row is a case
const limitRows: readonly Row[] = [
  parted(
    'concepts.limits/GVC name',
    'a GVC name has 3 to 64 characters: lower-case letters, digits and -, and begins with a letter',
    ...['abc', `a${'b'.repeat(63)}`, 'a-1-b', 'a--b'].map(
      (name): Part => partOf(`${name.length} characters such as ${name.slice(0, 8)} are accepted`, async (wire) => {
        expect((await wire.ok('POST', 'gvc', { name }))['name']).toBe(name);
      }),
    ),
    ...['ab', `a${'b'.repeat(64)}`, '1ab', '-ab', 'aBc', 'a_b', 'a.b', 'äbc'].map(
      (name): Part => partOf(`${name.length} characters such as ${name.slice(0, 8)} are refused`, async (wire) => {
        expect(problemPaths(await wire.refused(400, 'POST', 'gvc', { name }))).toContain('name');
      }),
    ),
  ),
  row('concepts.limits/domain description', 'a domain description has at most 250 characters', boundedDescription),
  row('concepts.limits/historyLimit', 'historyLimit is 1 to 10', async (wire) => {
    for (const [historyLimit, status] of [
      [0, 400],
      [1, 201],
      [10, 201],
      [11, 400],
    ] as const) {
      const spec = specOf('cron', { job: { schedule: '0 0 1 1 *', historyLimit } });
      const reply = await wire.call('POST', `gvc/${await town(wire)}/workload`, { name: wire.name('work'), spec });
      expect(reply.status, reply.text).toBe(status);
    }
  }),
  ownRow('concepts.limits/activeDeadlineSeconds', 'a run has no deadline unless one is set', {}, async (wire) => {
    const workload = await makeCron(wire, { schedule: '0 0 * * *' }, { runSeconds: 20 * 3600 });
    await wire.advance('44h');
    expect((await executionsOf(wire, workload))[0]).toMatchObject({ status: 'Success' });
  }),
  parted('concepts.limits/stateful CPU', 'minCpu and cpu differ by at most 4000m, and at most 1:4',
    ...amountParts('minCpu', 'cpu',
      { 'at the ratio of 1:4': ['100m', '400m', 201], 'above the ratio': ['100m', '401m', 400],
        '4000m apart': ['2000m', '6000m', 201], 'more than 4000m apart': ['2000m', '6001m', 400] })),
  parted('concepts.limits/stateful memory', 'minMemory and memory differ by at most 4096Mi, and at most 1:4',
    ...amountParts('minMemory', 'memory',
      { 'at the ratio of 1:4': ['64Mi', '256Mi', 201], 'above the ratio': ['64Mi', '257Mi', 400],
        '4096Mi apart': ['2Gi', '6Gi', 201], 'more than 4096Mi apart': ['2Gi', '6145Mi', 400] })),
  row(
    'concepts.limits/volume set capacity',
    'general-purpose-ssd holds 10 to 65536 GB, high-throughput-ssd 200 to 65536 GB',
    async (wire) => {
      const cases = [
        ['general-purpose-ssd', 9, 400],
        ['general-purpose-ssd', 10, 201],
        ['general-purpose-ssd', 65536, 201],
        ['general-purpose-ssd', 65537, 400],
        ['high-throughput-ssd', 199, 400],
        ['high-throughput-ssd', 200, 201],
        ['high-throughput-ssd', 65536, 201],
        ['high-throughput-ssd', 65537, 400],
      ] as const;
      for (const [performanceClass, initialCapacity, status] of cases) {
        const spec = { fileSystemType: 'xfs', performanceClass, initialCapacity };
        const reply = await wire.call('POST', `gvc/${await town(wire)}/volumeset`, { name: wire.name('disk'), spec });
        expect(reply.status, reply.text).toBe(status);
      }
    },
  ),
  parted('concepts.limits/volume snapshots', 'a schedule takes at most one snapshot an hour', [
    'a schedule of twice an hour is refused, and one of once an hour is accepted',
    async (wire) => {
      const collection = `gvc/${await town(wire)}/volumeset`;
      const least = { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 };
      for (const [schedule, status] of [
        ['0 * * * *', 201],
        ['15 3 * * *', 201],
        ['0,30 * * * *', 400],
        ['*/30 * * * *', 400],
        ['hourly', 400],
        ['* * * * *', 400],
      ] as const) {
        const spec = { ...least, snapshots: { schedule, retentionDuration: '1d' } };
        const reply = await wire.call('POST', collection, { name: wire.name('disk'), spec });
        expect(reply.status, `${schedule}: ${reply.text}`).toBe(status);
      }
    },
  ]),
  parted(
    'concepts.limits/predictive windows',
    'the windows of predictive growth are bounded',
    ...Object.entries({
      lookbackHours: [0, 1, 168, 169],
      projectionHours: [0, 1, 72, 73],
      minDataPoints: [1, 2, 100, 101],
    }).map(
      ([field, [below, least, most, above]]): Part => partOf(`${field} is ${least} to ${most}`, async (wire) => {
        for (const value of [below, least, most, above]) {
          const predictive = { enabled: true, [field]: value ?? 0 };
          const autoscaling = { maxCapacity: 100, minFreePercentage: 10, scalingFactor: 1.5, predictive };
          const spec = {
            fileSystemType: 'ext4',
            performanceClass: 'general-purpose-ssd',
            initialCapacity: 10,
            autoscaling,
          };
          const reply = await wire.call('POST', `gvc/${await town(wire)}/volumeset`, {
            name: wire.name('disk'),
            spec,
          });
          expect(reply.status, `${field} ${value}: ${reply.text}`).toBe(
            value === least || value === most ? 201 : 400,
          );
        }
      }),
    ),
  ),
  row('concepts.limits/client list size', 'a page has 50 records, as many as the client shows', async (wire) => {
    const { gvc, names } = await filled(wire);
    const query = { spec: { terms: [{ rel: 'gvc', op: '=', value: gvc }] } };
    expect(itemsAt(await wire.ok('POST', 'identity/-query', query), 'items')).toHaveLength(50);
    const found = await allPages(wire, 'POST', 'identity/-query', query);
    expect(found.map(({ name }) => name).toSorted()).toEqual(names);
  }),
  parted(
    'concepts.limits/rate limits',
    'an exceeded rate limit is 429 with Retry-After, without the word quota, and there is no limit by default',
    partOf('no limit is on by default', async (wire) => {
      const many = await Promise.all(Array.from({ length: 200 }, () => wire.call('GET', 'location/aws-us-east-1')));
      expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
    }),
    ownPart('requests beyond the rate limit of their token are answered with 429 and Retry-After',
      { rateLimit: { perSecond: 1, burst: 5 } }, async (wire) => {
      const many = await Promise.all(Array.from({ length: 20 }, () => wire.call('GET', 'location/aws-us-east-1')));
      const [limited] = many.filter(({ status }) => status === 429);
      expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(limited?.body).toMatchObject({ status: 429, message: expect.not.stringMatching(/quota/i) });
    }),
  ),
  ownRow('concepts.limits/quotas',
    'an exceeded quota is answered with 429 and quota in the message', {}, async (wire) => {
    const quotas = itemsAt(await wire.get('quota?limit=1000'), 'items');
    const quota = quotas.find(({ name, dimensions }) => /gvc/.test(`${name} ${JSON.stringify(dimensions)}`));
    expect(quota, `no quota of GVCs among ${JSON.stringify(quotas.map(({ name }) => name))}`).toBeDefined();
    await makeGvc(wire);
    expect(Number((await wire.get(`quota/${quota?.['name']}`))['current'])).toBe(1);
    await wire.ok('PATCH', `quota/${quota?.['name']}`, { max: 1 });
    const error = await wire.refused(429, 'POST', 'gvc', { name: 'one-more' });
    expect(error['message']).toMatch(/quota/i);
  }),
];

const versionRows: readonly Row[] = [
  parted(
    'concepts.version/version',
    'each record has an integer version: 1 at first, and one more for each stored change only',
    partOf('a change of fields raises the version by one, and a request without a change does not', async (wire) => {
      const gvc = await makeGvc(wire);
      expect((await wire.ok('PATCH', `gvc/${gvc}`, { tags: { a: 'b' } }))['version']).toBe(2);
      expect((await wire.ok('PATCH', `gvc/${gvc}`, { tags: { a: 'b' } }))['version']).toBe(2);
      await wire.refused(400, 'PATCH', `gvc/${gvc}`, { spec: { nope: 1 } });
      const record = await wire.get(`gvc/${gvc}`);
      expect((await wire.call('PUT', 'gvc', record)).status).toBe(200);
      expect((await wire.get(`gvc/${gvc}`))['version']).toBe(2);
    }),
  ),
  row('concepts.version/API version', 'the path has no version, and no header with one is needed', async (wire) => {
    for (const path of ['/v1/org/local/gvc', '/api/org/local/gvc']) await wire.refused(404, 'GET', path);
    expect((await wire.call('GET', '/org/local/gvc')).status).toBe(200);
  }),
  row(
    'concepts.version/deprecation',
    'deprecated fields are still accepted: a single port, the domain of a GVC, the tracer directly',
    async (wire) => {
      const gvc = await makeGvc(wire, { domain: 'a.example.com' });
      await wire.ok('PATCH', `gvc/${gvc}`, {
        spec: { tracing: { sampling: 1, tracer: { endpoint: 'collector:443' } } },
      });
      const { ports: _, ...old } = container();
      const workload = await makeWorkload(wire, gvc, specOf('serverless', { containers: [{ ...old, port: 8080 }] }));
      const shown = at(await wire.get(workload), 'spec/containers/0');
      expect(at(shown, 'port') ?? at(shown, 'ports/0/number')).toBe(8080);
    },
  ),
];

function amountParts(
  least: string,
  most: string,
  cases: Readonly<Record<string, readonly [string, string, 201 | 400]>>,
): readonly Part[] {
  return Object.entries(cases).map(([words, [low, high, status]]) => [
    `${least} ${low} and ${most} ${high}: ${words} is ${status === 201 ? 'accepted' : 'refused'}`,
    async (wire: Wire) => {
      const other = most === 'memory' ? { cpu: '2' } : { memory: '256Mi' };
      const containers = [container({ ...other, [least]: low, [most]: high })];
      const body = { name: wire.name('work'), spec: specOf('stateful', { containers }) };
      const reply = await wire.call('POST', `gvc/${await town(wire)}/workload`, body);
      expect(reply.status, reply.text).toBe(status);
    },
  ]);
}

export const limitAndVersionRows: readonly Row[] = [...limitRows, ...versionRows];

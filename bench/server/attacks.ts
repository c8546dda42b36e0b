import { randomBytes } from 'node:crypto';

/** One request that causes much work. */
export interface Attack {
  readonly what: string;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: string;
  /** The number of concurrent copies. @default 1 */
  readonly times?: number;
  /** Each byte of the body in a separate chunk. */
  readonly byteByByte?: boolean;
  /** Sent by a caller without any permission. */
  readonly byNobody?: boolean;
}

const gvc = '/org/local/gvc/bench';
const query = `${gvc}/workload/-query`;

function asking(terms: readonly object[], more: object = {}): string {
  return JSON.stringify({ spec: { match: 'any', terms, ...more } });
}

function unindexed(at: number) {
  return { property: 'description', op: '~', value: `nowhere-${at}` };
}

/** Five megabytes of unknown members. */
function unknownKeys(): string {
  const keys = Array.from({ length: 400_000 }, (_, at) => `"k${at.toString(36)}":1`);
  return `{"name":"app-x",${keys.join(',')}}`;
}

function badEnvironment(): string {
  const env = Array.from({ length: 300_000 }, (_, at) => `{"name":${at}}`);
  return `{"name":"app-x","spec":{"type":"standard","containers":[{"name":"main","image":"a","env":[${env.join(',')}]}]}}`;
}

/** A secret of the maximum size, so that reading, sealing and writing it counts. */
function largeSecret(): string {
  const payload = randomBytes(700_000).toString('base64');
  return JSON.stringify({ name: 'large', type: 'opaque', data: { encoding: 'plain', payload } });
}

/** The largest body that records other than secrets may have. */
function largeGroup(): string {
  const around = '{"name":"large","description":""}';
  return around.replace('""', `"${'x'.repeat(1_048_576 - around.length)}"`);
}

const otherPlace = JSON.stringify({ spec: { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } } });

/** The deletion comes last, because it deletes the records. */
export const attacks: readonly Attack[] = [
  { what: 'a page of 1,000', method: 'GET', path: `${gvc}/workload?limit=1000` },
  { what: 'a query of one unindexed term', method: 'POST', path: query, body: asking([unindexed(0)]) },
  {
    what: 'a query of 1,000 unindexed terms',
    method: 'POST',
    path: query,
    body: asking(Array.from({ length: 1_000 }, (_, at) => unindexed(at))),
  },
  {
    what: 'a query in the order of a field',
    method: 'POST',
    path: query,
    body: asking([], { sort: { by: 'description', order: 'desc' } }),
  },
  { what: 'an audit query by e-mail', method: 'GET', path: '/audit/org/local?subjectName=nobody@example.com' },
  { what: 'an audit query by a rare kind', method: 'GET', path: '/audit/org/local?resourceType=policy' },
  {
    what: '20 queries of 100 unindexed terms',
    method: 'POST',
    path: query,
    body: asking(Array.from({ length: 100 }, (_, at) => unindexed(at))),
    times: 20,
  },
  { what: 'an export as Terraform', method: 'GET', path: '/-exporter/terraform/org/local/workload' },
  { what: 'the quotas in use', method: 'GET', path: '/org/local/quota' },
  { what: 'another location of the GVC', method: 'PATCH', path: gvc, body: otherPlace },
  { what: '400,000 unknown keys', method: 'PUT', path: `${gvc}/workload`, body: unknownKeys() },
  { what: 'the same without permission', method: 'PUT', path: `${gvc}/workload`, body: unknownKeys(), byNobody: true },
  { what: '300,000 bad items of env', method: 'PUT', path: `${gvc}/workload`, body: badEnvironment() },
  { what: 'a secret of a megabyte', method: 'PUT', path: '/org/local/secret', body: largeSecret() },
  {
    what: 'a megabyte in one-byte chunks',
    method: 'POST',
    path: '/org/local/group',
    body: largeGroup(),
    byteByByte: true,
  },
  { what: 'GET /-snapshot', method: 'GET', path: '/-snapshot' },
  { what: 'DELETE of the GVC', method: 'DELETE', path: gvc },
];

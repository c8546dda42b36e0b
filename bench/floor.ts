/**
 * The lower bound of a no-op plan: only the unavoidable work. Builds N constructs, lists N live records in pages (kinds
 * in parallel), parses them, and compares each with its construct. No validation, no references, no patches, no error
 * handling.
 *
 * Reads BENCH_URL, BENCH_TOKEN, BENCH_N; prints how many records were compared.
 */
import { Agent, get } from 'node:http';
import { Construct, RootConstruct } from 'constructs';
import { benchResources } from './resources.ts';

const url = process.env['BENCH_URL'] ?? '';
const token = process.env['BENCH_TOKEN'] ?? '';
const total = Number(process.env['BENCH_N'] ?? '100');

class Floor extends Construct {
  readonly spec: unknown;
  constructor(scope: Construct, id: string, spec: unknown) {
    super(scope, id);
    this.spec = spec;
  }
}

const root = new RootConstruct();
const desired = new Map<string, Floor>();
for (const gvc of benchResources(total, false)) {
  const scope = new Floor(root, gvc.name, gvc.spec);
  desired.set(`/org/local/gvc/${gvc.name}`, scope);
  for (const [kind, list] of [
    ['identity', gvc.identities.map(({ name }) => ({ name, spec: undefined }))],
    ['volumeset', gvc.volumesets],
    ['workload', gvc.workloads],
  ] as const) {
    for (const { name, spec } of list) {
      desired.set(`/org/local/gvc/${gvc.name}/${kind}/${name}`, new Floor(scope, `${kind}-${name}`, spec));
    }
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

function fetchPage(
  path: string,
): Promise<{ items: Record<string, unknown>[]; links: { rel: string; href: string }[] }> {
  return new Promise((resolve, reject) => {
    get(`${url}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    }).on('error', reject);
  });
}

async function fetchKind(kind: string): Promise<Record<string, unknown>[]> {
  const records: Record<string, unknown>[] = [];
  let path: string | undefined = `/org/local/${kind}?limit=1000`;
  while (path !== undefined) {
    const page = await fetchPage(path);
    records.push(...page.items);
    path = page.links.find((link) => link.rel === 'next')?.href;
  }
  return records;
}

/** Both are plain JSON without names such as `__proto__`, so no checks are needed. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index]));
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]; // any object can be read by name
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  for (const name of names) if (!same(left[name], right[name])) return false;
  return true;
}

function selfLink(record: Record<string, unknown>): string {
  const links = record['links'] as { rel: string; href: string }[]; // this benchmark trusts the server
  return links.find((link) => link.rel === 'self')?.href ?? '';
}

const pages = await Promise.all(['gvc', 'workload', 'identity', 'volumeset'].map(fetchKind));
const equal = pages.flat().filter((record) => same(desired.get(selfLink(record))?.spec, record['spec']));
agent.destroy();
console.log(equal.length);

/**
 * The lower bound of an apply that creates everything: only the requests. Sends the BENCH_N resources of the benchmark
 * with 64 concurrent requests, GVCs first, users of volume sets and identities after these. No manifests, no plan, no
 * comparison of the answers, no output.
 *
 * Reads BENCH_URL, BENCH_TOKEN, BENCH_N; prints the seconds that the requests took.
 */
import { Agent, request } from 'node:http';
import { benchResources } from './resources.ts';

const url = process.env['BENCH_URL'] ?? '';
const token = process.env['BENCH_TOKEN'] ?? '';
const atOnce = 64;

const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

function create(path: string, record: object): Promise<void> {
  const body = JSON.stringify(record);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { agent, method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 201) resolve();
        else reject(new Error(`${path}: ${response.statusCode}`));
      });
    });
    sent.on('error', reject).end(body);
  });
}

const gvcs = benchResources(Number(process.env['BENCH_N'] ?? '100'), false);
const began = performance.now();
await Promise.all(gvcs.map(({ name, spec }) => create('/org/local/gvc', { name, spec })));
await Promise.all(
  gvcs.flatMap(({ name, identities, volumesets, workloads }) => {
    const path = `/org/local/gvc/${name}`;
    return [
      ...identities.map((identity) => create(`${path}/identity`, identity)),
      ...volumesets.map((volumeset) => create(`${path}/volumeset`, volumeset)),
      ...workloads.map((workload) => create(`${path}/workload`, workload)),
    ];
  }),
);
agent.destroy();
console.log(((performance.now() - began) / 1000).toFixed(3));

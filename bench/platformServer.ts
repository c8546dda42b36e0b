/**
 * The embedded platform in a separate process: sends `{url}` when ready, and the request count on every message. It
 * serves requests before the measurement, so that its code is warm, as in a running platform.
 */
import { Pool } from 'undici';
import { startServer } from '../src/server/start.ts';
import { benchResources } from './resources.ts';

const latencyMs = Number(process.argv[2] ?? '0');
const token = 'bench';
let requests = 0;

await warmUp();
const server = await startServer({
  port: 0,
  data: ':memory:',
  token,
  org: 'local',
  latencyMs,
  requestLog: () => {
    requests += 1;
  },
});
process.send?.({ url: server.url });
process.on('message', () => process.send?.({ requests }));
process.on('disconnect', () => void server.close().then(() => process.exit(0)));

/** Creates and lists some hundred records on another platform of this process. */
async function warmUp(): Promise<void> {
  const other = await startServer({ port: 0, data: ':memory:', token, org: 'local' });
  const pool = new Pool(other.url, { connections: 16, pipelining: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = async (method: 'GET' | 'POST', path: string, body?: object): Promise<void> => {
    const sent = body === undefined ? null : JSON.stringify(body);
    const answer = await pool.request({ method, path, headers, body: sent });
    await answer.body.dump();
  };
  for (const group of benchResources(1000, false)) {
    await send('POST', '/org/local/gvc', { name: group.name, spec: group.spec });
    const path = `/org/local/gvc/${group.name}`;
    await Promise.all([
      ...group.identities.map((identity) => send('POST', `${path}/identity`, identity)),
      ...group.volumesets.map((volumeset) => send('POST', `${path}/volumeset`, volumeset)),
      ...group.workloads.map((workload) => send('POST', `${path}/workload`, workload)),
    ]);
    for (const kind of ['gvc', 'identity', 'volumeset', 'workload']) await send('GET', `/org/local/${kind}?limit=1000`);
  }
  await pool.close();
  await other.close();
}

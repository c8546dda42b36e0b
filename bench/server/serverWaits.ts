import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, attacks } from './attacks.ts';
import { fill, fillAtOnce, MeasuredServer, makeGvc } from './serverLoad.ts';

/** The longest wait of others while one attack is answered, and the duration of its own answer. */
export interface Wait {
  readonly what: string;
  readonly longestMs: number;
  readonly answeredMs: number;
  readonly status: number;
}

/** After an answer, its remaining work continues for a while. */
const aftermathMs = 1_500;

/** This number is created by requests, which also makes the code of the server warm. */
const filled = 1_000;

/** The longest wait of a second client during each attack on a server with this number of records. */
export async function* longestWaits(place: string, records: number): AsyncGenerator<Wait, void> {
  const server = await MeasuredServer.start('gantry', place);
  try {
    await server.using(16, async (send) => {
      await makeGvc(send);
      await fill(send, 0, filled);
    });
    await fillAtOnce(server.url, filled, records);
    const client = fork(new URL('./secondClient.ts', import.meta.url).pathname, [`${server.url}/org/local/location`]);
    await once(client, 'message');
    for (const attack of attacks) yield await waitDuring(server.url, client, attack);
    client.disconnect();
    await once(client, 'exit');
  } finally {
    await server.stop();
  }
}

async function waitDuring(url: string, client: ChildProcess, attack: Attack): Promise<Wait> {
  await longestOf(client);
  const startedMs = performance.now();
  const statuses = await Promise.all(Array.from({ length: attack.times ?? 1 }, () => answered(url, attack)));
  const status = Math.max(...statuses);
  const answeredMs = performance.now() - startedMs;
  do await sleep(aftermathMs);
  while (attack.method === 'DELETE' && (await hasWorkloads(url)));
  return { what: attack.what, longestMs: await longestOf(client), answeredMs, status };
}

/** A deletion continues after its answer. */
async function hasWorkloads(url: string): Promise<boolean> {
  const response = await fetch(`${url}/org/local/workload?limit=1`, { headers: { authorization: 'Bearer bench' } });
  return !(await response.text()).includes('"items":[]');
}

async function longestOf(client: ChildProcess): Promise<number> {
  client.send('longest');
  const [message] = await once(client, 'message');
  return Number(message.longestMs);
}

async function answered(url: string, attack: Attack): Promise<number> {
  const { method, path, body, byNobody = false, byteByByte = false } = attack;
  const authorization = `Bearer ${byNobody ? 'nobody-at-all' : 'bench'}`;
  if (byteByByte && body !== undefined) return answeredToBytes(url, `${method} ${path}`, authorization, body);
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  for await (const _ of response.body ?? []);
  return response.status;
}

/** Our clients never send chunks of one byte, so they are written to a socket. */
async function answeredToBytes(url: string, request: string, authorization: string, body: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => socket.destroy()); // the server may end the connection while bytes are being sent
  const head = [`${request} HTTP/1.1`, 'Host: bench', `Authorization: ${authorization}`, 'Transfer-Encoding: chunked'];
  const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`);
  socket.write(`${head.join('\r\n')}\r\n\r\n${chunks.join('')}0\r\n\r\n`);
  const [first] = await once(socket, 'data');
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(first))?.[1]);
}

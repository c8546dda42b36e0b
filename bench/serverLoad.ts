import { type ChildProcess, fork } from 'node:child_process';
import { Pool } from 'undici';
import { benchResources } from './resources.ts';

/** A server that is measured, and its clients. */
export class MeasuredServer {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(role: 'floor' | 'gantry', place: string): Promise<MeasuredServer> {
    const child = fork(new URL('./serverVariant.ts', import.meta.url).pathname, [role, place]);
    return new MeasuredServer(child, String((await nextMessage(child))['url']));
  }

  /** Of the process, so far. */
  async usage(): Promise<{ readonly residentMiB: number; readonly cpuMs: number }> {
    this.#child.send('usage');
    const { residentMiB, cpuMs } = await nextMessage(this.#child);
    return { residentMiB: Number(residentMiB), cpuMs: Number(cpuMs) };
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('exit', () => resolve());
      this.#child.disconnect();
    });
  }

  async using<T>(clients: number, work: (send: Send) => Promise<T>): Promise<T> {
    const pool = new Pool(this.url, { connections: clients, pipelining: 1 });
    const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
    try {
      return await work(async (method, path, body) => {
        const sent = body === undefined ? null : JSON.stringify(body);
        const { statusCode, body: answer } = await pool.request({ method, path, headers, body: sent });
        const text = await answer.text();
        if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${text}`);
        return text;
      });
    } finally {
      await pool.close();
    }
  }
}

export type Send = (method: 'GET' | 'PUT', path: string, body?: object) => Promise<string>;

function nextMessage(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the server ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve({ ...Object(message) });
    });
  });
}

const [sample] = benchResources(100, false);
const workload = sample?.workloads[0]?.spec;
const gvc = '/org/local/gvc/bench';

export async function makeGvc(send: Send): Promise<void> {
  await send('PUT', gvc, { name: 'bench', spec: sample?.spec });
}

/** Workloads of one kilobyte each. */
export async function fill(send: Send, from: number, to: number): Promise<void> {
  const indexes = Array.from({ length: to - from }, (_, at) => from + at);
  async function filler(): Promise<void> {
    for (let index = indexes.shift(); index !== undefined; index = indexes.shift()) await put(send, index, '');
  }
  await Promise.all(Array.from({ length: 16 }, filler));
}

function put(send: Send, index: number, description: string): Promise<string> {
  const name = `app-${String(index).padStart(6, '0')}`;
  return send('PUT', `${gvc}/workload/${name}`, {
    name,
    ...(description === '' ? {} : { description }),
    spec: workload,
  });
}

/** Answered requests a second of so many clients. Every write changes its record; each client has ten of its own. */
export async function requestsPerSecond(
  send: Send,
  what: 'read' | 'write',
  clients: number,
  milliseconds: number,
): Promise<number> {
  const started = performance.now();
  let answered = 0;
  async function client(at: number): Promise<void> {
    for (let turn = 0; performance.now() - started < milliseconds; turn += 1) {
      const index = at * 10 + (turn % 10);
      if (what === 'write') await put(send, index, `${started} ${turn}`);
      else await send('GET', `${gvc}/workload/app-${String(index).padStart(6, '0')}`);
      answered += 1;
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
  return answered / ((performance.now() - started) / 1000);
}

/** Reads all workloads of the GVC in pages of 1,000. Milliseconds, and how many there were. */
export async function listAll(send: Send): Promise<{ readonly milliseconds: number; readonly count: number }> {
  const started = performance.now();
  let count = 0;
  for (let next: string | undefined = `${gvc}/workload?limit=1000`; next !== undefined; ) {
    const page: { items: unknown[]; links: { rel: string; href: string }[] } = JSON.parse(await send('GET', next));
    count += page.items.length;
    next = page.links.find(({ rel }) => rel === 'next')?.href;
  }
  return { milliseconds: performance.now() - started, count };
}

/** Milliseconds until the first page of 50 is there. */
export async function pageOf50(send: Send): Promise<number> {
  const started = performance.now();
  await send('GET', `${gvc}/workload?limit=50`);
  return performance.now() - started;
}

import { type ChildProcess, fork } from 'node:child_process';
import { Readable } from 'node:stream';
import { Pool, request } from 'undici';
import { benchResources } from '../resources.ts';

/** A measured server, and its clients. */
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

  /** The usage of the process so far. */
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

interface Kept {
  readonly orgs: { readonly local: Record<string, unknown> & Record<'entries' | 'records', readonly KeptItem[]> };
}

interface KeptItem {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly owner: string;
}

/**
 * The same with a snapshot of copies of the first one and of its audit event: 50,000 in ten seconds, instead of one to
 * five minutes with requests. The server's caches are empty afterwards.
 */
export async function fillAtOnce(url: string, from: number, to: number): Promise<void> {
  const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
  const kept: Kept = JSON.parse(await (await fetch(`${url}/-snapshot?secrets=true`, { headers })).text());
  const { entries, records, ...rest } = kept.orgs.local;
  const model = records.find(({ kind, name }) => kind === 'workload' && name === nameOf(0));
  const event = entries.find(({ owner }) => owner === model?.uid);
  if (model === undefined || event === undefined) throw new Error('there is no workload to copy');
  const texts = { records: JSON.stringify(model), entries: JSON.stringify(event) };
  function* copies(of: 'entries' | 'records'): Generator<string> {
    for (let index = from; index < to; index += 1) {
      const uid = `copy-${index}`;
      yield `,${texts[of]
        .replaceAll(nameOf(0), nameOf(index))
        .replaceAll(model?.uid ?? '', uid)
        .replace(/"id":"[^"]*"/, `"id":"${uid}"`)}`;
    }
  }
  function* document(): Generator<string> {
    yield `${JSON.stringify({ ...kept, orgs: { local: rest } }).slice(0, -'}}}'.length)},"records":[`;
    yield `${JSON.stringify(records).slice(1, -1)}`;
    yield* copies('records');
    yield `],"entries":[${JSON.stringify(entries).slice(1, -1)}`;
    yield* copies('entries');
    yield ']}}}';
  }
  const { statusCode, body } = await request(`${url}/-snapshot`, {
    method: 'PUT',
    headers,
    body: Readable.from(inPieces(document())),
    headersTimeout: 0,
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`the copies cannot be loaded: ${statusCode} ${text}`);
}

function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < 1_000_000) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function nameOf(index: number): string {
  return `app-${String(index).padStart(6, '0')}`;
}

function put(send: Send, index: number, description: string): Promise<string> {
  const name = nameOf(index);
  return send('PUT', `${gvc}/workload/${name}`, {
    name,
    ...(description === '' ? {} : { description }),
    spec: workload,
  });
}

/** Answered requests a second with this number of clients. Every write changes its record; each client has ten. */
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
      else await send('GET', `${gvc}/workload/${nameOf(index)}`);
      answered += 1;
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
  return answered / ((performance.now() - started) / 1000);
}

/** Reads all workloads of the GVC in pages of 1,000. Returns the milliseconds and their number. */
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

/** Milliseconds until the first page of 50 has arrived. */
export async function pageOf50(send: Send): Promise<number> {
  const started = performance.now();
  await send('GET', `${gvc}/workload?limit=50`);
  return performance.now() - started;
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { listenOnLoopback } from '../harness/loopback.ts';
import { type Attack, demand, equal, everyThird } from './attack.ts';
import { demandCleanFailure, gantry, makeFolder } from './cli.ts';
import { remote } from './platform.ts';

const manifest = 'kind: gvc\nname: town\nspec:\n  staticPlacement:\n    locationLinks: [//location/aws-eu-central-1]\n';
/** The most memory for a plan of one resource, whatever the platform sends, in MiB. */
const mostMiB = 600;
const withinMs = 420_000;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Hostile {
  readonly name: string;
  readonly long?: true;
  readonly answer: Answer;
}

function json(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}

/** Writes `chunk` until the client closes the connection. */
function endless(chunk: string, start = '', pauseMs = 0): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(start);
    const more = (): void => {
      if (response.destroyed) return;
      if (pauseMs > 0) {
        response.write(chunk);
        setTimeout(more, pauseMs).unref();
      } else if (response.write(chunk)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  };
}

const list = (items: string, next?: string): string =>
  `{"kind":"list","itemKind":"gvc","items":[${items}],"links":[${next === undefined ? '' : `{"rel":"next","href":"${next}"}`}]}`;
const record = (name: string): string =>
  `{"kind":"gvc","id":"id-${name}","name":"${name}","version":1,"tags":{"gantry/stack":"town"},"spec":{},"links":[]}`;

let page = 0;
/** Created at first use, because that is slow. */
let zeros: Buffer | undefined;
// biome-ignore format: one case a line
const answers: readonly Hostile[] = [
  { name: 'a next link that leads to itself',
    answer: (request, response) => json(list('', request.url))(request, response) },
  {
    name: 'endless empty pages',
    answer: (request, response) => {
      page += 1;
      json(list('', `/org/local/gvc?page=${page}`))(request, response);
    },
  },
  {
    name: 'endless pages, each with a new record',
    long: true,
    answer: (request, response) => {
      page += 1;
      json(list(record(`n${page}`), `/org/local/gvc?page=${page}`))(request, response);
    },
  },
  {
    name: 'endless pages, each with the same record',
    answer: (request, response) => {
      page += 1;
      json(list(record('same'), `/org/local/gvc?page=${page}`))(request, response);
    },
  },
  { name: 'one endless body', answer: endless(' '.repeat(65_536)) },
  { name: 'one endless list', answer: endless(`${record('x')},`.repeat(500), '{"kind":"list","items":[') },
  { name: 'a byte a second', long: true, answer: endless(' ', '', 1_000) },
  { name: 'headers, and then nothing', long: true,
    answer: (_, response) => void response.writeHead(200).flushHeaders() },
  { name: 'no answer', long: true, answer: () => {} },
  { name: 'an error text of 5 MB', answer: json(JSON.stringify({ status: 400, message: 'x'.repeat(5_000_000) }), 400) },
  { name: 'an error text with escapes',
    answer: json(JSON.stringify({ message: '\u001b[2J\u001b]0;owned\u0007\u009b31m\r\nerror' }), 400),
  },
  { name: 'an error of the wrong type',
    answer: json('{"status":"x","message":{"a":[1]},"code":7,"details":"no"}', 400) },
  { name: 'an error without a body', answer: json('', 400) },
  { name: 'the page of a proxy',
    answer: (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><b>Sign in</b></html>'),
  },
  { name: 'the page of a proxy with 502',
    long: true,
    answer: (_, response) =>
      void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway</html>'),
  },
  { name: 'half of a JSON text', answer: json('{"kind":"list","items":[') },
  { name: 'no JSON', answer: json('nothing to see') },
  { name: 'null', answer: json('null') },
  { name: 'a list instead of an object', answer: json('[[[]]]') },
  { name: 'items that are not a list', answer: json('{"kind":"list","items":{"length":1e9},"links":[]}') },
  { name: 'records that are not objects', answer: json(list('null,1,"x",[],{}')) },
  { name: 'a record with names of the prototype',
    answer: json(
      list(
        '{"__proto__":{"x":1},"constructor":{"prototype":{}},"name":"__proto__","kind":"gvc","id":"1","version":1,' +
          '"tags":{"gantry/stack":"town"},"links":[]}',
      ),
    ),
  },
  { name: 'a text as the version', answer: json(list(record('town').replace('"version":1', '"version":"one"'))) },
  { name: 'links that are not a list', answer: json('{"kind":"list","items":[],"links":{"rel":"next","href":"/x"}}') },
  { name: 'JSON of a hundred thousand levels', answer: json('['.repeat(100_000) + ']'.repeat(100_000)) },
  { name: 'two hundred thousand members',
    answer: json(`{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join(',')}}`),
  },
  {
    name: 'a body of zeros, compressed',
    answer: (_, response) => {
      zeros ??= gzipSync(Buffer.alloc(200_000_000, 32));
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(zeros);
    },
  },
  {
    name: 'a length that is too long',
    long: true,
    answer: (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{');
      response.destroy();
    },
  },
  {
    name: 'headers of a megabyte',
    answer: (_, response) => {
      for (let index = 0; index < 100; index += 1) response.setHeader(`x-${index}`, 'y'.repeat(10_000));
      response.end('{}');
    },
  },
  { name: '204 instead of a body', answer: (_, response) => void response.writeHead(204).end() },
  { name: 'endless redirects',
    answer: (_, response) => void response.writeHead(302, { location: '/again' }).end() },
  { name: 'Retry-After: ten years', long: true, answer: json('{}', 429, { 'retry-after': '315360000' }) },
  { name: '401 for everything', answer: json('{"status":401,"message":"no"}', 401) },
  { name: '418 for everything', answer: json('{"status":418,"message":"teapot"}', 418) },
];

async function opened(server: TcpServer): Promise<string> {
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

async function planAgainst(url: string) {
  const folder = makeFolder({ 'gantry.yaml': 'stack: town\n', 'gvc.yaml': manifest });
  try {
    return await gantry(remote(url, 'plan', '.'), { cwd: folder.path, withinMs });
  } finally {
    folder.remove();
  }
}

async function survive({ answer }: Hostile): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/discovery') json('{}')(request, response);
    else answer(request, response);
  });
  try {
    const outcome = await planAgainst(await opened(server));
    demandCleanFailure(outcome);
    demand(/^error [a-z]+\.[a-z-]+/m.test(outcome.stderr), 'no error with a code', outcome);
    demand(outcome.stderr.length < 20_000, `${outcome.stderr.length} characters of messages`);
    demand(outcome.peakMiB < mostMiB, `it took ${outcome.peakMiB} MiB`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Answers that are not HTTP. */
async function surviveNoise(): Promise<void> {
  const server = createTcpServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.end('SSH-2.0-OpenSSH_9.6\r\n');
  });
  try {
    demandCleanFailure(await planAgainst(await opened(server)));
  } finally {
    server.close();
  }
}

/** The token is only for the endpoint, wherever an answer redirects to. */
async function keepToken(how: 'next' | 'redirect'): Promise<void> {
  const heard: (string | undefined)[] = [];
  const thief = createServer((request, response) => {
    heard.push(request.headers.authorization);
    json(list(''))(request, response);
  });
  const elsewhere = `${await opened(thief)}/org/local/gvc`;
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/discovery') json('{}')(request, response);
    else if (how === 'redirect') response.writeHead(307, { location: elsewhere }).end();
    else json(list('', elsewhere))(request, response);
  });
  try {
    await planAgainst(await opened(server));
    equal(
      heard.filter((token) => token !== undefined),
      [],
      'tokens that another host was sent',
    );
  } finally {
    for (const each of [server, thief]) {
      each.closeAllConnections();
      each.close();
    }
  }
}

export const hostilePlatform: readonly Attack[] = [
  ...everyThird(
    answers.map((hostile) => ({
      name: `a platform that sends ${hostile.name}`,
      ...(hostile.long === undefined ? {} : { long: hostile.long }),
      run: () => survive(hostile),
    })),
  ),
  { name: 'a platform that does not speak HTTP', long: true, run: surviveNoise },
  { name: 'a next link that leads to another host', run: () => keepToken('next') },
  { name: 'a redirect to another host', run: () => keepToken('redirect') },
];

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as passes } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { neutralWordsIn } from './neutralWords.ts';

/**
 * A thread between tests and a platform that changes no message, searches for neutral words, and delays messages if it
 * has a seed. It is a thread because tests block their own thread while they wait for commands.
 */
const { target, delaySeed }: { readonly target: string; readonly delaySeed: number | undefined } = workerData;
const heard: string[] = [];
let messages = 0;

function listen(what: string, address: string, headers: readonly string[], body: Buffer): void {
  messages += 1;
  const words = neutralWordsIn({ address, headers, body: body.toString('utf8') });
  heard.push(...words.map((found) => `${what}: ${found}`));
}

/** Each request has the same delay in every run with this seed; its retries have other delays. */
async function delay(message: string): Promise<void> {
  if (delaySeed === undefined) return;
  const times = (delayed.get(message) ?? 0) + 1;
  delayed.set(message, times);
  const hash = createHash('sha256').update(`${delaySeed} ${times} ${message}`).digest();
  await passes((hash.readUInt8() / 255) * longestDelayMs);
}
const delayed = new Map<string, number>();
const longestDelayMs = 30;

/** As long as that of the platform: closing a connection while a request is sent on it fails a test. */
const keepAliveTimeout = 60_000;

const server = createServer({ keepAliveTimeout }, (incoming, outgoing) => {
  const { method = 'GET', url = '/' } = incoming;
  const onward = send(new URL(url, target), { method, headers: incoming.headers }, (answer) => {
    collect(answer).then(
      async (body) => {
        const { statusCode = 500 } = answer;
        // The store has neutral words, whatever the wire speaks.
        const shown = url.startsWith('/-snapshot') ? none : body;
        listen(`the answer ${statusCode} to ${method} ${url}`, '', Object.keys(answer.headers), shown);
        if (answer.headers.location !== undefined) listen(`Location of ${method}`, answer.headers.location, [], none);
        await delay(`answer to ${method} ${url}`);
        outgoing.writeHead(statusCode, answer.headers);
        outgoing.end(body);
      },
      () => outgoing.destroy(),
    );
  });
  onward.on('error', () => outgoing.destroy());
  incoming.on('error', () => onward.destroy());
  collect(incoming).then(
    async (body) => {
      await delay(`${method} ${url} ${body}`);
      listen(`the request ${method} ${url}`, url, Object.keys(incoming.headers), body);
      onward.end(body);
    },
    () => onward.destroy(),
  );
});

const none = Buffer.alloc(0);

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  parentPort?.postMessage(`http://127.0.0.1:${port}`);
});
parentPort?.once('message', () => {
  server.closeAllConnections();
  server.close();
  parentPort?.postMessage({ heard, messages });
  parentPort?.close();
});

async function collect(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

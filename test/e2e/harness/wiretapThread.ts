import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { neutralWordsIn } from './neutralWords.ts';

/**
 * A thread that stands before a platform which speaks a dialect, changes nothing, and listens for neutral words. A
 * thread, because tests run commands that they wait for with everything else standing still.
 */
const heard: string[] = [];
let messages = 0;

function listen(what: string, address: string, headers: readonly string[], body: Buffer): void {
  messages += 1;
  const words = neutralWordsIn({ address, headers, body: body.toString('utf8') });
  heard.push(...words.map((found) => `${what}: ${found}`));
}

const server = createServer((incoming, outgoing) => {
  const { method = 'GET', url = '/' } = incoming;
  const onward = send(new URL(url, String(workerData)), { method, headers: incoming.headers }, (answer) => {
    collect(answer).then(
      (body) => {
        const { statusCode = 500 } = answer;
        // What the store holds is in neutral words, whatever the wire speaks.
        const shown = url.startsWith('/-snapshot') ? none : body;
        listen(`the answer ${statusCode} to ${method} ${url}`, '', Object.keys(answer.headers), shown);
        if (answer.headers.location !== undefined) listen(`Location of ${method}`, answer.headers.location, [], none);
        outgoing.writeHead(statusCode, answer.headers);
        outgoing.end(body);
      },
      () => outgoing.destroy(),
    );
  });
  onward.on('error', () => outgoing.destroy());
  incoming.on('error', () => onward.destroy());
  collect(incoming).then(
    (body) => {
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

import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { neutralWordsIn } from './neutralWords.ts';

export interface Wiretap {
  readonly url: string;
  /** Neutral words that went over the wire, and in which message. */
  readonly heard: readonly string[];
  /** How many messages were listened to. */
  readonly messages: () => number;
  close(): Promise<void>;
}

/** Stands before a platform that speaks a dialect, changes nothing, and listens for neutral words. */
export async function startWiretap(target: string): Promise<Wiretap> {
  const heard: string[] = [];
  let messages = 0;
  function listen(what: string, address: string, headers: readonly string[], body: Buffer): void {
    messages += 1;
    const words = neutralWordsIn({ address, headers, body: body.toString('utf8') });
    heard.push(...words.map((found) => `${what}: ${found}`));
  }
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const onward = send(new URL(url, target), { method, headers: incoming.headers }, (answer) => {
      collect(answer).then(
        (body) => {
          const { statusCode = 500 } = answer;
          listen(`the answer ${statusCode} to ${method} ${url}`, '', Object.keys(answer.headers), body);
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    messages: () => messages,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const none = Buffer.alloc(0);

async function collect(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

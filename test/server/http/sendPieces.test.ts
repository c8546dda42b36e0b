import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { sendPieces } from '../../../src/server/http/listen.ts';
import { listenOnLoopback } from '../../harness/loopback.ts';

const piece = 'x'.repeat(64 * 1024);

/** Sends to a client that reads in this way until it is cut off or has all; returns the number of bytes sent. */
async function sentTo(read: (chunk: Buffer) => Promise<void>, leastBytesPerMs: number): Promise<number> {
  const ended = Promise.withResolvers<number>();
  const server = createServer((_, outgoing) => {
    let sent = 0;
    async function* pieces(): AsyncGenerator<string, void> {
      try {
        for (; sent < 64 * 2 ** 20; sent += piece.length) yield piece;
      } finally {
        ended.resolve(sent);
      }
    }
    sendPieces(outgoing, '', pieces(), { totalMs: 300, leastBytesPerMs }).catch(ended.reject);
  });
  const socket = connect(await listenOnLoopback(server), '127.0.0.1');
  socket.on('error', () => {}); // the server cuts the connection
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  socket.on('data', (chunk) => {
    socket.pause();
    void read(chunk).then(() => socket.resume());
  });
  const sent = await ended.promise;
  socket.destroy();
  await new Promise((closed) => server.close(closed));
  return sent;
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

test('a client that keeps reading, but too slowly, is cut off', async () => {
  expect(await sentTo(() => pause(20), Number.POSITIVE_INFINITY)).toBeLessThan(64 * 2 ** 20);
});

test('a client that reads fast enough gets everything, however long that takes', async () => {
  expect(await sentTo(() => pause(0), 1)).toBe(64 * 2 ** 20);
});

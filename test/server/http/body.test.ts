import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiFailure } from '../../../src/server/http/apiFailure.ts';
import { readText } from '../../../src/server/http/readBody.ts';
import { platformForAll, testPlatform } from '../platform.ts';

/** A body of `count` pieces, and how many of them were read. */
function pieces(count: number, piece: string) {
  const taken = { pieces: 0 };
  const stream = Readable.from(
    (function* () {
      while (taken.pieces < count) {
        taken.pieces += 1;
        yield Buffer.from(piece);
      }
    })(),
    { highWaterMark: 1 },
  );
  return { taken, incoming: Object.assign(stream, { method: 'POST', headers: {} }) };
}

describe('a body in pieces', () => {
  test('of a million pieces of one byte is refused after ten thousand, and not read further', async () => {
    const { taken, incoming } = pieces(1_000_000, 'x');
    const refusal = await readText(incoming).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiFailure);
    expect(refusal).toMatchObject({ status: 413, headers: { connection: 'close' } });
    expect(taken.pieces).toBeLessThan(10_500);
  });

  test.each([
    ['of ten thousand pieces of one byte', 10_000, 1],
    ['of a megabyte in pieces of 64 bytes', 16_384, 64],
    ['of one piece', 1, 1_000],
    ['of pieces whose lengths differ from the steps of the buffer', 3, 70_001],
  ])('%s is read as it was sent', async (_, count, length) => {
    const piece = Array.from({ length }, (__, at) => String.fromCharCode(97 + (at % 26))).join('');
    const { incoming } = pieces(count, piece);
    expect(await readText(incoming)).toBe(piece.repeat(count));
  });

  test('is read correctly if a character is split between two pieces', async () => {
    const bytes = Buffer.from('{"name":"größe"}');
    const stream = Readable.from([...bytes].map((byte) => Buffer.from([byte])));
    const incoming = Object.assign(stream, { method: 'POST', headers: {} });
    expect(await readText(incoming)).toBe('{"name":"größe"}');
  });

  test('is read without overwriting its pieces', async () => {
    const chunks = [Buffer.from('abc'), Buffer.from('def')];
    const incoming = Object.assign(Readable.from(chunks), { method: 'POST', headers: {} });
    expect(await readText(incoming)).toBe('abcdef');
    expect(chunks.map(String)).toEqual(['abc', 'def']);
  });
});

describe('a refusal before the body was sent', () => {
  const platform = platformForAll();

  /** Sends the text, and the rest after `next`; returns the answer until the connection ended or was quiet. */
  function talk(text: string, next: { readonly after: string; readonly rest: string } | undefined = undefined) {
    const { hostname, port } = new URL(platform.url);
    return new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let answer = '';
      let isSent = next === undefined;
      socket.setEncoding('utf8');
      socket.on('data', (data: string) => {
        answer += data;
        if (next !== undefined && !isSent && answer.includes(next.after)) {
          isSent = true;
          socket.write(next.rest);
        } else if (isSent && /\r\n\r\n\{.*\}$/s.test(answer)) socket.end();
      });
      socket.on('end', () => socket.end());
      socket.on('error', reject);
      socket.on('close', () => resolve(answer));
      socket.write(text);
    });
  }

  function head(path: string, length: number, more = ''): string {
    return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: secret-token\r\nContent-Length: ${length}\r\n${more}\r\n`;
  }

  test.each([
    ['/org/local/gvc', 1_048_577],
    ['/org/local/gvc', 1e15],
    ['/org/local/secret', 2_097_153],
  ])('comes before any byte of the body for POST %s with a declared length of %d', async (path, length) => {
    const answer = await talk(head(path, length));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/the body has more than \d+ bytes/);
  });

  test('replaces 100 Continue for a body that is too large, and for a wrong token', async () => {
    const tooLarge = await talk(head('/org/local/gvc', 2_000_000, 'Expect: 100-continue\r\n'));
    expect(tooLarge).toMatch(/^HTTP\/1\.1 413 /);
    expect(tooLarge).toMatch(/^connection: close\r$/im);
    const unknown = head('/org/local/gvc', 20, 'Expect: 100-continue\r\n').replace('secret-token', 'another');
    expect(await talk(unknown)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('does not come for an acceptable body: the client gets 100 Continue, and keeps the connection', async () => {
    const body = '{"name":"waited"}';
    const sent = head('/org/local/group', body.length, 'Expect: 100-continue\r\n');
    const answer = await talk(sent, { after: '100 Continue', rest: body });
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
    expect(answer).toMatch(/^connection: keep-alive\r$/im);
  });

  test('reaches a client that sends the whole body anyway, and that can reuse the connection', async () => {
    const { status, body } = await platform.send('POST', 'gvc', 'x'.repeat(8_000_000));
    expect([status, body['message']]).toEqual([413, 'the body has more than 1048576 bytes']);
    expect((await platform.send('GET', 'gvc')).status).toBe(200);
  });
});

test.each([
  ['an unknown token', 'POST /org/local/gvc HTTP/1.1', 'wrong'],
  ['a GET', 'GET /org/local HTTP/1.1', 'secret-token'],
])('the rest of a body in tiny pieces is not read without end after the answer to %s', async (_, line, token) => {
  const server = await testPlatform({ data: ':memory:' });
  onTestFinished(() => server.close());
  const { port, host } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}); // the server ends the connection
  socket.write(`${line}\r\nhost: ${host}\r\nauthorization: ${token}\r\ntransfer-encoding: chunked\r\n\r\n`);
  await once(socket, 'data');
  const most = 2_000;
  const pieces = '1\r\nx\r\n'.repeat(100);
  let sent = 0;
  for (; sent < most && !socket.destroyed && !socket.closed; sent += 1) {
    const isTaken = socket.write(pieces);
    await (isTaken
      ? new Promise((resolve) => setImmediate(resolve))
      : Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {}));
  }
  expect(sent).toBeLessThan(most);
});

import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as after } from 'node:timers/promises';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GrpcServer, type Method, makeGrpcServer } from '../../../src/provider/host/grpc.ts';

const longest = 8 * 1024 * 1024;
const bytes = (value: Buffer): Buffer => value;

describe('gRPC as the provider speaks it, to the client of the gRPC project', () => {
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const methods = new Map<string, Method>([
    ['/echo', { answer: async (request) => request }],
    [
      '/slow',
      {
        async answer(request) {
          started.resolve();
          await released.promise;
          return request;
        },
      },
    ],
    ['/wrong', { answer: () => Promise.reject(new Error('50 % of ä\nare wrong')) }],
    ['/open', { ends: 'by the client' }],
    ['/pipe', { ends: 'with the requests' }],
  ]);
  let server: GrpcServer;
  let client: Client;
  let plain: ClientHttp2Session;
  beforeAll(async () => {
    server = makeGrpcServer(methods, undefined, longest);
    const port = await server.listen({ host: '127.0.0.1', port: 0 });
    client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.max_receive_message_length': -1 });
    plain = connect(`http://127.0.0.1:${port}`);
  });
  afterAll(async () => {
    client.close();
    plain.destroy();
    await server.close();
  });

  function call(path: string, request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(path, bytes, bytes, request, (error: ServiceError | null, answer?: Buffer) =>
        error === null && answer !== undefined ? resolve(answer) : reject(error),
      );
    });
  }

  /** What HTTP/2 itself shows, of a body that no library of gRPC would send. */
  async function sent(body: Buffer, type = 'application/grpc'): Promise<Readonly<Record<string, unknown>>> {
    const stream = plain.request({ ':method': 'POST', ':path': '/echo', 'content-type': type });
    stream.end(body);
    const [headers] = await once(stream, 'response');
    stream.resume();
    return { ...headers };
  }

  it('answers with a message, empty or larger than any window', async () => {
    for (const length of [0, 1, 70_000, longest]) {
      const request = Buffer.alloc(length, 'ab');
      expect((await call('/echo', request)).equals(request), String(length)).toBe(true);
    }
  });

  it('answers several at once', async () => {
    const requests = Array.from({ length: 200 }, (_, index) => Buffer.from(`request ${index}`));
    const answers = await Promise.all(requests.map((request) => call('/echo', request)));
    expect(answers.map(String)).toEqual(requests.map(String));
  });

  it('says that it does not have a method', async () => {
    await expect(call('/other/Method', Buffer.alloc(3))).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
      details: 'there is no /other/Method',
    });
  });

  it('says what a method threw, whatever characters are in it', async () => {
    await expect(call('/wrong', Buffer.alloc(0))).rejects.toMatchObject({
      code: status.INTERNAL,
      details: 'Error: 50 % of ä\nare wrong',
    });
  });

  it('refuses a message that is too long', async () => {
    await expect(call('/echo', Buffer.alloc(longest + 1))).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  });

  it('refuses what is compressed, cut off or more than one message', async () => {
    for (const body of ['0100000000', '0000000002ff', '000000', '', '00000000000000000000']) {
      expect(await sent(Buffer.from(body, 'hex')), body).toMatchObject({ 'grpc-status': '13' });
    }
  });

  it('refuses what is not gRPC', async () => {
    expect(await sent(Buffer.alloc(5), 'application/json')).toMatchObject({ ':status': 415 });
  });

  it('outlives a call that is cancelled before its answer', async () => {
    const request = client.makeUnaryRequest('/slow', bytes, bytes, Buffer.alloc(1), () => {});
    await started.promise;
    request.cancel();
    await once(request, 'status');
    released.resolve();
    expect(String(await call('/echo', Buffer.from('still here')))).toBe('still here');
  });

  it('keeps a stream open on which nothing is sent, until the client ends it', async () => {
    const stream = client.makeServerStreamRequest('/open', bytes, bytes, Buffer.alloc(0), new Metadata());
    stream.on('error', () => {});
    await once(stream, 'metadata');
    const ended = new Promise((resolve) => stream.once('status', resolve)); // `once` would fail for the error beside it
    await call('/echo', Buffer.alloc(0));
    expect(await Promise.race([ended.then(() => 'ended'), after(0, 'open')])).toBe('open');
    stream.cancel();
    expect(await ended).toMatchObject({ code: status.CANCELLED });
  });

  it('ends a stream in both directions with the last request', async () => {
    const stream = client.makeBidiStreamRequest('/pipe', bytes, bytes, new Metadata());
    stream.on('data', () => {});
    const ended = once(stream, 'status');
    stream.write(Buffer.from('connection'));
    stream.end();
    expect((await ended)[0]).toMatchObject({ code: status.OK });
  });

  it('ends when what was asked is answered, although streams are open', async () => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<Buffer>();
    const ending = makeGrpcServer(
      new Map<string, Method>([
        [
          '/asked',
          {
            answer() {
              asked.resolve();
              return answered.promise;
            },
          },
        ],
        ['/open', { ends: 'by the client' }],
      ]),
    );
    const port = await ending.listen({ host: '127.0.0.1', port: 0 });
    const other = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    const open = other.makeServerStreamRequest('/open', bytes, bytes, Buffer.alloc(0), new Metadata());
    open.on('data', () => {});
    const opened = new Promise((resolve) => open.once('status', resolve));
    const answer = new Promise<Buffer | undefined>((resolve) => {
      other.makeUnaryRequest('/asked', bytes, bytes, Buffer.alloc(0), (_: unknown, value?: Buffer) => resolve(value));
    });
    await asked.promise;
    const closed = ending.close();
    expect(await opened).toMatchObject({ code: status.OK });
    answered.resolve(Buffer.from('all the same'));
    expect(String(await answer)).toBe('all the same');
    await closed;
    other.close();
  });
});

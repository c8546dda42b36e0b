import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { isLoopback, readHost } from '../../base/text/hostName.ts';

export interface ServedPage {
  /** It has a secret path: other users of the machine cannot guess it. */
  readonly url: string;
  close(): Promise<void>;
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * One page on loopback, on a free port, and nothing else: another path is 404, another method 405. A `Host` that names
 * anything but this machine is 403, as a page of somebody else could otherwise read it by a name of its own.
 */
export async function servePage(html: string): Promise<ServedPage> {
  const path = `/${randomBytes(16).toString('base64url')}`;
  const body = Buffer.from(html);
  const server = createServer((request, response) => {
    const status = statusOf(request, path);
    if (status !== 200) {
      response.writeHead(status, { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' }).end();
      return;
    }
    response.writeHead(200, { ...headers, 'content-length': body.length });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server on loopback has a port');
  return {
    url: `http://127.0.0.1:${address.port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function statusOf({ headers: { host }, method, url }: IncomingMessage, path: string): 200 | 403 | 404 | 405 {
  const named = readHost(host);
  if (named === undefined || !isLoopback(named.name)) return 403;
  if (url !== path) return 404;
  return method === 'GET' || method === 'HEAD' ? 200 : 405;
}

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type ServedPage, servePage } from '../../../src/cli/output/openReport.ts';

describe('one page on loopback', () => {
  let page: ServedPage;
  beforeAll(async () => {
    page = await servePage('<!doctype html><title>größer</title>');
  });
  afterAll(() => page.close());

  /** Sends a request with any Host header, which fetch does not allow. */
  function ask(path: string, { method = 'GET', host }: { readonly method?: string; readonly host?: string } = {}) {
    const { hostname, port } = new URL(page.url);
    return new Promise<{
      readonly status: number | undefined;
      readonly body: string;
      readonly type: string | undefined;
    }>((resolve, reject) => {
      const headers = host === undefined ? {} : { host };
      request({ hostname, port, path, method, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
          body += String(part);
        });
        response.on('end', () =>
          resolve({ status: response.statusCode, body, type: response.headers['content-type'] }),
        );
      })
        .on('error', reject)
        .end();
    });
  }

  test('answers at an address that cannot be guessed', async () => {
    const { hostname, pathname } = new URL(page.url);
    expect(hostname).toBe('127.0.0.1');
    expect(pathname).toMatch(/^\/[\w-]{22}$/);
    expect(await ask(pathname)).toEqual({
      status: 200,
      body: '<!doctype html><title>größer</title>',
      type: 'text/html; charset=utf-8',
    });
    expect(await ask(pathname, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  });

  test.each([
    { it: 'another path', path: '/', status: 404 },
    { it: 'a file of the machine', path: '/../../etc/passwd', status: 404 },
    { it: 'another method', method: 'POST', status: 405 },
    { it: 'another host name for this address (DNS rebinding)', host: 'evil.example', status: 403 },
    { it: 'a host name that begins with localhost', host: 'localhost.evil.example', status: 403 },
    { it: 'an invalid host name', host: '%00', status: 403 },
  ])('refuses $it', async ({ path = new URL(page.url).pathname, status, ...more }) => {
    expect(await ask(path, more)).toMatchObject({ status, body: '' });
  });
});

test.each([
  { environment: { CI: 'true', DISPLAY: ':0' }, platform: 'linux' as const, why: /pipeline/ },
  { environment: { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22', DISPLAY: ':0' }, platform: 'darwin' as const, why: /SSH/ },
  { environment: {}, platform: 'linux' as const, why: /no screen/ },
])('opens no browser if its user would not see it: $why', async ({ environment, platform, why }) => {
  expect(await openBrowser('http://127.0.0.1:1/', environment, platform)).toMatch(why);
});

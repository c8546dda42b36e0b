import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { isLoopback, readHost } from '../../base/text/hostName.ts';
import { causeText } from '../../base/thrown.ts';
import type { Surroundings } from '../../project/session/session.ts';
import { renderHtml } from '../../report/renderHtml.ts';
import type { ReportedCommand } from '../../report/report.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { interrupted } from '../../terminal/interrupt.ts';
import type { OutputOptions } from '../../terminal/options.ts';
import { Collected } from './collected.ts';
import { makeReport } from './makeReport.ts';

/** Runs a command, and shows its report in the browser until the user interrupts. Always prints its address. */
export async function openReport<O extends OutputOptions>(
  command: ReportedCommand,
  context: CommandContext<O>,
  run: (context: CommandContext<O>) => Promise<Ending>,
): Promise<Ending> {
  const { terminal, environment } = context;
  const { collected, observed } = await Collected.listen(context, true);
  const ending = await run(observed);
  const page = await servePage(renderHtml(makeReport(command, collected, ending, environment)));
  const ended = interrupted();
  try {
    terminal.message(`Report: ${page.url}`);
    const why = await openBrowser(page.url, environment);
    terminal.message(
      `${why === undefined ? 'It is open in the browser.' : `No browser was opened: ${why}.`} Press Ctrl-C to stop serving it.`,
    );
    await ended;
  } finally {
    await page.close();
  }
  return ending;
}

/** Opens an address in the user's browser. Returns the reason if it did not; then the user has to open it. */
export async function openBrowser(
  url: string,
  environment: Surroundings['environment'],
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const why = reasonNotToOpen(environment, platform);
  if (why !== undefined) return why;
  const { default: open } = await import('open');
  try {
    await open(url);
    return undefined;
  } catch (error) {
    return causeText(error);
  }
}

/** Browsers without a screen would take over the terminal, or be invisible. */
function reasonNotToOpen(environment: Surroundings['environment'], platform: NodeJS.Platform): string | undefined {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  if (has('CI')) return 'this is a pipeline (CI is set)';
  if (has('SSH_CONNECTION') || has('SSH_TTY')) return 'this is a session on another machine (SSH)';
  const isX = platform === 'linux' || platform.endsWith('bsd');
  if (isX && !['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some(has)) return 'there is no screen';
  return undefined;
}

export interface ServedPage {
  /** Its path is secret: other users of the machine cannot guess it. */
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
 * Serves only one page, on a free loopback port: another path is 404, another method 405. A `Host` that is not this
 * machine is 403; otherwise a foreign page could read it through its own host name.
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

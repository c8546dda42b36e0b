import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonObject, objectAt, stringAt } from '../../src/base/json/json.ts';
import { Devtools } from './devtools.ts';

export interface BrowserPage {
  /** The value of an expression in the page, awaited; it must be JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Emulates the preferences of the system, the screen or the paper. */
  emulate(media: Media): Promise<void>;
  /** A picture as PNG: of the whole page, or of the given size at its top. */
  picture(size: Size): Promise<Buffer>;
  /** Sets the size of the window. */
  resize(size: Size): Promise<void>;
  /** Presses and releases a key, as on a keyboard: the browser moves the focus, or activates the focused element. */
  press(key: Key, isShift?: boolean): Promise<void>;
  /** The printed page, on A4. */
  pdf(): Promise<Buffer>;
  /** The addresses that the page has requested so far, also those in the document itself (`data:`). */
  readonly requested: readonly string[];
  /** The errors in the console so far: of scripts, of the page's policy, of requests. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

const keys = {
  Tab: { code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  ' ': { code: 'Space', windowsVirtualKeyCode: 32, text: ' ' },
} as const;
export type Key = keyof typeof keys;

export interface Media {
  readonly theme?: 'light' | 'dark';
  readonly medium?: 'screen' | 'print';
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Browser {
  /** `as`: a document shown instead of the answer at the address, with all rights of its origin. */
  open(url: string, as?: string): Promise<BrowserPage>;
  close(): Promise<void>;
}

/** A headless browser. Every host below `example` is this machine, as in an attack by DNS. */
export async function startBrowser(program: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'gantry-browser-'));
  const child = spawn(
    program,
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-port=0'],
      // A page in a shared process takes half as long.
      '--renderer-process-limit=1',
      // Like browsers that let every page reach this machine; not all browsers have this barrier.
      '--disable-features=LocalNetworkAccessChecks',
      ...[`--user-data-dir=${profile}`, '--host-resolver-rules=MAP *.example 127.0.0.1', 'about:blank'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(child, 'exit');
  const devtools = await Devtools.connect(await addressIn(child.stderr, ended));
  return {
    async open(url, as) {
      const { targetId } = await devtools.send('Target.createTarget', { url: 'about:blank' });
      const attached = await devtools.send('Target.attachToTarget', { targetId: targetId ?? '', flatten: true });
      const session = stringAt(attached, 'sessionId') ?? '';
      await devtools.send('Page.enable', {}, session);
      const requested: string[] = [];
      const errors: string[] = [];
      await listen(devtools, session, requested, errors);
      if (as !== undefined) await showInstead(devtools, session, url, as);
      await load(devtools, session, url);
      const resize = async (size: Size): Promise<void> => {
        const screen = { ...size, deviceScaleFactor: 1, mobile: false };
        await devtools.send('Emulation.setDeviceMetricsOverride', screen, session);
      };
      return {
        requested,
        errors,
        async close() {
          await devtools.send('Target.closeTarget', { targetId: targetId ?? '' });
        },
        async emulate({ theme = 'light', medium = 'screen' }) {
          const features = [{ name: 'prefers-color-scheme', value: theme }];
          await devtools.send('Emulation.setEmulatedMedia', { media: medium, features }, session);
        },
        resize,
        async press(key, isShift = false) {
          const pressed = { key, ...keys[key], modifiers: isShift ? 8 : 0 };
          await devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...pressed }, session);
          await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...pressed }, session);
        },
        async pdf() {
          const paper = { printBackground: true, paperWidth: 8.27, paperHeight: 11.69 };
          const { data } = await devtools.send('Page.printToPDF', paper, session);
          return Buffer.from(String(data), 'base64');
        },
        async picture(size) {
          await resize(size);
          const { data } = await devtools.send('Page.captureScreenshot', { format: 'png' }, session);
          return Buffer.from(String(data), 'base64');
        },
        async evaluate(expression) {
          const asked = { expression, awaitPromise: true, returnByValue: true };
          const answer = await devtools.send('Runtime.evaluate', asked, session);
          if (isObject(answer['exceptionDetails'])) throw new Error(JSON.stringify(answer['exceptionDetails']));
          return objectAt(answer, 'result')['value'];
        },
      };
    },
    async close() {
      // Kills the process, because nothing is kept.
      child.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Resolves when that document is loaded: the load event of the empty page before it may come later. */
async function load(devtools: Devtools, session: string, url: string): Promise<void> {
  const loaded = new Set<string | undefined>();
  let look = () => {};
  devtools.each('Page.lifecycleEvent', session, (told) => {
    if (told['name'] === 'load') loaded.add(stringAt(told, 'loaderId'));
    look();
  });
  await devtools.send('Page.setLifecycleEventsEnabled', { enabled: true }, session);
  const loader = stringAt(await devtools.send('Page.navigate', { url }, session), 'loaderId');
  await new Promise<void>((resolve) => {
    look = () => loaded.has(loader) && resolve();
    look();
  });
}

async function listen(devtools: Devtools, session: string, requested: string[], errors: string[]): Promise<void> {
  devtools.each('Network.requestWillBeSent', session, (told) => {
    requested.push(stringAt(objectAt(told, 'request'), 'url') ?? '');
  });
  devtools.each('Runtime.exceptionThrown', session, (told) => {
    errors.push(JSON.stringify(told['exceptionDetails']));
  });
  devtools.each('Runtime.consoleAPICalled', session, (told) => {
    if (told['type'] === 'error') errors.push(JSON.stringify(told['args']));
  });
  devtools.each('Log.entryAdded', session, (told) => {
    const entry = objectAt(told, 'entry');
    if (entry['level'] === 'error') errors.push(`${stringAt(entry, 'source')}: ${stringAt(entry, 'text')}`);
  });
  for (const domain of ['Network', 'Runtime', 'Log']) await devtools.send(`${domain}.enable`, {}, session);
}

/** Only the document: requests of the page itself go to the server. */
async function showInstead(devtools: Devtools, session: string, url: string, html: string): Promise<void> {
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: url }] }, session);
  void devtools.event('Fetch.requestPaused', session).then(async (paused: JsonObject) => {
    const requestId = stringAt(paused, 'requestId') ?? '';
    const responseHeaders = [{ name: 'content-type', value: 'text/html; charset=utf-8' }];
    const body = Buffer.from(html).toString('base64');
    await devtools.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body }, session);
    await devtools.send('Fetch.disable', {}, session);
  });
}

async function addressIn(output: AsyncIterable<unknown>, ended: Promise<unknown>): Promise<string> {
  let text = '';
  async function found(): Promise<string> {
    for await (const part of output) {
      text += String(part);
      const [, address] = /DevTools listening on (ws:\S+)/.exec(text) ?? [];
      if (address !== undefined) return address;
    }
    throw new Error(`the browser did not start: ${text}`);
  }
  return Promise.race([found(), ended.then(() => Promise.reject(new Error(`the browser ended: ${text}`)))]);
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedPage, servePage } from '../../../src/reconcile/http/servePage.ts';
import type { SignInSettings } from '../../../src/reconcile/model.ts';
import { Sessions } from '../../../src/reconcile/store/sessions.ts';
import { type Browser, type BrowserPage, startBrowser } from '../../browser/browser.ts';
import { chromiumForTests } from '../../browser/chromiumForTests.ts';
import { doing } from '../../browser/person.ts';
import { seriousProblems } from '../../report/html/pageProbe.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { openTown, type Town } from '../town.ts';
import { type FixedBoard, fixedBoard, stackOf } from './fixedBoard.ts';
import { realClient, startRealIssuer } from './realIssuer.ts';

const program = await chromiumForTests('signing in to the page of the reconciler');

describe.skipIf(program === undefined)('a user with a browser and an account at a provider', () => {
  let browser: Browser;
  let town: Town;
  let issuer: Awaited<ReturnType<typeof startRealIssuer>>;
  let page: ServedPage;
  let board: FixedBoard;
  let settings: SignInSettings | undefined;
  beforeAll(async () => {
    browser = await startBrowser(program ?? '');
    const folder = temporaryFolder('reconcile-sign-in-page');
    town = await openTown('http://127.0.0.1:9', { kind: 'folder', folder });
    board = fixedBoard([stackOf('shop', { state: 'waiting', plan: 'plan-1' })]);
    page = await servePage(board, {
      address: '0',
      onMistake: (error) => expect.fail(String(error)),
      signIn: {
        ...{ settings: () => settings, secret: async () => realClient.secret, sessions: new Sessions(town.store) },
        ...{ nowMs: () => town.store.now(), log: () => {} },
      },
    });
    issuer = await startRealIssuer({ ann: ['platform'], bob: ['staff'] }, page.url);
    settings = {
      ...{ issuer: `${issuer.url}/`, clientId: realClient.id, clientSecret: { env: 'SECRET' }, sessionMs: 3_600_000 },
      scopes: ['openid', 'email', 'groups'],
      roles: { approve: new Map([['groups', ['platform']]]), read: new Map([['groups', ['staff']]]) },
    };
  });
  afterAll(async () => {
    await browser?.close();
    await page?.close();
    await issuer?.[Symbol.asyncDispose]();
    await town?.[Symbol.asyncDispose]();
  });

  /** Waits for an expression in the current document. */
  async function comesTo(tab: BrowserPage, expression: string): Promise<void> {
    await expect.poll(() => tab.evaluate(expression).catch(() => undefined), { timeout: 30_000 }).toBe(true);
  }

  async function follow(tab: BrowserPage, text: string): Promise<void> {
    await doing(tab, `const link = await one('a', '${text}'); setTimeout(() => link.click(), 0);`);
  }

  async function isCalled(tab: BrowserPage, login: string): Promise<void> {
    await comesTo(tab, `document.title === 'The provider' && document.querySelector('input') !== null`);
    await doing(
      tab,
      `await fill('input[name=login]', '${login}'); const go = await one('button'); setTimeout(() => go.click(), 0);`,
    );
  }

  /** Signs out here, and answers the provider's question about signing out there. */
  async function signsOut(tab: BrowserPage, answer: string): Promise<void> {
    await doing(tab, `const out = await one('.who button', 'Sign out'); setTimeout(() => out.click(), 0);`);
    await comesTo(tab, `location.origin === '${issuer.url}' && document.querySelector('button') !== null`);
    await doing(tab, `const button = await one('button', '${answer}'); setTimeout(() => button.click(), 0);`);
    await comesTo(tab, `location.origin === '${page.url}' && document.querySelector('.who') !== null`);
    await doing(tab, `await one('.who button', 'Sign in');`);
  }

  const who = (text: string) => `document.querySelector('.who')?.innerText.includes(${JSON.stringify(text)}) === true`;

  test('signs in, approves, signs out; a reader sees no button, and a person without a role sees why', async () => {
    const tab = await browser.open(`${page.url}/#/stack/shop`);
    const name = new URL(issuer.url).host;
    await doing(tab, `(await one('.who button', 'Sign in')).click(); await one('a', 'Sign in with ${name}');`);
    for (const theme of ['light', 'dark'] as const) {
      await tab.emulate({ theme });
      expect(await seriousProblems(tab)).toEqual([]);
    }
    await follow(tab, `Sign in with ${name}`);
    await isCalled(tab, 'ann');
    await comesTo(tab, who('ann@example.com (approve)'));
    const seen = await doing(
      tab,
      `(await one('main button', 'Approve')).click();
       (await one('main button', 'Yes, approve this plan')).click();
       await says('You have approved it.');
       return [location.href, document.cookie, JSON.stringify(sessionStorage)];`,
    );
    expect([seen, board.acted]).toEqual([[`${page.url}/#/stack/shop`, '', '{}'], ['ann@example.com approves plan-1']]);
    await signsOut(tab, 'No, stay signed in');
    expect(await tab.evaluate(`fetch('/api/me').then((answer) => answer.json())`)).toEqual({ role: 'read' });

    // The provider remembers the person; another one can still sign in.
    await tab.evaluate(`void setTimeout(() => location.assign('/-sign-in'), 0)`);
    await comesTo(tab, who('ann@example.com (approve)'));
    await signsOut(tab, 'Yes, sign me out');
    await tab.evaluate(`void setTimeout(() => location.assign('/-sign-in'), 0)`);
    await isCalled(tab, 'eve');
    await comesTo(tab, `document.title === 'Signing in has failed'`);
    expect(await doing(tab, `return main().innerText`)).toContain('eve@example.com has no role here');
    for (const theme of ['light', 'dark'] as const) {
      await tab.emulate({ theme });
      expect(await seriousProblems(tab)).toEqual([]);
    }
    await tab.resize({ width: 375, height: 800 });
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await follow(tab, 'Sign in as somebody else');
    await isCalled(tab, 'bob');
    await comesTo(tab, who('bob@example.com (read)'));
    const buttons = await doing(
      tab,
      `location.hash = '#/stack/shop'; await says('A plan waits'); return texts('main button')`,
    );
    for (const word of ['Approve', 'Run now', 'Pause']) expect(buttons).not.toContain(word);
    // The page for a person without a role.
    expect(tab.errors).toEqual([expect.stringContaining('403 (Forbidden)')]);
    await tab.close();
  });

  test('is informed that the session has ended, and signs in again at the same place', async () => {
    const tab = await browser.open(`${page.url}/-sign-in?to=%23%2Fstack%2Fshop&other`);
    await isCalled(tab, 'ann');
    await comesTo(tab, who('ann@example.com (approve)'));
    town.pass(3_600_000);
    await doing(tab, `(await one('main button', 'Run now')).click(); await says('You are not signed in any more.');`);
    await follow(tab, `Sign in with ${new URL(issuer.url).host}`);
    await comesTo(tab, who('ann@example.com (approve)'));
    expect(await tab.evaluate('location.hash')).toBe('#/stack/shop');
    await tab.close();
  });
});

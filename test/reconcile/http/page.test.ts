import { createHash } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ServedPage, servePage } from '../../../src/reconcile/http/servePage.ts';
import { type Browser, type BrowserPage, startBrowser } from '../../browser/browser.ts';
import { chromiumForTests } from '../../browser/chromiumForTests.ts';
import { doing } from '../../browser/person.ts';
import { seriousProblems } from '../../report/html/pageProbe.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type FixedBoard, fixedBoard, markup, stackOf } from './fixedBoard.ts';

const program = await chromiumForTests('the page of the reconciler');
const folder = temporaryFolder('reconcile-browser');
const tokensFile = join(folder, 'tokens.json');
const digest = (token: string): string => createHash('sha256').update(token).digest('hex');
const people = [
  { name: 'ann', role: 'approve', sha256: digest('ann-token') },
  { name: 'bob', role: 'read', sha256: digest('bob-token') },
];
writeFileSync(tokensFile, JSON.stringify({ tokens: people }));
chmodSync(tokensFile, 0o600);

describe.skipIf(program === undefined)('a user with a browser', () => {
  let browser: Browser;
  let served: ServedPage;
  let board: FixedBoard;
  const tabs: BrowserPage[] = [];
  beforeAll(async () => {
    browser = await startBrowser(program ?? '');
  });
  beforeEach(async () => {
    board = fixedBoard([
      stackOf('calm'),
      stackOf('shop', { state: 'waiting', plan: 'plan-1', because: markup, worstRisk: 'exposure' }),
      stackOf('pay', { state: 'failing', because: 'the platform is down', failures: 3 }),
      stackOf('net', { state: 'drifted', drifted: 3 }),
    ]);
    served = await servePage(board, { address: '0', tokensFile, onMistake: (error) => expect.fail(String(error)) });
  });
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close();
    await served.close();
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function visit(hash = ''): Promise<BrowserPage> {
    const tab = await browser.open(`${served.url}/${hash}`);
    tabs.push(tab);
    return tab;
  }

  async function signedIn(token: string, hash = ''): Promise<BrowserPage> {
    const tab = await visit(hash);
    await doing(tab, `(await one('.who button', 'Sign in')).click(); await signIn('${token}');`);
    return tab;
  }

  test('sees stacks that need attention first, filters and searches', async () => {
    const tab = await visit();
    const seen = await doing(
      tab,
      `await says('4 stacks');
       const all = texts('.stack-row a');
       (await one('input[value=drifted]')).click();
       await says('1 of 4 shown');
       const drifted = texts('.stack-row a');
       (await one('input[value=drifted]')).click();
       await fill('input[type=search]', 'platform DOWN');
       return { all, drifted, found: texts('.stack-row a'), images: document.querySelectorAll('img').length };`,
    );
    expect(seen).toEqual({ all: ['pay', 'shop', 'net', 'calm'], drifted: ['net'], found: ['pay'], images: 0 });
    expect(tab.requested.filter((url) => url !== 'data:,' && !url.startsWith(`${served.url}/`))).toEqual([]);
    expect(tab.errors).toEqual([]);
  });

  test('sees changes without another request', async () => {
    const tab = await visit();
    await doing(tab, `await says('4 stacks'); await says('3 jobs waiting');`);
    const asked = tab.requested.length;
    board.change('calm', { state: 'failing', because: 'it broke' });
    expect(await doing(tab, `await says('it broke'); return texts('.stack-row a')[0]`)).toBe('calm');
    expect(tab.requested.length).toBe(asked);
  });

  test('sees how busy workers are, runs by the hour, and which notifications fail', async () => {
    const tab = await visit();
    const seen = await doing(
      tab,
      `await says('Notifications to on-call are not taken since 2027-01-01 12:00:00 UTC');
       (await one('summary')).click();
       await says('3 delivered, 2 waiting, 1 lost');
       const lines = [...document.querySelectorAll('.plot .series')];
       return { label: document.querySelector('.plot svg').getAttribute('aria-label'), lines: lines.length,
         // The hour that has begun is drawn, too: the last stretch of each line has a width.
         widths: lines.map((line) => line.getPointAtLength(line.getTotalLength()).x - line.getPointAtLength(line.getTotalLength() - 1).x),
         images: document.querySelectorAll('img').length };`,
    );
    expect(seen).toEqual({
      label: 'Runs an hour, last day, 01-01 09:00 to 01-01 13:00: at last all 4 runs, applied 2 runs, failed 2 runs',
      ...{ lines: 3, widths: [1, 1, 1].map((width) => expect.closeTo(width, 3)), images: 0 },
    });
    await tab.emulate({ theme: 'dark' });
    expect(await seriousProblems(tab)).toEqual([]);
  });

  test('sees the waiting plan as a report shows it, with the author of the drift that it reverts', async () => {
    const tab = await visit('#/stack/shop');
    const seen = await doing(
      tab,
      `await says('What depends on what');
       (await one('.tools button', 'Expand all')).click();
       await says('eve@example.com');
       return [[...document.querySelectorAll('main h2')].map(({ textContent }) => textContent.trim()), document.querySelectorAll('.plot svg').length];`,
    );
    expect(seen).toEqual([
      expect.arrayContaining(['A plan waits for approval', 'Changes', 'Runs', 'Storage over time']),
      3,
    ]);
  });

  test('approves after a confirmation, and only once', async () => {
    const tab = await signedIn('ann-token', '#/stack/shop');
    await doing(
      tab,
      `(await one('main button', 'Approve')).click();
       (await one('main button', 'Yes, approve this plan')).click();
       await says('1 of 2 approvals');
       await says('You have approved it.');`,
    );
    expect(board.acted).toEqual(['ann approves plan-1']);
    expect(
      await doing(tab, `return [...document.querySelectorAll('main button')].map((each) => each.textContent)`),
    ).not.toContain('Approve');
  });

  test('approves with a signature if a key is required, and gets the plan to sign', async () => {
    const signed = fixedBoard([stackOf('shop', { state: 'waiting', plan: 'plan-1', because: 'sign it' })]);
    await served.close();
    served = await servePage(signed, { address: '0', tokensFile, onMistake: () => {} });
    const tab = await signedIn('ann-token', '#/stack/shop');
    const file = await doing(
      tab,
      `const made = [];
       const create = URL.createObjectURL;
       URL.createObjectURL = (blob) => { made.push(blob); return create(blob); };
       (await one('main button', 'Download the plan')).click();
       const blob = await until('a file', () => made[0]);
       await fill('input[name=signature]', ' {"a": "line"} ');
       (await one('main button', 'Approve')).click();
       await says('You have approved it.');
       return blob.text();`,
    );
    expect([file, signed.acted]).toEqual([
      '{"stack":"shop","name":"plan-1"}',
      ['ann approves plan-1 by {"a": "line"}'],
    ]);
  });

  test('signs again if the signature has expired', async () => {
    const signed = fixedBoard([stackOf('shop', { state: 'waiting', plan: 'plan-1', because: 'sign it' })]);
    await served.close();
    served = await servePage(signed, { address: '0', tokensFile, onMistake: () => {} });
    await signed.approve('shop', 'plan-1', { by: 'ann', signature: 'first' });
    const tab = await signedIn('ann-token', '#/stack/shop');
    await doing(tab, `await says('1 of 2 approvals'); await says('You have approved it.');`);
    signed.expire('shop');
    await doing(
      tab,
      `await says('0 of 2 approvals');
       await says('does not count it has expired');
       await fill('input[name=signature]', 'second');
       (await one('main button', 'Approve')).click();
       await says('1 of 2 approvals');
       await says('You have approved it.');`,
    );
    expect(signed.acted).toEqual(['ann approves plan-1 by first', 'ann approves plan-1 by second']);
    expect(tab.errors).toEqual([]);
  });

  test('sees why the plan to sign is not available', async () => {
    const signed = fixedBoard([stackOf('shop', { state: 'waiting', plan: 'plan-1', because: 'sign it' })]);
    await served.close();
    served = await servePage(signed, { address: '0', tokensFile, onMistake: () => {} });
    const tab = await signedIn('ann-token', '#/stack/shop');
    await doing(
      tab,
      `const real = fetch;
       window.fetch = (path, init) => path.startsWith('/api/plans/')
         ? Promise.resolve(Response.json({ message: 'the plan is gone' }, { status: 404 }))
         : real(path, init);
       (await one('main button', 'Download the plan')).click();
       await says('the plan is gone');`,
    );
    expect(tab.errors).toEqual([]);
  });

  test('sees that the plan was superseded meanwhile, and why', async () => {
    const tab = await signedIn('ann-token', '#/stack/shop');
    await doing(
      tab,
      `(await one('main button', 'Approve')).click(); await one('main button', 'Yes, approve this plan')`,
    );
    board.supersede('shop', 'the commit has changed');
    expect(
      await doing(
        tab,
        `await says('the commit has changed'); await one('main button', 'Approve'); return main().innerText`,
      ),
    ).toContain('plan-2');
    expect(board.acted).toEqual([]);
  });

  test('pauses and resumes a stack, and starts a run', async () => {
    const tab = await signedIn('ann-token', '#/stack/shop');
    await doing(
      tab,
      `(await one('main button', 'Run now')).click();
       await fill('input[name=reason]', 'a freeze');
       (await one('main button', 'Pause')).click();
       (await one('main button', 'Resume')).click();
       await one('main button', 'Pause');`,
    );
    expect(board.acted).toEqual(['ann runs shop', 'ann pauses shop: a freeze', 'ann resumes shop']);
  });

  test('sees who has paused a stack, and until when, in the list and beside the stack', async () => {
    const pause = { reason: 'a freeze', by: 'cem', untilMs: Date.UTC(2027, 0, 2, 8) };
    board.change('net', { state: 'paused', because: pause.reason, pause });
    const tab = await visit();
    const row = await doing(
      tab,
      `await says('4 stacks'); return texts('.stack-row').find((text) => text.includes('freeze'))`,
    );
    expect(row).toMatch(/a freeze .*until 2027-01-02 08:00:00 UTC$/);
    const facts = await doing(
      tab,
      `location.hash = '#/stack/net'; await says('paused by'); return texts('.subject > div')`,
    );
    expect(facts).toEqual(expect.arrayContaining(['paused by cem', 'paused until 2027-01-02 08:00:00 UTC']));
  });

  test('sees no time that does not exist', async () => {
    const { entry } = stackOf('net');
    await served.close();
    const fresh = fixedBoard([{ entry, state: { state: 'new', sinceMs: 0, failures: 0 } }]);
    served = await servePage(fresh, { address: '0', tokensFile, onMistake: () => {} });
    const tab = await visit('#/stack/net');
    expect(await doing(tab, `await says('prod'); return texts('.subject > div')`)).toEqual([
      'mode propose',
      'environment prod',
    ]);
    expect(await doing(tab, `location.hash = ''; await says('1 stack'); return texts('.stack-row .hint')`)).toEqual([
      'propose',
    ]);
  });

  test.each([
    { who: 'nobody', token: undefined },
    { who: 'a reader', token: 'bob-token' },
  ])('as $who has no button to approve', async ({ token }) => {
    const tab = token === undefined ? await visit('#/stack/shop') : await signedIn(token, '#/stack/shop');
    const buttons = await doing(
      tab,
      `await says('A plan waits'); return [...document.querySelectorAll('main button')].map((each) => each.textContent)`,
    );
    for (const word of ['Approve', 'Run now', 'Pause']) expect(buttons).not.toContain(word);
  });

  test('is informed of a wrong token, and of a revoked one', async () => {
    const tab = await visit();
    await doing(
      tab,
      `(await one('.who button', 'Sign in')).click();
       await tryToken('wrong');
       await says('not valid here');
       await signIn('ann-token');`,
    );
    writeFileSync(tokensFile, JSON.stringify({ tokens: people.slice(1) }));
    board.change('calm', { state: 'failing' });
    try {
      await doing(tab, `location.hash = '#/stack/net'; await says('not valid any more');`);
      expect(await doing(tab, `return JSON.stringify(sessionStorage)`)).toBe('{}');
    } finally {
      writeFileSync(tokensFile, JSON.stringify({ tokens: people }));
    }
  });

  test('sees that the connection is lost, and the news when it is back', async () => {
    const tab = await visit();
    await doing(tab, `await says('4 stacks')`);
    const { port } = new URL(served.url);
    await served.close();
    await doing(tab, `await says('The connection is lost')`);
    board.change('calm', { because: 'changed meanwhile' });
    served = await servePage(board, { address: port, tokensFile, onMistake: () => {} });
    expect(
      await doing(tab, `await says('changed meanwhile'); return main().innerText.includes('connection is lost')`),
    ).toBe(false);
  });

  test('keeps one connection, however often the list of stacks cannot be read', async () => {
    const tab = await visit();
    await doing(
      tab,
      `await says('4 stacks');
       const real = fetch;
       window.followed = [];
       window.fetch = (path, init) => {
         if (path === '/api/stacks') return Promise.reject(new TypeError('away'));
         if (path === '/api/events') followed.push(init.signal);
         return real(path, init);
       };`,
    );
    const { port } = new URL(served.url);
    await served.close();
    await doing(tab, `await says('The connection is lost')`);
    served = await servePage(board, { address: port, tokensFile, onMistake: () => {} });
    const open = await doing(
      tab,
      `const before = followed.length;
       await until('three more', () => followed.length > before + 2);
       return followed.filter(({ aborted }) => !aborted).length`,
    );
    expect(open).toBeLessThan(2);
  });

  test.each([
    { it: 'the stacks', hash: '', says: '4 stacks' },
    { it: 'a stack', hash: '#/stack/shop', says: 'Storage over time' },
    { it: 'a run', hash: '#/run/run-2', says: 'planned' },
    { it: 'a run that failed', hash: '#/run/run-1', says: 'the platform is down' },
    { it: 'no such stack', hash: '#/stack/none', says: 'there is no such' },
  ])('sees $it, in light and dark and on a phone', async ({ hash, says }) => {
    const tab = await signedIn('ann-token', hash);
    await doing(tab, `await says(${JSON.stringify(says)})`);
    for (const theme of ['light', 'dark'] as const) {
      await tab.emulate({ theme });
      expect(await seriousProblems(tab)).toEqual([]);
    }
    await tab.resize({ width: 375, height: 800 });
    expect(await doing(tab, `return document.documentElement.scrollWidth`)).toBeLessThanOrEqual(375);
    expect(await doing(tab, `return document.querySelectorAll('img').length`)).toBe(0);
  });

  test('sees nothing of the stacks on a public address until a token is given', async () => {
    const open = await servePage(board, { address: '0.0.0.0:0', tokensFile, onMistake: () => {} });
    try {
      const tab = await browser.open(`http://fleet.example:${new URL(open.url).port}/#/stack/shop`);
      tabs.push(tab);
      const seen = await doing(tab, `await one('input[name=token]'); return document.body.innerText;`);
      expect(seen).not.toMatch(/shop|calm|drifted|failing|stacks? shown/);
      const answers =
        await tab.evaluate(`Promise.all(['/api/stacks', '/api/stacks/shop', '/api/events', '/api/runs/run-1']
        .map((path) => fetch(path).then(async (answer) => [answer.status, await answer.text()])))`);
      const refusal = JSON.stringify({ status: 401, code: 'reconcile.token', message: 'a token is needed' });
      expect(answers).toEqual(Array.from({ length: 4 }, () => [401, refusal]));
      expect(await doing(tab, `await signIn('bob-token'); await says('A plan waits'); return texts('.who')`)).toEqual([
        expect.stringContaining('bob (read)'),
      ]);
    } finally {
      await open.close();
    }
  });

  test('goes by keyboard alone from the list to an approval, and always sees the focus', async () => {
    const tab = await signedIn('ann-token');
    await doing(tab, `await says('4 stacks');`);
    /** Presses Tab until an element with this text has the focus. */
    async function tabTo(text: string): Promise<void> {
      for (let presses = 0; presses < 60; presses += 1) {
        await tab.press('Tab');
        const [said, isSeen] = (await doing(
          tab,
          `const at = document.activeElement;
           const { outlineStyle, outlineWidth } = getComputedStyle(at);
           return [at.textContent.trim(), outlineStyle !== 'none' && outlineWidth !== '0px'];`,
        )) as [string, boolean];
        if (said === text) return expect([text, isSeen]).toEqual([text, true]);
      }
      expect.fail(`the focus does not come to ${text}`);
    }
    await tabTo('shop');
    await tab.press('Enter');
    await doing(tab, `await says('A plan waits for approval');`);
    await tabTo('Approve');
    await tab.press('Enter');
    await doing(tab, `await one('main button', 'Yes, approve this plan');`);
    expect(board.acted).toEqual([]);
    await tabTo('Yes, approve this plan');
    await tab.press(' ');
    await doing(tab, `await says('You have approved it.');`);
    expect(board.acted).toEqual(['ann approves plan-1']);
  });

  test('finds one of a thousand stacks, of which only the near ones are drawn', async () => {
    const many = fixedBoard(Array.from({ length: 1000 }, (_, index) => stackOf(`stack-${index}`)));
    const large = await servePage(many, { address: '0', onMistake: () => {} });
    try {
      const tab = await browser.open(`${large.url}/`);
      tabs.push(tab);
      const seen = await doing(
        tab,
        `await says('1,000 stacks');
         const drawn = texts('.stack-row a').length;
         scrollTo(0, document.documentElement.scrollHeight);
         await until('the last', () => texts('.stack-row a').includes('stack-999'));
         scrollTo(0, 0);
         await fill('input[type=search]', 'stack-777');
         return { few: drawn <= 150, found: texts('.stack-row a') };`,
      );
      expect(seen).toEqual({ few: true, found: ['stack-777'] });
    } finally {
      await large.close();
    }
  });
});

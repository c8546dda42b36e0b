import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../../../src/report/renderHtml.ts';
import type { Report } from '../../../src/report/report.ts';
import { type Browser, type BrowserPage, startBrowser } from '../../browser/browser.ts';
import { chromiumForTests } from '../../browser/chromiumForTests.ts';
import { driftDocument } from '../makeReports.ts';
import { changeDocument, reportOf } from './documents.ts';
import { act, seenIn, seriousProblems } from './pageProbe.ts';

const program = await chromiumForTests('pages of reports');

describe.skipIf(program === undefined)('a report page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-page-'));
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(program ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(report: Report): Promise<BrowserPage> {
    const file = join(folder, 'report.html');
    writeFileSync(file, renderHtml(report));
    return browser.open(pathToFileURL(file).href);
  }

  const shop = reportOf([
    changeDocument('web', { risk: 'exposure', fields: [{ path: 'spec.cpu', old: '1', new: '2' }] }),
    changeDocument('api', {
      waitsFor: [{ step: 'write', on: 'workload/shop/web', because: 'it needs it', soft: false }],
    }),
    changeDocument('old', { action: 'delete', risk: 'downtime', gvc: 'other', id: 'workload/other/old' }),
    changeDocument('same', { action: 'keep', reason: '' }),
    {
      ...changeDocument('secret', { id: 'secret/key', kind: 'secret', action: 'refuse', intended: 'delete' }),
      refusals: [{ code: 'delete.protected', message: 'it is protected', allow: '--allow-protected' }],
    },
  ]);
  const rows = async (page: BrowserPage) => (await seenIn(page))['rows'];

  test('lists refused changes and high risks first, without unchanged resources', async () => {
    const page = await open(shop);
    expect(await rows(page)).toEqual(['secret/key', 'workload/other/old', 'workload/shop/web', 'workload/shop/api']);
    await act(page, `choose('select[name=order]', 'name')`);
    expect(await rows(page)).toEqual(['secret/key', 'workload/other/old', 'workload/shop/api', 'workload/shop/web']);
  });

  /** Each filter is undone after its test, so that they share a page. */
  let filtered: BrowserPage | undefined;
  // biome-ignore format: a row is a case
  test.each([
    { by: 'action', what: `one('input[value=delete]').click()`, left: ['workload/other/old'] },
    { by: 'action, for unchanged resources', what: `one('input[value=keep]').click()`, left: ['workload/shop/same'] },
    { by: 'kind', what: `choose('select[name=kind]', 'secret')`, left: ['secret/key'] },
    { by: 'GVC', what: `choose('select[name=gvc]', 'other')`, left: ['workload/other/old'] },
    { by: 'risk', what: `choose('select[name=risk]', 'exposure')`, left: ['workload/other/old', 'workload/shop/web'] },
    { by: 'text of a field', what: `type('input[type=search]', 'SPEC.cpu')`, left: ['workload/shop/web'] },
    { by: 'what nothing has', what: `type('input[type=search]', 'nowhere')`, left: [] },
  ])('filters by $by, and resets', async ({ what, left }) => {
    filtered ??= await open(shop);
    const page = filtered;
    await act(page, what);
    expect(await seenIn(page)).toMatchObject({ rows: left, shown: `${left.length} of 5 shown` });
    const dim = await page.evaluate(`document.querySelectorAll('.canvas .node.dim').length`);
    // Unchanged resources without connections are not drawn.
    expect(dim).toBe(4 - left.filter((id) => id !== 'workload/shop/same').length);
    await act(
      page,
      `[...document.querySelectorAll('.filters button')].find((each) => each.textContent === 'Show all').click()`,
    );
    expect(await seenIn(page)).toMatchObject({ shown: '4 of 5 shown' });
  });

  test('the picture can be used by keyboard: between boxes, and into the list', async () => {
    const page = await open(shop);
    await act(page, `press('.canvas', 'ArrowRight')`);
    const chosen = `document.querySelector('output.chosen').textContent`;
    expect(await page.evaluate(chosen)).toContain('workload/shop/web: create');
    const before = await page.evaluate(`document.querySelector('.canvas svg > g').getAttribute('transform')`);
    await act(page, `press('.canvas', '+')`);
    expect(await page.evaluate(`document.querySelector('.canvas svg > g').getAttribute('transform')`)).not.toBe(before);
    await act(page, `press('.canvas', 'Enter')`);
    expect(await page.evaluate(`document.activeElement.closest('article')?.getAttribute('aria-label')`)).toBe(
      'create workload/shop/web',
    );
    expect(await page.evaluate(`document.querySelectorAll('#changes details[open]').length`)).toBe(1);
  });

  test('a link with a name opens its change, even if a filter hides it', async () => {
    const page = await open(shop);
    await act(page, `type('input[type=search]', 'nowhere')`);
    await act(page, `one('.panel.bad button.link').click()`);
    expect(await rows(page)).toEqual(['secret/key']);
    expect(await page.evaluate(`document.querySelector('details[open]').textContent`)).toContain('it is protected');
  });

  test('has a switch for light and dark', async () => {
    const page = await open(shop);
    const back = `getComputedStyle(document.body).backgroundColor`;
    await page.emulate({ theme: 'light' });
    const light = await page.evaluate(back);
    await act(page, `one('input[value=dark]').click()`);
    const dark = await page.evaluate(back);
    expect(dark).not.toBe(light);
    await page.emulate({ theme: 'dark' });
    await act(page, `one('input[value=light]').click()`);
    expect(await page.evaluate(back)).toBe(light);
  });

  test('expands and collapses everything, for a plan and for drift', async () => {
    const drifted = { id: 'gvc/shop', orphaned: false, fields: [], writes: [] };
    const drift = driftDocument([
      { ...drifted, state: 'touched' },
      { ...drifted, id: 'gvc/other', state: 'left-alone' },
    ]);
    for (const report of [shop, { ...shop, plans: [], drifts: [drift] }]) {
      const page = await open(report);
      const states = `[...document.querySelectorAll('.changes details')].map((each) => each.open)`;
      const press = (word: string) =>
        act(page, `[...document.querySelectorAll('button')].find((each) => each.textContent === '${word}').click()`);
      const before = await page.evaluate(states);
      await press('Expand all');
      expect(await page.evaluate(`${states}.every(Boolean)`)).toBe(true);
      await press('Collapse all');
      expect(await page.evaluate(`${states}.some(Boolean)`)).toBe(false);
      expect(before).toHaveLength(report === shop ? 4 : 2);
    }
  });

  test('a row summarises what changes', async () => {
    const fields = [
      { path: 'spec.containers.main.image', old: 'shop:1.4', new: 'shop:1.5' },
      { path: 'spec.containers.main.cpu', old: '1', new: '2' },
    ];
    const page = await open(
      reportOf([changeDocument('web', { action: 'patch', reason: 'changed in the code', fields })]),
    );
    expect(await page.evaluate(`document.querySelector('#changes .reason').textContent`)).toBe(
      'image shop:1.4 → shop:1.5 and 1 more',
    );
  });

  test('shows its time, commit, run and platform', async () => {
    const run = 'https://github.example/acme/shop/actions/runs/7';
    const page = await open({
      ...shop,
      subject: { ...shop.subject, environment: 'prod', endpoint: 'https://api.example.com' },
      made: { at: '2026-11-28T11:20:33.000Z', commit: '0123456789abcdef0123456789abcdef01234567', run },
    });
    expect(await page.evaluate(`document.querySelector('.made').textContent`)).toBe(
      'Made 2026-11-28 11:20 UTC from commit 0123456789ab by this run',
    );
    expect(await page.evaluate(`document.querySelector('.made a').href`)).toBe(run);
    expect(await page.evaluate(`document.querySelector('.subject').textContent`)).toBe(
      'orgacmestackshopenvironmentprodendpointhttps://api.example.com',
    );
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('a plan without changes has no picture, and unchanged storage is not shown', async () => {
    const amount = { gb: 400 };
    const storage = (concerned: boolean) => ({
      ...{ before: amount, after: amount, ceiling: amount },
      sets: [{ id: 'volumeset/shop/rows', before: 400, after: 400, ceiling: 400, concerned }],
    });
    const keep = changeDocument('web', { action: 'keep', reason: '' });
    const page = await open(reportOf([keep], { storage: storage(false) }));
    expect(await page.evaluate(`document.querySelectorAll('.picture, #storage').length`)).toBe(0);
    expect(await page.evaluate(`document.body.innerText`)).not.toMatch(/no picture|400/);
    const changed = await open(reportOf([keep, changeDocument('api')], { storage: storage(true) }));
    expect(await changed.evaluate(`document.querySelectorAll('.picture, #storage').length`)).toBe(2);
  });

  test('names several stacks in the title', async () => {
    const page = await open({ ...shop, subject: { org: 'acme', stacks: ['network', 'service'] } });
    expect(await seenIn(page)).toMatchObject({ title: 'Plan of network, service' });
  });

  test.each(['sans-serif', 'monospace'])('names fit into their boxes in a %s font', async (family) => {
    const wide = (letter: string) => changeDocument(letter.repeat(40), { id: `workload/shop/${letter.repeat(40)}` });
    const page = await open(reportOf([wide('W'), wide('東'), wide('i'), changeDocument('web')]));
    await page.evaluate(`document.body.style.fontFamily = '${family}'; dispatchEvent(new Event('beforeprint'))`);
    await act(page, `dispatchEvent(new Event('afterprint'))`);
    const outside = await page.evaluate(`[...document.querySelectorAll('.canvas .node')].flatMap((node) => {
      const width = Number(node.querySelector('rect').getAttribute('width'));
      return [...node.querySelectorAll('text.name, text.kind')]
        .filter((text) => Number(text.getAttribute('x')) + text.getComputedTextLength() > width)
        .map(({ textContent }) => textContent);
    })`);
    expect(outside).toEqual([]);
    const names = await page.evaluate(
      `[...document.querySelectorAll('.canvas .name')].map((each) => each.textContent)`,
    );
    expect(names).toContain('web');
  });

  test('in an explanation no name is a button, because there is nothing to open', async () => {
    const page = await open({
      ...shop,
      plans: [],
      explanation: {
        ...{ formatVersion: 1, org: 'acme', stack: 'shop', resource: 'gvc/shop', action: 'patch', reason: '' },
        ...{
          requests: [],
          choices: [],
          fields: [],
          equal: [],
          counts: {},
          waitsFor: [],
          takesAlong: [],
          refusals: [],
          notes: [],
        },
        hits: ['workload/shop/theirs'],
      },
    });
    const [text, buttons] = (await page.evaluate(
      `[document.body.innerText, document.querySelectorAll('button.link').length]`,
    )) as [string, number];
    expect(text).toContain('workload/shop/theirs');
    expect(buttons).toBe(0);
  });

  test('at 375 pixels the whole picture is visible', async () => {
    const chain = ['a', 'b', 'c', 'd'].map((name, index, all) =>
      changeDocument(name, {
        waitsFor:
          index === 0 ? [] : [{ step: 'write', on: `workload/shop/${all[index - 1]}`, because: 'order', soft: false }],
      }),
    );
    const page = await open(reportOf(chain));
    await page.resize({ width: 375, height: 800 });
    await act(page, '');
    const cutOff = await page.evaluate(`[...document.querySelectorAll('.canvas .node')].filter((each) => {
      const [box, canvas] = [each.getBoundingClientRect(), document.querySelector('.canvas').getBoundingClientRect()];
      return box.right > canvas.right || box.bottom > canvas.bottom || box.left < canvas.left || box.top < canvas.top;
    }).length`);
    expect(cutOff).toBe(0);
  });

  test('in print everything is expanded, and afterwards collapsed again', async () => {
    const many = Array.from({ length: 120 }, (_, index) => changeDocument(`w${index}`));
    const page = await open(reportOf(many));
    const counts = `[document.querySelectorAll('#changes article').length, document.querySelectorAll('#changes details[open]').length]`;
    expect(await page.evaluate(`(dispatchEvent(new Event('beforeprint')), ${counts})`)).toEqual([120, 120]);
    await act(page, `dispatchEvent(new Event('afterprint'))`);
    expect(await page.evaluate(`document.querySelectorAll('#changes details[open]').length`)).toBe(0);
  });

  const stored: Report = reportOf(
    [
      changeDocument('a-workload-with-a-name-that-is-as-long-as-the-platform-allows', {
        action: 'refuse',
        intended: 'replace',
        risk: 'rolling-restart',
        reason: 'spec.performanceClass cannot be changed in place; changed in the code',
        fields: [{ path: 'spec.containers.main.args', old: ['x'.repeat(300)], new: `${'y'.repeat(200)}\nz` }],
        patch: { spec: 'w'.repeat(400) },
      }),
      changeDocument('orders', {
        ...{ id: 'volumeset/shop/orders', kind: 'volumeset', action: 'refuse', intended: 'replace', risk: 'data-loss' },
        fields: [{ path: 'spec.performanceClass', old: 'general-purpose-ssd', new: 'high-throughput-ssd' }],
      }),
      ...Array.from({ length: 12 }, (_, index) =>
        changeDocument(`w${index}`, {
          waitsFor: [{ step: 'write', on: `workload/shop/w${index - 1}`, because: 'order', soft: false }],
        }),
      ),
    ],
    {
      storage: {
        before: { gb: 400, cost: 48 },
        after: { gb: 2_080, cost: 249.6 },
        ceiling: { gb: 12_000, cost: 1_440 },
        currency: 'EUR',
        sets: [{ id: 'volumeset/shop/orders', before: 400, after: 2_080, ceiling: 12_000, concerned: true }],
      },
    },
  );

  // 640 pixels are a window of 1280 at a zoom of 200 %.
  test.each([360, 640, 768, 1280])(
    'at %i pixels nothing is wider than the window, and every name is readable',
    async (width) => {
      const page = await open(stored);
      await page.resize({ width, height: 800 });
      await act(page, `document.querySelectorAll('summary').forEach((summary) => summary.click())`);
      const wide = await page.evaluate(`[
      document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ...[...document.querySelectorAll('body *')]
        .filter((each) => each.closest('svg, .scroll, .unseen-label, .skip, bdi, .change summary') === null)
        .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .map(({ outerHTML }) => outerHTML.slice(0, 80)),
    ]`);
      expect(wide).toEqual([0]);
      const cut = await page.evaluate(`[...document.querySelectorAll('.change summary')]
      .filter((each) => each.scrollHeight > each.clientHeight + 1)
      .map(({ textContent }) => textContent)`);
      expect(cut).toEqual([]);
      const name = await page.evaluate(`(() => {
        const { scrollWidth, clientWidth } = document.querySelector('[aria-label="refuse volumeset/shop/orders"] h3');
        return clientWidth > 0 && scrollWidth <= clientWidth;
      })()`);
      expect(name).toBe(true);
      expect(await seriousProblems(page)).toEqual([]);
    },
  );

  test('in print everything is expanded, dark on white, and without the controls for the screen', async () => {
    const page = await open(stored);
    await page.resize({ width: 1280, height: 800 });
    await page.emulate({ theme: 'dark', medium: 'print' });
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    await page.resize({ width: 720, height: 1000 });
    const seen = await page.evaluate(`({
      closed: document.querySelectorAll('details:not([open])').length,
      filters: [...document.querySelectorAll('.theme, .skip, .no-print')].filter((each) => each.checkVisibility()).length,
      search: document.querySelector('search')?.checkVisibility() ?? false,
      back: getComputedStyle(document.body).backgroundColor,
      ink: getComputedStyle(document.body).color,
      cutOff: [...document.querySelectorAll('.canvas .node')].filter((each) => {
        const [box, canvas] = [each.getBoundingClientRect(), document.querySelector('.canvas').getBoundingClientRect()];
        return box.right > canvas.right || box.bottom > canvas.bottom || box.left < canvas.left || box.top < canvas.top;
      }).length,
    })`);
    expect(seen).toEqual({
      closed: 0,
      filters: 0,
      search: false,
      back: 'rgb(255, 255, 255)',
      ink: 'rgb(28, 33, 40)',
      cutOff: 0,
    });
    expect(await seriousProblems(page, ['color-contrast'])).toEqual([]);
    expect((await page.pdf()).subarray(0, 5).toString('latin1')).toBe('%PDF-');
  });

  test('with ten thousand changes it draws only nearby rows, and finds each', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => changeDocument(`w${index}`));
    const page = await open(reportOf(many));
    expect(await seenIn(page)).toMatchObject({ nodes: 1, shown: '10,000 of 10,000 shown' });
    expect(await page.evaluate(`document.querySelectorAll('#changes article').length`)).toBeLessThan(200);
    await act(page, `type('input[type=search]', 'w9999')`);
    expect(await rows(page)).toEqual(['workload/shop/w9999']);
    expect(page.errors).toEqual([]);
  });

  test('shows several stacks one at a time, and in print all', async () => {
    const [blue, green] = ['blue', 'green'].map((stack) => reportOf([changeDocument(stack)], { stack }));
    const page = await open({ ...shop, plans: [...(blue?.plans ?? []), ...(green?.plans ?? [])] });
    expect(await rows(page)).toEqual(['workload/shop/blue']);
    await act(page, `one('.stacks button:last-child').click()`);
    expect(await rows(page)).toEqual(['workload/shop/green']);
    expect(await seriousProblems(page)).toEqual([]);
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await rows(page)).toEqual(['workload/shop/blue', 'workload/shop/green']);
    expect(await page.evaluate(`document.querySelectorAll('.stack-title').length`)).toBe(2);
  });

  test('no text of a manifest becomes markup', async () => {
    const evil = `</script><img src=x onerror="globalThis.hit = 1"><b>\u202egnp.exe\u202c \u001b[31m\u200b'"&amp;`;
    const long = 'x'.repeat(1_000_000);
    const change = changeDocument(evil, {
      ...{ id: `workload/shop/${evil}`, reason: evil, notes: [evil], gvc: evil, kind: evil },
      fields: [
        { path: evil, old: evil, new: `${evil}\n${evil}`, place: { file: evil, line: 1, column: 1 } },
        { path: 'long', new: long },
        { path: '__proto__', old: { __proto__: 1, constructor: evil }, new: [evil] },
      ],
      patch: { [evil]: evil, long },
    });
    const page = await open({
      ...reportOf([change, changeDocument('plain')], { stack: evil, notes: [evil] }),
      subject: { org: evil, stack: evil },
      problems: [{ file: evil, line: 1, column: 1, rule: evil, path: evil, message: evil, severity: 'error' }],
    });
    await act(page, `document.querySelectorAll('#changes summary').forEach((summary) => summary.click())`);
    expect(await page.evaluate(`[globalThis.hit ?? 0, document.querySelectorAll('img, b').length]`)).toEqual([0, 0]);
    const text = String(await page.evaluate(`document.body.innerText + document.title`));
    expect(text).toContain('</script><img src=x');
    expect(text.replaceAll('\n', '').replaceAll('\t', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).toContain('\\u{202e}gnp.exe');
    expect(text.length).toBeLessThan(100_000);
    expect(page.errors).toEqual([]);
    expect(page.requested).toHaveLength(1);
  });

  test('the accessibility check of these tests finds problems', async () => {
    const page = await open(shop);
    expect(await seriousProblems(page)).toEqual([]);
    await act(
      page,
      `one('.verdict p').style.color = '#aaa'; one('.filters input').removeAttribute('aria-label'); one('.filters input').removeAttribute('placeholder')`,
    );
    const found = await seriousProblems(page);
    expect(found.join('\n')).toMatch(/color-contrast/);
    expect(found.join('\n')).toMatch(/label/);
  });
});

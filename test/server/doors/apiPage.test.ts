import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isObject, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { installedViewer } from '../../../src/server/api/viewer.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { type Browser, type BrowserPage, startBrowser } from '../../browser/browser.ts';
import { chromiumForTests } from '../../browser/chromiumForTests.ts';
import { isEverySample } from '../../harness/sampled.ts';
import { testStore } from '../platform.ts';

const program = await chromiumForTests('the page of the API');

let browser: Browser | undefined;
let guarded: RunningServer;
let open: RunningServer;
beforeAll(async () => {
  guarded = await startServer({ port: 0, token: 'the-token', ...testStore() });
  open = await startServer({ port: 0, noAuth: true, ...testStore() });
  if (program !== undefined) browser = await startBrowser(program);
});
const visited: BrowserPage[] = [];
afterEach(async () => {
  for (const page of visited.splice(0)) await page.close();
});
afterAll(async () => {
  await Promise.all([browser?.close(), guarded?.close(), open?.close()]);
});

/** Functions in the page that wait for elements and act as a user does. */
const person = `
  const root = () => document.querySelector('openapi-explorer')?.shadowRoot;
  const all = (selector) => [...(root()?.querySelectorAll(selector) ?? [])];
  const said = (element) => element.innerText.trim();
  const until = async (what, find) => {
    for (let tries = 0; tries < 12_000; tries += 1) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      await new Promise((done) => setTimeout(done, 25));
    }
    throw new Error(what + ' is not in: ' + (root()?.textContent ?? document.body.innerText).slice(0, 2000));
  };
  const one = (selector, text) => until(selector + ' ' + (text ?? ''), () =>
    all(selector).find((element) => text === undefined || element.textContent.trim() === text));
  const fill = (field, text) => {
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  };
  const operations = () => all('.nav-bar-path').filter(({ dataset }) => /^(get|put|post|patch|delete)-/.test(dataset.contentId));
  const search = async (words, found) => {
    fill(await one('#nav-bar-search'), words);
    await until('a result of ' + words, () => operations().length === found);
  };
  const openOperation = async (summary) => {
    (await one('.nav-bar-path', summary)).click();
    await until(summary, () => all('.main-content').some((element) => element.textContent.includes(summary)));
  };
  const useToken = async (token) => {
    (await one('#link-auth')).click();
    const field = await one('.api-key-input');
    fill(field, token);
    (await one('button', 'SET')).click();
    return field.autocomplete;
  };
  const execute = async () => {
    const button = await one('.btn-execute');
    button.click();
    const message = await until('a status', () =>
      all('.response-message').map(({ textContent }) => /\\((\\d{3})\\)/.exec(textContent)?.[1]).find((status) => status !== undefined));
    // The first of those that show code; the others show the headers and the request.
    const answer = await until('an answer', () => {
      const text = all('api-request syntax-highlighter')[0]?.shadowRoot?.textContent ?? '';
      return text.includes('{') && text;
    });
    return [message, answer];
  };`;

async function visit(server: RunningServer, name = '127.0.0.1'): Promise<BrowserPage> {
  if (browser === undefined) throw new Error('there is no browser');
  const page = await browser.open(`http://${name}:${new URL(server.url).port}/-docs`);
  visited.push(page);
  return page;
}

function doing(page: BrowserPage, steps: string): Promise<unknown> {
  return page.evaluate(`(async () => { ${person} ${steps} })()`);
}

/** Demands that the page sent requests to this server only. */
function expectOwn(page: BrowserPage, server: RunningServer): void {
  const foreign = page.requested.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:'));
  expect(foreign).toEqual([]);
}

test.skipIf(program === undefined)('the page lists every operation of the document without an error', async () => {
  const document: unknown = await (await fetch(`${guarded.url}/openapi.json`)).json();
  const methods = Object.values(objectAt(isObject(document) ? document : {}, 'paths')).filter(isObject);
  const described = methods.flatMap((of) => Object.values(of).filter(isObject));
  const page = await visit(guarded);
  const shown = await doing(
    page,
    `await one('#nav-bar-search');
     await until('operations', () => operations().length > 0);
     return operations().map(({ textContent }) => textContent.trim());`,
  );
  expect(described.length).toBeGreaterThan(360);
  expect(Array.isArray(shown) ? shown.toSorted() : shown).toEqual(
    described.map((operation) => stringAt(operation, 'summary') ?? '').toSorted(),
  );
  expectOwn(page, guarded);
  expect(page.errors).toEqual([]);
});

// Patches have all fields of records, and other operations have their own bodies. The sample has one in four.
test.skipIf(program === undefined)('the page draws every form of body', async () => {
  const page = await visit(guarded);
  const results = await doing(
    page,
    `await one('#nav-bar-search');
     await until('operations', () => operations().length > 0);
     const { paths } = await (await fetch('/openapi.json')).json();
     const drawn = new Set();
     const missing = [];
     for (const methods of Object.values(paths)) {
       for (const [method, { summary, requestBody }] of Object.entries(methods)) {
         const schema = requestBody?.content['application/json'].schema;
         const form = JSON.stringify(schema);
         if (schema === undefined || drawn.has(form) || (method !== 'patch' && schema.$ref !== undefined)) continue;
         drawn.add(form);
         if (drawn.size % ${isEverySample ? 1 : 4} !== 0) continue;
         await openOperation(summary);
         await until('the request of ' + summary, () => all('api-request .btn-execute').length === 1);
         if (all('api-request .request-body-param-user-input').length === 0) missing.push(summary);
       }
     }
     return [missing, drawn.size];`,
  );
  expect(results).toEqual([[], expect.toSatisfy((count: number) => count > 30)]);
  expect(page.errors).toEqual([]);
});

test.skipIf(program === undefined)('a search finds an operation, which shows its fields and an example', async () => {
  const page = await visit(guarded);
  const shown = await doing(
    page,
    `await search('create a workload', 1);
     await openOperation('Create a workload');
     const text = await until('the fields', () => {
       const drawn = all('schema-table, schema-tree').map((element) => element.shadowRoot?.textContent ?? '').join(' ');
       return drawn.includes('identityLink') && drawn;
     });
     (await one('.tab-btn', 'BODY')).click();
     const body = (await one('.request-body-param-user-input')).value;
     await search('volumeset.simulate', 1);
     return { text, name: JSON.parse(body).name, other: operations()[0].textContent.trim() };`,
  );
  expect(shown).toMatchObject({
    text: expect.stringContaining('Identity that the workload acts as'),
    name: 'web',
    other: 'Set how full the volumes of a volume set are, were, or will be',
  });
  expect(page.errors).toEqual([]);
});

test.skipIf(program === undefined)(
  'the page sends a GET and a POST with the token, and does not store the token',
  async () => {
    const page = await visit(guarded);
    const results = await doing(
      page,
      `const remembered = await useToken('the-token');
     await openOperation('Create a GVC');
     const created = await execute();
     await openOperation('Read a GVC');
     const read = await execute();
     return { remembered, created, read,
       kept: JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie + location.href };`,
    );
    expect(results).toEqual({
      remembered: 'off',
      created: ['201', expect.stringContaining('/org/local/gvc/shop')],
      read: ['200', expect.stringContaining('Everything of the web shop')],
      kept: expect.not.stringContaining('the-token'),
    });
    expect(page.requested).toContain(`${guarded.url}/org/local/gvc/shop`);
    expect(page.requested.filter((url) => url.includes('the-token'))).toEqual([]);
    expectOwn(page, guarded);
    expect(page.errors).toEqual([]);
  },
);

test.skipIf(program === undefined)('the page shows the refusal of a wrong token', async () => {
  const page = await visit(guarded);
  const refused = await doing(
    page,
    `await useToken('another-token');
     await openOperation('List secrets');
     return execute();`,
  );
  expect(refused).toEqual(['401', expect.stringContaining('the token is missing or not valid')]);
  expect(page.errors).toEqual([expect.stringContaining('401 (Unauthorized)')]);
});

test.skipIf(program === undefined).each(['localhost', '127.0.0.1'])(
  'the page at %s can also write on a server without tokens',
  async (name) => {
    const page = await visit(open, name);
    const done = await doing(
      page,
      `await openOperation('Create or replace a group');
       return execute();`,
    );
    // The second page finds the group that the first one created.
    expect(done).toEqual([name === 'localhost' ? '201' : '200', expect.stringContaining('/org/local/group/pipelines')]);
    expect(page.errors).toEqual([]);
  },
);

test('the content security policy of the page allows this server only, and no framing', async () => {
  const { status, headers } = await fetch(`${guarded.url}/-docs`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('browsers cache the script of the viewer if it is requested with its version', async () => {
  const text = await (await fetch(`${guarded.url}/-docs`)).text();
  const [, path = ''] = /src="(\/-docs\/viewer\.js\?v=[\d.]+)"/.exec(text) ?? [];
  const kept = async (address: string) => (await fetch(guarded.url + address)).headers.get('cache-control');
  expect(await kept(path)).toBe('public, max-age=31536000, immutable');
  expect(await kept('/-docs/viewer.js')).toBe('no-cache');
  expect(await kept('/-docs/page.js')).toBe('no-cache');
});

test.each(['package.json', '..%2fpackage.json', '%2e%2e%2f%2e%2e%2fpackage.json', 'index.html', 'constructor'])(
  'the page serves no other file: %s',
  async (name) => {
    const { status } = await fetch(`${guarded.url}/-docs/${name}`, { headers: { authorization: 'the-token' } });
    expect(status).toBe(404);
  },
);

test('a missing or broken viewer counts as not installed', async () => {
  const missing = () => {
    throw new Error('not found');
  };
  expect(await installedViewer(missing)).toBeUndefined();
  expect(await installedViewer(() => 'file:///nowhere/package.json')).toBeUndefined();
});

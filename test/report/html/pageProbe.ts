import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isArray, isObject, type JsonObject } from '../../../src/base/json/json.ts';
import type { BrowserPage } from '../../browser/browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Problems in a page that axe rates as serious or critical, with their elements; `rules` restricts the check. */
export async function seriousProblems(page: BrowserPage, rules?: readonly string[]): Promise<readonly string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(`${axe}; 0`);
  const found = await page.evaluate(`(async () => {
    const { violations } = await axe.run(document, ${JSON.stringify({
      resultTypes: ['violations'],
      ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }),
    })});
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 200) + ' ' + (any[0]?.message ?? '')).join(' | '));
  })()`);
  if (!isArray(found)) throw new Error('axe did not run');
  return found.map(String);
}

/** The visible parts of a report: its title, the nodes of its picture, the rows of its list. */
export async function seenIn(page: BrowserPage): Promise<JsonObject> {
  const seen = await page.evaluate(`({
    title: document.querySelector('h1')?.textContent,
    nodes: document.querySelectorAll('.canvas .node').length,
    rows: [...document.querySelectorAll('#changes article h3')].map(({ textContent }) => textContent),
    shown: document.querySelector('.shown')?.textContent,
  })`);
  if (!isObject(seen)) throw new Error('nothing is seen');
  return seen;
}

/** Runs a user action, and waits until the page is drawn. */
export function act(page: BrowserPage, what: string): Promise<unknown> {
  return page.evaluate(`(async () => {
    const one = (selector) => {
      const found = document.querySelector(selector);
      if (found === null) throw new Error('there is no ' + selector);
      return found;
    };
    const type = (selector, text) => {
      one(selector).value = text;
      one(selector).dispatchEvent(new Event('input', { bubbles: true }));
    };
    const choose = (selector, value) => {
      one(selector).value = value;
      one(selector).dispatchEvent(new Event('change', { bubbles: true }));
    };
    const press = (selector, key) => one(selector).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    ${what};
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  })()`);
}

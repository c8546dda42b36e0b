import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { jsonInScript, renderHtml } from '../../../src/report/renderHtml.ts';
import { changeDocument, reportOf } from './documents.ts';

const hostile = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '"><img src=x onerror=alert(1)>',
  '\u202egnirts\u202c \u200b\u0007\u001b[31m',
  '\ud800',
  '\u2028\u2029',
];

test.each(hostile)('%j in the data cannot end the script, and is restored by JSON.parse', (text) => {
  const json = jsonInScript({ text });
  expect(json).toMatch(/^[\x20-\x7e]*$/);
  expect(json).not.toMatch(/[<>&]/);
  expect(JSON.parse(json)).toEqual({ text });
});

test('letters of every language are unchanged', () => {
  expect(jsonInScript({ text: 'größer 日本 🚢' })).toBe('{"text":"größer 日本 🚢"}');
});

const html = renderHtml(reportOf([changeDocument('web')]));
const partsOf = (element: string) => [...html.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'))];

test('the content security policy allows only the script and the style of the page', () => {
  const [, policy = ''] = /http-equiv="content-security-policy" content="([^"]*)"/.exec(html) ?? [];
  const directives = new Map(
    policy
      .replaceAll('&#39;', "'")
      .split('; ')
      .map((each) => [each.split(' ')[0], each]),
  );
  const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const [script, ...otherScripts] = partsOf('script');
  const [style, ...otherStyles] = partsOf('style');
  expect([otherScripts, otherStyles]).toEqual([[], []]);
  expect([...directives.values()]).toEqual([
    "default-src 'none'",
    `script-src ${hashOf(script?.[1])}`,
    `style-src ${hashOf(style?.[1])}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(html.indexOf('content-security-policy')).toBeLessThan(html.indexOf('<style>'));
});

test('equal reports give equal pages', () => {
  expect(renderHtml(reportOf([changeDocument('web')]))).toBe(html);
});

test('a page without scripts says how to get a report that needs none', () => {
  expect(html).toMatch(/<noscript>Plan of shop: .*--report FILE.md<\/noscript>/);
});

test('an error is shown with its message', () => {
  const error = Object.assign(new Error('the platform is not there'), { code: 'client.unreachable', causes: [] });
  const page = renderHtml({ ...reportOf([]), plans: [], outcome: 'failed', error });
  expect(page).toContain('"error":{"code":"client.unreachable","message":"the platform is not there","causes":[]}');
});

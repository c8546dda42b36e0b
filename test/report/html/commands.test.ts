import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, startBrowser } from '../../browser/browser.ts';
import { chromiumForTests } from '../../browser/chromiumForTests.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { usePlatform } from '../../e2e/harness/usePlatform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { writeKeyPair } from '../../writeKeyPair.ts';
import { act, seriousProblems } from './pageProbe.ts';

const program = await chromiumForTests('reports of each command');

const manifest = (image: string) => `kind: gvc
name: shop
spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1]}}
---
kind: workload
name: web
gvc: shop
spec: {type: standard, containers: [{name: main, image: '${image}', cpu: 50m, memory: 128Mi, ports: [{number: 80, protocol: http}]}]}
---
kind: secret
name: notes
type: opaque
data: {payload: not-to-be-seen-anywhere}
`;

describe.skipIf(program === undefined)('the page of the report of each command', () => {
  const platform = usePlatform();
  const cwd = temporaryFolder('report-commands');
  const gantry = (...args: readonly string[]) => inProcess(platform, args, { cwd });
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(program ?? '');
    writeKeyPair(cwd, 'planner.key');
    writeFileSync(join(cwd, 'gantry.yaml'), 'stack: shop\n');
    writeFileSync(join(cwd, 'shop.yaml'), manifest('nginx:1'));
    expect((await gantry('apply', 'shop.yaml', '--yes', '--report', 'first.html')).code).toBe(0);
    // A change by another client.
    await platform.call('PATCH', '/org/local/gvc/shop/workload/web', { description: 'by hand' });
    writeFileSync(join(cwd, 'shop.yaml'), manifest('nginx:2'));
    writeFileSync(join(cwd, 'wrong.yml'), 'kind: workload\nname: web\ngvc: shop\nspec: {type: none}\n');
  });
  afterAll(() => browser?.close());

  // biome-ignore format: a row is a case
  test.each([
    { args: ['drift', 'shop.yaml'], says: ['Drift: something changed', 'description', 'by hand', 'changed by others'] },
    { args: ['explain', 'shop.yaml', 'workload/shop/web'], says: ['spec.containers.main.image', 'PATCH', 'Proof'] },
    { args: ['validate', 'wrong.yml'], says: ['Not valid.', 'wrong.yml:4', 'spec.type'] },
    { args: ['plan', 'wrong.yml'], says: ['Not valid.', 'wrong.yml:4', '2 errors'] },
    { args: ['plan', 'shop.yaml'],
      says: ['~1 to change', 'image nginx:1 → nginx:2 and 1 more', 'proven', 'as declared', 'shop.yaml:8'] },
    { args: ['plan', 'shop.yaml', '--out', 'shop.plan'], says: ['Changes are planned.'] },
    { args: ['plan', 'shop.yaml', '--out', 'signed.plan', '--sign', 'planner.key'], says: ['Changes are planned.'] },
    { args: ['show', 'signed.plan'], says: ['plan by SHA256:', 'not verified'] },
    { args: ['show', 'shop.plan'], says: ['Saved plan of shop', 'nginx:2'] },
    { args: ['apply', 'shop.plan', '--yes'],
      says: ['Done: everything that was planned is written', 'Requests and their order'] },
    { args: ['undo', 'shop.plan'], says: ['Undo of shop', 'nginx:1'] },
    { args: ['plan', 'nowhere.yaml'], says: ['nowhere.yaml'] },
  ])('$args', async ({ args, says }) => {
    await gantry(...args, '--report', 'report.html');
    const page = await browser.open(pathToFileURL(join(cwd, 'report.html')).href);
    await act(page, `document.querySelectorAll('#changes summary').forEach((summary) => summary.click())`);
    const text = String(await page.evaluate(`document.querySelector('#page').textContent`));
    for (const word of says) expect(text).toContain(word);
    expect(readFileSync(join(cwd, 'report.html'), 'utf8')).not.toContain('not-to-be-seen-anywhere');
    expect(await seriousProblems(page)).toEqual([]);
    expect(page.errors).toEqual([]);
    expect(page.requested).toHaveLength(1);
    await page.close();
  });
});

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { servePage } from '../../../src/reconcile/http/servePage.ts';
import { startBrowser } from '../../browser/browser.ts';
import { chromiumForTests } from '../../browser/chromiumForTests.ts';
import { doing } from '../../browser/person.ts';
import { openPlatform } from '../../e2e/harness/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { entryOf, openTown, writeStack } from '../town.ts';

const program = await chromiumForTests('the page of a reconciler with its store');

test.skipIf(program === undefined)(
  'a manual change is shown with its author, approved in the page, and reverted while the page is open',
  async () => {
    const folder = temporaryFolder('reconcile-whole-way');
    const platform = await openPlatform();
    const browser = await startBrowser(program ?? '');
    const tokensFile = join(folder, 'tokens.yaml');
    const sha256 = createHash('sha256').update('ann-token').digest('hex');
    writeFileSync(tokensFile, `tokens: [{name: ann, role: approve, sha256: ${sha256}}]`, { mode: 0o600 });
    const path = writeStack(folder, 'shop', { buyers: 'as declared' });
    const group = '/org/local/group/buyers';
    try {
      await using town = await openTown(platform.url, { kind: 'folder', folder: join(folder, 'store') });
      const page = await servePage(town.board, {
        ...{ address: '0', tokensFile },
        onMistake: (error) => expect.fail(String(error)),
      });
      try {
        town.entries = [entryOf(path, { name: 'shop' })];
        await town.once();
        await platform.call('PATCH', group, { description: 'by hand' });
        town.entries = [entryOf(path, { name: 'shop', mode: 'propose' })];
        const tab = await browser.open(`${page.url}/#/stack/shop`);
        await doing(
          tab,
          `await says('in line'); (await one('.who button', 'Sign in')).click(); await signIn('ann-token');`,
        );
        await town.once();
        const seen = await doing(
          tab,
          `await says('A plan waits for approval');
           (await one('.tools button', 'Expand all')).click();
           await says('by hand');
           const fields = (await one('#changes .fields')).innerText;
           (await one('main button', 'Approve')).click();
           (await one('main button', 'Yes, approve this plan')).click();
           await says('You have approved it.');
           return fields;`,
        );
        expect(seen).toMatch(/admin@example\.com[\s\S]*by hand[\s\S]*as declared/);
        await town.once();
        expect((await platform.call('GET', group)).body).toMatchObject({ description: 'as declared' });
        const after = await doing(
          tab,
          `await until('the end', () => !main().innerText.includes('A plan waits for approval'));
           return [document.querySelector('h1').innerText, main().innerText.includes('approved by ann')];`,
        );
        expect(after).toEqual([expect.stringMatching(/^shop\s+in line$/), true]);
      } finally {
        await page.close();
      }
    } finally {
      await browser.close();
      await platform.stop();
    }
  },
);

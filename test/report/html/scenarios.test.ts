import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, startBrowser } from '../../browser/browser.ts';
import { chromiumForTests } from '../../browser/chromiumForTests.ts';
import { scenarios } from '../../e2e/scenarios/all.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { act, seenIn, seriousProblems } from './pageProbe.ts';
import { scenarioReports } from './scenarioReports.ts';

const program = await chromiumForTests('reports of every scenario');

/** All scenarios with `GANTRY_REPORTS=all`; otherwise one in four, chosen by the seed, and the one with everything. */
const seed = Number(process.env['GANTRY_SEED'] ?? 1);
const whole = scenarios.at(-1);
const asked = scenarios.filter(
  (each) => process.env['GANTRY_REPORTS'] === 'all' || each === whole || each.number % 4 === seed % 4,
);

/** Rules whose result can differ in dark mode. */
const colours = ['color-contrast', 'link-in-text-block'];

describe.skipIf(program === undefined)('reports of every scenario, in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(program ?? '');
  });
  afterAll(() => browser?.close());

  test.each(asked)('$number: $title', async (scenario) => {
    const reports = await scenarioReports(scenario, temporaryFolder(`report-${scenario.number}`));
    expect(reports.length).toBeGreaterThan(0);
    for (const [index, { step, file, changes }] of reports.entries()) {
      const page = await browser.open(pathToFileURL(file).href);
      const seen = await seenIn(page);
      expect(seen, step).toMatchObject({ title: expect.stringContaining(`scenario-${scenario.number}`) });
      expect(seen['nodes'], step).toBeGreaterThanOrEqual(changes);
      expect(page.requested, step).toEqual([pathToFileURL(file).href]);
      if (index === 0) {
        await act(page, `document.querySelectorAll('#changes summary').forEach((summary) => summary.click())`);
        expect(await seriousProblems(page), step).toEqual([]);
        await page.emulate({ theme: 'dark' });
        expect(await seriousProblems(page, colours), `${step}, dark`).toEqual([]);
      }
      expect(page.errors, step).toEqual([]);
      await page.close();
    }
  });
});

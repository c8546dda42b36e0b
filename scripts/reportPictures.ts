/**
 * The pictures of HTML reports in the documents: `npm run report-pictures` applies a stack on the embedded platform,
 * changes it, plans it, opens the reports in Chromium and writes `docs/images/report-*.png`. Needs a build.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startBrowser } from '../test/browser/browser.ts';
import { chromium } from '../test/browser/unpacked.ts';
import { applied, changed, settings } from './reportPictures/stack.ts';

const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'gantry-report-pictures-'));

/** Any exit code but that of a crash: a refused plan has a report too. */
function gantry(stack: string, ...args: readonly string[]): void {
  writeFileSync(join(folder, 'shop.yaml'), stack);
  const line = [join(root, 'dist/cli.js'), ...args, '--embedded'];
  const env = { PATH: process.env['PATH'], HOME: folder };
  const { status, stderr } = spawnSync(process.execPath, line, { cwd: folder, env, encoding: 'utf8' });
  if (status === null || ![0, 3].includes(status)) throw new Error(stderr);
}

interface Shot {
  readonly name: string;
  readonly report: string;
  readonly theme: 'light' | 'dark';
  readonly height: number;
  /** What a reader has opened, and what is then at the top. */
  readonly opened?: string;
  readonly top?: string;
}

const shots: readonly Shot[] = [
  { name: 'report-plan', report: 'plan.html', theme: 'light', height: 1000 },
  {
    name: 'report-change',
    report: 'plan.html',
    theme: 'light',
    height: 960,
    opened: '[aria-label="patch workload/shop/api"] summary',
    top: '[aria-label="patch workload/shop/web"]',
  },
  { name: 'report-apply-dark', report: 'apply.html', theme: 'dark', height: 1000 },
];

const program = await chromium();
if (program === undefined) throw new Error('there is no Chromium for this machine: set GANTRY_TEST_CHROMIUM');
const browser = await startBrowser(program);
try {
  writeFileSync(join(folder, 'gantry.yaml'), settings);
  gantry(applied, 'apply', '.', '--yes', '--report', 'apply.html');
  gantry(changed, 'plan', '.', '--prune', '--report', 'plan.html');
  for (const { name, report, theme, height, opened, top } of shots) {
    const page = await browser.open(pathToFileURL(join(folder, report)).href);
    await page.emulate({ theme });
    await page.picture({ width: 1200, height });
    if (opened !== undefined) await page.evaluate(`document.querySelector('${opened}').click()`);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    if (top !== undefined) await page.evaluate(`document.querySelector('${top}').scrollIntoView()`);
    const picture = await page.picture({ width: 1200, height });
    writeFileSync(join(root, `docs/images/${name}.png`), picture);
    process.stdout.write(`docs/images/${name}.png ${Math.round(picture.length / 1000)} kB\n`);
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

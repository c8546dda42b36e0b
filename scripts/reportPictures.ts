/**
 * The pictures of reports in the documents: `npm run report-pictures` applies stacks on the embedded platform, changes
 * them, plans them, opens the reports in Chromium and writes `docs/images/report-*.png`, and `docs/images/access/` with
 * plans that add or remove access, in a terminal and as a report. Needs a build. `-- --before PROGRAM` makes only the
 * latter, with the `dist/cli.js` of an earlier version, as `NAME-before`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, startBrowser } from '../test/browser/browser.ts';
import { chromium } from '../test/browser/unpacked.ts';
import { accessPlans, planAccess } from './accessPicture.ts';

const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'gantry-report-pictures-'));

/** Accepts any exit code except that of a crash: a refused plan has a report too. */
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
  /** The opened part, and the part at the top of the picture. */
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

const width = 720;

/** Only the change, opened, without the body of its request. */
async function shootChange(browser: Browser, html: string, id: string): Promise<Buffer> {
  const file = join(folder, 'access.html');
  writeFileSync(file, html);
  const page = await browser.open(pathToFileURL(file).href);
  await page.emulate({ theme: 'light' });
  await page.resize({ width, height: 800 });
  await page.evaluate(`document.querySelector('[aria-label$="${id}"] summary').click()`);
  await page.evaluate(drawn);
  const height = await page.evaluate(`(() => {
    const change = document.querySelector('[aria-label$="${id}"]');
    document.body.replaceChildren(change);
    document.body.style.padding = '12px';
    document.documentElement.style.overflow = 'hidden';
    const request = [...change.querySelectorAll('*')].find((each) => each.textContent.trim().toLowerCase() === 'patch');
    return Math.floor((request ?? change).getBoundingClientRect()[request ? 'top' : 'bottom'] - 4);
  })()`);
  const picture = await page.picture({ width, height: Number(height) });
  await page.close();
  return picture;
}

async function shootAccess(browser: Browser, program: string, ending: string): Promise<void> {
  mkdirSync(join(root, 'docs/images/access'), { recursive: true });
  for (const plan of accessPlans) {
    const { svg, html } = await planAccess(plan, program);
    write(`access/${plan.name}${ending}.svg`, svg);
    write(`access/${plan.name}${ending}.png`, await shootChange(browser, html, plan.id));
  }
}

async function shootReports(browser: Browser): Promise<void> {
  writeFileSync(join(folder, 'gantry.yaml'), settings);
  gantry(applied, 'apply', '.', '--yes', '--report', 'apply.html');
  gantry(changed, 'plan', '.', '--prune', '--report', 'plan.html');
  for (const { name, report, theme, height, opened, top } of shots) {
    const page = await browser.open(pathToFileURL(join(folder, report)).href);
    await page.emulate({ theme });
    await page.picture({ width: 1200, height });
    if (opened !== undefined) await page.evaluate(`document.querySelector('${opened}').click()`);
    await page.evaluate(drawn);
    if (top !== undefined) await page.evaluate(`document.querySelector('${top}').scrollIntoView()`);
    write(`${name}.png`, await page.picture({ width: 1200, height }));
    await page.close();
  }
}

const drawn = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

function write(name: string, picture: Buffer | string): void {
  writeFileSync(join(root, 'docs/images', name), picture);
  process.stdout.write(`docs/images/${name} ${Math.ceil(picture.length / 1000)} kB\n`);
}

const program = await chromium();
if (program === undefined) throw new Error('there is no Chromium for this machine: set GANTRY_TEST_CHROMIUM');
const browser = await startBrowser(program);
const [option, earlier] = process.argv.slice(2);

/** An applied shop, and the same shop after a day of work: every action except those of other owners. */

const settings = 'stack: shop\norg: acme\nprice: {storageGbMonth: 0.12, currency: EUR}\n';

const nightly = `---
kind: workload
gvc: shop
name: nightly-report
spec:
  type: cron
  containers: [{name: main, image: "registry.example.com/report:3"}]
  job: {schedule: "0 2 * * *"}
`;

const search = `---
kind: identity
gvc: shop
name: search
---
kind: volumeset
gvc: shop
name: index
spec: {fileSystemType: ext4, performanceClass: general-purpose-ssd, initialCapacity: 40, autoscaling: {maxCapacity: 200, minFreePercentage: 20, scalingFactor: 1.5}}
---
kind: workload
gvc: shop
name: search
spec:
  type: stateful
  identityLink: //identity/search
  containers:
    - {name: main, image: "registry.example.com/search:1", ports: [{number: 9200}], volumes: [{uri: "scheme://volumeset/index", path: /index}]}
`;

const applied = shop({
  api: 'image: registry.example.com/api:41',
  web: '17',
  open: '203.0.113.0/24',
  storage: 'spec: {fileSystemType: ext4, performanceClass: general-purpose-ssd, initialCapacity: 200}',
  rest: nightly,
});

const changed = shop({
  api: 'image: registry.example.com/api:42\n      cpu: 500m\n      memory: 1Gi',
  web: '18',
  open: '0.0.0.0/0',
  storage:
    'spec: {fileSystemType: ext4, performanceClass: high-throughput-ssd, initialCapacity: 1000}\nlifecycle: {replace: true}',
  rest: search,
});

try {
  if (option === '--before' && earlier !== undefined) await shootAccess(browser, earlier, '-before');
  else {
    await shootReports(browser);
    await shootAccess(browser, join(root, 'dist/cli.js'), '');
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

interface Shop {
  readonly api: string;
  readonly web: string;
  readonly open: string;
  readonly storage: string;
  readonly rest: string;
}

function shop({ api, web, open, storage, rest }: Shop): string {
  return `
kind: gvc
name: shop
spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1, //location/aws-us-east-1]}}
---
kind: secret
name: database-password
type: opaque
data: {payload: correct-horse-battery-staple}
---
kind: identity
gvc: shop
name: api
---
kind: policy
name: read-password
targetKind: secret
targetLinks: [//secret/database-password]
bindings: [{permissions: [reveal], principalLinks: [//gvc/shop/identity/api]}]
---
kind: volumeset
gvc: shop
name: orders
${storage}
---
kind: workload
gvc: shop
name: database
spec:
  type: stateful
  containers:
    - {name: main, image: "registry.example.com/postgres:17", ports: [{number: 5432, protocol: tcp}], volumes: [{uri: "scheme://volumeset/orders", path: /data}]}
---
kind: workload
gvc: shop
name: api
spec:
  type: standard
  identityLink: //identity/api
  containers:
    - name: main
      ports: [{number: 9000}]
      env: [{name: PASSWORD, value: "scheme://secret/database-password"}]
      ${api}
---
kind: workload
gvc: shop
name: web
spec:
  type: serverless
  containers: [{name: main, image: "registry.example.com/web:${web}", ports: [{number: 8080}]}]
  firewallConfig: {external: {inboundAllowCIDR: ["${open}"]}}
---
kind: domain
name: shop.example.com
spec: {ports: [{routes: [{prefix: /, workloadLink: //gvc/shop/workload/web}, {prefix: /api, workloadLink: //gvc/shop/workload/api}]}]}
${rest}`;
}

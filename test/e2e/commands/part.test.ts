import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { type Outcome, succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { bothAtOnce } from '../harness/bothAtOnce.ts';
import { changesById } from '../harness/gantry.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

/** One domain with one owner, and two stacks that each own some of its routes (`lifecycle.part`). */
const root = temporaryFolder('part');
const platform = usePlatform();

function project(stack: string, text: string): string {
  const folder = mkdtempSync(join(root, stack));
  writeFileSync(join(folder, 'gantry.yaml'), `stack: ${stack}\n`);
  writeFileSync(join(folder, 'stack.yaml'), text);
  return folder;
}

const owner = (routes: string) => `
kind: gvc
name: home
---
kind: workload
gvc: home
name: web
spec: {type: serverless, containers: [{name: main, image: "registry.example.com/web:1", ports: [{number: 8080}]}]}
---
kind: group
name: team
---
kind: domain
name: parts-shop.com
spec: {ports: [{number: 443, protocol: http2, routes: [${routes}]}]}
`;
const route = (prefix: string) => `{prefix: ${prefix}, workloadLink: //gvc/home/workload/web}`;
const part = (name: string) => `
kind: serviceaccount
name: ${name}
---
kind: group
name: team
lifecycle: {part: true}
memberLinks: [//serviceaccount/${name}]
---
kind: domain
name: parts-shop.com
lifecycle: {part: true}
spec: {ports: [{number: 443, routes: [${route(`/${name}`)}]}]}
`;

const base = project('base', owner(route('/')));
const docs = project('docs', part('docs'));
const help = project('help', part('help'));

const run = (folder: string, ...args: readonly string[]) => inProcess(platform, args, { cwd: folder });

async function applied(folder: string): Promise<Outcome> {
  const outcome = await succeeded(run(folder, 'apply', '.', '--yes'));
  return outcome;
}

/** Expects that a plan of each stack is empty. */
async function settled(...folders: readonly string[]): Promise<void> {
  const plans = await Promise.all(folders.map((folder) => run(folder, 'plan', '.', '--detailed-exitcode')));
  for (const { code, stdout, stderr } of plans) expect(code, stdout + stderr).toBe(0);
}

async function prefixes(domain = 'parts-shop.com'): Promise<readonly unknown[]> {
  const { body } = await platform.call('GET', `/org/local/domain/${domain}`);
  const port = listAt(objectAt(body, 'spec'), 'ports').find(isObject) ?? {};
  return listAt(port, 'routes')
    .map((each) => (isObject(each) ? each['prefix'] : each))
    .sort();
}

async function members(): Promise<readonly unknown[]> {
  const { body } = await platform.call('GET', '/org/local/group/team');
  return [...listAt(body, 'memberLinks')].sort();
}

beforeEach(async () => {
  await applied(base);
});

describe('two stacks on one domain and one group', () => {
  test.each([
    ['docs', 'help'],
    ['help', 'docs'],
  ])('%s first, then %s: neither changes items of the other or of the owner', async (first, second) => {
    const folders = first === 'docs' ? [docs, help] : [help, docs];
    for (const folder of folders) await applied(folder);
    expect(await prefixes()).toEqual(['/', '/docs', '/help']);
    expect(await members()).toEqual(['/org/local/serviceaccount/docs', '/org/local/serviceaccount/help']);
    await settled(base, docs, help);

    const [one = '', two = ''] = folders;
    await succeeded(run(one, 'destroy', '--yes'));
    expect(await prefixes()).toEqual(['/', `/${second}`]);
    expect(await members()).toEqual([`/org/local/serviceaccount/${second}`]);
    await settled(base, two);
    expect((await run(two, 'destroy', '--yes')).code).toBe(0);
    const { body } = await platform.call('GET', '/org/local/domain/parts-shop.com');
    expect(Object.keys(objectAt(body, 'tags')).sort()).toEqual(['gantry/applied', 'gantry/stack']);
    await settled(base);
  });

  test('concurrent applies: a version conflict is planned again, and both are written', async () => {
    const outcomes = await bothAtOnce(platform, [docs, help], ['apply', '.', '--yes']);
    for (const { code, stdout, stderr } of outcomes) expect(code, stdout + stderr).toBe(0);
    expect(await prefixes()).toEqual(['/', '/docs', '/help']);
    expect(await members()).toHaveLength(2);
    const refused = platform.requests.filter(({ method, status }) => method === 'PATCH' && status === 409);
    expect(refused.length).toBeGreaterThan(0);
    await settled(base, docs, help);
  });

  test('the owner and four parts apply concurrently; parts that are destroyed concurrently may be stale', async () => {
    for (const each of [docs, help]) await succeeded(run(each, 'destroy', '--yes'));
    const parts = [docs, help, project('faq', part('faq')), project('news', part('news'))];
    writeFileSync(join(base, 'stack.yaml'), owner(`${route('/')}, ${route('/new')}`));
    const all = [...parts, base];
    for (const { code, stdout, stderr } of await bothAtOnce(platform, all, ['apply', '.', '--yes']))
      expect(code, stdout + stderr).toBe(0);
    expect(await prefixes()).toEqual(['/', '/docs', '/faq', '/help', '/new', '/news']);
    expect(await members()).toHaveLength(4);
    await settled(...all);

    for (const { code, stdout } of await bothAtOnce(platform, parts, ['destroy', '--yes']))
      if (code !== 0) expect(stdout).toContain('plan.stale');
    for (const each of parts) await succeeded(run(each, 'destroy', '--yes'));
    expect(await prefixes()).toEqual(['/', '/new']);
    expect(await members()).toEqual([]);
    await settled(base);
    writeFileSync(join(base, 'stack.yaml'), owner(route('/')));
  });

  test('the owner changes its own routes, and the plan names the owner of the others', async () => {
    await Promise.all([applied(docs), applied(help)]);
    writeFileSync(join(base, 'stack.yaml'), owner(`${route('/')}, ${route('/new')}`));
    const { stdout } = await applied(base);
    expect(stdout).toMatch(/1 item belongs to docs/);
    expect(await prefixes()).toEqual(['/', '/docs', '/help', '/new']);
    await settled(base, docs, help);
    writeFileSync(join(base, 'stack.yaml'), owner(route('/')));
    await applied(base);
    expect(await prefixes()).toEqual(['/', '/docs', '/help']);
  });

  test('a plan marks a part, and finds its record by the owner query of the kind', async () => {
    await applied(docs);
    const { stdout } = await run(docs, 'plan', '.', '-o', 'json');
    expect(changesById(stdout).get('domain/parts-shop.com')).toMatchObject({ action: 'keep', part: true });
    const owners = JSON.parse((await run(base, 'plan', '.', '-o', 'json')).stdout);
    // The record of the part is in the answer to the owner query; only the workload of the route, and its GVC, are read
    // by name.
    expect(JSON.parse(stdout).requests.snapshot).toBe(owners.requests.snapshot + 2);
  });
});

describe('an item that several stacks declare with the same value', () => {
  const domain = 'claims-shop.com';
  const routed = (lifecycle: string, ...paths: readonly string[]) => `
kind: domain
name: ${domain}
${lifecycle}
spec: {ports: [{number: 443, ${lifecycle === '' ? 'protocol: http2, ' : ''}routes: [${paths.map(route).join(', ')}]}]}
`;
  const whole = (...paths: readonly string[]) => routed('', ...paths);
  const partOf = (...paths: readonly string[]) => routed('lifecycle: {part: true}', ...paths);
  const tagKeys = async () => {
    const { body } = await platform.call('GET', `/org/local/domain/${domain}`);
    return Object.keys(objectAt(body, 'tags')).sort();
  };

  test('stays until both parts, or the owner and the part, have dropped it', async () => {
    const edge = project('edge', whole('/'));
    const [one, two] = [project('one', partOf('/shared', '/one')), project('two', partOf('/shared', '/two'))];
    await applied(edge);
    await applied(one);
    const { stdout: claimed } = await applied(two);
    expect(claimed).toMatch(/"\/shared" is declared by one too/);
    expect(await prefixes(domain)).toEqual(['/', '/one', '/shared', '/two']);
    await settled(edge, one, two);
    await succeeded(run(one, 'destroy', '--yes'));
    expect(await prefixes(domain)).toEqual(['/', '/shared', '/two']);
    await settled(edge, two);

    writeFileSync(join(edge, 'stack.yaml'), whole('/', '/two'));
    const { stdout: recorded } = await applied(edge);
    expect(recorded).toMatch(/other stacks claim items of it: what each declares is recorded/);
    await succeeded(run(two, 'destroy', '--yes'));
    expect(await prefixes(domain)).toEqual(['/', '/two']);
    await settled(edge);
    writeFileSync(join(edge, 'stack.yaml'), whole('/'));
    await applied(edge);
    expect(await prefixes(domain)).toEqual(['/']);
    expect(await tagKeys()).toEqual(['gantry/applied', 'gantry/stack']);
  });

  test('that the owner had first belongs to the part alone once the owner drops it', async () => {
    const edge = project('edge', whole('/', '/one'));
    await applied(edge);
    const one = project('one', partOf('/one'));
    const { stdout } = await applied(one);
    expect(stdout).toMatch(/adopt/);
    writeFileSync(join(edge, 'stack.yaml'), whole('/'));
    await applied(edge);
    expect(await prefixes(domain)).toEqual(['/', '/one']);
    await settled(edge, one);
    await succeeded(run(one, 'destroy', '--yes'));
    expect(await prefixes(domain)).toEqual(['/']);
    expect(await tagKeys()).toEqual(['gantry/applied', 'gantry/stack']);
    await settled(edge);
  });
});

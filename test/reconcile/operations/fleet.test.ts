import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gantry } from 'gantry/automation';
import { load, loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { isObject } from '../../../src/base/json/json.ts';
import { reconcileMetrics } from '../../../src/reconcile/http/metrics.ts';
import { openSources } from '../../../src/reconcile/sources/openSources.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const fleet = new URL('../../../examples/fleet/', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(fleet, path), 'utf8');
const parent = temporaryFolder('fleet');

test('the stacks of the example are listed in order, and each applies on the embedded platform', async () => {
  const sources = openSources({ stateFolder: parent, cwd: fleet, environment: {} });
  const { stacks } = await sources.readConfig('reconcile.yaml')(new AbortController().signal);
  expect(stacks.map(({ name, mode, after }) => [name, mode, after])).toEqual([
    ['network', 'propose', []],
    ['teams-blog', 'auto', ['network']],
    ['teams-shop', 'auto', ['network']],
  ]);
  const data = mkdtempSync(join(parent, 'data-'));
  for (const { source } of stacks) {
    if (source.kind !== 'folder') throw new Error('they are folders');
    await using gantry = await Gantry.open({ project: source.path, embedded: data, environment: {} });
    const stack = await gantry.load();
    const { plan } = await gantry.plan(stack);
    expect(plan.changes.map(({ action }) => action)).toEqual(['create']);
    await gantry.apply(await gantry.plan(stack));
    expect((await gantry.plan(stack)).plan.changes.map(({ action }) => action)).toEqual(['keep']);
  }
});

/** Names of metrics in an expression; throws if it is invalid. Without types: only this test needs the parser. */
async function metricsIn(expression: string): Promise<readonly string[]> {
  const packageName = '@prometheus-io/lezer-promql';
  const { parser } = await import(packageName);
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter(node: {
      readonly name: string;
      readonly from: number;
      readonly to: number;
      readonly type: { readonly isError: boolean };
    }) {
      if (node.type.isError) throw new Error(`${expression}: not PromQL at ${node.from}`);
      if (node.name === 'Identifier') names.push(expression.slice(node.from, node.to));
    },
  });
  return names;
}

/** All metrics of a worker, by the names in its answer. */
async function exported(): Promise<ReadonlySet<string>> {
  const board = {
    list: () => Promise.resolve([]),
    targets: () => Promise.resolve([]),
    ended: () => Promise.resolve([]),
    figures: () => Promise.resolve({ queued: 0, active: 0, requests: 0, hours: [] }),
  };
  const text = await reconcileMetrics(board, () => 0).text();
  return new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`) : [name],
    ),
  );
}

const exprs = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap(exprs)
    : isObject(value)
      ? Object.entries(value).flatMap(([key, each]) =>
          key === 'expr' && typeof each === 'string' ? [each] : exprs(each),
        )
      : [];

test.each([
  ['alerts.yaml', (): unknown => load(read('operations/alerts.yaml')), 8],
  ['dashboard.json', (): unknown => JSON.parse(read('operations/dashboard.json')), 10],
] as const)('the expressions of %s are PromQL, and use existing metrics', async (_, parsed, count) => {
  const found = exprs(parsed());
  expect(found).toHaveLength(count);
  const names = await exported();
  const asked = (await Promise.all(found.map(metricsIn))).flat();
  expect(asked.length).toBeGreaterThanOrEqual(count);
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
  // Each worker of a fleet reports these for all, so a sum without max would count them several times.
  expect(found.filter((each) => /\b(?:sum|avg)\b(?! by \(le\) \(max by \(le, outcome\))/.test(each))).toEqual([]);
});

test('a wrong expression is found', async () => {
  await expect(metricsIn('max by (stack (x)')).rejects.toThrow('not PromQL');
  expect(await metricsIn('rate(gantry_reconcile_request_total[5m])')).toEqual(['gantry_reconcile_request_total']);
  expect(await exported()).not.toContain('gantry_reconcile_request_total');
});

interface Checked {
  validate(): void;
}

test('the manifest of Kubernetes matches its schemas, and its parts refer to each other', async () => {
  const kinds = new Map([
    ['apps/v1 Deployment', ['kubernetes-models/apps/v1', 'Deployment']],
    ['v1 Service', ['kubernetes-models/v1', 'Service']],
    ['policy/v1 PodDisruptionBudget', ['kubernetes-models/policy/v1', 'PodDisruptionBudget']],
  ]);
  const objects = loadAll(read('operations/kubernetes.yaml')).filter(isObject);
  expect(objects).toHaveLength(kinds.size);
  for (const object of objects) {
    const [packageName = '', kind = ''] = kinds.get(`${object['apiVersion']} ${object['kind']}`) ?? [];
    const { [kind]: Kind } = await import(packageName);
    const checked: Checked = new Kind(object);
    expect(() => checked.validate()).not.toThrow();
    const broken: Checked = new Kind({
      ...object,
      spec: { ...(isObject(object['spec']) ? object['spec'] : {}), selector: 7 },
    });
    expect(() => broken.validate()).toThrow();
  }
  const text = read('operations/kubernetes.yaml');
  const mounted = [...text.matchAll(/\{ name: (\w+), mountPath/g)].map(([, name]) => name);
  const volumes = [...text.matchAll(/^ {8}- name: (\w+)$/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'worker');
  expect(mounted.toSorted()).toEqual(volumes.toSorted());
});

const unit = 'operations/gantry-reconcile.service';

test('the unit of systemd has sections and settings, and one program to run', () => {
  const lines = read(unit)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines.filter((line) => !/^\[(?:Unit|Service|Install)\]$|^[A-Z][A-Za-z]+=\S.*$/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('ExecStart='))).toHaveLength(1);
});

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!analyze) console.warn('skipped: systemd-analyze is not installed, which verifies the unit');

test.skipIf(!analyze)('systemd accepts the unit', () => {
  const path = join(parent, 'gantry-reconcile.service');
  const here = read(unit)
    .replace('/usr/local/bin/gantry', process.execPath)
    .replaceAll(/=gantry$/gm, '=root');
  const verified = (text: string) => {
    writeFileSync(path, text);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    return { status, said: stderr.split('\n').filter((line) => line.includes('gantry-reconcile.service')) };
  };
  expect(verified(here)).toEqual({ status: 0, said: [] });
  expect(verified(here.replace('TimeoutStopSec=10min', 'TimeoutStopSecs=10min')).said.join()).toContain(
    'TimeoutStopSecs',
  );
});

test('the files that the example names exist', () => {
  const links = [...read('README.md').matchAll(/\]\((?!http)([^)#]+)\)/g)].map(([, path = '']) => path);
  expect(links.filter((path) => !existsSync(join(fleet, path)))).toEqual([]);
});

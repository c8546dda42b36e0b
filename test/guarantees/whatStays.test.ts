import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withBlocks } from '../../scripts/reference/blocks.ts';
import { isArray, isObject, type JsonObject, type JsonValue, objectAt } from '../../src/base/json/json.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { writesSince } from '../e2e/harness/platform.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { type Column, columnNames, type Outcome, rows } from './cells.ts';
import { future, type NewerPlatform, openNewerPlatform } from './newerPlatform.ts';

/** The subject of a row: a record, the writes of others, and the value to check. */
interface Case {
  /** Workload if omitted. */
  readonly kind?: 'domain' | 'widget';
  /** Additional declarations at first, which are removed in the end. */
  readonly before?: JsonObject;
  readonly lifecycle?: JsonObject;
  /** A write of another client in between. */
  readonly others?: JsonObject;
  /** Whether the record has a field of a newer platform. */
  readonly newer?: true;
  /** The part of the record that another stack declares. */
  readonly part?: JsonObject;
  /** For deletions of the record: the stack does not own the GVC. */
  readonly inOthersGvc?: true;
  readonly path?: readonly string[];
  /** The value before the change. */
  readonly value?: JsonValue;
  readonly otherwise?: JsonValue;
}

const main = {
  name: 'main',
  image: 'registry.example.com/web:1',
  ports: [{ number: 8080, protocol: 'http' }],
};
const side = { name: 'side', image: 'registry.example.com/side:1' };
const scaled = { spec: { defaultOptions: { autoscaling: { minScale: 2 } } } };
const minScale = ['spec', 'defaultOptions', 'autoscaling', 'minScale'];

const cases: Readonly<Record<string, Case>> = {
  constant: {
    others: { spec: { defaultOptions: { timeoutSeconds: 20 } } },
    path: ['spec', 'defaultOptions', 'timeoutSeconds'],
    value: 20,
    otherwise: 5,
  },
  derived: {
    others: { spec: { defaultOptions: { capacityAI: false } } },
    path: ['spec', 'defaultOptions', 'capacityAI'],
    value: false,
    otherwise: true,
  },
  service: { others: scaled, path: minScale, value: 2 },
  'service-set': { before: scaled, path: minScale, value: 2 },
  irremovable: {
    kind: 'domain',
    others: { spec: { '$patch/ports': [{ number: 443, tls: { minProtocolVersion: 'TLSV1_3' } }] } },
    path: ['spec', 'ports', '443', 'tls', 'minProtocolVersion'],
    value: 'TLSV1_3',
    otherwise: 'TLSV1_2',
  },
  operational: {
    others: { spec: { defaultOptions: { suspend: true } } },
    path: ['spec', 'defaultOptions', 'suspend'],
    value: true,
  },
  unknown: { newer: true, path: ['spec', 'future'], value: future },
  custom: { kind: 'widget', others: { spec: { colour: 'red' } }, path: ['spec', 'colour'], value: 'red' },
  'custom-set': { kind: 'widget', before: { spec: { colour: 'red' } }, path: ['spec', 'colour'], value: 'red' },
  item: {
    others: { spec: { '$patch/containers': [{ name: 'main', '$append/env': [{ name: 'ADDED', value: '1' }] }] } },
    path: ['spec', 'containers', 'main', 'env', 'ADDED', 'value'],
    value: '1',
  },
  tag: { others: { tags: { 'team/owner': 'operations' } }, path: ['tags', 'team/owner'], value: 'operations' },
  'tag-set': { before: { tags: { tier: 'one' } }, path: ['tags', 'tier'], value: 'one' },
  ignored: {
    lifecycle: { ignore: ['spec.containers.main.image'] },
    others: { spec: { '$patch/containers': [{ name: 'main', image: 'registry.example.com/web:pipeline' }] } },
    path: ['spec', 'containers', 'main', 'image'],
    value: 'registry.example.com/web:pipeline',
  },
  part: { part: { spec: { containers: [side] } }, path: ['spec', 'containers', 'side', 'image'], value: side.image },
  protected: { lifecycle: { protect: true } },
  retained: { lifecycle: { retain: true }, inOthersGvc: true },
};

const folder = temporaryFolder('what-stays');
let platform: NewerPlatform;
beforeAll(async () => {
  platform = await openNewerPlatform();
});
afterAll(() => platform.stop());

const kinds = { widget: { scope: 'gvc', immutable: ['spec.size'], disposable: true } };

function run(stack: string, args: readonly string[], manifests: readonly JsonObject[]) {
  const cwd = join(folder, stack);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'gantry.yaml'), JSON.stringify({ stack, project: 'what-stays', kinds }));
  writeFileSync(join(cwd, 'stack.yaml'), manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n'));
  return inProcess(platform, [...args, '-o', 'json'], { cwd });
}

async function applied(stack: string, manifests: readonly JsonObject[]): Promise<void> {
  const { code, stdout, stderr } = await run(stack, ['apply', '.', '--yes'], manifests);
  expect(code, stdout + stderr).toBe(0);
}

/** One cell: the record before and after the change of its column, as the stack declares it. */
class Cell {
  readonly of: Case;
  readonly column: Column;
  readonly stack: string;
  readonly #ownsGvc: boolean;

  constructor(row: string, of: Case, column: Column) {
    this.of = of;
    this.column = column;
    this.stack = `${row}-${column}`;
    this.#ownsGvc = of.inOthersGvc !== true || column !== 'destroy';
  }

  gvc(later: boolean): string {
    return `${this.stack}-${later && this.column === 'gvc' ? 'two' : 'one'}`;
  }

  name(later: boolean): string {
    const name = later && this.column === 'rename' ? 'second' : 'first';
    return this.of.kind === 'domain' ? `${this.stack}-${name}.com` : name;
  }

  path(later: boolean): string {
    const { kind = 'workload' } = this.of;
    const name = this.name(later);
    return kind === 'domain' ? `/org/local/domain/${name}` : `/org/local/gvc/${this.gvc(later)}/${kind}/${name}`;
  }

  manifests(later: boolean): readonly JsonObject[] {
    const { lifecycle, before = {} } = this.of;
    const more = later && this.column === 'rename' ? { previously: this.name(false) } : {};
    const block = { ...lifecycle, ...more };
    const record = {
      ...this.#named(later),
      ...merged(this.#record(later), later ? {} : before),
      ...(Object.keys(block).length === 0 ? {} : { lifecycle: block }),
    };
    return this.of.kind === 'domain' || !this.#ownsGvc ? [record] : [this.#gvcManifest(later), record];
  }

  /** The declaration of the other stack. */
  part(part: JsonObject): readonly JsonObject[] {
    return [{ ...this.#named(false), lifecycle: { part: true }, ...part }];
  }

  async prepare(): Promise<void> {
    const locations = { staticPlacement: { locationLinks: ['//location/aws-eu-central-1'] } };
    if (!this.#ownsGvc) await platform.call('POST', '/org/local/gvc', { name: this.gvc(false), spec: locations });
    await applied(this.stack, this.manifests(false));
    const { others, newer, part } = this.of;
    if (others !== undefined) expect((await platform.call('PATCH', this.path(false), others)).status).toBe(200);
    if (newer === true) await platform.learn(this.path(false));
    if (part !== undefined) await applied(`${this.stack}-part`, this.part(part));
  }

  /** The live value of the row; items of lists by their key. */
  async value(later: boolean): Promise<JsonValue | undefined> {
    let value: JsonValue | undefined = (await platform.call('GET', this.path(later))).body;
    for (const key of this.of.path ?? []) {
      if (value === undefined) return undefined;
      if (isArray(value)) {
        value = value.find((item) => isObject(item) && [item['name'], item['number']].map(String).includes(key));
      } else value = isObject(value) ? value[key] : undefined;
    }
    return value;
  }

  #named(later: boolean): JsonObject {
    const { kind = 'workload' } = this.of;
    return { kind, name: this.name(later), ...(kind === 'domain' ? {} : { gvc: this.gvc(later) }) };
  }

  #record(later: boolean): JsonObject {
    const { kind } = this.of;
    const replaced = later && this.column === 'replacement';
    const described = later && this.column === 'update' ? { description: 'another text' } : {};
    if (kind === 'widget') return { ...described, spec: { size: replaced ? 'large' : 'small' } };
    if (kind === 'domain') return { ...described, spec: { ports: [{ number: 443, protocol: 'http2' }] } };
    return { ...described, spec: { type: replaced ? 'standard' : 'serverless', containers: [main] } };
  }

  #gvcManifest(later: boolean): JsonObject {
    const lifecycle = { previously: this.gvc(false), replace: true };
    return {
      kind: 'gvc',
      name: this.gvc(later),
      spec: { staticPlacement: { locationLinks: ['//location/aws-eu-central-1'] } },
      ...(later && this.column === 'gvc' ? { lifecycle } : {}),
    };
  }
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const both: Record<string, JsonValue> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const there = both[key];
    both[key] = isObject(there) && isObject(value) ? merged(there, value) : value;
  }
  return both;
}

async function expectOutcome(cell: Cell, outcome: Outcome): Promise<void> {
  await cell.prepare();
  if (cell.of.path !== undefined) expect(await cell.value(false)).toEqual(cell.of.value);

  const from = await platform.seen();
  const manifests = cell.manifests(true);
  const { code, stdout, stderr } = await run(
    cell.stack,
    cell.column === 'destroy' ? ['destroy', '--yes'] : ['apply', '.', '--yes'],
    manifests,
  );
  await platform.seen();
  if (outcome.startsWith('refused ')) {
    expect(code, stdout + stderr).toBe(3);
    expect(stdout).toContain(JSON.stringify(outcome.slice('refused '.length)));
    expect(writesSince(platform, from)).toEqual([]);
    return;
  }
  expect(code, stdout + stderr).toBe(0);
  if (outcome === 'goes') {
    expect((await platform.call('GET', cell.path(false))).status).toBe(404);
    return;
  }
  if (outcome === 'forgotten') {
    const { status, body } = await platform.call('GET', cell.path(false));
    expect(status).toBe(200);
    expect(Object.keys(objectAt(body, 'tags')).filter((key) => key.startsWith('gantry/'))).toEqual([]);
    return;
  }
  const { status, body } = await platform.call('GET', cell.path(true));
  expect(status).toBe(200);
  expect(objectAt(body, 'tags')['gantry/stack']).toBe(`${cell.stack}.what-stays`);
  if (outcome === 'stays') expect(await cell.value(true)).toEqual(cell.of.value);
  if (outcome === 'default') expect([cell.of.otherwise, undefined]).toContainEqual(await cell.value(true));
  // The platform of these tests chooses without storing the choice in the record.
  if (outcome === 'removed' || outcome === 'chosen') expect(await cell.value(true)).toBeUndefined();
  const again = await run(cell.stack, ['plan', '.', '--detailed-exitcode'], manifests);
  expect(again.code, again.stdout).toBe(0);
}

describe('what happens to values that the stack does not declare', () => {
  const cells = rows.flatMap(({ id, says, cells: of }) =>
    columnNames.map((column) => ({ id, says, column, outcome: of[column] })),
  );

  test.each(cells.filter(({ outcome }) => outcome !== 'none'))(
    '$says: at $column, $outcome',
    ({ id, column, outcome }) => {
      const of = cases[id];
      if (of === undefined) throw new Error(`no test of ${id}`);
      return expectOutcome(new Cell(id, of, column), outcome);
    },
  );

  test('the table in docs/guarantees.md matches these cells', () => {
    const text = readFileSync(new URL('../../docs/guarantees.md', import.meta.url), 'utf8');
    expect(text).toContain('<!-- generated: undeclared -->');
    expect(withBlocks(text)).toBe(text);
  });
});

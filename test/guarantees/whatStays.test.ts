import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withBlocks } from '../../scripts/reference/blocks.ts';
import { isArray, isObject, type JsonObject, type JsonValue, objectAt } from '../../src/base/json/json.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { writesSince } from '../e2e/harness/platform.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { type Column, columnNames, type Outcome, type Row, rows } from './cells.ts';
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
  readonly outcome: Outcome;
  readonly title: string;
  readonly #id: string;
  readonly #ownsGvc: boolean;

  constructor({ id, says, cells }: Row, column: Column) {
    const of = cases[id];
    if (of === undefined) throw new Error(`no test of ${id}`);
    this.of = of;
    this.column = column;
    this.outcome = cells[column];
    this.title = `${says}: at ${column}, ${this.outcome}`;
    this.#id = `${id}-${column}`;
    this.#ownsGvc = of.inOthersGvc !== true || column !== 'destroy';
  }

  /**
   * The cells of a column are one stack. A refused plan does nothing, and a newer platform loads whole states
   * (newerPlatform.ts), which must not happen during other writes: these have stacks of their own.
   */
  get stack(): string {
    const isAlone = this.outcome.startsWith('refused ') || this.of.newer === true;
    return isAlone ? this.#id : `all-${this.column}`;
  }

  gvc(later: boolean): string {
    return `${this.#id}-${later && this.column === 'gvc' ? 'two' : 'one'}`;
  }

  name(later: boolean): string {
    const name = later && this.column === 'rename' ? 'second' : 'first';
    return this.of.kind === 'domain' ? `${this.#id}-${name}.com` : name;
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

  async before(): Promise<void> {
    const locations = { staticPlacement: { locationLinks: ['//location/aws-eu-central-1'] } };
    if (!this.#ownsGvc) await platform.call('POST', '/org/local/gvc', { name: this.gvc(false), spec: locations });
  }

  /** The writes of others. */
  async between(): Promise<void> {
    const { others, newer, part, path, value } = this.of;
    if (others !== undefined) expect((await platform.call('PATCH', this.path(false), others)).status).toBe(200);
    if (newer === true) await platform.learn(this.path(false));
    if (part !== undefined) await applied(`${this.#id}-part`, this.part(part));
    if (path !== undefined) expect(await this.value(false)).toEqual(value);
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

type Changed = Awaited<ReturnType<typeof changed>>;

/** The stack of a column, or of one refused cell, after its change: the result of the command, and its writes. */
async function changed(cells: readonly [Cell, ...Cell[]]) {
  const [{ stack, column }] = cells;
  const manifests = (later: boolean) => cells.flatMap((cell) => cell.manifests(later));
  for (const cell of cells) await cell.before();
  await applied(stack, manifests(false));
  for (const cell of cells) await cell.between();
  const from = await platform.seen();
  const verb = column === 'destroy' ? ['destroy'] : ['apply', '.'];
  const outcome = await run(stack, [...verb, '--yes', `--max-deletes=${2 * cells.length}`], manifests(true));
  await platform.seen();
  const writes = writesSince(platform, from);
  const again =
    column === 'destroy' ? outcome : await run(stack, ['plan', '.', '--detailed-exitcode'], manifests(true));
  return { outcome, writes, again };
}

async function expectOutcome(cell: Cell, { outcome: { code, stdout, stderr }, writes, again }: Changed): Promise<void> {
  const { outcome } = cell;
  if (outcome.startsWith('refused ')) {
    expect(code, stdout + stderr).toBe(3);
    expect(stdout).toContain(JSON.stringify(outcome.slice('refused '.length)));
    expect(writes).toEqual([]);
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
  expect(again.code, again.stdout).toBe(0);
}

describe('what happens to values that the stack does not declare', () => {
  const cells = rows
    .flatMap((row) =>
      columnNames.filter((column) => row.cells[column] !== 'none').map((column) => [row, column] as const),
    )
    .map(([row, column]) => new Cell(row, column));
  for (const [first, ...others] of Map.groupBy(cells, ({ stack }) => stack).values()) {
    if (first === undefined) continue;
    let change: Promise<Changed> | undefined;
    test.each([first, ...others].map((cell) => [cell.title, cell] as const))('%s', async (_, cell) => {
      change ??= changed([first, ...others]);
      await expectOutcome(cell, await change);
    });
  }

  test('the table in docs/guarantees.md matches these cells', () => {
    const text = readFileSync(new URL('../../docs/guarantees.md', import.meta.url), 'utf8');
    expect(text).toContain('<!-- generated: undeclared -->');
    expect(withBlocks(text)).toBe(text);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { runApply } from '../../src/apply/runApply.ts';
import { isArray, isObject, type JsonObject, type JsonValue, listAt, own, stringAt } from '../../src/base/json/json.ts';
import type { Exchange } from '../../src/client/http/exchange.ts';
import type { Planned } from '../../src/gantry/loading/planFromPlatform.ts';
import { planUndo } from '../../src/gantry/savedPlan/planUndo.ts';
import { readBack, textOf } from '../change/saved/saving.ts';
import { Dice } from '../fuzz/dice.ts';
import { applyPlanned, clientOn, org, planWork, workOf } from './harness/stack.ts';
import { openWorld, type World } from './harness/world.ts';

/**
 * The embedded platform, in the manner of others: what it shows of a secret's value without `-reveal`, what its
 * envelopes contain, and whether it reveals. The oracle is its stored state.
 */
let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** The replacement for a value. `undefined`: no value is shown. */
const forms: Readonly<Record<string, (value: JsonValue | undefined) => JsonValue | undefined>> = {
  absent: () => undefined,
  whole: (value) => value,
  null: () => null,
  stars: () => '***',
  redacted: () => '[redacted]',
  'empty text': () => '',
  'empty object': () => ({}),
  'stars in each field': (value) => eachField(value, '***'),
  'empty texts in each field': (value) => eachField(value, ''),
  'nulls in each field': (value) => eachField(value, null),
  'the mask of Gantry': () => ({ sensitive: true }),
  'the mask of Gantry in each field': (value) => eachField(value, { sensitive: true }),
};

function eachField(value: JsonValue | undefined, mask: JsonValue): JsonValue {
  return isObject(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, mask])) : mask;
}

const envelopes: readonly JsonObject[] = [
  {},
  { spec: {} },
  { spec: {}, status: {}, health: {}, etag: 'a', alias: 'b' },
];
/** `partly`: one of two secrets is revealed. */
const reveals = ['refused', 'unserved', 'partly', 'honoured'] as const;

interface Manner {
  readonly form: string;
  readonly envelope: JsonObject;
  readonly reveal: (typeof reveals)[number];
}

interface Watched {
  readonly exchange: Exchange;
  /** The bodies of all writes to records. */
  readonly bodies: JsonObject[];
}

function watched({ form, envelope, reveal }: Manner): Watched {
  const bodies: JsonObject[] = [];
  const inner = world.exchange;
  async function shown(record: JsonObject): Promise<JsonObject> {
    const items = own(record, 'items');
    if (isArray(items)) {
      return { ...record, items: await Promise.all(items.map((item) => (isObject(item) ? shown(item) : item))) };
    }
    if (own(record, 'kind') !== 'secret' || own(record, 'id') === undefined) return record;
    const path = `/org/${org}/secret/${stringAt(record, 'name')}/-reveal`;
    const { body } = await inner.send({ method: 'GET', path });
    const value = forms[form]?.(isObject(body) ? own(body, 'data') : undefined);
    return { ...record, ...envelope, ...(value === undefined ? {} : { data: value }) };
  }
  return {
    bodies,
    exchange: {
      close: async () => {},
      async send(request) {
        const { method, path, body } = request;
        const refusal = (status: number) => ({
          status,
          body: { status, message: 'no' },
          retryAfter: undefined,
          date: undefined,
        });
        if (path === '/discovery' && reveal === 'unserved') return refusal(404);
        if (path.endsWith('/-reveal')) {
          if (reveal === 'unserved') return refusal(404);
          if (reveal === 'refused' || (reveal === 'partly' && path.includes('/secret/sec-a'))) return refusal(403);
          return inner.send(request);
        }
        if (body !== undefined && !path.includes('-query')) bodies.push(body);
        const answer = await inner.send(request);
        return answer.status < 300 && isObject(answer.body) && method !== 'DELETE'
          ? { ...answer, body: await shown(answer.body) }
          : answer;
      },
    },
  };
}

interface Declared {
  readonly description: string;
  readonly values: Readonly<Record<string, JsonObject>>;
  readonly names: readonly [string, string];
  readonly previously: Readonly<Record<string, string>>;
}

function manifestsOf({ description, values, names, previously }: Declared): string {
  const secrets = ['a', 'b'].map((which, index) => {
    const data = values[which] ?? {};
    const name = names[index] ?? which;
    const before = previously[which];
    return {
      kind: 'secret',
      name,
      type: 'payload' in data ? 'opaque' : 'dictionary',
      description,
      data,
      lifecycle: { replace: true, ...(before === undefined || before === name ? {} : { previously: before }) },
    };
  });
  return JSON.stringify([{ kind: 'gvc', name: 'masks', description }, ...secrets]);
}

const values: readonly [JsonObject, ...JsonObject[]] = [
  { payload: 'first value', encoding: 'plain' },
  { payload: 'second value', encoding: 'plain' },
  { user: 'third', password: 'third value' },
  { user: 'fourth', token: 'fourth value' },
];
const flags = ['--adopt', '--allow-data-loss=0', '--max-deletes=20'];
const steps = ['same', 'describe', 'change', 'change', 'undo', 'undo', 'orphan', 'rename', 'replace', 'write'] as const;

async function stored(): Promise<readonly JsonValue[]> {
  const { body } = await world.platform.call('GET', `/org/${org}/secret?limit=100`);
  const names = listAt(body, 'items').flatMap((item) => (isObject(item) ? (stringAt(item, 'name') ?? []) : []));
  return Promise.all(
    names.map(
      async (name) =>
        own((await world.platform.call('GET', `/org/${org}/secret/${name}/-reveal`)).body, 'data') ?? null,
    ),
  );
}

/** Whether the body contains a mask, or removes the value. */
function isWrong(body: JsonValue): boolean {
  if (isArray(body)) return body.some(isWrong);
  if (typeof body === 'string') return body === '***' || body === '[redacted]';
  if (!isObject(body)) return false;
  if (own(body, 'sensitive') === true || listAt(body, '$drop').includes('data')) return true;
  return Object.values(body).some(isWrong);
}

async function takeBack(exchange: Exchange, last: Planned): Promise<'done' | 'impossible'> {
  const client = clientOn(exchange);
  const platform = { client, org, tellRetriesTo: () => {}, close: async () => {} };
  const saved = readBack(textOf(last));
  const permits = { allowCollateral: 0, allowDataLoss: 0 };
  const undo = await planUndo(saved, platform, { permits, limits: [] });
  if (undo.plan.changes.some(({ refusals }) => refusals.length > 0) || undo.plan.refusals.length > 0)
    return 'impossible';
  const { plan } = readBack(textOf(undo));
  const result = await runApply(plan, client, { random: () => 0 });
  expect(result.failed.map(({ id, error }) => `${id}: ${error.message}`)).toEqual([]);
  return 'done';
}

const manners: readonly Manner[] = Object.keys(forms).flatMap((form) =>
  envelopes.flatMap((envelope) => reveals.map((reveal) => ({ form, envelope, reveal }))),
);
/** `GANTRY_MASKS=all`: every manner; the sample has each form once, with the envelopes and `-reveal` in turn. */
const sample =
  process.env['GANTRY_MASKS'] === 'all' ? manners : manners.filter((_, index) => index % 12 === Math.floor(index / 12));

test.each(
  sample.map((manner) => [`${manner.form}, ${JSON.stringify(manner.envelope)}, ${manner.reveal}`, manner] as const),
)(
  'after any sequence of changes and undos, every stored value of a secret was declared, on a platform that shows %s',
  async (title, manner) => {
    const empty = await world.state();
    const dice = new Dice(`masks ${title}`);
    const { exchange, bodies } = watched(manner);
    let declared: Declared = {
      description: 'start',
      values: { a: values[0], b: values[2] ?? {} },
      names: ['sec-a', 'sec-b'],
      previously: {},
    };
    const said = new Set<string>();
    const apply = async (more: readonly string[] = []): Promise<Planned> => {
      for (const value of Object.values(declared.values)) said.add(JSON.stringify(value));
      const planned = await planWork(
        exchange,
        await workOf({ manifests: manifestsOf(declared), flags: [...flags, ...more] }, 'masks'),
      );
      const result = await applyPlanned(exchange, planned);
      expect(
        result.failed.map(({ id, error }) => `${id}: ${error.message}`),
        title,
      ).toEqual([]);
      declared = { ...declared, previously: { a: declared.names[0], b: declared.names[1] } };
      return planned;
    };
    const check = async (step: string): Promise<void> => {
      expect(bodies.filter(isWrong), `${title}: ${step}`).toEqual([]);
      const found = await stored();
      expect(
        found.map((value) => said.has(JSON.stringify(value))),
        `${title}: ${step} ${JSON.stringify(found)}`,
      ).toEqual(found.map(() => true));
    };
    try {
      let last: Planned | undefined = await apply();
      await check('start');
      for (let round = 0; round < 7; round += 1) {
        const step = dice.one(steps);
        const which = dice.one(['a', 'b']);
        const text = `${round}`;
        if (step === 'undo' && last !== undefined) {
          const before = bodies.length;
          const came = await takeBack(exchange, last).catch((error: unknown) => {
            expect(error).toHaveProperty('code'); // There is nothing to undo.
            return 'impossible' as const;
          });
          if (came === 'impossible') expect(bodies).toHaveLength(before);
          last = undefined;
          await check(step);
          continue;
        }
        if (step === 'orphan') {
          const name = declared.names[which === 'a' ? 0 : 1];
          const tags = { 'gantry/stack': null, 'gantry/applied': null };
          await world.platform.call('PATCH', `/org/${org}/secret/${name}`, { tags });
        } else if (step === 'describe') {
          declared = { ...declared, description: text };
        } else if (step === 'change' || step === 'write' || step === 'replace') {
          const now = declared.values[which] ?? {};
          const isOpaque = 'payload' in now;
          const others = values.filter(
            (value) => value !== now && ('payload' in value === isOpaque) === (step !== 'replace'),
          );
          declared = { ...declared, values: { ...declared.values, [which]: dice.any(others) ?? now } };
        } else if (step === 'rename') {
          const names =
            which === 'a'
              ? ([`sec-a${text}`, declared.names[1]] as const)
              : ([declared.names[0], `sec-b${text}`] as const);
          declared = { ...declared, names };
        }
        last = await apply(step === 'write' ? ['--write-unknown-secrets'] : []);
        await check(step);
        if (step === 'write') {
          const wanted = Object.values(declared.values)
            .map((value) => JSON.stringify(value))
            .sort();
          expect((await stored()).map((value) => JSON.stringify(value)).sort(), `${title}: ${step}`).toEqual(wanted);
        }
        const again = await planWork(exchange, await workOf({ manifests: manifestsOf(declared), flags }, 'masks'));
        const left = again.plan.changes.filter(({ action }) => action !== 'keep');
        expect(
          left.map(({ id, fields }) => [id, fields]),
          `${title}: after ${step}`,
        ).toEqual([]);
      }
    } finally {
      await world.restore(empty);
    }
  },
  30_000,
);

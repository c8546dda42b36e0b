import { Construct } from 'constructs';
import {
  Cpu,
  Domain,
  Duration,
  Group,
  Gvc,
  Identity,
  Link,
  Memory,
  Policy,
  Secret,
  Stack,
  Testing,
  VolumeSet,
  Workload,
} from 'gantry';
import { StackError, synth } from 'gantry/testing';
import { expect, test } from 'vitest';

/** A mistake that the compiler cannot find. `code`: of the error, which names the creating line in this file. */
interface Case {
  readonly it: string;
  readonly make: (stack: Stack, gvc: Gvc) => unknown;
  readonly code: string;
}

const main = { name: 'main', image: 'x:1' } as const;
const block = { performanceClass: 'general-purpose-ssd' } as const;
const http = { ...main, ports: [{ number: 8080 }] as const };

/** Thrown by the constructor or by the called function. */
// biome-ignore format: a row is a case
const atOnce: readonly Case[] = [
  { it: 'a workload in no GVC', make: (stack) => new Workload(stack, 'web', { type: 'standard', containers: [main] }),
    code: 'stack.scope' },
  { it: 'an identity in a component outside every GVC',
    make: (stack) => new Identity(new Construct(stack, 'component'), 'api'), code: 'stack.scope' },
  { it: 'a GVC in a component inside a GVC', make: (_, gvc) => new Gvc(new Construct(gvc, 'component'), 'inner'),
    code: 'stack.scope' },
  { it: 'an id twice', make: (stack) => new Gvc(stack, 'shop'), code: 'stack.id' },
  { it: 'a stack inside another one', make: (stack) => new Stack(stack, 'second'), code: 'stack.nested' },
  { it: 'a key that a dictionary does not have',
    make: (stack) => new Secret(stack, 'words', { type: 'dictionary', data: { A: 'b' } }).uri('B'),
    code: 'stack.secret-key' },
  { it: 'cpu from a wrong text', make: () => Cpu.parse('1 core'), code: 'stack.quantity' },
  { it: 'cpu from no text', make: () => Cpu.parse(process.env['GANTRY_NO_SUCH_VARIABLE']), code: 'stack.quantity' },
  { it: 'memory from a wrong text', make: () => Memory.parse('512MB'), code: 'stack.quantity' },
  { it: 'a retention from a wrong text', make: () => Duration.retention('2w'), code: 'stack.quantity' },
  { it: 'a cache time from a wrong text', make: () => Duration.maxAge('1d'), code: 'stack.quantity' },
  { it: 'a lifetime from a wrong text', make: () => Duration.timeToLive('1d'), code: 'stack.quantity' },
  { it: 'a link from a wrong text', make: () => Link.parse('workload', '//secret/x'), code: 'stack.link' },
  { it: 'a link without its GVC', make: () => Link.parse('workload', '//workload/x'), code: 'stack.link' },
];

/** Thrown by `synth` of `gantry/testing`, together with all other problems. */
// biome-ignore format: a row is a case
const together: readonly Case[] = [
  { it: 'a serverless workload without a port',
    make: (_, gvc) => new Workload(gvc, 'web', { type: 'serverless', containers: [main] }), code: 'W6' },
  {
    it: 'a serverless workload with a timeout of an hour',
    make: (_, gvc) =>
      new Workload(gvc, 'web', { type: 'serverless', containers: [http], defaultOptions: { timeoutSeconds: 3600 } }),
    code: 'workload.timeout',
  },
  { it: 'two containers with one port',
    make: (_, gvc) => new Workload(gvc, 'web', { type: 'standard', containers: [http, { ...http, name: 'other' }] }),
    code: 'W4' },
  { it: 'two containers with one name',
    make: (_, gvc) => new Workload(gvc, 'web', { type: 'standard', containers: [main, main] }), code: 'W2' },
  {
    it: 'a maximum of replicas below the minimum',
    make: (_, gvc) =>
      new Workload(gvc, 'web', {
        type: 'standard',
        containers: [main],
        defaultOptions: { autoscaling: { minScale: 3, maxScale: 2 } },
      }),
    code: 'W17',
  },
  { it: 'too little cpu',
    make: (_, gvc) => new Workload(gvc, 'web', { type: 'standard', containers: [{ ...main, cpu: '5m' }] }),
    code: 'W24' },
  { it: 'a schedule of four fields',
    make: (_, gvc) => new Workload(gvc, 'run', { type: 'cron', containers: [main], job: { schedule: '* * * *' } }),
    code: 'cron.schedule' },
  {
    it: 'a spread field of another type of workload',
    make: (_, gvc) => {
      const more = { job: { schedule: '* * * * *' } };
      return new Workload(gvc, 'web', { type: 'standard', containers: [main], ...more });
    },
    code: 'W10',
  },
  { it: 'a name with a capital', make: (_, gvc) => new Identity(gvc, 'Backend'), code: 'name.form' },
  { it: 'a domain without a top level', make: (stack) => new Domain(stack, 'localhost'), code: 'name.domain' },
  { it: 'memory with a space',
    make: (_, gvc) => new Workload(gvc, 'web', { type: 'standard', containers: [{ ...main, memory: '1 Gi' }] }),
    code: 'W24' },
  { it: 'too small a volume', make: (_, gvc) => new VolumeSet(gvc, 'files', { ...block, initialCapacity: 5 }),
    code: 'V1' },
  { it: 'a volume above its own limit of growth',
    make: (_, gvc) => new VolumeSet(gvc, 'files', { ...block, initialCapacity: 50, autoscaling: { maxCapacity: 20 } }),
    code: 'V3' },
  { it: 'a policy without a target', make: (stack) => new Policy(stack, 'all', { targetKind: 'gvc' }), code: 'PO1' },
  { it: 'a member that does not exist',
    make: (stack) => new Group(stack, 'staff', { memberLinks: ['//serviceaccount/Nobody/x'] }), code: 'GR1' },
  {
    it: 'one resource twice',
    make: (stack) => {
      new Group(stack, 'one', { name: 'staff' });
      return new Group(stack, 'two', { name: 'staff' });
    },
    code: 'manifest.duplicate',
  },
];

function problemOf(run: () => unknown): { readonly code: string; readonly text: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      return { code: String(error.code), text: error.message + String(error.stack) };
    throw error;
  }
  return { code: 'nothing', text: '' };
}

test.each(atOnce)('the constructor or called function throws: $it', ({ make, code }) => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  const thrown = problemOf(() => make(stack, gvc));
  expect(thrown.code).toBe(code);
  expect(thrown.text).toMatch(/thrown\.test\.ts:\d+:\d+/);
});

test.each(together)('synth of gantry/testing throws: $it', ({ make, code }) => {
  const stack = Testing.stack();
  make(stack, new Gvc(stack, 'shop'));
  const thrown = problemOf(() => synth(stack));
  expect(thrown.text).toMatch(new RegExp(`thrown\\.test\\.ts:\\d+:\\d+.*\\b${code.replace('.', '\\.')}\\b`));
});

test('a problem is reported at the field, wherever the stack writes it', () => {
  const stack = Testing.stack();
  const tags = { A: 'b' };
  const { stack: here = '' } = new Error();
  new Workload(new Gvc(stack, 'shop'), 'web', {
    type: 'standard',
    tags,
    containers: [main, { ...main, name: 'other', cpu: '5m' }],
  });
  stack.node.addValidation({ validate: () => ['every team has a name'] });
  const line = Number(/thrown\.test\.ts:(\d+):/.exec(here)?.[1]);
  const { text } = problemOf(() => synth(stack));
  expect(text).toMatch(new RegExp(`thrown\\.test\\.ts:${line + 4}:55 {2}W24 `));
  expect(text).toContain('Give at least 25m: millicores');
  expect(text).not.toContain('W23'); // This follows from the problem above.
  expect(text).toContain('every team has a name');
});

test('synth returns valid resources, and reports all problems together', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  expect(synth(stack)).toEqual([{ kind: 'gvc', name: 'shop', spec: {} }]);
  new Identity(gvc, 'One');
  new Identity(gvc, 'Two');
  const found = (() => {
    try {
      synth(stack);
    } catch (error) {
      return error instanceof StackError ? error.problems : [];
    }
    return [];
  })();
  expect(found.map(({ rule, resource }) => [rule, resource])).toEqual([
    ['name.form', 'identity/shop/One'],
    ['name.form', 'identity/shop/Two'],
  ]);
});

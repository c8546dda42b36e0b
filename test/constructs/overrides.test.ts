import { Gvc, Identity, RawResource, Secret, sensitive, Testing, Workload } from 'gantry';
import { synth } from 'gantry/testing';
import { describe, expect, test } from 'vitest';
import { line } from './harness.ts';

const here = new URL(import.meta.url).pathname;

function web() {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-us-west-2'] });
  const workload = new Workload(gvc, 'web', {
    type: 'standard',
    containers: [
      { name: 'main', image: 'shop:1', args: ['--a', '--b', '--c'], env: { MODE: 'prod' } },
      { name: 'side', image: 'side:1' },
    ],
  });
  return { stack, gvc, workload };
}

const spec = {
  type: 'standard',
  containers: [
    { name: 'main', image: 'shop:1', args: ['--a', '--b', '--c'], env: [{ name: 'MODE', value: 'prod' }] },
    { name: 'side', image: 'side:1' },
  ],
};
const [main, side] = spec.containers;

interface Case {
  readonly it: string;
  readonly change: (workload: Workload) => unknown;
  readonly expected: object;
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'an item by its position', change: (workload) => workload.addOverride('spec.containers.0.image', 'shop:2'),
    expected: { spec: { ...spec, containers: [{ ...main, image: 'shop:2' }, side] } } },
  { it: 'an item by its key', change: (workload) => workload.addOverride('spec.containers.side.image', 'side:2'),
    expected: { spec: { ...spec, containers: [main, { ...side, image: 'side:2' }] } } },
  {
    it: 'one more item, with missing parents',
    change: (workload) =>
      workload
        .addOverride('spec.containers.main.args.3', '--d')
        .addOverride('spec.defaultOptions.autoscaling.maxScale', 3)
        .addOverride('spec.firewallConfig.external.inboundAllowCIDR.0', '0.0.0.0/0'),
    expected: {
      spec: {
        ...spec,
        containers: [{ ...main, args: ['--a', '--b', '--c', '--d'] }, side],
        defaultOptions: { autoscaling: { maxScale: 3 } },
        firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
      },
    },
  },
  { it: 'two of the same path: the last one wins', change: (workload) => workload.addOverride('spec.containers.0.image',
    'a:1').addOverride('spec.containers.0.image', 'b:1'),
    expected: { spec: { ...spec, containers: [{ ...main, image: 'b:1' }, side] } } },
  {
    it: 'a removed field and a removed item',
    change: (workload) =>
      workload.addDeletionOverride('spec.containers.main.env').addDeletionOverride('spec.containers.side'),
    expected: { spec: { ...spec, containers: [{ name: 'main', image: 'shop:1', args: ['--a', '--b', '--c'] }] } },
  },
  { it: 'a key with dots, and description and lifecycle', change: (workload) => workload.addOverride('tags."a.b"',
    'c').addOverride('description', 'A shop').addOverride('lifecycle.protect', true), expected: { tags: { 'a.b': 'c' },
    description: 'A shop', lifecycle: { protect: true }, spec } },
  {
    it: 'an unknown field is passed through',
    change: (workload) =>
      workload
        .addOverride('spec.containers.main.turboMode', { level: 3 })
        .addOverride('spec.defaultOptions', { autoscaling: { forecast: true } }),
    expected: {
      lifecycle: { untyped: ['spec.containers.main.turboMode', 'spec.defaultOptions.autoscaling.forecast'] },
      spec: {
        ...spec,
        containers: [{ ...main, turboMode: { level: 3 } }, side],
        defaultOptions: { autoscaling: { forecast: true } },
      },
    },
  },
];

test.each(cases)('$it', ({ change, expected }) => {
  const { stack, workload } = web();
  change(workload);
  expect(synth(stack).at(-1)).toEqual({ kind: 'workload', name: 'web', gvc: 'shop', ...expected });
});

test('the value may contain constructs and sensitive texts', () => {
  const { stack, gvc, workload } = web();
  const token = new Secret(stack, 'token', { type: 'opaque', data: { payload: 'x' } });
  workload
    .addOverride('spec.identityLink', new Identity(gvc, 'backend'))
    .addOverride('spec.containers.main.args.1', sensitive('--password=x'))
    .addDeletionOverride('spec.containers.main.args.0')
    .addOverride('spec.containers.side.env', [{ name: 'TOKEN', value: token.key('payload') }]);
  expect(Testing.synth(workload)).toMatchObject([
    {
      lifecycle: { sensitive: ['spec.containers.main.args.0'] },
      spec: {
        identityLink: '//gvc/shop/identity/backend',
        containers: [
          { args: ['--password=x', '--c'] },
          { env: [{ name: 'TOKEN', value: 'scheme://secret/token.payload' }] },
        ],
      },
    },
  ]);
});

test('a sensitive value replaced by a plain one is no longer secret', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { env: { A: sensitive('secret'), B: sensitive('other') } });
  gvc.addOverride('spec.env.A.value', 'plain');
  expect(Testing.synth(stack)).toMatchObject([{ lifecycle: { sensitive: ['spec.env.B.value'] } }]);
});

test('sensitive items remain sensitive when another item is set, and move when one is removed', () => {
  const { workload } = web();
  workload
    .addOverride('spec.containers.main.args', ['--a', sensitive('--b=x'), sensitive('--c=y'), '--d'])
    .addOverride('spec.containers.main.args.0', '--e');
  expect(Testing.synth(workload)).toMatchObject([
    { lifecycle: { sensitive: ['spec.containers.main.args.1', 'spec.containers.main.args.2'] } },
  ]);
  workload.addDeletionOverride('spec.containers.main.args.1');
  expect(Testing.synth(workload)).toMatchObject([
    {
      lifecycle: { sensitive: ['spec.containers.main.args.1'] },
      spec: { containers: [{ args: ['--e', '--c=y', '--d'] }, {}] },
    },
  ]);
});

describe('a problem is reported at the line of the override', () => {
  const at = (code: string, where: number) =>
    expect.objectContaining({
      code,
      problems: [expect.objectContaining({ position: expect.objectContaining({ file: here, line: where }) })],
    });

  test('a value that a rule refuses', () => {
    const { stack, workload } = web();
    workload.addOverride('spec.containers.main.cpu', '20m');
    const made = line() - 1;
    expect(() => synth(stack)).toThrow(at('W24', made));
  });

  test('a misspelled field is not passed through', () => {
    const { stack, workload } = web();
    workload.addOverride('spec.containers.main.imge', 'shop:2');
    const made = line() - 1;
    expect(() => synth(stack)).toThrow(at('shape.unknown-field', made));
  });

  test.each([
    { it: 'a missing item', change: (w: Workload) => w.addOverride('spec.containers.web.image', 'x:1') },
    { it: 'a position after the end', change: (w: Workload) => w.addOverride('spec.containers.7.image', 'x:1') },
    { it: 'a field below a string', change: (w: Workload) => w.addOverride('spec.containers.main.image.tag', '2') },
    { it: 'removing a missing field', change: (w: Workload) => w.addDeletionOverride('spec.defaultOptions.debug') },
    { it: 'removing an unknown item', change: (w: Workload) => w.addDeletionOverride('spec.containers.2') },
  ])('$it', ({ change }) => {
    const { stack, workload } = web();
    change(workload);
    expect(() => Testing.synth(stack)).toThrow(
      expect.objectContaining({
        code: 'stack.override',
        problems: [expect.objectContaining({ position: expect.objectContaining({ file: here }) })],
      }),
    );
  });

  test.each(['', 'a..b', 'spec.*.image', 'name', 'kind', 'gvc'])('%j is refused immediately', (path) => {
    const { workload } = web();
    expect(() => workload.addOverride(path, 'x')).toThrow(expect.objectContaining({ code: 'stack.override' }));
    expect(() => workload.addDeletionOverride(path)).toThrow(expect.objectContaining({ code: 'stack.override' }));
  });
});

describe('a handwritten manifest', () => {
  test('of a known kind is checked, and so is a reference to it', () => {
    const { stack, gvc } = web();
    const api = new RawResource(gvc, 'api', {
      kind: 'workload',
      tags: { team: 'x' },
      spec: JSON.parse('{ "type": "standard", "containers": [{ "name": "main", "image": "api:1" }] }'),
    });
    new Workload(gvc, 'job', {
      type: 'standard',
      containers: [{ name: 'main', image: 'x:1' }],
      firewallConfig: { internal: { inboundAllowType: 'workload-list', inboundAllowWorkload: [api] } },
    });
    expect(synth(stack).slice(2)).toEqual([
      {
        kind: 'workload',
        name: 'api',
        gvc: 'shop',
        tags: { team: 'x' },
        spec: { type: 'standard', containers: [{ name: 'main', image: 'api:1' }] },
      },
      expect.objectContaining({
        spec: expect.objectContaining({
          firewallConfig: {
            internal: { inboundAllowType: 'workload-list', inboundAllowWorkload: ['//gvc/shop/workload/api'] },
          },
        }),
      }),
    ]);
  });

  test('of a known kind is reported by rules at the field', () => {
    const { stack, gvc } = web();
    const raw = new RawResource(gvc, 'api', { kind: 'workload', spec: { type: 'standard' } });
    const position = { ...raw.origin.position(), column: 65 };
    expect(() => synth(stack)).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ position })] }));
  });

  test('of another kind is created, and refused by the checks', () => {
    const { stack, gvc } = web();
    const widget = new RawResource(gvc, 'one', { kind: 'widget', gvc, size: 3, owner: new Identity(gvc, 'backend') });
    expect(widget.id).toBe('widget/shop/one');
    expect(Testing.synth(widget)).toEqual([
      { kind: 'widget', name: 'one', gvc: 'shop', size: 3, owner: '//gvc/shop/identity/backend' },
    ]);
    const position = { ...widget.origin.position(), column: 56 };
    expect(() => synth(stack)).toThrow(
      expect.objectContaining({ code: 'manifest.unknown-kind', problems: [expect.objectContaining({ position })] }),
    );
  });
});

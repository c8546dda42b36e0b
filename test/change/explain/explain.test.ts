import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Explanation } from '../../../src/change/explanation.ts';
import type { WriteEvent } from '../../../src/manifest/live/writer.ts';
import { closure, declare, foreign, live, snapshot, volumeset, volumesetSpec, workload } from '../../plan/world.ts';
import { explain } from './explaining.ts';

function whys(explanation: Explanation): Readonly<Record<string, string>> {
  return Object.fromEntries(explanation.fields.map(({ path, why }) => [path, why]));
}

const gvc = declare('gvc/g', {}, {}, 1);
const web = (spec: JsonObject, lifecycle = {}) => declare('workload/g/web', { spec }, lifecycle, 7);
const liveWeb = (spec: JsonObject, of = {}) => live('workload/g/web', { spec }, of);
const main = (more: JsonObject = {}) => ({
  type: 'standard',
  containers: [{ name: 'main', image: 'app:1', cpu: '50m', memory: '128Mi', ...more }],
});

describe('a patch', () => {
  const inputs = {
    desired: [gvc, web(main({ image: 'app:2', cpu: '0.05' }))],
    from: [live('gvc/g'), liveWeb(main(), { version: 3 })],
  };

  test('is proven: it sets every managed field and keeps the others', () => {
    const { proof, requests, action } = explain('workload/g/web', inputs);
    expect(action).toBe('patch');
    expect(requests).toMatchObject([{ method: 'PATCH', body: { version: 3 } }]);
    // name, description, type, and the container's name, image, cpu and memory; id, kind and version are the
    // platform's.
    expect(proof).toEqual({ holds: true, managed: 7, untouched: 3, against: [] });
  });

  test('shows the declared value with its place, and the live one with its writer', () => {
    const record = (version: number, image: string): JsonObject => ({ name: 'web', version, spec: main({ image }) });
    const write = (name: string, version: number, image: string): WriteEvent => ({
      version,
      at: `2026-01-0${version}T00:00:00.000Z`,
      action: version === 1 ? 'create' : 'edit',
      writer: { name, type: 'user' },
      record: record(version, image),
    });
    const writes = [write('carl', 3, 'app:1'), write('bob', 2, 'app:1'), write('ann', 1, 'app:0')];
    expect(explain('workload/g/web', { ...inputs, writes }).fields).toEqual([
      {
        path: 'spec.containers.main.image',
        why: 'differs',
        because: 'the declared value is written',
        declared: 'app:2',
        at: { file: 'stack.yaml', line: 7, column: 1 },
        live: 'app:1',
        writer: { name: 'bob', type: 'user', version: 2, at: '2026-01-02T00:00:00.000Z' },
        risk: 'rolling-restart',
      },
    ]);
    const [unread] = explain('workload/g/web', { ...inputs, writes: null }).fields;
    expect(unread).toMatchObject({ live: 'app:1', writer: null });
    const [without] = explain('workload/g/web', inputs).fields;
    expect(without).not.toHaveProperty('writer');
  });

  test('names the alternatives with their effects', () => {
    const choices = explain('workload/g/web', inputs).choices.map(({ path, chosen, rejected }) => ({
      path,
      chosen: chosen.entries,
      costs: [chosen.leaves, ...rejected.map(({ leaves }) => leaves)],
    }));
    expect(choices).toEqual([
      { path: 'spec', chosen: ['spec'], costs: [1, 5] },
      { path: 'spec.containers', chosen: ['$patch/containers'], costs: [1, 4] },
    ]);
  });

  test.each([
    ['spec.containers.main.image', ['spec', 'spec.containers']],
    ['spec.containers.main.cpu', []],
    ['description', []],
  ])('with only %s, names the alternatives for it: %j', (path, choices) => {
    expect(explain('workload/g/web', { ...inputs, path }).choices.map((choice) => choice.path)).toEqual(choices);
  });
});

describe('the reason for the value of a field', () => {
  test('declared and not live: each entry of a map differs', () => {
    const keys = { 'aws-us-east-1': { keyId: 'k' }, 'aws-us-west-2': { keyId: 'l' } };
    const { fields } = explain('volumeset/g/rows', {
      desired: [gvc, declare('volumeset/g/rows', volumesetSpec({ customEncryption: { regions: keys } }))],
      from: [live('gvc/g'), live('volumeset/g/rows', volumeset(0))],
    });
    expect(fields).toMatchObject([
      { path: 'spec.customEncryption.regions.aws-us-east-1.keyId', why: 'differs', declared: 'k' },
      { path: 'spec.customEncryption.regions.aws-us-west-2.keyId', why: 'differs', declared: 'l' },
    ]);
  });

  test('declared and not live: entries of a map under lifecycle.ignore are ignored, the others differ', () => {
    const keys = { 'aws-us-east-1': { keyId: 'k' }, 'aws-us-west-2': { keyId: 'l' } };
    const spec = volumesetSpec({ customEncryption: { regions: keys } });
    const ignored = 'spec.customEncryption.regions.aws-us-east-1';
    const inputs = {
      desired: [gvc, declare('volumeset/g/rows', spec, { ignore: [ignored] })],
      from: [live('gvc/g'), live('volumeset/g/rows', volumeset(0))],
    };
    expect(whys(explain('volumeset/g/rows', inputs))).toEqual({
      'spec.customEncryption.regions.aws-us-west-2.keyId': 'differs',
    });
    expect(whys(explain('volumeset/g/rows', { ...inputs, path: ignored }))).toEqual({ [ignored]: 'ignored' });
  });

  test('absent on both sides: its default', () => {
    const explanation = explain('workload/g/web', {
      desired: [gvc, web(main())],
      from: [live('gvc/g'), liveWeb(main())],
      path: 'spec.defaultOptions.timeoutSeconds',
    });
    expect(explanation.fields).toEqual([
      {
        path: 'spec.defaultOptions.timeoutSeconds',
        why: 'same',
        because: 'neither declared nor live: its default on both sides',
        means: 5,
      },
    ]);
  });

  test('a value that the platform chose is not managed, and one that this stack set and no longer declares is dropped', () => {
    const path = 'spec.containers.main.readinessProbe.tcpSocket.port';
    const probed = (tcpSocket: JsonObject) => main({ readinessProbe: { tcpSocket } });
    const inputs = (servicePaths: readonly string[]) =>
      explain('workload/g/web', {
        desired: [gvc, web(probed({}))],
        from: [live('gvc/g'), liveWeb(probed({ port: 8080 }), { applied: { servicePaths } })],
        path,
      }).fields;
    expect(inputs([])).toMatchObject([{ path, why: 'service', live: 8080 }]);
    expect(inputs([path])).toMatchObject([
      { path, why: 'differs', live: 8080, because: expect.stringMatching(/^an earlier write of this stack set it/) },
    ]);
  });
});

describe('other actions', () => {
  test('a missing resource: the declared values, even if it is refused', () => {
    const part = declare('domain/a.b', { spec: { ports: [{ number: 80 }] } }, { part: true }, 9);
    const inputs = { desired: [part], path: 'spec.ports', options: { scope: 'partial' as const } };
    expect(explain('domain/a.b', inputs).fields).toMatchObject([
      { path: 'spec.ports', why: 'differs', declared: [{ number: 80 }], at: { line: 9 } },
    ]);
  });

  test('two steps: both bodies, and the requirements of the second one', () => {
    const keda = declare('gvc/g', { spec: { keda: { enabled: true, identityLink: '//identity/app' } } });
    const explanation = explain('gvc/g', { desired: [keda, declare('identity/g/app')], from: [live('gvc/g')] });
    expect(explanation.requests.map(({ method, then }) => [method, then])).toEqual([
      ['PATCH', undefined],
      ['PATCH', true],
    ]);
    expect(explanation.waitsFor.map(({ on }) => on)).toContain('identity/g/app');
    expect(explanation.proof).toMatchObject({ holds: true, against: [] });
  });

  test('a replacement: the field that cannot be changed in place, with both values', () => {
    const explanation = explain('volumeset/g/data', {
      desired: [
        gvc,
        declare('volumeset/g/data', volumesetSpec({ performanceClass: 'high-throughput-ssd' }), { replace: true }),
      ],
      from: [live('gvc/g'), live('volumeset/g/data', volumeset(0))],
    });
    expect(explanation.action).toBe('replace');
    expect(explanation.reason).toBe('spec.performanceClass cannot be changed in place; changed in the code');
    // The record is first marked as about to be replaced.
    expect(explanation.requests.map(({ method }) => method)).toEqual(['PATCH', 'DELETE', 'POST']);
    expect(explanation.fields).toContainEqual(
      expect.objectContaining({
        path: 'spec.performanceClass',
        declared: 'high-throughput-ssd',
        live: 'general-purpose-ssd',
      }),
    );
  });

  test('a deletion: its cascade, with the owners', () => {
    const strangers = [live('workload/g/theirs', workload('x'), { owner: 'bank' }), foreign('identity/g/free')];
    const mine = live('workload/g/web', workload('app:1'));
    const from = snapshot([live('gvc/g'), mine], { closures: closure('g', [mine, ...strangers]) });
    const explanation = explain('gvc/g', { desired: [], from, options: { allowEmpty: true } });
    expect([explanation.action, explanation.intended]).toEqual(['refuse', 'delete']);
    expect(explanation.takesAlong).toEqual([
      { id: 'identity/g/free', owner: 'nobody' },
      { id: 'workload/g/theirs', owner: 'the stack bank' },
      { id: 'workload/g/web', owner: 'this stack' },
    ]);
    expect(explanation.refusals.map(({ code }) => code)).toContain('delete.bystander');
    expect(() => explain('identity/g/free', { desired: [], from, options: { allowEmpty: true } })).toThrow(
      expect.objectContaining({ code: 'explain.along', hint: 'Explain gvc/g.' }),
    );
  });

  test('a child that is deleted with its GVC has no own request', () => {
    const mine = live('workload/g/web', workload('app:1'));
    const from = snapshot([live('gvc/g'), mine], { closures: closure('g', [mine]) });
    const { via, requests, action } = explain('workload/g/web', { from, options: { allowEmpty: true } });
    expect([via, requests, action]).toEqual(['gvc/g', [], 'delete']);
  });

  test('an adoption, a release, and a refusal because of another stack', () => {
    const adopted = explain('gvc/g', { desired: [gvc], from: [foreign('gvc/g')], options: { adopt: true } });
    expect([adopted.action, adopted.owner, adopted.proof?.holds]).toEqual(['adopt', 'nobody', true]);
    const forgotten = explain('auditctx/a', { from: [live('auditctx/a')], options: { allowEmpty: true } });
    expect([forgotten.action, forgotten.requests.length]).toEqual(['forget', 1]);
    const refused = explain('gvc/g', { desired: [gvc], from: [live('gvc/g', {}, { owner: 'bank' })] });
    expect([refused.action, refused.owner]).toEqual(['refuse', 'the stack bank']);
  });
});

describe('a part of a resource of others', () => {
  const route = (prefix: string, name: string): JsonObject => ({ prefix, workloadLink: `//gvc/g/workload/${name}` });
  const ports = (...routes: readonly JsonObject[]): JsonObject => ({ spec: { ports: [{ number: 443, routes }] } });

  test('is proven for its declaration, and the rest is reported as belonging to others', () => {
    const theirs = live('domain/example.com', ports(route('/', 'shop')), { owner: 'bank' });
    const mine = declare('domain/example.com', ports(route('/api', 'api')), { part: true });
    const inputs = {
      desired: [mine],
      from: [theirs, live('workload/g/api', workload('a')), live('workload/g/shop', workload('s'))],
      options: { scope: 'partial' as const },
    };
    const explanation = explain('domain/example.com', inputs);
    expect([explanation.action, explanation.owner]).toEqual(['patch', 'the stack bank']);
    expect(explanation.proof).toMatchObject({ holds: true, against: [] });
    expect(whys(explain('domain/example.com', { ...inputs, path: 'spec.ports' }))).toMatchObject({
      'spec.ports.443.routes."/"': 'foreign',
    });
  });
});

describe('an unknown name', () => {
  const inputs = { desired: [gvc, web(main())], from: [live('gvc/g'), liveWeb(main())] };

  test.each([
    { word: 'web', hint: /^Did you mean workload\/g\/web\?/ },
    { word: 'workload/g/wep', hint: /^Did you mean workload\/g\/web\?/ },
    { word: 'secret/nothing-like-it', hint: /^Write kind\/\[gvc\/\]name/ },
  ])('of a resource is refused with suggestions: $word', ({ word, hint }) => {
    expect(() => explain(word, inputs)).toThrow(
      expect.objectContaining({ code: 'explain.unknown-resource', hint: expect.stringMatching(hint) }),
    );
  });

  test.each([
    { path: 'spec.containers.main.imagee', hint: 'Did you mean spec.containers.main.image?' },
    { path: 'spec.defaultOptions.timeoutSecond', hint: 'Did you mean spec.defaultOptions.timeoutSeconds?' },
    { path: 'a..b', hint: expect.stringContaining('Give a path as the plan shows it') },
  ])('of a path is refused with suggestions: $path', ({ path, hint }) => {
    expect(() => explain('workload/g/web', { ...inputs, path })).toThrow(
      expect.objectContaining({ code: 'explain.unknown-path', hint }),
    );
  });
});

describe('secrets', () => {
  const canary = 'CANARY-5c1f';
  const declared = declare('secret/key', { type: 'opaque', data: { payload: `${canary}-new` } });
  const held = live('secret/key', { type: 'opaque', data: { payload: `${canary}-old`, encoding: 'plain' } });

  test('and their lengths are never shown, whether they differ or not', () => {
    const same = declare('secret/key', { type: 'opaque', data: { payload: `${canary}-old` } });
    for (const desired of [declared, same]) {
      for (const path of [undefined, 'data', 'data.payload']) {
        const explanation = explain('secret/key', {
          desired: [desired],
          from: [held],
          writes: [],
          ...(path === undefined ? {} : { path }),
        });
        expect(JSON.stringify(explanation)).not.toContain(canary);
        expect(explanation.fields.map((field) => field.writer)).toEqual(explanation.fields.map(() => null));
        for (const choice of explanation.choices) expect(choice.chosen).not.toHaveProperty('bytes');
      }
    }
  });

  test('that cannot be revealed are reported as unknown', () => {
    const from = snapshot([live('secret/key', { type: 'opaque' })], { unrevealed: new Set(['secret/key']) });
    expect(whys(explain('secret/key', { desired: [declared], from, path: 'data' }))).toEqual({ data: 'unrevealed' });
  });
});

import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../src/base/json/json.ts';
import { manifestOf } from '../../src/change/adopt.ts';
import { changeOf, declare, hash, live, org, plan } from './world.ts';

/** A workload with one container and other fields of its spec. */
function workload(container: JsonObject, spec: JsonObject = {}): JsonObject {
  return { spec: { type: 'standard', containers: [{ name: 'main', image: 'nginx:1.27', ...container }], ...spec } };
}

/** The changes of a plan with this declaration and this response of the platform. */
function action(declared: JsonObject, answered: JsonObject): string {
  const gvc = live('gvc/g');
  const made = plan([declare('gvc/g'), declare('workload/g/web', declared)], [gvc, live('workload/g/web', answered)]);
  return changeOf(made, 'workload/g/web').action;
}

describe('value.case: a word in another case', () => {
  test('in a field that cannot be changed in place causes no replacement', () => {
    expect(action(workload({}), workload({}, { type: 'Standard' }))).toBe('keep');
  });

  test('is no change of a nested field', () => {
    const probe = (scheme: string) => workload({ readinessProbe: { httpGet: { path: '/up', port: 80, scheme } } });
    expect(action(probe('HTTPS'), probe('https'))).toBe('keep');
  });

  test('is no change of the key of an item', () => {
    const ports = (protocol: string) =>
      workload({}, { firewallConfig: { external: { outboundAllowPort: [{ protocol, number: 443 }] } } });
    expect(action(ports('tcp'), ports('TCP'))).toBe('keep');
  });

  test('replaces as usual if it is another word', () => {
    expect(action(workload({}), workload({}, { type: 'Stateful' }))).toBe('replace');
  });

  test('is another text in a field without a fixed set of words', () => {
    expect(action(workload({ command: 'run' }), workload({ command: 'Run' }))).toBe('patch');
  });
});

describe('value.types: a value of another JSON type', () => {
  test.each([
    ['a number as a string', { timeoutSeconds: 30 }, { timeoutSeconds: '30' }],
    ['a number as a string with decimals', { timeoutSeconds: 30 }, { timeoutSeconds: '30.0' }],
    ['a boolean as a string', { spot: true }, { spot: 'true' }],
  ])('%s is no change', (_, declared, answered) => {
    const options = (defaultOptions: JsonObject) => workload({}, { defaultOptions });
    expect(action(options(declared), options(answered))).toBe('keep');
  });

  test('a string as a number is no change', () => {
    const env = (value: string | number) => workload({ env: [{ name: 'LEVEL', value }] });
    expect(action(env('3'), env(3))).toBe('keep');
  });

  test('another number as a string is a change', () => {
    const options = (timeoutSeconds: string | number) => workload({}, { defaultOptions: { timeoutSeconds } });
    expect(action(options(30), options('31'))).toBe('patch');
  });
});

test('an adopted manifest has the words and types of the schema, which its rules accept', () => {
  const answered = workload({}, { type: 'Standard', defaultOptions: { timeoutSeconds: '30', spot: 'true' } });
  const { manifest } = manifestOf(live('workload/g/web', answered), { org, hash, keysOf: () => [] });
  expect(objectAt(manifest, 'spec')).toMatchObject({
    type: 'standard',
    defaultOptions: { timeoutSeconds: 30, spot: true },
  });
});

test('value.case: a word with other separators is no change', () => {
  const spec = { fileSystemType: 'ext4', initialCapacity: 10 };
  const set = (performanceClass: string): JsonObject => ({ spec: { ...spec, performanceClass } });
  const made = plan(
    [declare('gvc/g'), declare('volumeset/g/data', set('general-purpose-ssd'))],
    [live('gvc/g'), live('volumeset/g/data', set('general_purpose_ssd'))],
  );
  expect(changeOf(made, 'volumeset/g/data').action).toBe('keep');
});

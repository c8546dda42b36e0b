import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../src/base/json/json.ts';
import { manifestOf } from '../../src/change/adopt.ts';
import { changeOf, declare, hash, live, org, plan } from './world.ts';

/** A workload with one container, and what else its spec says. */
function workload(container: JsonObject, spec: JsonObject = {}): JsonObject {
  return { spec: { type: 'standard', containers: [{ name: 'main', image: 'nginx:1.27', ...container }], ...spec } };
}

/** What a plan does with a workload that is declared like this, where the platform answers like that. */
function action(declared: JsonObject, answered: JsonObject): string {
  const gvc = live('gvc/g');
  const made = plan([declare('gvc/g'), declare('workload/g/web', declared)], [gvc, live('workload/g/web', answered)]);
  return changeOf(made, 'workload/g/web').action;
}

describe('value.case: a word in another case', () => {
  test('of a field that cannot be changed in place replaces nothing', () => {
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

  test('that is another word replaces as before', () => {
    expect(action(workload({}), workload({}, { type: 'Stateful' }))).toBe('replace');
  });

  test('in a text that is not one of a few words is another text', () => {
    expect(action(workload({ command: 'run' }), workload({ command: 'Run' }))).toBe('patch');
  });
});

describe('value.types: a value of another JSON type', () => {
  test.each([
    ['a number as text', { timeoutSeconds: 30 }, { timeoutSeconds: '30' }],
    ['a number as text with decimals', { timeoutSeconds: 30 }, { timeoutSeconds: '30.0' }],
    ['a flag as text', { spot: true }, { spot: 'true' }],
  ])('%s is no change', (_, declared, answered) => {
    const options = (defaultOptions: JsonObject) => workload({}, { defaultOptions });
    expect(action(options(declared), options(answered))).toBe('keep');
  });

  test('text as a number is no change', () => {
    const env = (value: string | number) => workload({ env: [{ name: 'LEVEL', value }] });
    expect(action(env('3'), env(3))).toBe('keep');
  });

  test('another number as text is a change', () => {
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

test('value.case: a word with other signs between its parts is no change', () => {
  const spec = { fileSystemType: 'ext4', initialCapacity: 10 };
  const set = (performanceClass: string): JsonObject => ({ spec: { ...spec, performanceClass } });
  const made = plan(
    [declare('gvc/g'), declare('volumeset/g/data', set('general-purpose-ssd'))],
    [live('gvc/g'), live('volumeset/g/data', set('general_purpose_ssd'))],
  );
  expect(changeOf(made, 'volumeset/g/data').action).toBe('keep');
});

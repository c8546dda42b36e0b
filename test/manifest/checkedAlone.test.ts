import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/base/json/json.ts';
import { loadValidators } from '../../src/kinds/validators.ts';
import { CheckedAlone, checkManifests } from '../../src/manifest/checkManifests.ts';
import type { DesiredResource, ManifestDocument } from '../../src/manifest/model/manifest.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';

const options = { org: 'local', gvc: 'shop', validators: await loadValidators(creatableKinds) };

function document(value: JsonValue): ManifestDocument {
  return { value, locate: (pointer) => ({ file: pointer.join('.'), line: 1, column: 1 }) };
}

const withoutLocate = ({ locate: _, ...resource }: DesiredResource) => resource;

const workload = (name: string, spec: object): JsonValue => ({
  kind: 'workload',
  name,
  spec: { type: 'standard', containers: [{ name: 'main', image: 'nginx:1' }], ...spec },
});

const gvc = document({ kind: 'gvc', name: 'shop', spec: {} });
const files = document({
  kind: 'volumeset',
  name: 'files',
  spec: { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 },
});
const right = document(workload('right', {}));
// biome-ignore format: a row is a case
const others: readonly { readonly it: string; readonly of: ManifestDocument; readonly rule: string }[] = [
  { it: 'a wrong type', of: document(workload('shape', { containers: 'x' })), rule: 'shape.type' },
  { it: 'a rule of one record', of: document(workload('job', { job: { schedule: '* * * * *' } })), rule: 'W10' },
  { it: 'a rule over the set',
    of: document(workload('mounts',
        { containers: [
            { name: 'main', image: 'nginx:1', volumes: [{ uri: 'scheme://volumeset/files', path: '/data' }] }] })),
    rule: 'W31' },
  { it: 'an invalid lifecycle',
    of: document({ kind: 'gvc', name: 'other', spec: {}, lifecycle: { ignore: ['spec.nothing'] } }),
    rule: 'manifest.path' },
  { it: 'an unknown field', of: document(workload('field', { colour: 'red' })), rule: 'shape.unknown-field' },
  { it: 'a value that cannot be written', of: document({ kind: 'gvc', name: 'other', tags: { $drop: 'x' }, spec: {} }),
    rule: 'manifest.directive-key' },
  { it: 'an unknown lifecycle setting',
    of: document({ kind: 'gvc', name: 'other', spec: {}, lifecycle: { protekt: true } }), rule: 'shape.unknown-field' },
  { it: 'an unknown kind', of: document({ kind: 'queue', name: 'a' }), rule: 'manifest.unknown-kind' },
  { it: 'no name', of: document({ kind: 'gvc' }), rule: 'shape.required' },
  { it: 'a list of manifests', of: document([workload('inside', { containers: 'x' })]), rule: 'shape.type' },
];

test.each(others)('$it is found, whether or not each was checked alone before', ({ of, rule }) => {
  const documents = [gvc, files, right, of];
  const alone = new CheckedAlone();
  for (const each of documents) alone.add(each, options);
  const checked = checkManifests(documents, options, alone);
  expect(checked.problems.map((problem) => problem.rule)).toContain(rule);
  const whole = checkManifests(documents, options);
  expect(checked.problems).toEqual(whole.problems);
  expect(checked.resources.map(withoutLocate)).toEqual(whole.resources.map(withoutLocate));
});

test('a valid manifest is not checked again', () => {
  const alone = new CheckedAlone();
  alone.add(right, options);
  expect(alone.get(right)?.id).toBe('workload/shop/right');
  const [resource] = checkManifests([right], options, alone).resources;
  expect(resource?.record).toBe(alone.get(right)?.record);
});

test('another value is another manifest', () => {
  const alone = new CheckedAlone();
  alone.add(right, options);
  const changed = { ...right, value: workload('right', { containers: 'x' }) };
  expect(alone.get(changed)).toBeUndefined();
  expect(checkManifests([gvc, changed], options, alone).problems).not.toEqual([]);
});

import { expect, test } from 'vitest';
import { secretTypes } from '../../../src/kinds/secret/fields.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { creatableKinds, type Kind, readOnlyKinds } from '../../../src/schema/record/kinds.ts';
import { shapeAt } from '../../../src/schema/shape/paths.ts';
import type { Shape } from '../../../src/schema/shape/shape.ts';

function facts(kind: Kind, path: string) {
  return shapeAt(shapeOf(kind), path.split('.'))?.facts;
}

test.each([...creatableKinds, ...readOnlyKinds])(
  '%s: fields that the platform sets are response-only (platform/concepts.record)',
  (kind) => {
    for (const name of ['id', 'kind', 'version', 'created', 'lastModified', 'links', 'status']) {
      expect(facts(kind, name)?.responseOnly).toBe(true);
    }
  },
);

test.each<[Kind, readonly string[]]>([
  ['workload', ['name', 'spec.type']],
  ['volumeset', ['name', 'spec.fileSystemType', 'spec.performanceClass']],
  ['secret', ['name', 'type']],
  ['policy', ['name', 'targetKind']],
  ['location', ['name', 'provider']],
  ['cloudaccount', ['name', 'provider', 'data']],
  ['gvc', ['name']],
  ['domain', ['name']],
])('%s: the immutable fields are %j and no others (platform/concepts.kinds)', (kind, paths) => {
  expect(immutablePaths(shapeOf(kind))).toEqual(paths);
});

function immutablePaths(shape: Shape, path = ''): readonly string[] {
  const own = shape.facts.immutable === true ? [path] : [];
  if (shape.type !== 'object') return own;
  const below = [...shape.fields].flatMap(([name, field]) =>
    immutablePaths(field, path === '' ? name : `${path}.${name}`),
  );
  return [...own, ...below];
}

test.each(secretTypes)('%s: every leaf of data is sensitive', (type) => {
  const data = shapeOf('secret', { type }).fields.get('data');
  if (data === undefined) throw new Error('a secret has data');
  expect(leaves(data).filter(({ facts: { sensitive } }) => sensitive !== true)).toEqual([]);
});

test('all data is sensitive if the type is unknown', () => {
  expect(facts('secret', 'data')?.sensitive).toBe(true);
  for (const type of ['constructor', ['tls'], null]) expect(shapeOf('secret', { type })).toBe(shapeOf('secret'));
});

function leaves(shape: Shape): readonly Shape[] {
  switch (shape.type) {
    case 'object':
      return [...shape.fields.values()].flatMap(leaves);
    case 'map':
      return leaves(shape.value);
    case 'list':
      return leaves(shape.item);
    case 'scalar':
    case 'free':
      return [shape];
  }
}

test.each<[Kind, string, string | undefined]>([
  ['workload', 'description', 'derived'],
  ['workload', 'spec.containers.0.cpu', 'constant'],
  ['workload', 'spec.containers.0.livenessProbe.initialDelaySeconds', 'service'],
  ['workload', 'spec.containers.0.readinessProbe.initialDelaySeconds', 'constant'],
  ['workload', 'spec.defaultOptions.suspend', 'operational'],
  ['workload', 'spec.localOptions.0.debug', 'operational'],
  ['workload', 'spec.defaultOptions.autoscaling.metric', 'service'],
  ['workload', 'spec.defaultOptions.autoscaling.target', 'service'],
  ['workload', 'spec.defaultOptions.autoscaling.minScale', 'service'],
  ['workload', 'spec.defaultOptions.autoscaling.maxScale', 'service'],
  ['workload', 'spec.defaultOptions.capacityAI', 'derived'],
  ['gvc', 'spec.endpointNamingFormat', 'service'],
  ['domain', 'spec.dnsMode', 'derived'],
  ['domain', 'spec.ports', 'irremovable'],
  ['domain', 'spec.ports.0.tls', 'irremovable'],
  ['volumeset', 'spec.performanceClass', 'derived'],
  ['workload', 'spec.job.schedule', undefined],
])('%s %s: the fill class is %s', (kind, path, fill) => {
  expect(facts(kind, path)?.fill).toBe(fill);
});

test('the shape of a kind is made once', () => {
  expect(shapeOf('gvc')).toBe(shapeOf('gvc', { name: 'x' }));
  expect(shapeOf('secret', { type: 'tls' })).toBe(shapeOf('secret', { type: 'tls' }));
});

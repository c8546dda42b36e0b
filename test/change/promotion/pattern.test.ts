import { expect, test } from 'vitest';
import { isBelow, type PromotionPattern, parsePattern } from '../../../src/change/promotionPattern.ts';
import type { PathSegment } from '../../../src/schema/shape/paths.ts';

const steps = (...names: readonly string[]): readonly PathSegment[] =>
  names.map((name) => (name === '*' ? { any: true } : { any: false, name }));
const resources = (of: Partial<PromotionPattern>) => ({ of: 'resources', kind: undefined, name: undefined, ...of });

test.each<[string, unknown]>([
  ['values.replicas', { of: 'values', path: steps('replicas') }],
  ['values.web.replicas', { of: 'values', path: steps('web', 'replicas') }],
  ['values', resources({ path: steps('values') })],
  ['spec.defaultOptions', resources({ path: steps('spec', 'defaultOptions') })],
  ['spec.*.image', resources({ path: steps('spec', '*', 'image') })],
  ['workload:spec.defaultOptions', { ...resources({ path: steps('spec', 'defaultOptions') }), kind: 'workload' }],
  ['workload/web:spec', { of: 'resources', kind: 'workload', name: 'web', path: steps('spec') }],
  ['domain/a.b', { of: 'resources', kind: 'domain', name: 'a.b', path: [] }],
  ['job-queue2/main:spec', { of: 'resources', kind: 'job-queue2', name: 'main', path: steps('spec') }],
  ['my.values.a', resources({ path: steps('my', 'values', 'a') })],
  ['spec.web:spec', resources({ path: steps('spec', 'web:spec') })],
  ['workload/web/x:spec', resources({ path: steps('workload/web/x:spec') })],
  ['values.a..b', undefined],
  ['spec..a', undefined],
  ['workload/web:spec..a', undefined],
])('the pattern %s', (text, pattern) => {
  expect(parsePattern(text)).toEqual(pattern && { ...pattern, text });
});

test.each([
  [['spec', 'a'], steps('spec'), true],
  [['spec'], steps('spec'), true],
  [['spec', 'a'], steps(), true],
  [['spec', 'a', 'b'], steps('spec', '*', 'b'), true],
  [['spec'], steps('spec', 'a'), false],
  [['spec'], steps('spec', '*'), false],
  [['spec', 'a'], steps('spec', 'b'), false],
])('%j is below %j: %s', (path, pattern, is) => {
  expect(isBelow(path, pattern)).toBe(is);
});

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { DesiredResource, Lifecycle } from '../../../src/manifest/model/manifest.ts';
import { orderStacks } from '../../../src/plan/order/stackOrder.ts';
import { declare, org } from '../world.ts';

/** A resource of a stack; its positions are the paths of its fields. */
function of(stack: string, id: string, fields: JsonObject = {}, lifecycle: Lifecycle = {}): DesiredResource {
  const locate = (pointer: readonly (string | number)[]) => ({ file: pointer.join('.'), line: 1, column: 1 });
  return { ...declare(id, fields, lifecycle), stack, locate };
}

const pulls = (...links: readonly string[]): JsonObject => ({ spec: { pullSecretLinks: links } });
const opaque = { type: 'opaque', data: { payload: 'x' } };
const web = '//gvc/g/workload/web';
const needs = (stack: string, on: string): DesiredResource =>
  of(stack, `secret/of-${stack}`, opaque, { dependsOn: [on] });

describe('what others refer to is applied before them', () => {
  test.each<[string, readonly string[], readonly DesiredResource[], readonly string[]]>(
    // biome-ignore format: a row is a case
    [
      ['stacks that need nothing of each other, as they were made', ['b', 'a'], [of('a', 'gvc/g'), of('b', 'gvc/h')],
        ['b', 'a']],
      ['the GVC first in which something lives', ['app', 'base'], [of('app', 'workload/g/web'), of('base', 'gvc/g')],
        ['base', 'app']],
      ['first what a field names', ['app', 'base'],
        [of('app', 'gvc/g', pulls('//secret/s')), of('base', 'secret/s', opaque)], ['base', 'app']],
      ['first what dependsOn names', ['app', 'base'], [needs('app', 'secret/of-base'), needs('base', 'secret/none')],
        ['base', 'app']],
      ['chains, and equals as they were made', ['c', 'b', 'z', 'a'],
        [needs('c', 'secret/of-b'), needs('b', 'secret/of-a'), needs('a', 'secret/none'), needs('z', 'secret/none')],
        ['z', 'a', 'b', 'c']],
      ['nothing for the sake of another org', ['app', 'base'],
        [of('app', 'gvc/g', pulls('/org/other/secret/s')), of('base', 'secret/s', opaque)], ['app', 'base']],
      ['nothing for the sake of what no stack declares', ['app', 'base'],
        [declare('gvc/g', pulls('//secret/s')), of('base', 'secret/s', opaque), of('app', 'workload/g/web')],
        ['app', 'base']],
      ['first what is needed, where the way back may be missing for a while', ['app', 'base'],
        [of('app', 'workload/g/web'), of('base', 'gvc/g'),
          of('base', 'policy/p', { targetKind: 'workload', targetLinks: [web], bindings: [] })], ['base', 'app']],
      ['first what may be missing too, where nothing is in the way', ['app', 'base'],
        [of('app', 'policy/p', { targetKind: 'secret', targetLinks: ['//secret/s'], bindings: [] }),
          of('base', 'secret/s', opaque)], ['base', 'app']],
      ['first the secret that a variable reads, although no link names it', ['app', 'base'],
        [of('app', 'workload/g/web',
            { spec: { type: 'standard',
                containers: [{ name: 'm', image: 'a', env: [{ name: 'S', value: 'scheme://secret/s' }] }] } }),
          of('app', 'gvc/g'), of('base', 'secret/s', opaque),
          of('base', 'policy/p', { targetKind: 'workload', targetLinks: [web], bindings: [] })], ['base', 'app']],
    ],
  )('%s', (_, names, resources, expected) => {
    const order = orderStacks(names, resources, org);
    expect(order.names).toEqual(expected);
    expect(order.problems).toEqual([]);
  });
});

describe('the link between two stacks', () => {
  const soft = of('app', 'policy/p', { targetKind: 'secret', targetLinks: ['//secret/s', '//secret/t'], bindings: [] });
  const [s, t] = [of('base', 'secret/s', opaque), of('base', 'secret/t', opaque)];
  const link = (by: string, path: string, on: string, at: string, needed: boolean) => ({
    ...{ from: 'app', to: 'base', by, path, on, needed },
    position: { file: at, line: 1, column: 1 },
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'is none of what belongs to no stack', resources: [declare('gvc/g', pulls('//secret/s')), s], links: [] },
      { it: 'is none to itself', resources: [of('base', 'gvc/g', pulls('//secret/s')), s], links: [] },
      { it: 'stands where the GVC is named', resources: [of('app', 'workload/g/web'), of('base', 'gvc/g')],
        links: [link('workload/g/web', 'gvc', 'gvc/g', 'gvc', true)] },
      { it: 'stands where dependsOn names it',
        resources: [of('app', 'secret/x', opaque, { dependsOn: ['secret/none', 'secret/s'] }), s],
        links: [link('secret/x', 'lifecycle.dependsOn', 'secret/s', 'lifecycle.dependsOn.1', true)] },
      { it: 'is the first one of several that are not needed', resources: [soft, s, t],
        links: [link('policy/p', 'targetLinks.0', 'secret/s', 'targetLinks.0', false)] },
      { it: 'is the first one that is needed',
        resources: [soft, of('app', 'gvc/g', pulls('//secret/t', '//secret/s')), s, t],
        links: [link('gvc/g', 'spec.pullSecretLinks.0', 'secret/t', 'spec.pullSecretLinks.0', true)] },
      { it: 'stays the needed one, whatever comes after it',
        resources: [of('app', 'gvc/g', pulls('//secret/t')), soft, s, t],
        links: [link('gvc/g', 'spec.pullSecretLinks.0', 'secret/t', 'spec.pullSecretLinks.0', true)] },
    ],
  )('$it', ({ resources, links }) => {
    expect(orderStacks(['app', 'base'], resources, org).links).toEqual(links);
  });
});

test('stacks that need each other are a problem, which tells the way round and not the way to it', () => {
  const resources = [
    needs('x', 'secret/of-a'),
    needs('a', 'secret/of-b'),
    needs('b', 'secret/of-a'),
    needs('y', 'secret/none'),
  ];
  const { names, problems } = orderStacks(['x', 'y', 'a', 'b'], resources, org);
  expect(names).toEqual(['x', 'y', 'a', 'b']);
  const [problem] = problems;
  expect(problems).toHaveLength(1);
  expect(problem).toMatchObject({
    rule: 'stack.order',
    severity: 'error',
    path: '',
    pointer: [],
    resource: 'secret/of-a',
  });
  expect(problem?.position.file).toBe('lifecycle.dependsOn.0');
  expect(problem?.message).toContain('a needs b, because lifecycle.dependsOn of secret/of-a refers to secret/of-b');
  expect(problem?.message).toContain('; b needs a, because');
  expect(problem?.message).not.toContain('x needs');
});

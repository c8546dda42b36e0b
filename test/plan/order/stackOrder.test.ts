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

describe('a stack is applied before the stacks that refer to it', () => {
  test.each<[string, readonly string[], readonly DesiredResource[], readonly string[]]>(
    // biome-ignore format: a row is a case
    [
      ['independent stacks keep their order', ['b', 'a'], [of('a', 'gvc/g'), of('b', 'gvc/h')],
        ['b', 'a']],
      ['the GVC of a workload first', ['app', 'base'], [of('app', 'workload/g/web'), of('base', 'gvc/g')],
        ['base', 'app']],
      ['the target of a field first', ['app', 'base'],
        [of('app', 'gvc/g', pulls('//secret/s')), of('base', 'secret/s', opaque)], ['base', 'app']],
      ['the target of dependsOn first', ['app', 'base'], [needs('app', 'secret/of-base'), needs('base', 'secret/none')],
        ['base', 'app']],
      ['chains, with equal stacks in their order', ['c', 'b', 'z', 'a'],
        [needs('c', 'secret/of-b'), needs('b', 'secret/of-a'), needs('a', 'secret/none'), needs('z', 'secret/none')],
        ['z', 'a', 'b', 'c']],
      ['no edge for a resource of another org', ['app', 'base'],
        [of('app', 'gvc/g', pulls('/org/other/secret/s')), of('base', 'secret/s', opaque)], ['app', 'base']],
      ['no edge for a resource that no stack declares', ['app', 'base'],
        [declare('gvc/g', pulls('//secret/s')), of('base', 'secret/s', opaque), of('app', 'workload/g/web')],
        ['app', 'base']],
      ['a required target first, if the reference back may dangle for a while', ['app', 'base'],
        [of('app', 'workload/g/web'), of('base', 'gvc/g'),
          of('base', 'policy/p', { targetKind: 'workload', targetLinks: [web], bindings: [] })], ['base', 'app']],
      ['the target of a soft reference first too, without a conflict', ['app', 'base'],
        [of('app', 'policy/p', { targetKind: 'secret', targetLinks: ['//secret/s'], bindings: [] }),
          of('base', 'secret/s', opaque)], ['base', 'app']],
      ['the secret that a variable reads first, although it is not a link', ['app', 'base'],
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
      { it: 'does not exist for a resource without a stack',
        resources: [declare('gvc/g', pulls('//secret/s')), s], links: [] },
      { it: 'does not exist within a stack', resources: [of('base', 'gvc/g', pulls('//secret/s')), s], links: [] },
      { it: 'exists for the GVC of a resource', resources: [of('app', 'workload/g/web'), of('base', 'gvc/g')],
        links: [link('workload/g/web', 'gvc', 'gvc/g', 'gvc', true)] },
      { it: 'exists for dependsOn',
        resources: [of('app', 'secret/x', opaque, { dependsOn: ['secret/none', 'secret/s'] }), s],
        links: [link('secret/x', 'lifecycle.dependsOn.1', 'secret/s', 'lifecycle.dependsOn.1', true)] },
      { it: 'is the first of several soft ones', resources: [soft, s, t],
        links: [link('policy/p', 'targetLinks.0', 'secret/s', 'targetLinks.0', false)] },
      { it: 'is the first required one',
        resources: [soft, of('app', 'gvc/g', pulls('//secret/t', '//secret/s')), s, t],
        links: [link('gvc/g', 'spec.pullSecretLinks.0', 'secret/t', 'spec.pullSecretLinks.0', true)] },
      { it: 'stays the required one, before any later one',
        resources: [of('app', 'gvc/g', pulls('//secret/t')), soft, s, t],
        links: [link('gvc/g', 'spec.pullSecretLinks.0', 'secret/t', 'spec.pullSecretLinks.0', true)] },
    ],
  )('$it', ({ resources, links }) => {
    expect(orderStacks(['app', 'base'], resources, org).links).toEqual(links);
  });
});

test('stacks that require each other are a problem that names the cycle, without the path to it', () => {
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
  expect(problem?.message).toContain('a needs b, because lifecycle.dependsOn.0 of secret/of-a refers to secret/of-b');
  expect(problem?.message).toContain('; b needs a, because');
  expect(problem?.message).not.toContain('x needs');
});

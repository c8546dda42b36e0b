import { App, Gvc, Identity, Output, Stack, Workload } from 'gantry';
import { describe, expect, test } from 'vitest';
import { warningsFound } from '../../constructs/appCollector.ts';

const containers = [{ name: 'main', image: 'a:1' }] as const;

function warningsOf(app: App) {
  app.synth();
  return Reflect.get(app, warningsFound) ?? [];
}

class Network extends Stack {
  readonly gvc = new Gvc(this, 'shop', { locations: ['aws-eu-central-1'] });
}

describe('Stack.of', () => {
  test('is the stack of a construct', () => {
    const stack = new Stack(new App(), 'shop');
    const web = new Workload(new Gvc(stack, 'shop'), 'web', { type: 'standard', containers: [...containers] });
    expect([Stack.of(web), Stack.of(stack)]).toEqual([stack, stack]);
  });

  test('is an error outside of stacks', () => {
    expect(() => Stack.of(new App())).toThrow(
      expect.objectContaining({ code: 'stack.of', message: 'the app is in no stack' }),
    );
  });
});

describe('a resource in the Gvc of another stack', () => {
  test('is reported at its line, if the class of a stack creates it', () => {
    class Shop extends Stack {
      constructor(app: App, { gvc }: Network) {
        super(app, 'shop');
        new Identity(this, 'right', { gvc });
        new Workload(gvc, 'wrong', { type: 'standard', containers: [...containers] });
      }
    }
    const app = new App();
    new Shop(app, new Network(app, 'network'));
    expect(warningsOf(app)).toEqual([
      expect.objectContaining({
        rule: 'stack.elsewhere',
        severity: 'warning',
        resource: 'workload/shop/wrong',
        message: expect.stringContaining('belongs to the stack "network"'),
        hint: 'new Workload(this, "wrong", { gvc, … }) puts it into "shop".',
        position: expect.objectContaining({ file: expect.stringContaining('stackOfOthers.test.ts') }),
      }),
    ]);
  });

  test('is reported at a stack that stays empty', () => {
    const app = new App();
    const { gvc } = new Network(app, 'network');
    new Stack(app, 'shop');
    new Workload(gvc, 'web', { type: 'standard', containers: [...containers] });
    expect(warningsOf(app)).toEqual([
      expect.objectContaining({
        rule: 'stack.elsewhere',
        construct: 'shop',
        hint: expect.stringContaining('{ gvc, … }'),
      }),
    ]);
  });

  test('is not reported if each stack creates its own resources', () => {
    const app = new App();
    const network = new Network(app, 'network');
    new Workload(network.gvc, 'web', { type: 'standard', containers: [...containers] });
    const shop = new Stack(app, 'shop');
    new Workload(shop, 'api', { gvc: network.gvc, type: 'standard', containers: [...containers] });
    new Output(new Stack(app, 'facts'), 'name', network.gvc.name);
    expect(warningsOf(app)).toEqual([]);
  });
});

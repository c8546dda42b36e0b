import { Construct } from 'constructs';
import { App, Environments, Gvc, Stack, Testing } from 'gantry';
import { afterEach, describe, expect, test } from 'vitest';
import { environmentAsked } from '../../constructs/environments.ts';

describe('stacks', () => {
  test('of one app can be several, each named by its id', () => {
    const app = new App();
    const network = new Stack(app, 'network');
    const shop = new Stack(app, 'shop', { name: 'shop-eu' });
    new Gvc(network, 'one');
    new Gvc(shop, 'two');
    expect([network.name, shop.name]).toEqual(['network', 'shop-eu']);
    expect(app.synth().map(({ madeBy }) => madeBy?.stack)).toEqual(['network', 'shop-eu']);
  });

  test('inside other constructs have their ids as a prefix of the name', () => {
    const stage = new Construct(new App(), 'prod');
    expect(new Stack(stage, 'network').name).toBe('prod-network');
  });

  test('cannot be nested', () => {
    const stack = Testing.stack();
    expect(() => new Stack(new Construct(stack, 'group'), 'inner')).toThrow(
      expect.objectContaining({
        code: 'stack.nested',
        problems: [expect.objectContaining({ message: 'this stack is inside of the stack "test"' })],
      }),
    );
  });

  test('of the same name are refused at the second one', () => {
    const app = new App();
    new Stack(app, 'one', { name: 'shop' });
    const second = new Stack(app, 'two', { name: 'shop' });
    expect(() => app.synth()).toThrow(
      expect.objectContaining({
        problems: [expect.objectContaining({ rule: 'stack.name', position: second.origin.position() })],
      }),
    );
  });
});

describe('environments', () => {
  afterEach(() => void Reflect.deleteProperty(globalThis, environmentAsked));
  const ask = (name: string | undefined) => {
    const asked = { name, wanted: false };
    Reflect.set(globalThis, environmentAsked, asked);
    return asked;
  };
  const environments = new Environments({
    staging: { replicas: 1, host: 'staging.example.com' },
    prod: { replicas: 3, host: 'example.com' },
  });

  test('have a typed configuration each', () => {
    const replicas: number = environments.get('prod').config.replicas;
    expect(replicas).toBe(3);
    // @ts-expect-error: there is no such environment
    expect(environments.get('production').config).toBeUndefined();
    // @ts-expect-error: there is no such setting
    expect(environments.get('prod').config.replica).toBeUndefined();
    expect(environments.all().map(({ name, config }) => `${name} ${config.host}`)).toEqual([
      'staging staging.example.com',
      'prod example.com',
    ]);
  });

  test('the requested one is current, and its use is recorded', () => {
    const asked = ask('prod');
    expect(environments.current()).toEqual({ name: 'prod', config: { replicas: 3, host: 'example.com' } });
    expect(asked.wanted).toBe(true);
  });

  // biome-ignore format: a row is a case
  test.each([
    { it: 'none', asked: undefined, message: 'no environment was chosen', hint: /Available: staging, prod\.$/ },
    { it: 'an unknown one', asked: 'prd', message: 'there is no environment "prd"',
      hint: /^Did you mean prod\? Available/ },
  ])('$it is refused with the list', ({ asked, message, hint }) => {
    ask(asked);
    expect(() => environments.current()).toThrow(
      expect.objectContaining({ code: 'stack.environment', message, hint: expect.stringMatching(hint) }),
    );
  });

  test('may have a default for a command line without one', () => {
    ask(undefined);
    const configs = { dev: { replicas: 1 }, prod: { replicas: 3 } };
    expect(new Environments(configs, { fallback: 'dev' }).current().name).toBe('dev');
    // @ts-expect-error: the fallback is one of them
    expect(() => new Environments(configs, { fallback: 'none' }).current()).toThrow('there is no environment');
  });
});

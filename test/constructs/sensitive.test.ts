import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { App, Gvc, Secret, Stack, sensitive, Testing, Workload } from '../../src/index.ts';

function workload(value: string) {
  const gvc = new Gvc(new Stack(new App(), 's'), 'shop');
  return new Workload(gvc, 'web', {
    type: 'standard',
    tags: { credential: sensitive('a-tag') },
    lifecycle: { sensitive: ['spec.containers.main.command'] },
    containers: [
      {
        name: 'main',
        image: 'nginx:1',
        command: 'run',
        args: ['--verbose', sensitive('--password=x')],
        env: [
          { name: 'A', value: 'plain' },
          { name: 'DB_PASSWORD', value },
        ],
      },
    ],
  });
}

test('a sensitive value is plain in the manifest, and its path is marked', () => {
  const [manifest] = Testing.synth(workload(sensitive('correct horse')));
  expect(manifest).toMatchObject({
    tags: { credential: 'a-tag' },
    lifecycle: {
      sensitive: [
        'spec.containers.main.command',
        'tags.credential',
        'spec.containers.main.args.1',
        'spec.containers.main.env.DB_PASSWORD.value',
      ],
    },
    spec: { containers: [{ args: ['--verbose', '--password=x'], env: [{}, { value: 'correct horse' }] }] },
  });
});

test('one value may be given to several fields, also of a secret', () => {
  const password = sensitive('correct horse');
  const stack = new Stack(new App(), 's');
  new Secret(stack, 'db', { type: 'userpass', data: { username: 'shop', password } });
  new Gvc(stack, 'shop', { env: [{ name: 'PASSWORD', value: password }] });
  expect(Testing.synth(stack)).toMatchObject([
    { data: { password: 'correct horse' }, lifecycle: { sensitive: ['data.password'] } },
    { lifecycle: { sensitive: ['spec.env.PASSWORD.value'] } },
  ]);
});

describe('code cannot read it by mistake', () => {
  const password = sensitive('correct horse');
  test.each([
    { it: 'a template', use: () => `postgres://shop:${password}@db` },
    { it: 'concatenation', use: () => 'x' + password },
    { it: 'String()', use: () => String(password) },
    { it: 'JSON', use: () => JSON.stringify({ password }) },
    { it: 'a method', use: () => password.toUpperCase() },
    { it: 'its length', use: () => password.length },
    { it: 'join', use: () => [password].join(',') },
  ])('$it', ({ use }) => {
    expect(use).toThrow(expect.objectContaining({ code: 'stack.sensitive' }));
  });

  test('a log does not contain it', () => {
    expect(inspect({ password })).toBe('{ password: (sensitive) }');
  });

  test('it can be awaited', async () => {
    expect(await Promise.resolve(password)).toBe(password);
  });
});

test.each([undefined, ''])('%j is no value', (value) => {
  expect(() => sensitive(value)).toThrow('sensitive() was given no value');
});

test('a secret with a key whose value is undefined is refused: the key would be omitted', () => {
  const data = { user: 'shop', password: '' };
  Reflect.set(data, 'password', undefined); // As in code without type checks.
  expect(() => new Secret(new Stack(new App(), 's'), 'database', { type: 'dictionary', data })).toThrow(
    '"password" of the secret "database" has no value',
  );
});

import { describe, expect, test } from 'vitest';
import { check } from '../checking.ts';

function workload(value: string, more = ''): string {
  return `kind: workload
name: api
gvc: shop
spec:
  type: standard
  containers:
    - { name: main, image: a:1, ports: [{ number: 80, protocol: http }], env: [{ name: A, value: '${value}' }] }
${more}`;
}

const secret = `---
kind: secret
name: login
type: opaque
data: { payload: hunter22, encoding: plain }
`;

describe('a value of a live record', () => {
  test('is known by its resource, and valid for any field', () => {
    const manifests = workload(
      'https://${live.workload/shop/web:status.endpoint}',
      '  firewallConfig: { external: { outboundAllowHostname: ["${live.workload/shop/web:status.internalName}"] } }\n',
    );
    const { resources, problems } = check(manifests);
    expect(problems).toEqual([]);
    expect(resources[0]?.reads).toMatchObject([
      { id: 'workload/shop/web', path: 'status.endpoint' },
      { id: 'workload/shop/web', path: 'status.internalName' },
    ]);
  });

  test('does not keep rules from checking known values', () => {
    const { problems } = check(
      workload('${live.workload/shop/web:status.endpoint}').replace('number: 80', 'number: 9090'),
    );
    expect(problems.map(({ rule }) => rule)).toEqual(['W5']);
  });

  test('is literal if it is escaped', () => {
    const { resources, problems } = check(workload('$${live.whatever}'));
    expect([problems, resources[0]?.reads]).toEqual([[], []]);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      ['a misspelled field', '${live.workload/shop/web:status.endpiont}', 'live.reference',
        'Did you mean status.endpoint?'],
      ['an open brace', '${live.workload/shop/web:status.endpoint', 'live.reference', 'Write it as'],
      ['a word before it', '${live.the workload/shop/web:status.endpoint}', 'live.reference', 'Write it as'],
      ['an unknown kind', '${live.wrkload/web:status.endpoint}', 'live.reference', 'Write it as'],
      ['a name with two slashes', '${live.workload/shop/web/a:status.endpoint}', 'live.reference', 'Write it as'],
      ['the same record', '${live.workload/shop/api:status.endpoint}', 'live.self', 'leave it out'],
      ['a secret', '${live.secret/login:data.payload}', 'live.sensitive', 'scheme://secret/NAME.KEY'],
      ['a value that is shown once', '${live.agent/a:status.bootstrapConfig.hubEndpoint}', 'live.once',
        'in the data of a secret, or by an output with saveTo'],
    ],
  )('is refused for %s', (_, value, rule, hint) => {
    const { problems } = check(`${workload(value)}${secret}`);
    expect(problems).toEqual([
      expect.objectContaining({ rule, path: 'spec.containers.main.env.A.value', hint: expect.stringContaining(hint) }),
    ]);
    expect(JSON.stringify(problems)).not.toContain('hunter22');
  });

  test('that is shown once cannot be an output either', () => {
    const { problems } = check('kind: output\nname: a\nvalue: ${live.agent/a:status.bootstrapConfig}\n');
    expect(problems.map(({ rule, position: { line } }) => [rule, line])).toEqual([['live.once', 3]]);
  });

  test('is refused if it is marked as sensitive', () => {
    const marked = `---
kind: workload
name: web
gvc: shop
spec: { type: standard, containers: [{ name: main, image: a:1, env: [{ name: T, value: abc }] }] }
lifecycle: { sensitive: [spec.containers.main.env.T.value] }
`;
    const { problems } = check(`${workload('${live.workload/shop/web:spec.containers.main.env.T.value}')}${marked}`);
    expect(problems.map(({ rule }) => rule)).toEqual(['live.sensitive']);
  });
});

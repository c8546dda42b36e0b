import { App, Domain, Group, Gvc, Identity, Secret, ServiceAccount, Stack, Testing, Workload } from 'gantry';
import { synth } from 'gantry/testing';
import { expect, test } from 'vitest';

const here = new URL(import.meta.url).pathname;

test('one policy for each target, with one binding for each set of permissions (platform/policy.bindings)', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-us-west-2'] });
  const backend = new Identity(gvc, 'backend');
  const robot = new ServiceAccount(stack, 'robot');
  const team = new Group(stack, 'team');
  const secret = new Secret(stack, 'login', { type: 'opaque', data: { payload: 'x' } });

  secret.grantReveal(backend);
  secret.grant(team, 'view');
  secret.grantReveal(robot);
  secret.grant(team, 'edit', 'view');
  gvc.grant(team, 'view');

  expect(synth(stack).filter(({ kind }) => kind === 'policy')).toEqual([
    {
      kind: 'policy',
      name: 'grants--gvc--shop',
      targetKind: 'gvc',
      targetLinks: ['//gvc/shop'],
      bindings: [{ permissions: ['view'], principalLinks: ['//group/team'] }],
    },
    {
      kind: 'policy',
      name: 'grants--secret--login',
      targetKind: 'secret',
      targetLinks: ['//secret/login'],
      bindings: [
        { permissions: ['edit', 'view'], principalLinks: ['//group/team'] },
        { permissions: ['reveal'], principalLinks: ['//gvc/shop/identity/backend', '//serviceaccount/robot'] },
      ],
    },
  ]);
});

test('the manifest does not depend on the order of the grants', () => {
  const made = [0, 1].map((turn) => {
    const stack = Testing.stack();
    const secret = new Secret(stack, 'login', { type: 'opaque', data: { payload: 'x' } });
    const grants = [
      () => secret.grant('//group/one', 'view'),
      () => secret.grant('//user/a@example.com', 'reveal', 'edit'),
      () => secret.grant('//group/two', 'view'),
    ];
    for (const grant of turn === 0 ? grants : grants.toReversed()) grant();
    return Testing.synth(stack);
  });
  expect(made[0]).toEqual(made[1]);
});

test('the policy of a resource in a GVC has the GVC in its name', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-us-west-2'] });
  const job = new Workload(gvc, 'report', {
    type: 'cron',
    containers: [{ name: 'main', image: 'x:1' }],
    job: { schedule: '0 3 * * *' },
  });
  job.grant('//group/operators', 'exec.runCronWorkload', 'view');
  expect(synth(stack).at(-1)).toEqual({
    kind: 'policy',
    name: 'grants--workload--shop--report',
    targetKind: 'workload',
    targetLinks: ['//gvc/shop/workload/report'],
    bindings: [{ permissions: ['exec.runCronWorkload', 'view'], principalLinks: ['//group/operators'] }],
  });
});

test('a name that is too long or has other characters is shortened, and remains unique', () => {
  const stack = Testing.stack();
  const long = 'a'.repeat(60);
  new Secret(stack, `${long}-one`, { type: 'opaque', data: { payload: 'x' } }).grant('//group/team', 'view');
  new Secret(stack, `${long}-two`, { type: 'opaque', data: { payload: 'x' } }).grant('//group/team', 'view');
  new Domain(stack, 'www.example.com').grant('//group/team', 'view');
  new Domain(stack, 'www-example.com').grant('//group/team', 'view');
  const names = synth(stack).flatMap(({ kind, name }) => (kind === 'policy' ? [String(name)] : []));
  expect(new Set(names).size).toBe(4);
  for (const name of names) expect(name).toMatch(/^grants--[a-z0-9-]{1,55}[a-z0-9]$/);
  expect(names.filter((name) => name.startsWith('grants--domain--www-example-com-'))).toHaveLength(2);
});

test('a problem of a principal is reported at the line of its grant', () => {
  const stack = Testing.stack();
  const secret = new Secret(stack, 'login', { type: 'opaque', data: { payload: 'x' } });
  secret.grantReveal('//group/team');
  secret.grantReveal(Object('//identity/x').toString());
  expect(() => synth(stack)).toThrow(
    expect.objectContaining({
      code: 'PO3',
      problems: [expect.objectContaining({ position: { file: here, line: 92, column: expect.any(Number) } })],
    }),
  );
});

test('a grant to an identity of another stack is a policy of that stack, which already refers to this one', () => {
  const app = new App();
  const network = new Stack(app, 'network');
  const secret = new Secret(network, 'login', { type: 'opaque', data: { payload: 'x' } });
  secret.grant('//group/team', 'view');
  const shop = new Stack(app, 'shop');
  const gvc = new Gvc(shop, 'shop');
  secret.grantReveal(new Identity(gvc, 'backend'));
  secret.grantReveal(new Identity(gvc, 'report'));

  const policy = { kind: 'policy', targetKind: 'secret', targetLinks: ['//secret/login'] };
  expect(Testing.synth(network).slice(1)).toEqual([
    {
      ...policy,
      name: 'grants--secret--login',
      bindings: [{ permissions: ['view'], principalLinks: ['//group/team'] }],
    },
  ]);
  expect(Testing.synth(shop).filter(({ kind }) => kind === 'policy')).toEqual([
    {
      ...policy,
      name: 'grants--secret--login--by--shop',
      bindings: [
        {
          permissions: ['reveal'],
          principalLinks: ['//gvc/shop/identity/backend', '//gvc/shop/identity/report'],
        },
      ],
    },
  ]);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { kindsDeletedInUse } from '../../src/kinds/kindFacts.ts';
import { blocksDeletion, isNeeded, referringKinds } from '../../src/kinds/referenceStrength.ts';
import { creatableKinds, type Kind } from '../../src/schema/record/kinds.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { usePlatform } from '../e2e/harness/usePlatform.ts';
import { succeeded } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const cwd = temporaryFolder('refs');
const location = '//location/aws-us-west-2';
const spec = { staticPlacement: { locationLinks: [location] } };
const platform = usePlatform();
beforeAll(async () => {
  for (const name of ['shop', 'other']) {
    await platform.call('POST', '/org/local/gvc', { name, spec });
    await platform.call('POST', `/org/local/gvc/${name}/identity`, { name: 'app' });
  }
  const [type, containers] = ['standard', [{ name: 'main', image: 'web:1' }]];
  for (const [name, more] of [
    ['bare', {}],
    ['web', { identityLink: '//identity/app' }],
  ] as const) {
    await platform.call('POST', '/org/local/gvc/shop/workload', { name, spec: { type, containers, ...more } });
  }
});

function run(line: string, more: { readonly input?: string; readonly env?: Record<string, string> } = {}) {
  return inProcess(platform, line.split(' '), { cwd, ...more });
}

test.each(['secret delete //gvc/shop --yes', 'user delete //gvc/shop --yes', 'identity delete //gvc/shop --yes'])(
  'gantry %s deletes nothing',
  async (line) => {
    const { code, stderr } = await run(line);
    expect([code, stderr]).toEqual([64, expect.stringContaining('"//gvc/shop" is a link to a gvc, not to')]);
    expect((await platform.call('GET', '/org/local/gvc/shop')).status).toBe(200);
  },
);

test('every form of a REF names the same record', async () => {
  for (const ref of [
    'app',
    '//identity/app',
    'identity/app',
    '//gvc/shop/identity/app',
    '/org/local/gvc/shop/identity/app',
  ]) {
    const { stdout } = await succeeded(run(`identity get ${ref} --gvc shop -o names`));
    expect([ref, stdout]).toEqual([ref, 'app\n']);
  }
  const { stdout } = await succeeded(run('identity get //gvc/other/identity/app -o json'));
  expect(JSON.parse(stdout)).toHaveProperty('links[0].href', '/org/local/gvc/other/identity/app');
});

describe('a link in a request body', () => {
  const workload = (identityLink: string) =>
    JSON.stringify({ name: 'web', spec: { identityLink, containers: [{ name: 'main', image: 'web:1' }] } });

  test.each([
    ['//gvc/other/identity/app', /spec\.identityLink: .* is in the GVC other, not in shop/],
    ['//gvc/other', /spec\.identityLink: .* is a link to a gvc, not to an identity/],
    ['/org/other/gvc/shop/identity/app', /spec\.identityLink: .* is in the org other, not in local/],
  ])('%s is refused in a file of create, in a patch and by update --set', async (link, says) => {
    const before = platform.requests.length;
    for (const [line, input] of [
      ['workload create --gvc shop --file -', workload(link)],
      ['workload patch web --gvc shop --file -', JSON.stringify({ spec: { identityLink: link } })],
      [`workload update web --gvc shop --set spec.identityLink=${link}`, ''],
    ] as const) {
      const { code, stderr } = await run(line, { input });
      expect([line, code, stderr]).toEqual([line, 64, expect.stringMatching(says)]);
    }
    expect(platform.requests.slice(before)).toEqual([]);
  });

  test('a member that is no user is refused in a directive of a patch', async () => {
    const { code, stderr } = await run('group patch team --file -', {
      input: '{"$append/memberLinks": ["//gvc/shop"]}',
    });
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining('$append/memberLinks[0]: "//gvc/shop" is a link to a gvc'),
    ]);
  });
});

test('create --file uses the GVC in the file, and refuses another --gvc', async () => {
  writeFileSync(join(cwd, 'identity.yaml'), 'kind: identity\nname: filed\ngvc: shop\n');
  await succeeded(run('identity create --file identity.yaml'));
  expect((await platform.call('GET', '/org/local/gvc/shop/identity/filed')).status).toBe(200);
  const { code, stderr } = await run('identity create --file identity.yaml --gvc other');
  expect([code, stderr]).toEqual([64, expect.stringMatching(/in the GVC "shop".*about other\n.*--gvc shop/)]);
  expect((await platform.call('GET', '/org/local/gvc/other/identity/filed')).status).toBe(404);
});

test("a record of the org can link to another GVC than the profile's, but not than that of --gvc", async () => {
  const line = 'policy create --target-kind identity --target //gvc/other/identity/app';
  const { code, stderr } = await run(`${line} --name refused --gvc shop`);
  expect([code, stderr]).toEqual([
    64,
    expect.stringContaining('--target: "//gvc/other/identity/app" is in the GVC other'),
  ]);
  const { stdout } = await succeeded(run(`${line} --target app --name made -o json`, { env: { GANTRY_GVC: 'shop' } }));
  expect(JSON.parse(stdout)).toMatchObject({
    targetLinks: ['/org/local/gvc/other/identity/app', '/org/local/gvc/shop/identity/app'],
  });
});

test('a link in a query is normalised like on the platform, or refused', async () => {
  const found = (term: string) => run(`identity query --all-gvcs ${term} -o names`);
  expect((await succeeded(found('--rel gvc=//gvc/other'))).stdout).toBe('app\n');
  for (const [term, says] of [
    ['--rel gvc=//secret/x', '--rel: "//secret/x" is a link to a secret, not to a gvc'],
    ['--rel gvc=/org/other/gvc/shop', '--rel: "/org/other/gvc/shop" is in the org other, not in local'],
  ]) {
    const { code, stderr } = await found(term ?? '');
    expect([code, stderr]).toEqual([64, expect.stringContaining(says ?? '')]);
  }
  const policies = await run('workload query --gvc shop --property spec.identityLink=//gvc/shop');
  expect(policies.stderr).toContain('--property: "//gvc/shop" is a link to a gvc, not to an identity');
});

/** A field is compared with the whole link, a relation with the name (platform/query.terms). */
test.each([
  ['--rel identity=//identity/app', ['web']],
  ['--rel identity=//gvc/shop/identity/other', []],
  ['--property spec.identityLink=//identity/app', ['web']],
  ['--property spec.identityLink!=//identity/app', ['bare']],
  ['--property spec.identityLink~/app', ['web']],
  ['--property description=/app', []],
  ['--property spec.containers.image=/app', []],
])('workload query %s', async (term, names) => {
  const { stdout } = await succeeded(run(`workload query --gvc shop ${term} -o names`));
  expect(stdout.split('\n').slice(0, -1)).toEqual(names);
});

test('a relation without a link field takes a name only', async () => {
  const { code, stderr } = await run('workload query --gvc shop --rel nothing=//identity/app');
  expect([code, stderr]).toEqual([
    64,
    expect.stringContaining('--rel: nothing is compared with a name, not with a link'),
  ]);
});

test('--allow-dangling exists only for kinds whose deletion can leave a needed reference dangling', () => {
  const losesNeeded = (kind: Kind) =>
    referringKinds(kind, (referrer, form) => isNeeded(referrer, form) && !blocksDeletion(referrer, form)).length > 0;
  expect(kindsDeletedInUse).toEqual(creatableKinds.filter(losesNeeded));
});

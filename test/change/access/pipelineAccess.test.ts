import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { type Access, pipelineAccess } from '../../../src/change/pipelineAccess.ts';
import { liveReferences } from '../../../src/manifest/live/liveReference.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { onlyNamed } from '../../../src/schema/record/customKinds.ts';
import { withKinds } from '../../kinds/withKinds.ts';
import { declare, org, owner } from '../../plan/world.ts';

const accessOf = (...desired: readonly DesiredResource[]) => pipelineAccess([{ desired, owner }], org);

/** `NAME: permissions of plan / permissions of apply`, except the policy for the audit trail of every stack. */
function permissionsOf(...desired: readonly DesiredResource[]): readonly string[] {
  const named = accessOf(...desired).filter(({ name }) => name !== 'audit');
  return named.map(({ name, plan, apply }) => `${name}: ${plan.join(' ')} / ${apply.join(' ')}`);
}

const spec = (of: JsonObject) => ({ spec: { type: 'standard', ...of } });
const reads = (...secrets: readonly string[]) => ({
  containers: [{ name: 'main', env: secrets.map((name) => ({ name, value: `scheme://secret/${name}.payload` })) }],
});
const inShop = ['identity', 'volumeset', 'workload'].map((kind) => `in-shop-${kind}: view / view`);

test("the access of several stacks covers each one's own tag, and no record by name that another stack declares", () => {
  const stacks = [
    { owner: 'net', desired: [declare('gvc/shop'), declare('group/ops')] },
    { owner: 'app', desired: [declare('workload/shop/web', spec(reads('shared'))), declare('group/app')] },
  ];
  const access = pipelineAccess(stacks, org).filter(({ name }) => !name.startsWith('in-'));
  const tag = (value: string) => ({ op: '=', tag: 'gantry/stack', value });
  expect(access.map(({ name, target }) => [name, objectAt(objectAt(target, 'targetQuery'), 'spec')])).toEqual([
    ['own-group', { match: 'any', terms: [tag('net'), tag('app')] }],
    ['own-gvc', { match: 'all', terms: [tag('net')] }],
    ['own-workload', { match: 'all', terms: [tag('app')] }],
    ['refers-secret', {}],
    ['audit', {}],
  ]);
});

test('both accounts can view the sources of fields and outputs, unless these are declared or referred to', () => {
  const reading = (...ids: readonly string[]) => liveReferences(ids.map((id) => `\${live.${id}}`));
  const web = {
    ...declare('workload/theirs/web', spec(reads('shared'))),
    reads: reading('workload/far/api:status.endpoint', 'workload/theirs/web:status.endpoint'),
  };
  const outputs = [
    { value: '<${live.gvc/far:alias}>' },
    { value: ['${live.secret/shared:data.payload}', '${live.secret/other:data.payload}'] },
  ];
  const access = pipelineAccess([{ desired: [web], outputs, owner }], org).filter(({ name }) => name.startsWith('re'));
  expect(access.map(({ name, target, plan, apply }) => [name, target['targetLinks'], plan, apply])).toEqual([
    ['refers-secret', ['//secret/shared'], ['view'], ['view', 'use']],
    ['reads-gvc', ['//gvc/far'], ['view'], ['view']],
    ['reads-secret', ['//secret/other', '//secret/shared'], ['view', 'reveal'], ['view', 'reveal']],
    ['reads-workload', ['//gvc/far/workload/api'], ['view'], ['view']],
  ]);
});

test('the key of an uploaded secret or file is added for the account that applies', () => {
  const key = { value: '${live.serviceaccount/ci:keys.pipeline.key}' };
  const desired = [declare('serviceaccount/ci')];
  const [account] = pipelineAccess([{ desired, outputs: [key], owner }], org);
  expect([account?.plan, account?.apply]).toEqual([['view'], ['create', 'edit', 'delete', 'addKey']]);
});

test('declared records can be created, changed and deleted; viewing a GVC includes its content', () => {
  expect(permissionsOf(declare('workload/shop/web', spec({})), declare('gvc/shop'), declare('group/ops'))).toEqual([
    'own-group: view / create edit delete',
    'own-gvc: view / create edit delete',
    'own-workload:  / create edit delete',
    ...inShop,
  ]);
});

test.each<{ it: string; desired: readonly DesiredResource[]; permissions: readonly string[] }>(
  // biome-ignore format: a row is a case
  [
    { it: 'nothing', desired: [], permissions: [] },
    { it: 'a workload in a GVC of others', desired: [declare('workload/theirs/web', spec({}))],
      permissions: ['own-workload: view / create edit delete'] },
    { it: 'a secret whose values the plans need', desired: [declare('secret/key')],
      permissions: ['own-secret: view reveal / create edit delete'] },
    { it: 'a secret that it uses itself',
      desired: [declare('secret/key'), declare('workload/theirs/web', spec(reads('key')))],
      permissions: ['own-secret: view reveal / create edit delete use', 'own-workload: view / create edit delete'] },
    { it: 'a secret of others', desired: [declare('workload/theirs/web', spec(reads('shared')))],
      permissions: ['own-workload: view / create edit delete', 'refers-secret: view / view use'] },
    { it: 'a secret that uses another',
      desired: [declare('secret/key'), declare('workload/theirs/web', spec(reads('shared')))],
      permissions: ['own-secret: view reveal / create edit delete', 'own-workload: view / create edit delete',
        'refers-secret: view / view use'] },
    { it: 'a policy that names a secret of others, which is not a use',
      desired: [declare('policy/p', { targetKind: 'secret', targetLinks: ['//secret/shared'] })],
      permissions: ['own-policy: view / create edit delete', 'refers-secret: view / view'] },
    { it: 'a group that names a service account of others, which is not a use',
      desired: [declare('group/g', { memberLinks: ['//serviceaccount/robot'] })],
      permissions: ['own-group: view / create edit delete', 'refers-serviceaccount: view / view'] },
    { it: 'a reference to another org, which needs no permission',
      desired: [declare('policy/p', { targetKind: 'secret', targetLinks: ['/org/other/secret/shared'] })],
      permissions: ['own-policy: view / create edit delete'] },
    { it: 'a load balancer of a workload',
      desired: [declare('workload/theirs/web', spec({ loadBalancer: { direct: { enabled: true } } }))],
      permissions: ['own-workload: view / create edit delete configureLoadBalancer'] },
    { it: 'a load balancer of its GVC', desired: [declare('gvc/shop', { spec: { loadBalancer: { dedicated: true } } })],
      permissions: ['own-gvc: view / create edit delete configureLoadBalancer', ...inShop] },
    { it: 'a kind that the platform never deletes', desired: [declare('auditctx/a')],
      permissions: ['own-auditctx: view / create edit'] },
    {
      it: 'a part of a GVC of others with its own pull secret',
      desired: [
        declare('secret/key'),
        declare('gvc/theirs', { spec: { pullSecretLinks: ['//secret/key'] } }, { part: true }),
      ],
      // Removing a part takes something from the GVC's children, which the plan must see.
      permissions: [
        'own-secret: view reveal / create edit delete use',
        'part-gvc: view / edit',
        ...['identity', 'volumeset', 'workload'].map((kind) => `in-theirs-${kind}: view / view`),
      ],
    },
    { it: 'a field of that name in another kind', desired: [declare('domain/a.b', { spec: { loadBalancer: {} } })],
      permissions: ['own-domain: view / create edit delete'] },
    { it: 'parts of a domain of others, which it only edits', desired: [declare('domain/a.b', {}, { part: true })],
      permissions: ['part-domain: view / edit'] },
  ],
)('a stack with $it (platform/access.needs)', ({ desired, permissions }) => {
  expect(permissionsOf(...desired)).toEqual(permissions);
});

describe('custom kinds', () => {
  withKinds({ queue: onlyNamed });

  test('have no permissions (platform/access.permissions)', () => {
    expect(permissionsOf(declare('queue/q'), declare('queue/r', {}, { part: true }))).toEqual([]);
  });
});

const find = (access: readonly Access[], name: string) => access.find((each) => each.name === name);

test('own records are granted by the owner tag, those in a GVC by the GVC, and referenced ones by links', () => {
  const access = accessOf(
    declare('gvc/shop'),
    declare('gvc/a'),
    declare('workload/shop/web', spec(reads('z', 'a', 'z'))),
    declare('domain/a.b', {}, { part: true }),
  );
  expect(access.map(({ name }) => name)).toEqual([
    'own-gvc',
    'own-workload',
    'part-domain',
    'refers-secret',
    ...['identity', 'volumeset', 'workload'].map((kind) => `in-a-${kind}`),
    ...['identity', 'volumeset', 'workload'].map((kind) => `in-shop-${kind}`),
    'audit',
  ]);
  const query = (kind: string, term: JsonObject) => ({
    targetQuery: { kind, fetch: 'items', spec: { match: 'all', terms: [{ op: '=', ...term }] } },
  });
  expect(find(access, 'own-gvc')?.target).toEqual(query('gvc', { tag: 'gantry/stack', value: owner }));
  expect(find(access, 'in-a-volumeset')).toMatchObject({
    kind: 'volumeset',
    target: query('volumeset', { rel: 'gvc', value: 'a' }),
  });
  expect(find(access, 'refers-secret')?.target).toEqual({ targetLinks: ['//secret/a', '//secret/z'] });
  expect(find(access, 'part-domain')?.target).toEqual({ targetLinks: ['//domain/a.b'] });
  expect(find(access, 'audit')).toEqual({
    name: 'audit',
    kind: 'auditctx',
    target: { targetLinks: ['//auditctx/scheme'] },
    plan: ['readAudit'],
    apply: ['readAudit'],
  });
});

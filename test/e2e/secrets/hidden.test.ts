import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, stringAt } from '../../../src/base/json/json.ts';
import { creatableKinds } from '../../../src/schema/record/kinds.ts';
import { type Outcome, succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { changesById } from '../harness/gantry.ts';
import { inProcess } from '../harness/inProcess.ts';
import { type Platform, writesSince } from '../harness/platform.ts';
import { startProxy } from '../harness/proxy.ts';
import { usePlatform } from '../harness/usePlatform.ts';

/**
 * Tokens that may not view everything. Lists and queries silently omit records that the token may not view, so a
 * missing record may be hidden or absent: only an absent one may be created or reported as deleted.
 */
const cwd = temporaryFolder('hidden');
const platform = usePlatform();
beforeAll(async () => {
  expect((await run('apply', 'shop', shop, ['--yes'])).code).toBe(0);
});

const call = (method: string, path: string, body?: JsonObject) => platform.call(method, `/org/local${path}`, body);

const gvc = (name: string, ...locations: readonly string[]) =>
  `kind: gvc\nname: ${name}\nspec: {staticPlacement: {locationLinks: [${locations.map((each) => `//location/${each}`).join(', ')}]}}\n`;
const [west, east] = ['aws-us-west-2', 'aws-eu-central-1'];
const workload = (home: string, name: string, more = '') =>
  `kind: workload\nname: ${name}\ngvc: ${home}\nspec:\n  type: standard\n  containers: [{name: main, image: 'a:1', cpu: 50m, memory: 128Mi}]\n  defaultOptions: {capacityAI: false}\n${more}`;
const groups = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `kind: group\nname: ${prefix}-${index}\n`);
const documents = (...each: readonly string[]) => each.join('---\n');

const shop = documents(
  'kind: secret\nname: shop-key\ntype: opaque\ndata: {payload: sh0p-k3y}\n',
  gvc('shop', west),
  'kind: identity\nname: rider\ngvc: shop\n',
  workload('shop', 'web', '  identityLink: //identity/rider\n'),
  'kind: policy\nname: shop-reads\ntargetKind: secret\ntargetLinks: [//secret/shop-key]\nbindings: [{permissions: [reveal], principalLinks: [//gvc/shop/identity/rider]}]\n',
);

function run(
  verb: string,
  stack: string,
  manifests: string,
  flags: readonly string[] = [],
  token?: string,
  at: Platform = platform,
): Promise<Outcome> {
  writeFileSync(join(cwd, `${stack}.yaml`), manifests);
  return inProcess(at, [verb, `${stack}.yaml`, '--stack', stack, ...flags], {
    cwd,
    ...(token === undefined ? {} : { env: { GANTRY_TOKEN: token } }),
  });
}

interface Grant {
  readonly kind: string;
  readonly permissions?: readonly string[];
  /** All records of the kind if neither is given. */
  readonly links?: readonly string[];
  readonly inGvc?: string;
}

/** The key of a service account with these permissions only. */
async function tokenWith(name: string, grants: readonly Grant[]): Promise<string> {
  expect((await call('POST', '/serviceaccount', { name })).status).toBe(201);
  for (const [index, { kind, permissions = ['manage'], links, inGvc }] of grants.entries()) {
    const spec = { match: 'all', terms: [{ op: '=', rel: 'gvc', value: inGvc ?? '' }] };
    const target: JsonObject =
      links !== undefined
        ? { targetLinks: links }
        : inGvc !== undefined
          ? { targetQuery: { kind, fetch: 'items', spec } }
          : { target: 'all' };
    const bindings = [{ permissions, principalLinks: [`//serviceaccount/${name}`] }];
    const made = await call('POST', '/policy', { name: `${name}-${index}`, targetKind: kind, ...target, bindings });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  const { body } = await call('POST', `/serviceaccount/${name}/-addKey`, { description: 'test' });
  return stringAt(body, 'key') ?? '';
}

const allBut = (...kinds: readonly string[]): readonly Grant[] =>
  creatableKinds.filter((kind) => !kinds.includes(kind)).map((kind) => ({ kind }));

/** The action of each resource in the JSON plan, with the codes of its refusals. */
function actionsOf(outcome: Outcome): Readonly<Record<string, string>> {
  const changes = [...changesById(outcome.stdout)].map(([id, change]) => {
    const codes = listAt(change, 'refusals').flatMap((each) => (isObject(each) ? (stringAt(each, 'code') ?? '') : ''));
    return [id, [stringAt(change, 'action') ?? '', ...codes].join(' ')] as const;
  });
  return Object.fromEntries(changes);
}

describe('a record that a token may not view is not created', () => {
  test('the token may view only the workloads of the GVC', async () => {
    const token = await tokenWith('workloads-only', [{ kind: 'workload', inGvc: 'shop' }]);
    const plan = await run('plan', 'shop', shop, ['-o', 'json'], token);
    expect(actionsOf(plan)).toEqual({
      'secret/shop-key': 'refuse read.hidden',
      'gvc/shop': 'refuse read.hidden',
      'identity/shop/rider': 'refuse read.hidden',
      'workload/shop/web': 'keep',
      'policy/shop-reads': 'refuse read.hidden',
    });
    const text = await run('plan', 'shop', shop, [], token);
    expect(text.code).not.toBe(0);
    expect(text.stdout).toContain(
      'refused read.hidden: this token cannot view gvc/shop (it lacks the permission view), so it may already exist',
    );
    expect(text.stdout).toContain('To permit it: a policy that grants this token view on it');
    expect(text.stdout).not.toContain('to create');
    const from = await platform.seen();
    expect((await run('apply', 'shop', shop, ['--yes'], token)).code).not.toBe(0);
    await platform.seen();
    expect(writesSince(platform, from)).toEqual([]);
  });

  test('the token may view everything except one kind', async () => {
    const token = await tokenWith('no-secrets', allBut('secret'));
    const plan = await run('plan', 'shop', shop, ['-o', 'json'], token);
    expect(actionsOf(plan)).toEqual({
      'secret/shop-key': 'refuse read.hidden',
      'gvc/shop': 'keep',
      'identity/shop/rider': 'keep',
      'workload/shop/web': 'keep',
      'policy/shop-reads': 'keep',
    });
  });

  test('a live value of a hidden record is refused as hidden, not as absent', async () => {
    const token = await tokenWith('no-workloads', allBut('workload'));
    const taking = (name: string, id: string) =>
      `kind: group\nname: ${name}\ndescription: "\${live.${id}:status.endpoint}"\n`;
    const both = documents(taking('takes-web', 'workload/shop/web'), taking('takes-none', 'workload/none/web'));
    const plan = await run('plan', 'takes', both, ['-o', 'json'], token);
    expect(actionsOf(plan)).toEqual({
      'group/takes-web': 'refuse read.hidden',
      'group/takes-none': 'refuse live.absent',
    });
    expect(plan.stdout).toContain(
      'it takes status.endpoint of workload/shop/web, which this token cannot view (it lacks the permission view)',
    );
  });

  test('of one kind, hidden records are refused and absent ones created', async () => {
    expect((await run('apply', 'crowd', documents(...groups('crowd', 6)), ['--yes'])).code).toBe(0);
    const links = [0, 2, 4].map((each) => `//group/crowd-${each}`);
    const token = await tokenWith('some-groups', [{ kind: 'group', permissions: ['view'], links }]);
    const plan = await run('plan', 'crowd', documents(...groups('crowd', 8)), ['-o', 'json'], token);
    expect(actionsOf(plan)).toEqual({
      'group/crowd-0': 'keep',
      'group/crowd-1': 'refuse read.hidden',
      'group/crowd-2': 'keep',
      'group/crowd-3': 'refuse read.hidden',
      'group/crowd-4': 'keep',
      'group/crowd-5': 'refuse read.hidden',
      'group/crowd-6': 'create',
      'group/crowd-7': 'create',
    });
  });

  test('a token that may view but not create gets the full plan, and apply names the missing permission', async () => {
    const token = await tokenWith(
      'viewer',
      creatableKinds.map((kind) => ({ kind, permissions: ['view'] })),
    );
    const more = documents(shop, 'kind: group\nname: shop-people\n');
    const plan = await run('plan', 'shop', more, [], token);
    expect(plan.stdout).toContain('Plan: 1 to create, ');
    expect(plan.stdout).not.toContain('read.hidden');
    const applied = await run('apply', 'shop', more, ['--yes'], token);
    expect(applied.code).not.toBe(0);
    expect(applied.stdout).toContain('lacks the permission [create] on /org/local/group/shop-people');
  });

  test('a reference to a hidden record is a note that does not call it absent', async () => {
    await call('POST', '/secret', { name: 'theirs', type: 'opaque', data: { payload: 'x' } });
    const token = await tokenWith('no-secrets-2', allBut('secret'));
    const reader =
      'kind: policy\nname: reader\ntargetKind: secret\ntargetLinks: [//secret/theirs, //secret/nowhere]\nbindings: [{permissions: [view], principalLinks: [//group/viewers]}]\n';
    const plan = await run('plan', 'reader', reader, [], token);
    expect(plan.stdout).toContain('targetLinks.0 refers to secret/theirs, which this token cannot view');
    expect(plan.stdout).toContain('targetLinks.1 refers to secret/nowhere, which does not exist');
    expect(plan.code).toBe(0);
  });

  test('a rename is refused if the old name and the GVC are hidden', async () => {
    const token = await tokenWith('no-gvcs', [{ kind: 'workload', links: ['//gvc/shop/workload/other'] }]);
    const renamed = workload('shop', 'other', 'lifecycle: {previously: web}\n');
    const plan = await run('plan', 'shop', renamed, ['-o', 'json'], token);
    expect(actionsOf(plan)).toEqual({ 'workload/shop/other': 'refuse read.hidden' });
    expect(plan.stdout).toContain('cannot view workload/shop/web');
  });

  test('a part of a hidden record is refused as hidden', async () => {
    const token = await tokenWith('nothing', []);
    const part = 'kind: group\nname: crowd-0\nlifecycle: {part: true}\nmemberLinks: [//user/admin@example.com]\n';
    const plan = await run('plan', 'part', part, ['-o', 'json'], token);
    expect(actionsOf(plan)).toEqual({ 'group/crowd-0': 'refuse read.hidden' });
  });
});

describe('a GVC with hidden content', () => {
  const foreign = { type: 'standard', containers: [{ name: 'main', image: 'a:1', cpu: '50m', memory: '128Mi' }] };

  async function hole(name: string): Promise<void> {
    expect((await run('apply', name, gvc(name, west, east), ['--yes'])).code).toBe(0);
    expect((await call('POST', `/gvc/${name}/workload`, { name: 'theirs', spec: foreign })).status).toBe(201);
  }

  test('is not deleted without --allow-unseen', async () => {
    await hole('hole');
    const token = await tokenWith('hole-digger', allBut('workload'));
    const from = await platform.seen();
    const refused = await inProcess(platform, ['destroy', '--stack', 'hole', '--yes'], {
      cwd,
      env: { GANTRY_TOKEN: token },
    });
    expect(refused.code).not.toBe(0);
    expect(refused.stdout).toContain(
      'refused delete.unseen: this token cannot view every workload in the GVC hole: more than is shown may be deleted',
    );
    expect(refused.stdout).toContain('To permit it: --allow-unseen, or policies that grant this token view');
    expect(refused.stdout).toContain(
      'note: this token cannot view every workload: resources of this stack that it cannot view stay unchanged',
    );
    await platform.seen();
    expect(writesSince(platform, from)).toEqual([]);
    await succeeded(
      inProcess(platform, ['destroy', '--stack', 'hole', '--yes', '--allow-unseen'], {
        cwd,
        env: { GANTRY_TOKEN: token },
      }),
    );
    expect((await call('GET', '/gvc/hole')).status).toBe(404);
  });

  test('is not changed in a way that affects its content without --allow-unseen', async () => {
    await hole('pit');
    const token = await tokenWith('pit-digger', allBut('workload', 'volumeset'));
    const refused = await run('plan', 'pit', gvc('pit', west), [], token);
    expect(refused.stdout).toContain(
      `refused update.unseen: it takes away location ${east}, and this token cannot view every volumeset and workload in the GVC pit`,
    );
    expect((await run('plan', 'pit', gvc('pit', west), ['--allow-unseen'], token)).code).toBe(0);
    expect((await run('plan', 'pit', gvc('pit', west), ['--allow-unseen'])).stdout).toContain('--allow-collateral=1');
  });

  test('needs no flag if a query lets the token view all content of this GVC', async () => {
    await hole('den');
    const inside = ['workload', 'volumeset', 'identity'].map((kind) => ({ kind, inGvc: 'den' }));
    const token = await tokenWith('den-keeper', [...allBut('workload', 'volumeset', 'identity'), ...inside]);
    const plan = await run('plan', 'den', 'kind: group\nname: den-people\n', ['--prune', '-o', 'json'], token);
    expect(actionsOf(plan)).toEqual({ 'gvc/den': 'refuse delete.bystander', 'group/den-people': 'create' });
  });
});

describe('saved plan, drift, status and adoption with hidden records', () => {
  test('a saved plan is not applied with a token that may view less than the one that planned', async () => {
    const file = join(cwd, 'more.plan');
    const more = documents(shop, 'kind: group\nname: shop-more\n', 'kind: group\nname: shop-most\n');
    expect((await run('plan', 'shop', more, ['--out', file])).code).toBe(0);
    await call('POST', '/group', { name: 'shop-most' });
    const token = await tokenWith('weak-applier', [{ kind: 'group', links: ['//group/shop-more'] }]);
    const from = await platform.seen();
    const applied = await inProcess(platform, ['apply', file, '--yes'], { cwd, env: { GANTRY_TOKEN: token } });
    expect(applied.code).not.toBe(0);
    expect(applied.stderr).toContain('read.hidden');
    expect(applied.stderr).toContain('group/shop-most: it lacks the permission view');
    await platform.seen();
    expect(writesSince(platform, from)).toEqual([]);
    await call('DELETE', '/group/shop-most');
    expect((await inProcess(platform, ['apply', file, '--yes'], { cwd })).code).toBe(0);
    const undone = await inProcess(platform, ['undo', file], { cwd, env: { GANTRY_TOKEN: token } });
    expect(undone.stderr).toContain('read.hidden');
  });

  test('a saved deletion of a GVC is not applied with a token that may view less of it', async () => {
    const other = 'kind: group\nname: cave-people\n';
    expect((await run('apply', 'cave', `${gvc('cave', west)}---\n${other}`, ['--yes'])).code).toBe(0);
    const file = join(cwd, 'cave.plan');
    expect((await run('plan', 'cave', other, ['--prune', '--out', file])).code).toBe(0);
    const token = await tokenWith('cave-digger', allBut('volumeset'));
    const from = await platform.seen();
    const applied = await inProcess(platform, ['apply', file, '--yes'], { cwd, env: { GANTRY_TOKEN: token } });
    expect(applied.stderr).toContain('this token cannot view every volumeset in gvc/cave');
    await platform.seen();
    expect(writesSince(platform, from)).toEqual([]);
  });

  test('drift does not call a hidden record deleted', async () => {
    const token = await tokenWith('drifter', [{ kind: 'workload', inGvc: 'shop' }, { kind: 'auditctx' }]);
    const drift = await run('drift', 'shop', shop, [], token);
    expect(drift.stdout).toContain('this token cannot view it, so its state is not known');
    expect(drift.stdout).not.toContain('deleted; the next apply');
    expect(drift.stdout).toMatch(/Drift: 1 unchanged, 4 hidden from this token\./);
  });

  test('status does not call a hidden record absent', async () => {
    const token = await tokenWith('onlooker', [{ kind: 'workload', inGvc: 'shop' }]);
    const { code, stdout } = await run('status', 'shop', shop, ['-o', 'json'], token);
    const resources: readonly { id: string; health: string }[] = JSON.parse(stdout).resources;
    expect(code).toBe(1);
    expect(resources.filter(({ health }) => health === 'absent')).toEqual([]);
    expect(resources.filter(({ health }) => health === 'hidden').map(({ id }) => id)).toEqual([
      'gvc/shop',
      'identity/shop/rider',
      'policy/shop-reads',
      'secret/shop-key',
    ]);
  });

  test('adoption names hidden records as such', async () => {
    const token = await tokenWith('adopter', [{ kind: 'group', links: ['//group/viewers'] }]);
    const asked = await inProcess(platform, ['adopt', 'gvc/shop', 'gvc/nowhere', '--stack', 'adopted'], {
      cwd,
      env: { GANTRY_TOKEN: token },
    });
    expect(asked.stderr).toContain('left out: gvc/shop: this token cannot view it');
    expect(asked.stderr).toContain('left out: gvc/nowhere: there is no such resource');
  });
});

describe('the cost of permission checks', () => {
  /** The requests of one plan, and how many of them read one record. */
  async function cost(manifests: string, token?: string, at: Platform = platform) {
    const from = await platform.seen();
    const plan = await run('plan', 'costs', manifests, ['-o', 'json'], token, at);
    await platform.seen();
    const sent = platform.requests.slice(from).filter(({ path }) => !path.includes('/seen-'));
    const single = sent.filter(({ method, path }) => method === 'GET' && /^\/org\/local\/(?!.*-)[^/]+\/./.test(path));
    const { requests }: { requests: { snapshot: number } } = JSON.parse(plan.stdout);
    expect(requests.snapshot).toBe(sent.length + (at === platform ? 0 : 1)); // the proxy answered GET /user itself
    return {
      sent: sent.length,
      named: sent.filter(({ path }) => path.includes('costs-')).length,
      single: single.length,
    };
  }

  test('creating 250 groups costs an administrator four more requests; creating nothing costs no more', async () => {
    const all = documents(...groups('costs', 250));
    const usual = 1 + creatableKinds.length + 3; // discovery, the owner of each kind, names in chunks of 100
    // Three requests for permissions, one for all deletions in the audit trail.
    expect(await cost(all)).toEqual({ sent: usual + 3 + 1, named: 0, single: 0 });
    expect((await run('apply', 'costs', all, ['--yes'])).code).toBe(0);
    expect(await cost(all)).toEqual({ sent: usual - 3, named: 0, single: 0 });
  });

  test('if the platform does not identify the caller, each new name costs a request', async () => {
    const old = await startProxy(platform.url, ({ path }) => (path === '/user' ? { status: 404 } : 'pass'));
    const manifests = documents(...groups('costs', 250), ...groups('costs-new', 5));
    expect((await cost(manifests, undefined, { ...platform, url: old.url })).named).toBe(5);
    await old.close();
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../../src/base/json/json.ts';
import { writeBelow } from '../../../harness/writeBelow.ts';
import { succeeded } from '../../../outcome.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { startProxy } from '../../harness/proxy.ts';
import { startGantry } from '../../harness/running.ts';
import { testStories } from '../../harness/stories.ts';
import { usePlatform } from '../../harness/usePlatform.ts';

const root = temporaryFolder('saved');
const platform = usePlatform();
const live = async (path: string): Promise<JsonObject> => (await platform.call('GET', `/org/local/${path}`)).body;

// biome-ignore format: a row is a story
describe('plan --out and apply FILE', () => testStories(platform, 'kept', [
  ['saves a private file, applies it without manifests, and recognises that nothing is left', `
    plans group/@ description: first
    it.plan is private
    files are gantry.yaml, it.plan, stack.yaml
    group/@ is absent
    writes
    $ apply it.plan --yes > + group/@
    group/@ has description: first, version: 1
    $ apply it.plan --yes > nothing is left
    sends nothing`],
  ['apply runs the approved plan, not the current manifests', `
    plans group/@ description: approved
    writes group/@ description: later
    $ apply it.plan --yes
    group/@ has description: approved`],
  ['changes that are already made are named, and the others are applied', `
    plans group/@ & group/@-b
    $ apply . --target group/@ --yes
    $ apply it.plan --yes > 1 of 2 are done already: group/@
    sends POST group
    rests`],
  ['a refused plan is not saved, and an older file stays', `
    writes group/@ description: mine
    it.plan is older
    POST group name: @, description: theirs
    $3 plan . --out it.plan > adopt.not-asked ! not saved to it.plan
    it.plan has /^older\\n$/`],
  ['a saved plan is recognised by its content, also as .json and from another folder, and manifests are not', `
    writes group/@ description: named
    $ plan . --out kept.json
    $2 plan . --detailed-exitcode
    $1 plan kept.json ! input.saved-plan
    in elsewhere: $ apply ../kept.json --yes
    group.json is {"kind": "group", "name": "@", "description": "json", "gantry": "saved-plan"}
    $1 apply group.json --yes ! shape.unknown-field`],
  ['-o json prints one document with the result', `
    plans group/@
    $ apply it.plan --yes -o json = stack: @, result: {done: [group/@]}`],
  ['without --yes and without a terminal nothing is applied', `
    plans group/@
    $1 apply it.plan ! error apply.not-confirmed`],
  ['a plan that cannot be saved is an error, and no file is left behind', `
    writes group/@
    $1 plan . --out none/it.plan ! error saved.unwritable
    files are gantry.yaml, stack.yaml`],
]));

/** Flags that would change the plan. */
const changing = [
  ...['--prune', '--adopt', '--allow-data-loss=1', '--allow-collateral=1', '--max-deletes=3', '--allow-empty'],
  ...['--target=group/x', '--exclude=group/x', '--max-risk=none', '--max-changes=3', '--gvc=x', '--wait'],
  ...['--revert-operational', '--write-unknown-secrets'],
];
const apart = 'spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2';

// biome-ignore format: a row is a story
describe('refused before anything is written', () => testStories(platform, 'held', [
  ...[
    ['changed', '"whole"', '"forged"', 'error saved.tampered', 3],
    ['cut', '/\\n.*\\n.*\\n$/', '', 'error saved.damaged', 1],
    ['of a newer format', '"formatVersion": 1', '"formatVersion": 2', 'error saved.newer-format', 1],
  ].map(([how, from, to, error, code]): readonly [string, string] => [`a file that is ${how}`, `
    plans group/@ description: whole
    it.plan has ${from} and now ${to}
    $${code} apply it.plan --yes ! ${error}`]),
  ['a plan for another org or another stack', `
    plans group/@
    $3 apply it.plan --yes --org elsewhere ! error saved.other-org
    $3 apply it.plan --yes --stack other ! error saved.other-stack
    $ apply it.plan --yes --stack @ --org local`],
  ['with any flag that would change the plan, which the error names', `
    plans group/@
    ${changing.map((flag) => `$64 apply it.plan --yes ${flag} ! error cli.usage ! ${flag.split('=')[0]}`).join('\n')}`],
  ['a plan together with other inputs', `
    plans group/@
    $64 apply it.plan . --yes ! error cli.usage`],
  ['a field that another client has changed, with its path and author', `
    applies group/@ description: old
    plans group/@ description: new
    PATCH group/@ description: theirs
    $4 apply it.plan --yes ! error plan.stale ! group/@: it was at version 1, now it is at 2
      ! /moved: description; written by (?!unknown)\\S+/`],
  ['a field that another client has changed, by an unknown author if the audit trail cannot be read', `
    applies group/@ description: old
    plans group/@ description: new
    PATCH group/@ description: theirs
    GET /audit is refused: $4 apply it.plan --yes ! moved: description; written by unknown
    group/@ has description: theirs, version: 2`],
  ['one stale change blocks all other writes too', `
    applies group/@ description: old & group/@-b description: old
    plans group/@ description: new & group/@-b description: new
    PATCH group/@-b description: theirs
    $4 apply it.plan --yes ! error plan.stale`],
  ['a name that another client has taken', `
    plans group/@
    POST group name: @, description: theirs
    $4 apply it.plan --yes ! error plan.stale`],
  ['a record that another client has deleted', `
    applies group/@ description: old
    plans group/@ description: new
    DELETE group/@
    $4 apply it.plan --yes ! error plan.stale ! it no longer exists`],
  ['a reference to a record that was deleted, or recreated with the same name', `
    POST serviceaccount name: @
    plans group/@ memberLinks: [//serviceaccount/@]
    DELETE serviceaccount/@
    $4 apply it.plan --yes ! error plan.fact ! is gone
    POST serviceaccount name: @
    $4 apply it.plan --yes ! error plan.fact ! was deleted and created again`],
  ['the deletion of a GVC that contains more than was shown', `
    applies gvc/@ & group/@ description: stays
    plans group/@ description: instead
    POST gvc/@/identity name: stranger
    $4 apply it.plan --yes ! error plan.fact ! contains identity/@/stranger`],
  ['a change that affects a new workload of others', `
    applies gvc/@ ${apart}, //location/aws-eu-central-1]}}
    plans gvc/@ ${apart}]}}
    POST gvc/@/workload name: late, spec: {type: standard, containers: [{name: main, image: "registry.example.com/a:1"}]}
    $4 apply it.plan --yes ! error plan.fact
      ! the change of gvc/@ affects workload/@/late, which was not shown`],
]));

/** A secret value that differs in JSON and in base64. */
const canary = 'c4n4ry-S3cret"/ü';
const secret = (value: string) => `secret/@ type: opaque, data: {payload: ${JSON.stringify(value)}}`;
const marked = (mark: string, token: string) =>
  `tags: {token: ${token}}, lifecycle: {sensitive: [${mark}], protect: true}`;
const forms = [canary, JSON.stringify(canary).slice(1, -1), Buffer.from(canary).toString('base64'), 'c4n4ry'];

// biome-ignore format: a row is a story
testStories(platform, 'hidden', [
  ['a change of another field by another client is kept: the patch is written with the new version', `
    applies group/@ description: old
    plans group/@ description: new
    PATCH group/@ tags: {theirs: "yes"}
    $ apply it.plan --yes
    group/@ has description: new, version: 3, tags: {theirs: "yes"}
    rests`],
  ['neither the file nor the output has a secret value; values are read again and compared', `
    writes ${secret(canary)}
    $ GANTRY_SECRET_KEY= plan . --out it.plan
    it.plan has scrypt
    $ GANTRY_SECRET_KEY= apply it.plan --yes -o json
    secret/@/-reveal has data: {payload: ${JSON.stringify(canary)}}
    writes ${secret(`${canary}-2`)}
    $ GANTRY_SECRET_KEY= plan . --out it.plan
    ${forms.map((form) => `it.plan has no ${form}`).join('\n')}
    $ GANTRY_SECRET_KEY= apply it.plan --yes
    ${forms.map((form) => `nothing shows ${form}`).join('\n')}
    secret/@/-reveal has data: {payload: ${JSON.stringify(`${canary}-2`)}}, version: 2
    rests`],
  ['another secret value or none is refused without showing it; a changed field beside it is accepted', `
    writes ${secret(canary)}
    $ GANTRY_SECRET_KEY= plan . --out it.plan
    writes ${secret('c4n4ry-other')}
    $4 GANTRY_SECRET_KEY= apply it.plan --yes ! error saved.secret-changed ! no c4n4ry > no c4n4ry
    writes group/@
    $4 GANTRY_SECRET_KEY= apply it.plan --yes ! error saved.secret-changed ! made with: none is declared here
    writes
    gantry.yaml is gone
    $1 GANTRY_SECRET_KEY= apply it.plan --yes ! error saved.input-missing
    writes ${secret(canary)}, description: later
    $ GANTRY_SECRET_KEY= apply it.plan --yes
    secret/@ has description: @`],
  ['secrets cannot be read again without the gantry.yaml that has the environment', `
    gantry.yaml is {stack: @, env: dev, environments: {dev: {}}}
    plans ${secret(canary)}
    gantry.yaml is gone
    $1 apply it.plan --yes ! error saved.input-missing ! has no environment dev here`],
  ...['tags', '"tags.*"'].map((mark): [string, string] => [`a record with the mark ${mark} is created and changed as saved`, `
    plans group/@ ${marked(mark, 'c4n4ry-first')}
    it.plan has no c4n4ry
    $ apply it.plan --yes > no c4n4ry
    group/@ has tags: {token: c4n4ry-first, "gantry/stack": @, "scheme/protected": "true"}
    plans group/@ ${marked(mark, 'c4n4ry-second')}
    $ apply it.plan --yes > no c4n4ry
    group/@ has tags: {token: c4n4ry-second, "gantry/stack": @}
    rests`]),
  ['a secret whose value is not written needs no input', `
    applies ${secret(canary)}
    plans ${secret(canary)}, description: told
    writes
    $ apply it.plan --yes
    secret/@ has description: told
    secret/@/-reveal has data: {payload: ${JSON.stringify(canary)}}`],
  ['a secret that another client has changed is stale, whatever its value', `
    applies ${secret(canary)}
    plans ${secret(`${canary}-2`)}
    PATCH secret/@ description: theirs
    $4 apply it.plan --yes ! error plan.stale ! description`],
  ['with GANTRY_SECRET_KEY only holders of the key can apply, and a file without it is refused', `
    writes ${secret(canary)} & group/@ description: stays
    $ GANTRY_SECRET_KEY=the-key-of-the-team plan . --out it.plan
    it.plan has no scrypt
    $1 GANTRY_SECRET_KEY= apply it.plan --yes ! error saved.key-missing
    $3 GANTRY_SECRET_KEY=another apply it.plan --yes ! error saved.tampered
    $ GANTRY_SECRET_KEY=the-key-of-the-team apply it.plan --yes
    writes group/@ description: plain
    $ GANTRY_SECRET_KEY= plan . --out it.plan
    $3 GANTRY_SECRET_KEY=the-key-of-the-team apply it.plan --yes ! error saved.unsigned`],
]);

test.each([2, 4])('killed after write %i was carried out, the same file can be applied again', async (write) => {
  const name = `chain-${write}`;
  const cwd = join(root, name);
  const [stack, gvc] = [`stack: ${name}\n`, `kind: gvc\nname: ${name}\n`];
  writeBelow(cwd, 'gantry.yaml', stack);
  writeBelow(
    cwd,
    'stack.yaml',
    `${gvc}spec: {keda: {enabled: true, identityLink: //identity/app}}\n---\nkind: identity\nname: app\ngvc: ${name}\n---
kind: secret\nname: ${name}\ntype: opaque\ndata: {payload: c4n4ry}\n---\nkind: group\nname: ${name}\n`,
  );
  const run = (...args: readonly string[]) => succeeded(inProcess(platform, args, { cwd }));
  await run('plan', '.', '--out', 'it.plan');
  const running: { kill?: () => void } = {};
  const proxy = await startProxy(
    platform.url,
    () => 'pass',
    (passing) => {
      if (passing.isWrite && passing.write === write) running.kill?.();
    },
  );
  const process = startGantry(proxy.url, ['apply', 'it.plan', '--yes'], cwd);
  running.kill = () => process.child.kill('SIGKILL');
  expect((await process.ended).signal).toBe('SIGKILL');
  await proxy.close();

  await run('apply', 'it.plan', '--yes');
  expect(await live(`gvc/${name}`)).toMatchObject({ version: 2 });
  await run('plan', '.', '--detailed-exitcode');
  expect((await run('apply', 'it.plan', '--yes')).stdout).toContain('nothing is left');
});

test('gantry schema saved-plan prints the schema of the file', async () => {
  const { stdout } = await inProcess(undefined, ['schema', 'saved-plan'], { cwd: root });
  const schema: unknown = JSON.parse(stdout);
  expect(isObject(schema) && schema['title']).toBe('Gantry saved plan, format 1');
  const built = readFileSync(new URL('../../../../dist/schemas/saved-plan.json', import.meta.url), 'utf8');
  expect(JSON.parse(built)).toEqual(schema);
});

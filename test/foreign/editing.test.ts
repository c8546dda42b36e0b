import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { pathOf, project, strangers } from './project.ts';
import { isObject, type Json, type JsonObject } from './server/json.ts';
import { mask } from './server/present.ts';
import { serve } from './server/serve.ts';
import type { SwitchName } from './server/switches.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A platform with the records of the project, and an editor that changes the image and a value of web. */
async function records(switches: readonly SwitchName[], before = '') {
  const served = await serve(switches, 1);
  const cwd = mkdtempSync(join(tmpdir(), 'foreign-'));
  ends.push(async () => {
    await served.close();
    rmSync(cwd, { recursive: true, force: true });
  });
  for (const [at, body] of strangers) served.platform.plant(at, body);
  for (const manifest of project) {
    const { kind: _kind, name: _name, gvc: _gvc, ...body } = manifest;
    served.platform.plant(pathOf(manifest), { tags: {}, ...body });
  }
  const editor = join(cwd, 'editor.sh');
  const change = 's/nginx:1/nginx:7/; s/value: fast/value: slow/';
  writeFileSync(editor, `#!/bin/sh\n${before}\nsed -i '${change}' "$1"\n`);
  chmodSync(editor, 0o755);
  const env = { EDITOR: editor, HOME: cwd, XDG_CACHE_HOME: cwd };
  const run = (...args: readonly string[]) => inProcess(served, [...args, '--org', 'local'], { cwd, env });
  const container = (): Json | undefined => {
    const spec = served.platform.records().get('/org/local/gvc/shop/workload/web')?.['spec'];
    const list = isObject(spec) ? spec['containers'] : undefined;
    return Array.isArray(list) ? list[0] : undefined;
  };
  return { platform: served.platform, run, container, cwd };
}

const newImage = ['workload', 'update', 'web', '--gvc', 'shop', '--set', 'spec.containers.main.image=nginx:9'];

const env = (mode: string, count: string) => [
  { name: 'B_MODE', value: mode },
  { name: 'A_COUNT', value: count },
];
// biome-ignore format: a row is a case
const platforms: readonly (SwitchName | readonly SwitchName[])[] = [
  ['lists-appended', 'only-drop'],
  ['lists-appended', 'only-drop', 'versions-jump'],
  ['lists-merged', 'only-drop'],
  'patch-refused', 'list-directives-stored', 'only-drop', 'list-directives-known', 'patch-answers-204',
  'patch-answers-echo', 'patch-answers-old', 'image-digest', 'default-timeout-15', 'null-ignored',
  'patch-refuses-version', 'patch-refuses-id-and-version',
];

it.each(platforms.map((each) => ({ names: [each].flat() })))(
  'write.directives: edit and update change only their fields on a platform with $names',
  async ({ names }) => {
    const { platform, run, container } = await records(names);
    const edited = await run('workload', 'edit', 'web', '--gvc', 'shop', '--yes');
    expect(edited.code, edited.stderr).toBe(0);
    expect(container()).toMatchObject({ image: 'nginx:7', env: env('slow', '1'), args: ['--serve', '--all'] });
    const updated = await run(...newImage, '--set', 'spec.containers.main.env.A_COUNT.value=6');
    expect(updated.code, updated.stderr).toBe(0);
    expect(container()).toMatchObject({ image: 'nginx:9', env: env('slow', '6'), args: ['--serve', '--all'] });
    expect(JSON.stringify(platform.records().get('/org/local/gvc/shop/workload/web'))).not.toContain('"$');
  },
);

it('update waits for its own write on a platform that answers nothing and shows writes late', async () => {
  const { run, container } = await records(['reads-lag', 'patch-answers-204']);
  await vi.waitFor(async () => expect((await run('workload', 'get', 'web', '--gvc', 'shop')).code).toBe(0), 5_000);
  const updated = await run(...newImage);
  expect(updated.code, updated.stderr).toBe(0);
  expect(container()).toMatchObject({ image: 'nginx:9' });
});

/** Runs `edit` of web while the record is replaced with these tags. */
async function editedMeanwhile(switches: readonly SwitchName[], tags: JsonObject) {
  const waits = 'touch "$HOME/open"; until [ -e "$HOME/written" ]; do sleep 0.02; done';
  const { platform, run, container, cwd } = await records(switches, waits);
  const edited = run('workload', 'edit', 'web', '--gvc', 'shop', '--yes');
  await vi.waitFor(() => expect(existsSync(join(cwd, 'open'))).toBe(true), 20_000);
  const web = '/org/local/gvc/shop/workload/web';
  const now: JsonObject = platform.records().get(web) ?? {};
  platform.plant(web, { ...now, tags: { ...(isObject(now['tags']) ? now['tags'] : {}), ...tags } });
  writeFileSync(join(cwd, 'written'), '');
  return { ...(await edited), container };
}

it('edit reports no other writer if only the version and a tag of the platform have changed', async () => {
  // The platform shows the number of writes as a tag.
  const { code, stderr, container } = await editedMeanwhile(['own-tags-change'], {});
  expect(code, stderr).toBe(0);
  expect(stderr).not.toContain('omebody');
  expect(container()).toMatchObject({ image: 'nginx:7', env: env('slow', '1') });
});

it('update writes no tags if the platform stores directives and changes the values of its tags', async () => {
  const { platform, run, container } = await records(['own-tags-change', 'list-directives-stored']);
  const answer = platform.answer.bind(platform);
  const patches: Json[] = [];
  platform.answer = (asked) => {
    if (asked.method === 'PATCH') patches.push(asked.body ?? null);
    return answer(asked);
  };
  const updated = await run(...newImage);
  expect(updated.code, updated.stderr).toBe(0);
  expect(container()).toMatchObject({ image: 'nginx:9' });
  expect(patches).toHaveLength(2);
  expect(JSON.stringify(patches)).not.toContain('"acme/');
});

it('edit writes nothing if another stack has taken over the record meanwhile', async () => {
  const { code, stderr, container } = await editedMeanwhile([], { 'gantry/stack': 'other-team' });
  expect(code, stderr).toBe(1);
  expect(stderr).toContain('tags."gantry/stack": (none) → "other-team"');
  expect(container()).toMatchObject({ image: 'nginx:1', env: env('fast', '1') });
});

it.each(['versions-jump', 'versions-text', 'versions-global'] as const)(
  'update removes directives that a platform stored, and makes its change, with %s',
  async (versions) => {
    const { platform, run, container } = await records([versions, 'list-directives-stored']);
    const updated = await run(...newImage);
    expect(updated.code, updated.stderr).toBe(0);
    expect(container()).toMatchObject({ image: 'nginx:9' });
    expect(JSON.stringify(platform.records().get('/org/local/gvc/shop/workload/web'))).not.toContain('"$');
  },
);

// biome-ignore format: a row is a case
it.each([
  ['corrects a stored directive if only the version has risen since', {}, { code: 0, image: 'nginx:9', said: '' }],
  ['reports a stored directive if another client has written since', { tags: { by: 'others' } },
    { code: 1, image: 'nginx:1', said: 'was written, but the platform returned unexpected values for spec.$patch/containers' }],
] as const)('update %s', async (_, theirs, { code, image, said }) => {
  const { platform, run, container } = await records(['list-directives-stored']);
  const web = '/org/local/gvc/shop/workload/web';
  const answer = platform.answer.bind(platform);
  let patches = 0;
  platform.answer = (asked) => {
    const given = answer(asked);
    if (asked.method === 'PATCH' && patches++ === 0) platform.plant(web, { ...platform.records().get(web), ...theirs });
    return given;
  };
  const updated = await run(...newImage);
  expect(updated.code, updated.stderr).toBe(code);
  expect(updated.stderr).toContain(said);
  expect(updated.stderr).not.toContain('nothing was written');
  expect(container()).toMatchObject({ image });
});

it.each(['reveal-403-masked', 'reveal-404-masked', 'reads-show-masked-data', 'reveal-404-empty'] as const)(
  'a secret keeps its value when edit and update change other fields, on a platform with %s',
  async (name) => {
    const { platform, run } = await records([name]);
    const updated = await run('secret', 'update', 'shop-db', '--set', 'description=value: fast');
    expect(updated.code, updated.stderr).toBe(0);
    const edited = await run('secret', 'edit', 'shop-db', '--yes');
    expect(edited.code, edited.stderr).toBe(0);
    expect(platform.records().get('/org/local/secret/shop-db')).toMatchObject({
      description: 'value: slow',
      data: { username: 'shop', password: 'first-password' },
    });
    expect(JSON.stringify(platform.requests.map(({ body }) => body ?? null))).not.toContain(mask);
  },
);

// biome-ignore format: a row is a case
const documents: readonly SwitchName[] = [
  'only-drop', 'list-directives-stored', 'list-directives-known', 'patch-answers-204', 'writes-answer-204',
  'patch-answers-echo', 'patch-answers-old', 'patch-refuses-id-and-version', 'versions-jump', 'values-long',
  'absent-for-empty',
];

it.each(documents)(
  'write.directives: tag, add-member, force-redeployment and patch work on a platform with %s',
  async (name) => {
    const { platform, run, container, cwd } = await records([name]);
    const record = (path: string): JsonObject => platform.records().get(`/org/local/${path}`) ?? {};
    const tagged = await run('gvc', 'tag', 'shop', '--tag', 'cost=low', '--remove-tag', 'team', '-o', 'json');
    expect(tagged.code, tagged.stderr).toBe(0);
    expect(record('gvc/shop')['tags']).toEqual({ Tier: '1', cost: 'low' });
    expect(JSON.parse(tagged.stdout)).toMatchObject({ name: 'shop', tags: { Tier: '1', cost: 'low' } });

    platform.plant('/org/local/serviceaccount/helper', { tags: {} });
    const added = await run('group', 'add-member', 'shop-team', '--serviceaccount', 'helper', '-o', 'json');
    expect(added.code, added.stderr).toBe(0);
    const members = record('group/shop-team')['memberLinks'];
    expect(Array.isArray(members) ? members.map((link) => String(link).split('/').at(-1)) : members).toEqual([
      'robot',
      'helper',
    ]);
    expect(JSON.parse(added.stdout).memberLinks).toHaveLength(2);

    const again = await run('workload', 'force-redeployment', 'web', '--gvc', 'shop');
    expect(again.code, again.stderr).toBe(0);
    expect(record('gvc/shop/workload/web')['tags']).toHaveProperty(['scheme/deployTimestamp']);

    const file = join(cwd, 'patch.yaml');
    const item = "{ name: main, image: 'nginx:8', $append/env: [{ name: C_MORE, value: more }] }";
    writeFileSync(file, `spec:\n  $patch/containers:\n    - ${item}\n`);
    const patched = await run('workload', 'patch', 'web', '--gvc', 'shop', '--file', file);
    expect(patched.code, patched.stderr).toBe(0);
    expect(container()).toMatchObject({
      image: 'nginx:8',
      env: [...env('fast', '1'), { name: 'C_MORE', value: 'more' }],
    });
    expect(JSON.stringify([...platform.records()])).not.toContain('"$');
  },
);

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linkPackages } from '../cli/projectFolder.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { usePlatform } from '../e2e/harness/usePlatform.ts';
import { headOf } from '../harness/headOf.ts';
import { succeeded } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useGantryHere } from './runner/gantryHere.ts';
import { type PipelineJob, type PipelineTrigger, runPipeline } from './runner/gitLabRunner.ts';
import { commitAll, git } from './runner/steps.ts';
import { startGitLab } from './standIn/gitLab.ts';
import { openWorld } from './world.ts';

/** The example of a team: three stacks in three environments, with its pipeline. */
const example = new URL('../../examples/team', import.meta.url).pathname;
const folder = temporaryFolder('ci-team');
const gantryHere = useGantryHere(folder);
const environments = ['dev', 'staging', 'prod'];
const steps = (...names: readonly string[]) => environments.flatMap((env) => names.map((name) => `${name}-${env}`));
const allSuccessful = (jobs: readonly string[]) => jobs.map((job) => `${job} success`);
const platform = usePlatform();
/** The tokens of the jobs by environment, with the permissions that `gantry ci policy` prints. */
let tokens: ReadonlyMap<string, string>;

const fileOf = (name: string) => readFileSync(join(example, name), 'utf8');

async function imageIn(environment: string): Promise<unknown> {
  const { status, body } = await platform.call('GET', `/org/local/gvc/team-${environment}/workload/web`);
  const [, version] = /team\/web:([^"]+)"/.exec(JSON.stringify(body)) ?? [];
  return status === 200 ? version : status;
}
const images = () => Promise.all(environments.map(imageIn));

/** `gantry.yaml` after a promotion. */
async function promoted(settings: string, from: string, to: string): Promise<string> {
  const cwd = temporaryFolder('ci-promotion');
  linkPackages(cwd);
  cpSync(join(example, 'stack.ts'), join(cwd, 'stack.ts'));
  writeFileSync(join(cwd, 'gantry.yaml'), settings);
  await succeeded(inProcess(undefined, ['promote', from, to, '--write'], { cwd }));
  return readFileSync(join(cwd, 'gantry.yaml'), 'utf8');
}

test.each(['github', 'gitlab'])(
  'the pipeline of the example for %s equals the output of gantry ci init',
  async (forge) => {
    const cwd = temporaryFolder(`ci-team-${forge}`);
    cpSync(example, cwd, { recursive: true });
    const { stdout } = await succeeded(inProcess(undefined, ['ci', 'init', forge, '-o', 'json'], { cwd }));
    expect(JSON.parse(stdout)).toMatchObject({
      environments,
      files: [{ change: 'unchanged' }, { change: 'unchanged' }],
    });
  },
);

test('on GitHub: plan, approval, apply through all environments, drift', async () => {
  const declares = { 'stack.ts': fileOf('stack.ts'), 'gantry.yaml': fileOf('gantry.yaml') };
  const world = await openWorld({
    folder: join(folder, 'github'),
    platform,
    stack: 'team',
    environments,
    declares,
    files: { 'package.json': '{"type": "module"}\n' },
  });
  world.gantry = gantryHere;
  tokens = world.tokens;
  const results = (jobs: Awaited<ReturnType<typeof world.night>>) =>
    jobs.map(({ job, result, log }) => (result === 'success' ? `${job} success` : `${job} ${result}: ${log}`));
  try {
    // One plan and one comment for the three stacks of each environment.
    const first = await world.propose('first', declares);
    expect(results(first.jobs)).toEqual(allSuccessful(steps('plan')));
    expect(world.forge.comments).toHaveLength(3);
    for (const stack of ['network', 'data', 'shop'])
      expect(world.forge.comments[0]?.body).toContain(`Stack \`${stack}-dev.team\``);

    // Production waits for its reviewers.
    world.approved.delete('prod-approval');
    const waiting = await world.merge(first.number);
    expect(results(waiting)).toEqual(allSuccessful([...steps('fetch', 'approve', 'apply').slice(0, 6), 'fetch-prod']));
    expect(await images()).toEqual(['2.1.0-rc.3', '2.1.0-rc.2', 404]);
    world.approved.add('prod-approval');
    expect(results(await world.again())).toEqual(allSuccessful(steps('fetch', 'approve', 'apply')));
    expect(await images()).toEqual(['2.1.0-rc.3', '2.1.0-rc.2', '2.0.4']);

    await platform.call('PATCH', '/org/local/gvc/team-prod/identity/web', { description: 'by hand' });
    expect((await world.night()).map(({ job, result }) => `${job} ${result}`)).toEqual([
      'drift-dev success',
      'drift-staging success',
      'drift-prod failure',
    ]);
    expect(world.forge.faults).toEqual([]);
  } finally {
    await world.close();
  }
});

test('on GitLab: the same, with notes, and a promotion through all environments', async () => {
  const forge = await startGitLab();
  const origin = join(folder, 'gitlab');
  cpSync(example, origin, { recursive: true });
  writeFileSync(join(origin, 'package.json'), '{"type": "module"}\n');
  writeFileSync(join(origin, '.gitignore'), 'node_modules\n');
  git(origin, 'init', '-q', '--template=', '-b', 'main');
  commitAll(origin, 'example');

  async function pipeline(trigger: PipelineTrigger, iid?: number): Promise<readonly PipelineJob[]> {
    const jobs = await runPipeline(trigger, {
      origin,
      folder,
      gantry: gantryHere,
      predefined: { ...forge.variables(trigger.sha, iid), CI_PIPELINE_SOURCE: trigger.source },
      variables: {
        '*': { GANTRY_ORG: 'local', GANTRY_ENDPOINT: platform.url },
        ...Object.fromEntries([...tokens].map(([name, own]) => [name, { GANTRY_TOKEN: own }])),
      },
      starts: () => true,
    });
    if (iid !== undefined) {
      const kept = jobs.map(({ name, status, files }, index) => ({ id: index + 1, name, status, files }));
      forge.pipelines.push({ id: forge.pipelines.length + 1, iid, sha: trigger.sha, jobs: kept });
    }
    return jobs;
  }
  const results = (jobs: readonly PipelineJob[]) =>
    jobs.map(({ name, status, log }) => (status === 'success' ? `${name} success` : `${name} ${status}: ${log}`));
  const merged = async (iid: number, settings: string) => {
    git(origin, 'checkout', '-q', '-b', `change-${iid}`);
    writeFileSync(join(origin, 'gantry.yaml'), settings);
    const head = commitAll(origin, `change ${iid}`);
    forge.requests.push({ iid, head });
    const planned = await pipeline({ source: 'merge_request_event', sha: head }, iid);
    expect(results(planned)).toEqual(allSuccessful(steps('gantry-plan')));
    git(origin, 'checkout', '-q', 'main');
    git(origin, 'merge', '-q', '--no-ff', '-m', `merge ${iid}`, `change-${iid}`);
    const sha = headOf(origin);
    forge.requests.splice(-1, 1, { iid, head, merged: sha });
    expect(results(await pipeline({ source: 'push', sha }))).toEqual(allSuccessful(steps('fetch', 'approve', 'apply')));
    return sha;
  };
  try {
    const inStaging = await promoted(fileOf('gantry.yaml'), 'dev', 'staging');
    const sha = await merged(1, await promoted(inStaging, 'staging', 'prod'));
    expect(forge.notes.map(({ iid }) => iid)).toEqual([1, 1, 1]);
    expect(forge.notes[0]?.body).toContain('Stack `shop-');
    expect(await images()).toEqual(['2.1.0-rc.3', '2.1.0-rc.3', '2.1.0-rc.3']);
    await platform.call('PATCH', '/org/local/gvc/team-prod/identity/web', { description: 'by hand again' });
    const night = await pipeline({ source: 'schedule', sha });
    expect(night.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'drift-dev success',
      'drift-staging success',
      'drift-prod failed',
    ]);
    expect(forge.faults).toEqual([]);
  } finally {
    await forge.close();
  }
});

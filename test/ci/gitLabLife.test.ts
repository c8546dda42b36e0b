import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { openPlatform, type Platform } from '../e2e/harness/platform.ts';
import { headOf } from '../harness/headOf.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { type PipelineKeys, pipelineKeys } from './pipelineKeys.ts';
import { useGantryHere } from './runner/gantryHere.ts';
import { type PipelineJob, type PipelineTrigger, runPipeline } from './runner/gitLabRunner.ts';
import { commitAll, git } from './runner/steps.ts';
import { type GitLabStandIn, startGitLab } from './standIn/gitLab.ts';

const folder = temporaryFolder('ci-gitlab');
const origin = join(folder, 'origin');
const gantryHere = useGantryHere(folder);
let platform: Platform;
let forge: GitLabStandIn;
let keys: PipelineKeys;

beforeAll(async () => {
  platform = await openPlatform();
  forge = await startGitLab();
});
afterAll(async () => {
  await forge.close();
  await platform.stop();
});

const commit = (message: string) => commitAll(origin, message);

async function pipeline(trigger: PipelineTrigger, iid?: number): Promise<readonly PipelineJob[]> {
  const jobs = await runPipeline(trigger, {
    origin,
    folder,
    gantry: gantryHere,
    predefined: { ...forge.variables(trigger.sha, iid), CI_PIPELINE_SOURCE: trigger.source },
    variables: {
      '*': { GANTRY_ORG: 'local', GANTRY_ENDPOINT: platform.url },
      'dev-plan': { GANTRY_TOKEN: keys.plan },
      dev: { GANTRY_TOKEN: keys.apply },
    },
    starts: () => true,
  });
  if (iid !== undefined) {
    const kept = jobs.map(({ name, status, files }, index) => ({ id: index + 1, name, status, files }));
    forge.pipelines.push({ id: forge.pipelines.length + 1, iid, sha: trigger.sha, jobs: kept });
  }
  return jobs;
}

const results = (jobs: readonly PipelineJob[]) => jobs.map(({ name, status }) => `${name} ${status}`);

test('merge request, plan, note, manual approval, apply, drift', async () => {
  mkdirSync(origin);
  git(origin, 'init', '-q', '--template=', '-b', 'main');
  await inProcess(undefined, ['ci', 'init', 'gitlab', '--env', 'dev'], { cwd: origin });
  writeFileSync(join(origin, '.gitignore'), 'node_modules\n');
  writeFileSync(join(origin, 'gantry.yaml'), 'stack: shop\nenvironments: {dev: {}}\n');
  commit('pipeline');

  git(origin, 'checkout', '-q', '-b', 'ops');
  writeFileSync(join(origin, 'ops.yaml'), 'kind: group\nname: ops\ndescription: first\n');
  const access = { project: origin, stack: 'shop', folder: join(folder, 'access'), options: ['--env', 'dev'] };
  keys = await pipelineKeys(platform, access);
  const head = commit('ops');
  forge.requests.push({ iid: 4, head });
  expect(results(await pipeline({ source: 'merge_request_event', sha: head }, 4))).toEqual(['gantry-plan-dev success']);
  expect(forge.notes.map(({ iid }) => iid)).toEqual([4]);
  expect(forge.notes[0]?.body).toContain('group/ops');

  git(origin, 'checkout', '-q', 'main');
  git(origin, 'merge', '-q', '--no-ff', '-m', 'merge 4', 'ops');
  const merged = headOf(origin);
  forge.requests.splice(0, 1, { iid: 4, head, merged });
  const jobs = await pipeline({ source: 'push', sha: merged });
  expect(results(jobs)).toEqual(['fetch-dev success', 'approve-dev success', 'apply-dev success']);
  expect((await platform.call('GET', '/org/local/group/ops')).body['description']).toBe('first');

  expect(results(await pipeline({ source: 'schedule', sha: merged }))).toEqual(['drift-dev success']);
  await platform.call('PATCH', '/org/local/group/ops', { description: 'by hand' });
  expect(results(await pipeline({ source: 'schedule', sha: merged }))).toEqual(['drift-dev failed']);
  expect(forge.faults).toEqual([]);
});

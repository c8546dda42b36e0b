import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { linkPackages } from '../cli/projectFolder.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import type { Platform } from '../e2e/harness/platform.ts';
import { headOf } from '../harness/headOf.ts';
import { writeBelow } from '../harness/writeBelow.ts';
import { type PipelineKeys, type PipelineStack, pipelineKeys } from './pipelineKeys.ts';
import { type JobOutcome, type RunnerOptions, runWorkflow, type Trigger } from './runner/gitHubRunner.ts';
import { builtGantry, commitAll, git, type Program } from './runner/steps.ts';
import { type GitHubStandIn, startGitHub } from './standIn/gitHub.ts';

/** File contents by path; null removes a file. */
export type Files = Readonly<Record<string, string | null>>;

export interface WorldOptions {
  /** A new folder. */
  readonly folder: string;
  readonly platform: Pick<Platform, 'url'>;
  /** The name of the stack or of the project. */
  readonly stack: string;
  /** The environments in the order in which a change passes through them. @default none */
  readonly environments?: readonly string[];
  /** More files of the repository. */
  readonly files?: Files;
  /**
   * Manifests with all kinds that changes of a test declare; jobs get the permissions that `gantry ci policy` prints
   * for them.
   */
  readonly declares: Files;
  /** More secrets by environment. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A repository with the pipeline of `gantry ci init github`, on a stand-in of GitHub and a real platform. */
export interface World {
  readonly forge: GitHubStandIn;
  /** The program `gantry` in its jobs; initially the built command line. */
  gantry: Program;
  /** The tokens of its jobs. */
  readonly keys: PipelineKeys;
  /** The tokens by environment. */
  readonly tokens: Map<string, string>;
  /** The folder of the repository. */
  readonly origin: string;
  /** Commits to the main branch without a pipeline. */
  commit(files: Files): void;
  /** Environments whose reviewers have approved. */
  readonly approved: Set<string>;
  /** Opens a pull request, or pushes to its branch, and runs its pipeline. */
  propose(branch: string, files: Files, how?: { readonly fork?: boolean }): Promise<Proposal>;
  /** Merges, and runs the pipeline of the main branch. */
  merge(number: number, how?: Tampering): Promise<readonly JobOutcome[]>;
  /** Runs the pipeline of the last merge again; jobs that waited for an approval continue. */
  again(): Promise<readonly JobOutcome[]>;
  /** Runs the nightly pipeline. */
  night(): Promise<readonly JobOutcome[]>;
  close(): Promise<void>;
}

export interface Tampering {
  /** Replaces the files that a job downloads. */
  readonly onDownload?: RunnerOptions['onDownload'];
}

export interface Proposal {
  readonly number: number;
  readonly jobs: readonly JobOutcome[];
}

export async function openWorld(options: WorldOptions): Promise<World> {
  const { folder, platform, stack, declares, files = {}, secrets = {}, environments = [] } = options;
  const forge = await startGitHub();
  const branches = new Map<number, string>();
  const origin = join(folder, 'origin');
  mkdirSync(origin, { recursive: true });
  git(origin, 'init', '-q', '--template=', '-b', 'main');
  const commit = (message: string) => commitAll(origin, message);
  const named = environments.flatMap((name) => ['--env', name]);
  await inProcess(undefined, ['ci', 'init', 'github', ...named], { cwd: origin });
  writeFiles({ '.gitignore': 'node_modules\n', ...files });
  commit('pipeline');
  const declared = join(folder, 'declared');
  writeFiles({ ...files, ...declares }, declared);
  linkPackages(declared);
  const tokens = new Map<string, string>();
  async function grant(name: string, access: Omit<PipelineStack, 'project' | 'folder'>): Promise<PipelineKeys> {
    const made = await pipelineKeys(platform, { ...access, project: declared, folder: join(folder, `access-${name}`) });
    tokens.set(`${name}-plan`, made.plan).set(name, made.apply);
    return made;
  }
  let keys: PipelineKeys | undefined;
  for (const name of environments)
    keys = await grant(name, { stack: name, options: ['--env', name, '--name', `pipeline-${name}`] });
  keys ??= await grant('gantry', { stack });

  function writeFiles(changed: Files, to = origin): void {
    for (const [path, text] of Object.entries(changed)) {
      if (text === null) rmSync(join(to, path));
      else writeBelow(to, path, text);
    }
  }

  const branchOf = (number: number) => branches.get(number) ?? '';
  const isMerged = (number: number) => forge.pulls.some((pull) => pull.number === number && pull.merged !== undefined);

  const ofForge = (environments.length === 0 ? ['gantry'] : environments).flatMap((name) => [
    `${name}-plan`,
    `${name}-approval`,
    name,
  ]);
  const approved = new Set(ofForge);
  const run = (trigger: Trigger, { onDownload }: Tampering = {}) =>
    runWorkflow(trigger, {
      ...(onDownload === undefined ? {} : { onDownload }),
      origin,
      folder,
      forge,
      gantry: world.gantry,
      vars: { GANTRY_ORG: 'local', GANTRY_ENDPOINT: platform.url },
      secrets: Object.fromEntries(
        ofForge.map((name) => {
          const own = tokens.get(name);
          return [name, { ...(own === undefined ? {} : { GANTRY_TOKEN: own }), ...secrets[name] }];
        }),
      ),
      isApproved: (environment) => approved.has(environment),
    });

  let pushed = '';
  const push = (sha: string, how?: Tampering) => run({ event: 'push', ref: 'refs/heads/main', sha }, how);

  const world: World = {
    forge,
    gantry: builtGantry,
    keys,
    tokens,
    origin,
    approved,
    commit(changed) {
      writeFiles(changed);
      commit('without a pipeline');
    },
    async propose(branch, changed, { fork = false } = {}) {
      const known = forge.pulls.find(({ number }) => branches.get(number) === branch && !isMerged(number));
      git(origin, 'checkout', '-q', ...(known === undefined ? ['-b', branch, 'main'] : [branch]));
      writeFiles(changed);
      const head = commit(branch);
      const number = known?.number ?? forge.pulls.length + 1;
      if (known === undefined) {
        branches.set(number, branch);
        forge.pulls.push({ number, head });
      } else known.head = head;
      // The checkout is the branch merged into the main branch.
      git(origin, 'checkout', '-q', '-B', `pull-${number}`, 'main');
      git(origin, 'merge', '-q', '--no-ff', '-m', `merge ${number} for its pipeline`, branch);
      const sha = headOf(origin);
      git(origin, 'checkout', '-q', 'main');
      return { number, jobs: await run({ event: 'pull_request', ref: `refs/pull/${number}/merge`, sha, head, fork }) };
    },
    async merge(number, how) {
      const pull = forge.pulls.find((each) => each.number === number);
      if (pull === undefined) throw new Error(`there is no pull request ${number}`);
      git(origin, 'merge', '-q', '--no-ff', '-m', `merge ${number}`, branchOf(number));
      pull.merged = headOf(origin);
      pushed = pull.merged;
      return push(pushed, how);
    },
    again: () => push(pushed),
    night: () => run({ event: 'schedule', ref: 'refs/heads/main', sha: headOf(origin) }),
    close: () => forge.close(),
  };
  return world;
}

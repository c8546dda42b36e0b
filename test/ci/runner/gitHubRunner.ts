import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { GitHubStandIn } from '../standIn/gitHub.ts';
import { type Contexts, filled, isTrue } from './expressions.ts';
import { matches } from './patterns.ts';
import { checkedOut, git, installGantry, type Program, runShell } from './steps.ts';

/** The event that starts a workflow. */
export interface Trigger {
  readonly event: 'pull_request' | 'push' | 'schedule';
  readonly ref: string;
  /** The commit that is checked out. */
  readonly sha: string;
  /** For a pull request, the last commit of its branch. */
  readonly head?: string;
  readonly fork?: boolean;
}

export interface JobOutcome {
  readonly job: string;
  readonly result: 'success' | 'failure';
  readonly log: string;
  /** The folder of the job after its end. */
  readonly workspace: string;
}

export type ArtifactFiles = Readonly<Record<string, Uint8Array>>;

export interface RunnerOptions {
  /** The folder of the repository. */
  readonly origin: string;
  /** The folder for the folders of jobs. */
  readonly folder: string;
  readonly forge: GitHubStandIn;
  /** The program `gantry` in its jobs. */
  readonly gantry: Program;
  /** Secrets by environment, as in a repository. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly vars: Readonly<Record<string, string>>;
  /** Whether a job may get the secrets of an environment; if not, the run ends before that job. */
  readonly isApproved: (environment: string) => boolean;
  /** Replaces the files that `actions/download-artifact` downloads. */
  readonly onDownload?: (files: ArtifactFiles, job: string) => ArtifactFiles;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly if?: string;
  readonly needs?: readonly string[];
  readonly environment?: string;
  readonly steps: readonly Step[];
}

interface Step {
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a workflow like GitHub Actions, with the features that `gantry ci init` uses: events, conditions, `needs`,
 * environments with secrets and approvals, expressions, and four actions.
 */
export async function runWorkflow(trigger: Trigger, options: RunnerOptions): Promise<readonly JobOutcome[]> {
  const workflow = load(git(options.origin, 'show', `${trigger.sha}:.github/workflows/gantry.yml`));
  if (!isWorkflow(workflow)) throw new Error('this is no workflow');
  if (!(trigger.event in workflow.on)) return [];
  const kept = new Map<string, ArtifactFiles>();
  const outcomes: JobOutcome[] = [];
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const contexts = contextsOf(trigger, options, job);
    if (job.if !== undefined && !isTrue(job.if, contexts)) continue;
    const ready = (job.needs ?? []).every((need) =>
      outcomes.some(({ job: ended, result }) => ended === need && result === 'success'),
    );
    const isWaiting = job.environment !== undefined && !options.isApproved(job.environment);
    if (!ready || isWaiting) continue;
    outcomes.push(await runJob(job, { trigger, options, contexts, env: workflow.env, kept, job: name }));
  }
  return outcomes;
}

/** Whether it can be a workflow; GitHub's own parser checks all parts of it (pipelines.test.ts). */
function isWorkflow(value: unknown): value is Workflow {
  return typeof value === 'object' && value !== null && 'on' in value && 'jobs' in value;
}

interface Run {
  readonly trigger: Trigger;
  readonly options: RunnerOptions;
  readonly contexts: Contexts;
  readonly env: Readonly<Record<string, string>>;
  /** The artifacts of this run. */
  readonly kept: Map<string, ArtifactFiles>;
  readonly job: string;
}

async function runJob(job: Job, run: Run): Promise<JobOutcome> {
  let workspace = mkdtempSync(join(run.options.folder, 'job-'));
  let result: JobOutcome['result'] = 'success';
  const log: string[] = [];
  for (const step of job.steps) {
    if (result === 'failure' && !(step.if !== undefined && isTrue(step.if, run.contexts))) continue;
    if (step.uses?.startsWith('actions/checkout@')) workspace = checkedOut(run.trigger.sha, run.options, run.job);
    else if (step.uses !== undefined) useAction(step, workspace, run);
    else if (step.run === 'npm ci') installGantry(workspace, run.options.gantry);
    else {
      const env = environmentOf(step, run);
      const { code, log: text } = await runShell(filled(step.run ?? '', run.contexts), workspace, env);
      log.push(text);
      if (code !== 0) result = 'failure';
    }
  }
  return { job: run.job, result, log: log.join(''), workspace };
}

function environmentOf({ env = {} }: Step, { trigger, options, contexts, env: ofWorkflow }: Run) {
  const given = Object.entries({ ...ofWorkflow, ...env }).map(([key, text]) => [key, filled(String(text), contexts)]);
  const { GITHUB_TOKEN: _, ...variables } = options.forge.variables(trigger.ref, trigger.sha);
  return { ...variables, ...Object.fromEntries(given) };
}

function useAction({ uses = '', with: given = {} }: Step, workspace: string, run: Run): void {
  if (uses.startsWith('actions/setup-node@')) return;
  const name = given['name'] ?? 'artifact';
  if (uses.startsWith('actions/download-artifact@')) {
    const files = run.kept.get(name);
    if (files === undefined) throw new Error(`there is no artifact ${name} in this run`);
    const brought = run.options.onDownload?.(files, run.job) ?? files;
    for (const [file, bytes] of Object.entries(brought)) writeFileSync(join(workspace, file), bytes);
    return;
  }
  if (!uses.startsWith('actions/upload-artifact@')) throw new Error(`this runner does not know ${uses}`);
  const patterns = (given['path'] ?? '').split('\n').filter((line) => line !== '');
  const found = readdirSync(workspace).filter((file) => patterns.some((pattern) => matches(pattern, file)));
  const files = Object.fromEntries(found.map((file) => [file, readFileSync(join(workspace, file))]));
  run.kept.set(name, files);
  const { forge } = run.options;
  const { sha, head = sha, fork = false } = run.trigger;
  if (found.length > 0) forge.artifacts.push({ name, head, files, fork });
}

function contextsOf(
  { event, ref, fork = false }: Trigger,
  { vars, secrets, forge }: RunnerOptions,
  job: Job,
): Contexts {
  const { GITHUB_REPOSITORY: repository, GITHUB_TOKEN: token } = forge.variables('', '');
  return {
    github: {
      event_name: event,
      ref,
      repository,
      token,
      event: { pull_request: { head: { repo: { full_name: fork ? 'mallory/shop' : repository } } } },
    },
    vars,
    secrets: secrets[job.environment ?? ''] ?? {},
  };
}

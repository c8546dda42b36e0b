import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { matches } from './patterns.ts';
import { checkedOut, git, installGantry, type Program, runShell } from './steps.ts';

export interface PipelineTrigger {
  readonly source: 'merge_request_event' | 'push' | 'schedule';
  readonly sha: string;
}

export interface PipelineOptions {
  readonly origin: string;
  readonly folder: string;
  /** The variables of the forge. */
  readonly predefined: Readonly<Record<string, string>>;
  /** Variables by environment; those of `*` apply everywhere. */
  readonly variables: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The program `gantry` in its jobs. */
  readonly gantry?: Program;
  /** Whether a user starts a manual job. */
  readonly starts: (job: string) => boolean;
}

export interface PipelineJob {
  readonly name: string;
  readonly status: 'success' | 'failed';
  readonly log: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
}

interface Listed {
  readonly name: string;
  readonly when: 'never' | 'on_success' | 'manual';
}

interface Job {
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly environment?: { readonly name: string };
  readonly artifacts: { readonly paths: readonly string[] };
}

const program = new URL('../../../node_modules/gitlab-ci-local/dist/index.js', import.meta.url).pathname;

/**
 * Runs a pipeline like GitLab, with the features that `gantry ci init` uses. gitlab-ci-local resolves `extends`, rules
 * and stages; jobs run in a fresh checkout with the artifacts of the jobs before them.
 */
export async function runPipeline(trigger: PipelineTrigger, options: PipelineOptions): Promise<readonly PipelineJob[]> {
  const definition = checkedOut(trigger.sha, options, 'pipeline');
  const jobs = resolvedJobs(definition);
  const ended: PipelineJob[] = [];
  for (const { name, when } of listedJobs(definition, trigger)) {
    const job = jobs[name];
    if (job === undefined || when === 'never' || (when === 'manual' && !options.starts(name))) {
      if (when === 'manual') break;
      continue;
    }
    if (ended.some(({ status }) => status === 'failed')) break;
    ended.push(await runJob(name, job, { trigger, options, before: ended }));
  }
  return ended;
}

function listedJobs(folder: string, { source }: PipelineTrigger): readonly Listed[] {
  const variables = [`CI_PIPELINE_SOURCE=${source}`, 'CI_COMMIT_BRANCH=main'];
  return JSON.parse(ask(folder, ['--list-json', ...variables.flatMap((variable) => ['--variable', variable])]));
}

function resolvedJobs(folder: string): Readonly<Record<string, Job>> {
  const resolved = load(ask(folder, ['--preview']));
  if (typeof resolved !== 'object' || resolved === null) throw new Error('there is no pipeline');
  return Object.fromEntries(Object.entries(resolved).filter(([, job]) => isJob(job)));
}

function isJob(value: unknown): value is Job {
  return typeof value === 'object' && value !== null && 'script' in value;
}

/** Answers of gitlab-ci-local by file and variables; each takes a second. */
const said = new Map<string, string>();

function ask(cwd: string, args: readonly string[]): string {
  const asked = JSON.stringify([readFileSync(join(cwd, '.gitlab-ci.yml'), 'utf8'), args]);
  const answer = said.get(asked) ?? answerOf(cwd, args);
  said.set(asked, answer);
  return answer;
}

/** The answer of gitlab-ci-local from the first line of its document. */
function answerOf(cwd: string, args: readonly string[]): string {
  git(cwd, 'config', 'remote.origin.url', 'https://forge.invalid/acme/shop.git');
  const text = execFileSync(process.execPath, [program, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text.slice(Math.max(0, text.search(/^(\[|---)/m)));
}

interface Run {
  readonly trigger: PipelineTrigger;
  readonly options: PipelineOptions;
  readonly before: readonly PipelineJob[];
}

async function runJob(name: string, job: Job, { trigger, options, before }: Run): Promise<PipelineJob> {
  const workspace = checkedOut(trigger.sha, options, 'job');
  for (const { files } of before) {
    for (const [file, bytes] of Object.entries(files)) writeFileSync(join(workspace, file), bytes);
  }
  const { predefined, variables } = options;
  const env = { ...predefined, ...variables['*'], ...variables[job.environment?.name ?? ''], ...job.variables };
  const log: string[] = [];
  let status: PipelineJob['status'] = 'success';
  for (const line of [...job.before_script, ...job.script]) {
    if (status === 'failed') break;
    if (line === 'npm ci') installGantry(workspace, options.gantry);
    else {
      const { code, log: text } = await runShell(line, workspace, env);
      log.push(text);
      if (code !== 0) status = 'failed';
    }
  }
  const kept = readdirSync(workspace).filter((file) => job.artifacts.paths.some((path) => matches(path, file)));
  const files = Object.fromEntries(kept.map((file) => [file, readFileSync(join(workspace, file))]));
  return { name, status, log: log.join(''), files };
}

import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { meantOrAvailable } from '../../../base/text/suggestion.ts';
import { ToolError } from '../../../base/toolError.ts';
import { systemReason } from '../../../project/files/fileRefusal.ts';
import { chooseEnvironment } from '../../../project/settings/environment.ts';
import { readSettingsFile } from '../../../project/settings/settingsFile.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { show } from '../../../terminal/show.ts';
import { UsageError } from '../../../terminal/usageError.ts';
import { pipelineForm } from '../../schemas/ci.ts';
import { type ProjectFile, textOf, writeProject, writtenFiles, writtenLine } from '../initProjectFile.ts';
import { templateFolder } from '../initTemplateFolder.ts';
import type { InitCiOptions } from './options.ts';

/**
 * Writes a pipeline: its definition for the forge, and its steps. Errors: `init.exists`, `init.files`,
 * `settings.environment`.
 */
export async function runInitCi(context: CommandContext<InitCiOptions>, forge: string): Promise<Ending> {
  const { options, cwd } = context;
  const folder = resolve(cwd, options.dir ?? '.');
  const requested = pipelineOf(forge, options);
  const pipeline = { ...requested, environments: await environmentsOf(folder, requested) };
  const sources = await pipelineFiles(pipeline);
  const files: ProjectFile[] = [];
  // In sequence, so that the first unreadable file is reported.
  for (const [path, text] of sources) {
    files.push({ path, text, before: await textOf(folder, path), isExecutable: path.endsWith('.sh') });
  }
  await writeProject(folder, files, {
    hint: 'Commit them, remove them, and run it again: git diff shows what is different.',
  });

  const written = writtenFiles(files);
  const next = nextSteps(pipeline);
  const { environments } = pipeline;
  await show(context, {
    document: () => pipelineForm.write({ forge: pipeline.forge, folder, files: written, environments, next }),
    text: () =>
      [`Pipeline in ${folder}:`, ...written.map(writtenLine), '', 'Next:', ...next.map((step) => `  ${step}`), ''].join(
        '\n',
      ),
  });
  return exitCode.ok;
}

/**
 * The named environments, or else all of the project. Errors: `settings.file`; `settings.environment` for an unknown
 * name; `init.files` if the folder of the stack is missing.
 */
async function environmentsOf(folder: string, { path, environments }: Pipeline): Promise<readonly string[]> {
  const project = resolve(folder, path);
  if (project !== folder) await refuseMissing(project);
  const { environments: known } = await readSettingsFile(project);
  for (const name of environments) chooseEnvironment(known, name);
  return environments.length > 0 ? environments : [...(known?.keys() ?? [])];
}

async function refuseMissing(project: string): Promise<void> {
  const why = await stat(project).then((found) => (found.isDirectory() ? undefined : 'it is a file'), systemReason);
  if (why === undefined) return;
  throw new ToolError({
    code: 'init.files',
    message: `--path: ${project} is not the folder of a stack: ${why}`,
    hint: 'Give the folder of the stack, from the root of the repository; --dir is the root.',
  });
}

function pipelineOf(forge: string, { path, env, branch }: InitCiOptions): Pipeline {
  if (!isForge(forge)) {
    throw new UsageError(`there is no pipeline for ${JSON.stringify(forge)}`, meantOrAvailable(forge, forges));
  }
  for (const name of env) {
    if (/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name)) continue;
    throw new UsageError(
      `--env: ${JSON.stringify(name)} cannot be in the name of a job`,
      'Letters, digits, - and _, beginning with a letter or digit.',
    );
  }
  const [duplicate] = env.filter((name, index) => env.indexOf(name) !== index);
  if (duplicate !== undefined)
    throw new UsageError(`--env: ${duplicate} is named twice`, 'Name each environment once.');
  if (!/^[A-Za-z0-9][\w./-]*$/.test(branch)) {
    throw new UsageError(`--branch: ${JSON.stringify(branch)} is not a valid branch name`, 'Example: --branch main');
  }
  if (path.startsWith('/') || path.split('/').includes('..') || /[\n\r]/.test(path)) {
    throw new UsageError(
      `--path: ${JSON.stringify(path)} is not below the root of the repository`,
      'Example: --path infrastructure/shop',
    );
  }
  return { forge, path, environments: env, branch };
}

function isForge(name: string): name is PipelineForge {
  return forges.some((forge) => forge === name);
}

/** The manual steps on the forge: a pipeline cannot create its own keys. */
function nextSteps({ forge, environments }: Pipeline): readonly string[] {
  if (forge === 'shell') {
    return [
      'Call ci/gantry.sh plan, apply and drift in your pipeline. Keep gantry.plan from plan to apply.',
      'gantry ci policy prints the least rights that the tokens need.',
    ];
  }
  const names = environments.length === 0 ? ['gantry'] : environments;
  const where = forge === 'github' ? 'Settings > Environments' : 'Settings > CI/CD and Operate > Environments';
  return [
    `${where}: make ${names.map((name) => `${name}-plan, ${name}-approval and ${name}`).join('; ')}.`,
    'Give each NAME-plan a GANTRY_TOKEN that may only read, and each NAME one that may change (gantry ci policy).',
    'Name reviewers for each NAME-approval, and allow it and NAME on protected branches only.',
    ...(forge === 'github'
      ? ['Set the variables GANTRY_ORG and GANTRY_ENDPOINT in each of them, unless gantry.yaml has them.']
      : [
          'Set GANTRY_ORG and GANTRY_ENDPOINT for each of them, unless gantry.yaml has them, and GITLAB_TOKEN for comments.',
        ]),
    'Optional: GANTRY_PLAN_KEY and GANTRY_APPROVAL_KEY, with signers in gantry.yaml; GANTRY_NOTIFY.',
  ];
}

/** The forges that `gantry ci init` writes a pipeline for; `shell`: the steps alone. */
const forges = ['github', 'gitlab', 'shell'] as const;

type PipelineForge = (typeof forges)[number];

interface Pipeline {
  readonly forge: PipelineForge;
  /** The folder of the stack, from the root of the repository. */
  readonly path: string;
  /** In the order in which a change passes through them; empty if the project has none. */
  readonly environments: readonly string[];
  readonly branch: string;
}

const pipelinePaths = { github: '.github/workflows/gantry.yml', gitlab: '.gitlab-ci.yml' } as const;

/** The files of a pipeline, by path. */
async function pipelineFiles(pipeline: Pipeline): Promise<ReadonlyMap<string, string>> {
  const folder = join(templateFolder(), 'ci');
  const read = (...names: readonly string[]) => readFile(join(folder, ...names), 'utf8');
  const files = new Map([['ci/gantry.sh', await read('gantry.sh')]]);
  const { forge } = pipeline;
  if (forge !== 'shell') {
    const [head, environment] = await Promise.all([read(forge, 'pipeline.yml'), read(forge, 'environment.yml')]);
    files.set(pipelinePaths[forge], pipelineText(pipeline, head, environment));
  }
  return files;
}

function pipelineText({ path, environments, branch }: Pipeline, head: string, environment: string): string {
  const suffixes = environments.length === 0 ? [''] : environments.map((name) => `-${name}`);
  const stages = suffixes.map((suffix) => `approve${suffix}, apply${suffix}`).join(', ');
  const known = { PATH: JSON.stringify(path), BRANCH: branch, STAGES: stages };
  const jobs = environments.length === 0 ? [withoutEnvironments(environment, known)] : environments.map(jobsOf);
  return [fillTemplate(head, known), jobs[0], ...jobs.slice(1).map((text) => text?.replace(/^jobs:\n/, ''))].join('\n');

  function jobsOf(name: string, index: number): string {
    const previous = environments[index - 1];
    const template = previous === undefined ? withoutLines(environment, '__PREVIOUS__') : environment;
    return fillTemplate(template, { ...known, NAME: name, SUFFIX: `-${name}`, ENV: name, PREVIOUS: `-${previous}` });
  }
}

/** The text for a project without environments: no name contains one. */
function withoutEnvironments(template: string, known: Readonly<Record<string, string>>): string {
  const bare = template.replaceAll('  variables:\n    GANTRY_ENV: "__ENV__"\n', '');
  return fillTemplate(withoutLines(withoutLines(bare, '__PREVIOUS__'), '__ENV__'), {
    ...known,
    NAME: 'gantry',
    SUFFIX: '',
  });
}

function withoutLines(template: string, part: string): string {
  const lines = template.split('\n').filter((line) => !line.includes(part));
  return lines.join('\n');
}

/** Replaces each `__NAME__` in a template by the value of that name. */
function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/__([A-Z]+)__/g, (whole, name: string) => values[name] ?? whole);
}

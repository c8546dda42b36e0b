import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { templateFolder } from '../../newFiles/templateFolder.ts';

/** The forges that `gantry ci init` writes a pipeline for; `shell`: the steps alone. */
export const forges = ['github', 'gitlab', 'shell'] as const;

export type PipelineForge = (typeof forges)[number];

export interface Pipeline {
  readonly forge: PipelineForge;
  /** The folder of the stack, from the root of the repository. */
  readonly path: string;
  /** In the order in which a change passes through them; empty: the project has none. */
  readonly environments: readonly string[];
  readonly branch: string;
}

const pipelinePaths = { github: '.github/workflows/gantry.yml', gitlab: '.gitlab-ci.yml' } as const;

/** The files of a pipeline, by path. */
export async function pipelineFiles(pipeline: Pipeline): Promise<ReadonlyMap<string, string>> {
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
  return [filled(head, known), jobs[0], ...jobs.slice(1).map((text) => text?.replace(/^jobs:\n/, ''))].join('\n');

  function jobsOf(name: string, index: number): string {
    const previous = environments[index - 1];
    const template = previous === undefined ? withoutLines(environment, '__PREVIOUS__') : environment;
    return filled(template, { ...known, NAME: name, SUFFIX: `-${name}`, ENV: name, PREVIOUS: `-${previous}` });
  }
}

/** Of a project that has none: nothing is called after one. */
function withoutEnvironments(template: string, known: Readonly<Record<string, string>>): string {
  const bare = template.replaceAll('  variables:\n    GANTRY_ENV: "__ENV__"\n', '');
  return filled(withoutLines(withoutLines(bare, '__PREVIOUS__'), '__ENV__'), { ...known, NAME: 'gantry', SUFFIX: '' });
}

function withoutLines(template: string, part: string): string {
  const lines = template.split('\n').filter((line) => !line.includes(part));
  return lines.join('\n');
}

/** `__NAME__` in a template stands for the value of that name. */
function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/__([A-Z]+)__/g, (whole, name: string) => values[name] ?? whole);
}

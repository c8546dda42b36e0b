import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, type JsonObject, objectAt, own } from '../../base/json/json.ts';
import { jsonIn } from '../../base/json/jsonText.ts';
import { compact } from '../../base/json/present.ts';
import { meantOrAvailable } from '../../base/text/suggestion.ts';
import { ToolError } from '../../base/toolError.ts';
import { settingsFileName } from '../../project/files/projectFiles.ts';
import { newProjectId } from '../../project/settings/newProject.ts';
import { stackNameOf } from '../../project/settings/resolveSettings.ts';
import { readSettingsFile } from '../../project/settings/settingsFile.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { shellWord } from '../../terminal/nextCommand.ts';
import type { OutputOptions } from '../../terminal/options.ts';
import { show } from '../../terminal/show.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { version } from '../../terminal/version.ts';
import { projectForm } from '../schemas/commands.ts';
import { type ProjectFile, textOf, writeProject, writtenFiles, writtenLine } from './initProjectFile.ts';
import { templateFolder } from './initTemplateFolder.ts';
import { isTemplate, type Template, templateNames } from './initTemplates.ts';

export interface InitOptions extends OutputOptions {
  readonly dir?: string;
  readonly name?: string;
}

/** Folders not to be committed: packages, and the data of the embedded platform. */
const ignored = ['node_modules/', '.gantry/'];

/**
 * Creates a project. An existing file is never overwritten: nothing is written if its text differs from the template's.
 * Missing entries are added to `package.json` and `.gitignore`.
 *
 * Errors: `init.exists`, `init.package`, `init.files`; `UsageError` for an invalid template or name.
 */
export async function runInit(context: CommandContext<InitOptions>, template: string): Promise<Ending> {
  const { options, cwd } = context;
  if (!isTemplate(template)) {
    throw new UsageError(`there is no template ${JSON.stringify(template)}`, meantOrAvailable(template, templateNames));
  }
  const folder = resolve(cwd, options.dir ?? '.');
  const name = nameOf(options.name, folder);
  const sources = await templateFiles(template, name);
  const stacks = [...sources.keys()].filter((path) => basename(path) === settingsFileName).map(dirname);
  const language = template === 'yaml' ? 'yaml' : 'typescript';
  const project = { name, gantry: gantrySource(), language, hasCode: await hasCode(folder), stacks } as const;
  // In sequence, so that the first unreadable file is reported.
  const files = [await packageFile(folder, project), await ignoreFile(folder)];
  const id = await projectOf(stacks.map((stack) => join(folder, stack)));
  for (const [path, text] of sources) {
    files.push({ path, text: text.replace(/^project: id$/m, `project: ${id}`), before: await textOf(folder, path) });
  }
  await writeProject(folder, files, { extended });

  const [first = '.'] = stacks;
  const next = ['npm install', 'npm test', `npx gantry plan ${first} --embedded`];
  const written = writtenFiles(files);
  await show(context, {
    document: () => projectForm.write({ template, folder, stack: name, files: written, next }),
    text: () => {
      const enterFolder = folder === cwd ? undefined : `cd ${shellWord(relative(cwd, folder))}`;
      return [
        `Project ${name} in ${folder}:`,
        ...written.map(writtenLine),
        '',
        'Next:',
        ...compact([enterFolder, ...next]).map((line) => `  ${line}`),
        '',
      ].join('\n');
    },
  });
  return exitCode.ok;
}

/** Files that are extended if they exist. */
const extended: ReadonlySet<string> = new Set(['package.json', '.gitignore']);

const [leastNameLength, mostNameLength] = [3, 40];
const validName = /^[a-z][a-z0-9-]*[a-z0-9]$/;

/** The name of the stack and of its GVC, so the rules of both apply. */
function nameOf(given: string | undefined, folder: string): string {
  const ofFolder = stackNameOf(basename(folder)).replace(/^(?=\d)/, 'stack-');
  const name = given ?? ofFolder.slice(0, mostNameLength).replace(/-+$/, '');
  if (validName.test(name) && name.length >= leastNameLength && name.length <= mostNameLength) return name;
  const hint =
    `Give --name NAME: ${leastNameLength} to ${mostNameLength} lower-case letters, digits and -, ` +
    'beginning with a letter and not ending with -.';
  throw new UsageError(`${JSON.stringify(name)} cannot be the name of a stack and its GVC`, hint);
}

async function hasCode(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.some((name) => /\.[jt]sx?$/.test(name)) || names.includes('src') || names.includes('lib');
}

async function packageFile(folder: string, project: Parameters<typeof packageJson>[1]): Promise<ProjectFile> {
  const path = 'package.json';
  const before = await textOf(folder, path);
  const merged = packageJson(before === undefined ? {} : parsed(before, join(folder, path)), project);
  if (merged === undefined) {
    throw new ToolError({
      code: 'init.package',
      message: `${join(folder, path)} says that the project is CommonJS; nothing was written`,
      hint: 'Set "type": "module" in it, choose another --dir, or use the template yaml.',
    });
  }
  return { path, text: `${JSON.stringify(merged, null, 2)}\n`, before };
}

function parsed(text: string, path: string): JsonObject {
  const value = jsonIn(text);
  if (isObject(value)) return value;
  throw new ToolError({
    code: 'init.package',
    message: `${path} is not a JSON object; nothing was written`,
    hint: 'Correct it, or choose another --dir.',
  });
}

async function ignoreFile(folder: string): Promise<ProjectFile> {
  const path = '.gitignore';
  const before = await textOf(folder, path);
  const lines = new Set((before ?? '').split('\n').map((line) => line.trim().replace(/\/?$/, '/')));
  const missing = ignored.filter((line) => !lines.has(line));
  const start = before === undefined || before === '' || before.endsWith('\n') ? (before ?? '') : `${before}\n`;
  return { path, text: `${start}${missing.map((line) => `${line}\n`).join('')}`, before };
}

/** The source of Gantry for a new project: the version, or the folder of a clone, which no registry has. */
function gantrySource(): string {
  const root = dirname(fileURLToPath(import.meta.resolve('gantry/package.json')));
  return root.split(sep).includes('node_modules') ? version : `file:${root}`;
}

/** The placeholder for the project's name in template files. */
const sample = /sample/gi;

/** The files of a new project by path, except `package.json` and `.gitignore`. */
async function templateFiles(template: Template, name: string): Promise<ReadonlyMap<string, string>> {
  const folder = templateFolder();
  const sources = template === 'yaml' ? [template] : ['typescript', template];
  const files = new Map<string, string>();
  for (const source of sources) {
    const from = join(folder, source);
    for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      files.set(relative(from, path), withName(await readFile(path, 'utf8'), name));
    }
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A second run keeps the project id of the first. */
async function projectOf(folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    const { project } = await readSettingsFile(folder).catch(() => ({ project: undefined }));
    if (project !== undefined) return project;
  }
  return newProjectId();
}

/** `sample-web` becomes `orders-web`, and `SAMPLE_DB` becomes `ORDERS_DB`. */
function withName(text: string, name: string): string {
  return text.replace(sample, (word) => (word === word.toUpperCase() ? name.toUpperCase().replaceAll('-', '_') : name));
}

/** The versions that a new project installs: those that Gantry is tested with, as a test verifies. */
export const versions = {
  constructs: '10.8.1',
  node: '24.21.0',
  typescript: '7.0.2',
  '@types/node': '24.19.2',
} as const;

interface ProjectPackage {
  readonly name: string;
  /** The source of Gantry for `npm install`: a version, or `file:` and a path. */
  readonly gantry: string;
  readonly language: 'typescript' | 'yaml';
  /** Whether files exist that Node would now read as CommonJS. */
  readonly hasCode: boolean;
  /** The folders that contain one stack each. */
  readonly stacks: readonly string[];
}

/**
 * The `package.json` of a project. Members of `existing` stay; only missing ones are added. The defaults of `npm init`
 * do not count: its failing test, and `"type": "commonjs"` without any code. Undefined if the project's files are
 * CommonJS, because a stack's files are not.
 */
function packageJson(existing: JsonObject, project: ProjectPackage): JsonObject | undefined {
  const type = own(existing, 'type');
  const { name, language, hasCode } = project;
  const needsModules = language === 'typescript' && type !== 'module';
  if (needsModules && type !== undefined && hasCode) return undefined;
  const members = ['dependencies', 'devDependencies', 'peerDependencies'].map((key) => objectAt(existing, key));
  const allowed = objectAt(existing, 'allowScripts');
  const missing = (wanted: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(wanted).filter(([each]) => !members.some((member) => Object.hasOwn(member, each))),
    );
  return {
    name,
    private: true,
    ...existing,
    ...(needsModules ? { type: 'module' } : {}),
    scripts: { ...scriptsOf(project), ...withoutNpmDefault(objectAt(existing, 'scripts')) },
    ...added('dependencies', existing, missing(dependenciesOf(project))),
    ...added('devDependencies', existing, missing(toolsOf(project))),
    // The package's install script fetches Node for this machine; npm would ask for permission.
    allowScripts: { ...allowed, node: own(allowed, 'node') ?? true },
  };
}

function scriptsOf({ language, stacks }: ProjectPackage): JsonObject {
  const validate = stacks.map((folder) => `gantry validate ${folder}`).join(' && ');
  const [first = '.'] = stacks;
  return {
    test: language === 'typescript' ? `node --test && ${validate}` : validate,
    ...(language === 'typescript' ? { types: 'tsc' } : {}),
    plan: `gantry plan ${first}`,
    apply: `gantry apply ${first}`,
  };
}

/** Removes the failing test that `npm init` writes. */
function withoutNpmDefault(scripts: JsonObject): JsonObject {
  const { test, ...others } = scripts;
  const isDefault = typeof test === 'string' && test.includes('no test specified');
  return isDefault || test === undefined ? others : scripts;
}

function dependenciesOf({ gantry, language }: ProjectPackage): JsonObject {
  return language === 'typescript' ? { constructs: versions.constructs, gantry } : { gantry };
}

/** Includes Node, so the project also runs on a machine with an older one. */
function toolsOf({ language }: ProjectPackage): JsonObject {
  const { node, typescript } = versions;
  return language === 'typescript' ? { '@types/node': versions['@types/node'], node, typescript } : { node };
}

function added(key: string, existing: JsonObject, missing: JsonObject): JsonObject {
  const before = own(existing, key);
  if (Object.keys(missing).length === 0) return {};
  const all = { ...(isObject(before) ? before : {}), ...missing };
  return { [key]: Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))) };
}

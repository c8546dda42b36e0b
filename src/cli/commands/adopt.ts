import { access, mkdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { AdoptedManifest } from '../../change/adopt.ts';
import { adoptionForm } from '../../change/documents/adoptionDocument.ts';
import type { AdoptionFile, AdoptionLayout } from '../../gantry/adoptionFiles.ts';
import { type Adoption, adoptLive } from '../../gantry/adoptLive.ts';
import type { LeftOut } from '../../gantry/readLive.ts';
import { exists } from '../../project/files/exists.ts';
import { displayPath, systemReason } from '../../project/files/fileRefusal.ts';
import { settingsFileName } from '../../project/files/projectFiles.ts';
import { replaceFile } from '../../project/files/writeWhole.ts';
import { findInput } from '../../project/inputs/findInput.ts';
import { openPlatform } from '../../project/platform/platform.ts';
import { openProject, type Project } from '../../project/settings/project.ts';
import { type Settings, stackNameOf } from '../../project/settings/resolveSettings.ts';
import { withoutLastLineEnd } from '../../terminal/answer.ts';
import { ask } from '../../terminal/ask.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { programName, repeatedFlags, shellWord } from '../../terminal/nextCommand.ts';
import type { AskOptions, GlobalOptions } from '../../terminal/options.ts';
import { printable } from '../../terminal/printable.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { leftOutLines, parseRefs } from './adoptLeftOut.ts';

export interface AdoptOptions extends GlobalOptions, AskOptions {
  readonly all: boolean;
  readonly format: 'yaml' | 'ts';
  /** The file or folder to write; undefined: standard output. */
  readonly out?: string;
}

type AdoptCommand = CommandContext<AdoptOptions>;

/** Prints or writes manifests or code for live resources, after proving that their plan is empty. */
export async function runAdopt(context: AdoptCommand, refs: readonly string[]): Promise<Ending> {
  const { options, terminal } = context;
  if (options.all === refs.length > 0) {
    throw new UsageError('name resources or give --all', 'Give either ids (kind/[gvc/]name) or --all.');
  }
  const project = await openProject(context, []);
  const platform = await openPlatform(context, project.settings);
  try {
    const layout = await layoutOf(context, project.settings.stack);
    const adoption = await adoptLive(platform, project, context, {
      resources: options.all ? 'all' : parseRefs(refs, project.settings.gvc),
      layout,
      onLeftOut(left) {
        for (const line of leftOutLines(left, options.all)) terminal.message(line);
      },
    });
    return await showAdoption(adoption, layout, project, context);
  } finally {
    await platform.close();
  }
}

async function showAdoption(
  { manifests, files, left }: Adoption,
  layout: WrittenLayout,
  { settings }: Project,
  context: AdoptCommand,
): Promise<Ending> {
  const { options, terminal, answer } = context;
  if (manifests.length === 0) {
    terminal.message('There is nothing to adopt.');
    answer.document(adoptionToJson({ manifests: [], skipped: left, files: [] }));
    return exitCode.ok;
  }
  tellUnknown(manifests, context);
  const written = layout.out === undefined ? [] : pathsOf(files, layout.out);
  await writeFiles(written, context);
  if (options.output !== 'text') {
    const paths = written.map(({ path }) => displayPath(path, context.cwd));
    answer.document(adoptionToJson({ manifests, skipped: left, files: paths }));
  } else if (layout.out === undefined) for (const { text } of files) terminal.result(withoutLastLineEnd(text));
  terminal.message(
    `${manifests.length} of ${manifests.length + left.length} can be adopted: applying with --adopt sets the ` +
      'owner and changes nothing else. Nothing has been written to the platform.',
  );
  const next = await nextCommand(layout, settings, context);
  if (next !== undefined) terminal.message(`Next: ${next}`);
  return exitCode.ok;
}

/** Reports values that stay on the platform although the code does not contain them. */
function tellUnknown(manifests: readonly AdoptedManifest[], { terminal }: AdoptCommand): void {
  for (const { id, unknown } of manifests) {
    if (unknown.length === 0) continue;
    const fields = unknown.map(printable).join(', ');
    terminal.message(`note: ${printable(id)}: ${fields} is unknown to this version of Gantry, and stays unchanged`);
  }
}

/**
 * The command that adopts the written resources for the same stack. `apply` reads the settings of the folder that it
 * gets, so settings from elsewhere become flags. A token is never shown. Undefined if nothing was written.
 */
export async function nextCommand(
  { out, format }: WrittenLayout,
  settings: Settings,
  context: CommandContext<AdoptOptions>,
): Promise<string | undefined> {
  const { options, cwd } = context;
  if (out === undefined) return undefined;
  const folder = out.folder ? out.path : dirname(out.path);
  const sameSettings = folder === cwd || (await exists(join(folder, settingsFileName)));
  const whole = !sameSettings && format === 'yaml' && (await isReadWith(folder, cwd));
  const flags = flagsFor(settings, sameSettings || whole, context, format === 'ts');
  const project = !sameSettings && !whole && settings.project !== undefined;
  const path = whole ? '.' : shellWord(options.out ?? '');
  const command = [`${programName(context.environment)} apply`, path, '--adopt', ...flags].join(' ');
  return project ? `copy ${settingsFileName} to ${shellWord(folder)}, then ${command}` : command;
}

/** Whether the current project reads the manifests of that folder. */
async function isReadWith(folder: string, cwd: string): Promise<boolean> {
  const input = await findInput('.', cwd);
  return input.type === 'files' && input.isProject && input.paths.some((path) => path.startsWith(`${folder}/`));
}

/**
 * The flags to repeat, and those that replace a `gantry.yaml` that will not be read. `isNamed`: the written code
 * contains the name of the stack.
 */
function flagsFor(
  settings: Settings,
  sameSettings: boolean,
  { options, environment }: CommandContext<AdoptOptions>,
  isNamed: boolean,
): readonly string[] {
  const names = ['org', 'gvc', 'endpoint', 'data', 'dialect'] as const;
  const needed = (name: (typeof names)[number] | 'stack' | 'token'): boolean =>
    options[name] !== undefined || (!sameSettings && !environment[`GANTRY_${name.toUpperCase()}`]);
  const values = names.flatMap((name) => {
    const value = settings[name];
    const meant = name !== 'data' || options.data !== undefined || options.embedded;
    return meant && needed(name) ? repeatedFlags(present({ [name]: value }), [name]) : [];
  });
  const stack = settings.stack === undefined || needed('stack');
  const unnamed = options.embedded || isNamed ? [] : ['--stack NAME'];
  // The profile or file is repeated, and contains the token.
  const isElsewhere = options.profile !== undefined || options.tokenFile !== undefined;
  return [
    ...(stack ? (settings.stack === undefined ? unnamed : [`--stack ${shellWord(settings.stack)}`]) : []),
    ...repeatedFlags(options, sameSettings || settings.project !== undefined ? ['embedded', 'env'] : ['embedded']),
    ...values,
    ...repeatedFlags(options, ['profile', 'tokenFile', 'insecure']),
    ...(settings.token !== undefined && !isElsewhere && needed('token') ? ['--token TOKEN'] : []),
  ];
}

/** The layout of the adoption, and its destination. */
interface WrittenLayout extends AdoptionLayout {
  /** Absolute; undefined: standard output. */
  readonly out: { readonly path: string; readonly folder: boolean } | undefined;
}

interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The destination of `--out`: a folder if it is one, ends with a slash, or has no file extension. Code of a stack
 * without a name in the settings is named after its folder.
 */
export async function layoutOf(
  { options, cwd }: CommandContext<AdoptOptions>,
  named: string | undefined,
): Promise<WrittenLayout> {
  const { format, out } = options;
  const stackIn = (folder: string) => named ?? stackNameOf(basename(folder));
  if (out === undefined) return { format, out, stack: stackIn(cwd), split: false };
  const path = resolve(cwd, out);
  const found = await stat(path).catch(() => undefined);
  const folder = found?.isDirectory() ?? (out.endsWith('/') || !/\.[cm]?(?:ya?ml|ts)$/.test(out));
  return { format, out: { path, folder }, stack: stackIn(folder ? path : dirname(path)), split: folder };
}

function pathsOf(files: readonly AdoptionFile[], out: NonNullable<WrittenLayout['out']>): readonly WrittenFile[] {
  return files.map(({ name, text }) => ({ path: out.folder ? `${out.path}/${name}` : out.path, text }));
}

/**
 * Writes all files, or none if one exists already and must not be overwritten.
 *
 * Errors: `adopt.exists`, `adopt.files`.
 */
async function writeFiles(files: readonly WrittenFile[], context: CommandContext<AdoptOptions>): Promise<void> {
  const there = await Promise.all(
    files.map(({ path }) =>
      access(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  const existing = there.flat();
  const overwrite = existing.length === 0 || (await mayOverwrite(existing, context));
  if (!overwrite) {
    throw new ToolError({
      code: 'adopt.exists',
      message: ['these files exist already; nothing was written:', ...existing].join('\n'),
      hint: 'Choose another --out, or add --yes to overwrite them.',
    });
  }
  for (const file of files) await write(file);
}

/** Atomic: an incomplete file could be mistaken for all manifests. */
async function write({ path, text }: WrittenFile): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, text);
  } catch (error) {
    throw new ToolError({
      code: 'adopt.files',
      message: `${path} cannot be written: ${systemReason(error)}`,
      hint: 'Choose another --out, or correct its permissions.',
      cause: error,
    });
  }
}

async function mayOverwrite(
  existing: readonly string[],
  { options, terminal }: CommandContext<AdoptOptions>,
): Promise<boolean> {
  if (options.yes) return true;
  if (!terminal.canAsk) return false;
  return ask(`Overwrite ${existing.join(', ')}? (yes/no) `);
}

interface WrittenAdoption {
  readonly manifests: readonly AdoptedManifest[];
  readonly skipped: readonly LeftOut[];
  /** The files that were written. */
  readonly files: readonly string[];
}

/** The adoption in its documented form (`adoptionDocument.ts`). Keys are in a fixed order. */
export function adoptionToJson({ manifests, skipped, files }: WrittenAdoption): JsonObject {
  const withPlaceholders = manifests.filter(({ placeholders }) => placeholders.length > 0);
  return adoptionForm.write({
    formatVersion: 1,
    manifests: manifests.map(({ manifest }) => manifest),
    placeholders: Object.fromEntries(withPlaceholders.map(({ id, placeholders }) => [id, placeholders])),
    skipped,
    files,
  });
}

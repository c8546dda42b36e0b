import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { fieldIn, isObject, own } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { meantOrAvailable } from '../../base/text/suggestion.ts';
import { ToolError } from '../../base/toolError.ts';
import { sheets } from '../../kinds/list.ts';
import { loadValidators } from '../../kinds/validators.ts';
import { checkManifests, kindsOf } from '../../manifest/checkManifests.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { writeNewFile } from '../../project/files/writeWhole.ts';
import { findInput } from '../../project/inputs/findInput.ts';
import { isManifestName } from '../../project/inputs/names.ts';
import { readInputs } from '../../project/inputs/readInputs.ts';
import { embeddedOrg } from '../../project/platform/platform.ts';
import { resolveSettings, stackNameOf } from '../../project/settings/resolveSettings.ts';
import { readSettingsFile, type SettingsFile } from '../../project/settings/settingsFile.ts';
import { type CreatableKind, creatableKinds, isContainer, isCreatableKind } from '../../schema/record/kinds.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { shellWord } from '../../terminal/nextCommand.ts';
import type { OutputOptions } from '../../terminal/options.ts';
import { show } from '../../terminal/show.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { snippetForm } from '../schemas/commands.ts';
import { type SnippetFormat, snippet, useOf } from './addTemplate.ts';

export interface AddOptions extends OutputOptions {
  readonly gvc?: string;
  readonly dir?: string;
  readonly format?: SnippetFormat;
}

/**
 * Writes `KIND-NAME.ts` or `KIND-NAME.yaml` into the folder of a project. An existing file is never overwritten.
 *
 * Errors: `add.exists`, `add.files`; `UsageError` for an invalid kind or name.
 */
export async function runAdd(
  context: CommandContext<AddOptions>,
  givenKind: string,
  givenName: string | undefined,
): Promise<Ending> {
  const { options, cwd } = context;
  const kind = kindOf(givenKind);
  const name = givenName ?? sheets[kind].exampleName;
  const folder = resolve(cwd, options.dir ?? '.');
  const format = options.format ?? formatOf(await namesIn(folder));
  const gvc = await gvcOf(context, folder, format);
  await checkName(await snippet(kind, name, 'yaml', gvc));

  const file = `${kind}-${name}.${format}`;
  const text = await snippet(kind, name, format, gvc);
  await writeNew(join(folder, file), text);

  const shownFolder = relative(cwd, folder) || '.';
  // The folder of a TypeScript stack stands for the stack, which reads no manifests.
  const stack = await findInput(folder, cwd);
  const path = stack.type === 'stack' ? join(shownFolder, file) : shownFolder;
  const stackText = stack.type === 'stack' ? await readFile(stack.path, 'utf8').catch(() => undefined) : undefined;
  const next = format === 'ts' ? useOf(text, file, stackText) : [`npx gantry validate ${shellWord(path)}`];
  await show(context, {
    document: () => snippetForm.write({ kind, name, format, file: join(folder, file), next }),
    text: () => {
      const heading = format === 'ts' ? 'Use it in the stack:' : 'Next:';
      return [`created  ${join(shownFolder, file)}`, '', heading, ...next.map((line) => `  ${line}`)].join('\n');
    },
  });
  return exitCode.ok;
}

function kindOf(text: string): CreatableKind {
  if (isCreatableKind(text)) return text;
  const hint = meantOrAvailable(text, creatableKinds);
  throw new UsageError(`there is no kind ${JSON.stringify(text)} that can be created`, hint);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw new ToolError({
      code: 'add.files',
      message: `${folder} cannot be read: ${systemReason(error)}`,
      hint: 'Give the folder of a project with --dir; `gantry init` makes one.',
      cause: error,
    });
  }
}

/** The language of a project by its files: YAML only if there is no TypeScript. */
function formatOf(names: readonly string[]): SnippetFormat {
  const hasTypeScript = names.some((name) => /\.[cm]?ts$/.test(name) || name === 'tsconfig.json');
  return !hasTypeScript && names.some(isManifestName) ? 'yaml' : 'ts';
}

/** The GVC of a manifest: from the settings, else one that the project declares, else a default name. */
async function gvcOf(
  { options, environment, stdin }: CommandContext<AddOptions>,
  folder: string,
  format: SnippetFormat,
): Promise<string> {
  const file: SettingsFile = await readSettingsFile(folder);
  const { gvc, stack } = resolveSettings({
    flags: present({ gvc: options.gvc }),
    environment,
    file,
  });
  if (gvc !== undefined) return gvc;
  const declared = format === 'yaml' ? await declaredGvc(folder, { stdin, environment }) : undefined;
  return declared ?? stackNameOf(stack ?? basename(folder)).replace(/^(?=\d)/, 'gvc-');
}

async function declaredGvc(
  folder: string,
  { stdin, environment }: Pick<CommandContext, 'stdin' | 'environment'>,
): Promise<string | undefined> {
  const { documents } = await readInputs([folder], { cwd: folder, stdin, environment, tell: () => {} });
  const found = documents.map(({ value }) => value).find((value) => isObject(value) && isContainer(own(value, 'kind')));
  const name = fieldIn(found, 'name');
  return typeof name === 'string' ? name : undefined;
}

/** Checks the name by the rules of the kind: everything else in the manifest is valid. */
async function checkName(manifest: string): Promise<void> {
  const { parseManifestText } = await import('../../manifest/parseManifestText.ts');
  const { documents } = parseManifestText({ text: manifest, file: 'snippet.yaml', format: 'yaml' });
  const validators = await loadValidators(kindsOf(documents));
  const { problems } = checkManifests(documents, { org: embeddedOrg, validators });
  const wrong = problems.find(({ severity }) => severity === 'error');
  if (wrong !== undefined) throw new UsageError(`this cannot be its name: ${wrong.message}`, wrong.hint ?? '');
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeNewFile(path, text);
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new ToolError({
      code: exists ? 'add.exists' : 'add.files',
      message: exists
        ? `${path} exists already; nothing was written`
        : `${path} cannot be written: ${systemReason(error)}`,
      hint: exists ? 'Give another name: gantry add KIND NAME.' : 'Choose another --dir, or correct its permissions.',
      cause: error,
    });
  }
}

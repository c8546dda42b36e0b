import type { JsonObject } from '../base/json/json.ts';
import { isOfSecrets } from '../client/paths.ts';
import { shownOnceIn } from '../kinds/shownOnce.ts';
import { openPlatform, type Platform } from '../project/platform/platform.ts';
import { openProject } from '../project/settings/project.ts';
import type { CommandContext } from '../terminal/context.ts';
import type { Ending } from '../terminal/ending.ts';
import type { Noun } from '../terminal/nouns.ts';
import { printable } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { plainly, UsageError } from '../terminal/usageError.ts';
import { Api, type Watching } from './call/api.ts';
import {
  type Call,
  type ClientFormat,
  type ClientOptions,
  type CommandRow,
  formatsOfResult,
  type Given,
  wordedFormats,
} from './call/command.ts';
import { attributeOf, checkRefs, flagOf, refOf } from './call/refs.ts';

/** The limit for one answer, because a user waits for it. */
const bounds = { bodyBytes: 32 * 1024 * 1024 };

/** A command and its arguments. */
export interface Chosen {
  readonly noun: Noun;
  readonly row: CommandRow;
  readonly args: readonly string[];
  readonly given: Given;
}

/** Runs a command, then closes the platform that it opened. Errors: `cli.usage`, and those of the command. */
export async function runCommand(context: CommandContext<ClientOptions>, chosen: Chosen): Promise<Ending> {
  const { noun, row, args, given } = chosen;
  requireLists(chosen);
  requireFormat(chosen, context.options);
  refuseBesideFile(chosen);
  requireNeeded(chosen);
  const run = await row.load();
  let opened: { readonly platform: Platform; readonly api: Api } | undefined;
  try {
    const call: Call = {
      noun,
      row,
      context,
      args,
      given,
      async open() {
        opened ??= await connect(context);
        checkRefs(call, opened.api);
        return opened.api;
      },
    };
    return await run(call);
  } finally {
    await opened?.platform.close();
  }
}

/** Commander treats the empty list of a repeatable option as a value. */
function requireLists({ row: { options = [] }, given }: Chosen): void {
  for (const option of options) {
    const { flags, isRepeatable, required } = option;
    if (isRepeatable !== true || required !== true) continue;
    if (given.list(attributeOf(option)).length > 0) continue;
    throw new UsageError(plainly(`required option '${flags}' not specified`), 'You can give it several times.');
  }
}

/** Options that the file overrides would be lost silently. */
function refuseBesideFile({ row: { options = [] }, given }: Chosen): void {
  if (given.text('file') === undefined) return;
  for (const option of options) {
    if (option.notWithFile !== true || !given.isWritten(attributeOf(option))) continue;
    throw new UsageError(
      `${flagOf(option)} cannot be combined with --file`,
      'Write it into the file, or give all by options.',
    );
  }
}

/** Without this check, an option without effect would seem to have one. */
function requireNeeded({ row: { options = [] }, given }: Chosen): void {
  for (const option of options) {
    const { needs } = option;
    if (needs === undefined || !given.isWritten(attributeOf(option))) continue;
    if (options.some((each) => flagOf(each) === needs && given.isWritten(attributeOf(each)))) continue;
    throw new UsageError(
      `${flagOf(option)} has no effect without ${needs}`,
      `Add ${needs}, or leave out ${flagOf(option)}.`,
    );
  }
}

/** Checked before anything is sent: a completed command must not end with a result that cannot be shown. */
function requireFormat({ noun, row: { verb, result = 'records' } }: Chosen, { form, words }: ClientOptions): void {
  const formats: readonly ClientFormat[] = formatsOfResult[result];
  if (words === 'platform' && !wordedFormats.includes(form)) {
    throw new UsageError(
      `--words platform cannot be combined with -o ${form}`,
      `It goes with -o ${wordedFormats.join(', ')}.`,
    );
  }
  if (formats.includes(form)) return;
  throw new UsageError(`gantry ${noun} ${verb} has no -o ${form}`, `It has ${formats.join(', ')}.`);
}

async function connect(context: CommandContext<ClientOptions>): Promise<{ platform: Platform; api: Api }> {
  const { settings, profile } = await openProject(context, []);
  const { env } = context.options;
  if (env !== undefined && settings.environment === undefined)
    throw new UsageError(
      `--env ${env} has no effect: gantry.yaml has no environments`,
      'Leave it out. A variable of what is created is --env KEY=VALUE.',
    );
  const platform = await openPlatform({ ...context, options: { ...context.options, bounds } }, settings);
  const gvc = settings.gvc ?? profile?.profile.gvc;
  const { org } = platform.client;
  const named =
    gvc === undefined ? undefined : refOf({ org, gvc: undefined }, gvc, { kinds: ['gvc'], option: '--gvc' });
  return { platform, api: new Api(platform, named?.name, watchingOn(context)) };
}

interface Watched {
  readonly options: { readonly verbose?: boolean; readonly debug?: boolean };
  readonly terminal: Pick<Terminal, 'message'>;
}

/** Prints requests on standard error: a line each with `--verbose`, bodies too with `--debug`; none of secrets. */
function watchingOn({ options: { verbose, debug }, terminal }: Watched): Watching | undefined {
  if (verbose !== true && debug !== true) return undefined;
  let isSecret = false;
  function body(record: JsonObject): string {
    return isSecret || Object.keys(shownOnceIn(record)).length > 0 ? '(not shown)' : JSON.stringify(record);
  }
  return {
    request(method, path, sent) {
      isSecret = isOfSecrets(path) || /-addKey(?:[?#]|$)/.test(path);
      terminal.message(`> ${method} ${printable(path)}`);
      if (debug === true && sent !== undefined) terminal.message(`> ${printable(body(sent))}`);
    },
    reply(record) {
      if (debug === true) terminal.message(`< ${printable(body(record))}`);
    },
  };
}

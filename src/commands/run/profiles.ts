import { createInterface } from 'node:readline';
import type { JsonObject } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { withoutUser } from '../../project/settings/endpoints.ts';
import type { Profile } from '../../project/settings/profile.ts';
import { profileTextKeys } from '../../project/settings/profile.ts';
import { ProfileStore } from '../../project/settings/profileStore.ts';
import { interruption } from '../../terminal/ask.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Call } from '../call/command.ts';
import { readTextOf } from '../call/input.ts';
import { listOf, showDone, showList } from '../call/present.ts';
import { refOf } from '../call/refs.ts';

/** `profile create NAME`. */
export async function runCreateProfile(call: Call): Promise<Ending> {
  const [name = ''] = call.args;
  const store = storeOf(call);
  if ((await store.names()).includes(name)) {
    throw new UsageError(`the profile ${name} already exists`, `Change it: gantry profile update ${name}.`);
  }
  return save(call, store, name, {});
}

/** `profile update NAME`: values that are not given are kept. */
export async function runUpdateProfile(call: Call): Promise<Ending> {
  const [name = ''] = call.args;
  const store = storeOf(call);
  return save(call, store, name, await store.read(name));
}

async function save(call: Call, store: ProfileStore, name: string, before: Profile): Promise<Ending> {
  const { options } = call.context;
  const { org, insecure } = options;
  const endpoint = options.endpoint === undefined ? undefined : withoutUser(options.endpoint);
  const gvc = options.gvc === undefined ? undefined : gvcNamed(options.gvc, org ?? before.org);
  if (endpoint !== undefined) requireAddresses(endpoint);
  const connection = { org, gvc, endpoint, token: await givenToken(call) };
  const texts = Object.fromEntries(
    compact(profileTextKeys, (key) => {
      const value = connection[key] ?? before[key];
      return value === undefined || value === '' ? undefined : [key, value];
    }),
  );
  const isInsecure = insecure ?? before.insecure ?? false;
  // A single profile is the default implicitly; it stays the default when others are added.
  const usual = call.given.flag('default') ? name : await store.default();
  await store.write(name, { ...texts, ...(isInsecure ? { insecure: true } : {}) });
  if (usual !== undefined) await store.setDefault(usual);
  showDone(call, { text: `Saved the profile ${name}`, names: [name], document: { profile: name } });
  return exitCode.ok;
}

/** The name of the GVC to save; the org of the profile is used if known. */
function gvcNamed(text: string, org: string | undefined): string {
  return refOf({ org: org ?? '', gvc: undefined }, text, { kinds: ['gvc'], option: '--gvc' }).name;
}

/** A saved profile is used much later, so a mistake is reported now. */
function requireAddresses(endpoint: string): void {
  const wrong = endpoint
    .split(',')
    .map((each) => each.trim())
    .find((each) => !URL.canParse(each) || !/^https?:$/.test(new URL(each).protocol));
  if (wrong === undefined) return;
  throw new UsageError(
    `${JSON.stringify(wrong)} is not a valid HTTP or HTTPS URL`,
    'Give one as --endpoint https://api.example.com.',
  );
}

/** The token of `--token-file`; `--token` is accepted with a warning, because other users of the machine can see it. */
async function givenToken(call: Call): Promise<string | undefined> {
  const { options, terminal } = call.context;
  if (options.tokenFile !== undefined) return (await readTextOf(call, options.tokenFile)).trim();
  if (options.token === undefined) return undefined;
  terminal.message(
    'warning: --token is visible to other users in the list of processes; use gantry profile login, or --token-file',
  );
  return options.token;
}

/** `profile login NAME`: prompts for the token, or reads it from standard input or `--token-file`. */
export async function runLogin(call: Call): Promise<Ending> {
  const { context, args } = call;
  const store = storeOf(call);
  const name = args[0] ?? (await store.default());
  if (name === undefined)
    throw new UsageError('there is no profile to log in to', 'Create one: gantry profile create NAME.');
  const before = await store.read(name);
  const token =
    (context.options.tokenFile ?? context.options.token) === undefined ? await asked(call) : await givenToken(call);
  if (token === undefined || token === '') {
    throw new ToolError({
      code: 'settings.token-file',
      message: 'no token was given; the profile is unchanged',
      hint: 'Enter it at the prompt, or pass it on standard input or with --token-file FILE.',
    });
  }
  if (!/^(?:Bearer )?[\x21-\x7e]+$/i.test(token)) {
    throw new ToolError({
      code: 'settings.token-file',
      message: 'the input is not a token: it contains white space or characters outside of printable ASCII',
      hint: 'Pass only the token. The profile is unchanged.',
    });
  }
  await store.write(name, { ...before, token });
  showDone(call, { text: `Saved the token in the profile ${name}`, names: [name], document: { profile: name } });
  return exitCode.ok;
}

async function asked(call: Call): Promise<string> {
  const { terminal, options, stdin } = call.context;
  // Reading from a terminal would be a prompt.
  if (!options.input && 'isTTY' in stdin && stdin.isTTY === true) return '';
  if (!terminal.canAsk) return (await readTextOf(call, '-')).trim();
  try {
    return (await hiddenLine(() => terminal.draw('Token (not shown): '))).trim();
  } finally {
    terminal.draw('\n');
  }
}

/** One line from the terminal, with the echo off before the prompt; empty at the end of input (Ctrl-D). */
async function hiddenLine(prompt: () => void): Promise<string> {
  const { stdin } = process;
  stdin.setRawMode?.(true);
  const lines = createInterface({ input: stdin, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
      lines.once('SIGINT', () => reject(interruption()));
      prompt();
    });
  } finally {
    lines.close();
    stdin.setRawMode?.(false);
  }
}

/** `profile get [NAME]`: never shows a token. */
export async function runGetProfile(call: Call): Promise<Ending> {
  const store = storeOf(call);
  const [only] = call.args;
  const names = only === undefined ? await store.names() : [only];
  const usual = await store.default();
  const rows = await Promise.all(
    names.map(async (name): Promise<JsonObject> => {
      const { token, ...profile } = await store.read(name);
      return { kind: 'profile', name, default: name === usual, ...profile, token: token === undefined ? '' : 'saved' };
    }),
  );
  await showList(call, 'profile', listOf('profile', rows));
  return exitCode.ok;
}

/** `profile delete NAME`. */
export async function runDeleteProfile(call: Call): Promise<Ending> {
  const [name = ''] = call.args;
  await storeOf(call).remove(name);
  showDone(call, { text: `Deleted the profile ${name}`, names: [name], document: { deleted: [name] } });
  return exitCode.ok;
}

/** `profile set-default NAME`. */
export async function runSetDefault(call: Call): Promise<Ending> {
  const [name = ''] = call.args;
  await storeOf(call).setDefault(name);
  showDone(call, { text: `${name} is the default now`, names: [name], document: { default: name } });
  return exitCode.ok;
}

function storeOf({ context }: Call): ProfileStore {
  return new ProfileStore(context.environment);
}

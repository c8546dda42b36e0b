import { join } from 'node:path';
import { own } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { readDocumentFile } from '../../project/files/documentFile.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import { openDataFolder } from '../../project/platform/dataFolder.ts';
import { loadDialect } from '../../project/platform/dialectFile.ts';
import { embeddedOrg, newToken, tokenOfFolder } from '../../project/platform/platform.ts';
import { defaultData } from '../../project/settings/resolveSettings.ts';
import { readSettingsOf } from '../../project/settings/settingsFile.ts';
import { defineCustomKinds } from '../../schema/record/customKinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { readStaticTokens, type StaticToken } from '../../server/access/decisions/tokens.ts';
import { consolePath } from '../../server/api/consoleRoutes.ts';
import type { ServerOptions } from '../../server/options.ts';
import { type AnswerForm, answerForms, isAnswerForm } from '../../server/records/decisions/shownRecord.ts';
import { startServer } from '../../server/start.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { interrupted } from '../../terminal/interrupt.ts';
import type { GlobalOptions, OutputOptions } from '../../terminal/options.ts';
import { UsageError } from '../../terminal/usageError.ts';

export interface ServeOptions extends OutputOptions, Pick<GlobalOptions, 'org' | 'token' | 'data' | 'dialect'> {
  readonly store?: string;
  readonly port: number;
  readonly host: string;
  readonly lenient: boolean;
  /** Forms of answers, separated by commas. */
  readonly answers?: string;
  readonly proveOwnership: boolean;
  readonly expandLimit?: number;
  readonly rateLimit?: number;
  readonly deletionDelay: number;
  readonly clock: 'real' | 'virtual';
  readonly seed: string;
  /** Paths of files. */
  readonly faults?: string;
  readonly tokens?: string;
  readonly from?: string;
  readonly kinds?: string;
  readonly publicUrl?: string;
  /** Undefined: decided by the address. */
  readonly dev?: boolean;
  readonly latency: number;
  readonly readyAfter: number;
  readonly user: readonly string[];
  /** False with `--no-auth`. */
  readonly auth: boolean;
}

/**
 * Runs the platform until SIGTERM, SIGINT or SIGHUP. Its URL is the only line on standard output; standard error has
 * the address of its console. Only flags count here: a token or an org in the environment belongs to another platform.
 * Only the key of secrets at rest comes from the environment, because process lists show flags.
 */
export async function runServe(context: CommandContext<ServeOptions>): Promise<Ending> {
  const { options, environment, terminal, answer } = context;
  const folder = options.data ?? defaultData;
  const inMemory = folder === ':memory:';
  if (!inMemory) await openDataFolder(folder, terminal.message);
  else if (options.store !== undefined && (environment['GANTRY_SECRET_KEY'] ?? '') === '') throw keylessStore();
  if (options.kinds !== undefined) defineCustomKinds((await readSettingsOf(options.kinds)).kinds ?? {});
  const token = options.auth ? (options.token ?? (await madeToken(folder, terminal.message))) : undefined;
  const dialect = await loadDialect(options.dialect);
  const server = await startServer({
    ...(await serverOptions(options)),
    data: inMemory ? ':memory:' : join(folder, 'platform.db'),
    log: true,
    metrics: true,
    ...present({ secretKey: environment['GANTRY_SECRET_KEY'] }),
    ...(token === undefined ? { noAuth: true } : { token }),
    ...present({ dialect }),
  });
  // Registered only now: before the server has started, Ctrl-C ends the process immediately.
  const ended = interrupted();
  const page = `${server.url}${consolePath}`;
  if (options.output === 'text') {
    terminal.message(`console: ${page}`);
    terminal.result(server.url);
  } else await answer.publish({ url: server.url, console: page });

  await ended;
  await server.close();
  return exitCode.ok;
}

/** A key that ends with the process would leave secrets unreadable in a database that outlives it. */
function keylessStore(): ToolError {
  return new ToolError({
    code: 'server.secret-key',
    message: 'secrets in the database of --store need a permanent key',
    hint:
      'Set GANTRY_SECRET_KEY, the same for all servers of the database; or give a folder as --data, where a key is ' +
      'stored.',
  });
}

/** The options of the server from its flags, except its data, tokens and dialect. */
export async function serverOptions(options: ServeOptions): Promise<ServerOptions> {
  const { answers, expandLimit, rateLimit, faults, from, tokens } = options;
  const org = options.org ?? embeddedOrg;
  return {
    port: options.port,
    host: options.host,
    ...present({ publicUrl: options.publicUrl, store: options.store }),
    org,
    latencyMs: options.latency,
    readyAfterMs: options.readyAfter,
    deletionDelayMs: options.deletionDelay,
    users: options.user,
    lenient: options.lenient,
    ...present({ answers: answers === undefined ? undefined : formsOf(answers) }),
    proveOwnership: options.proveOwnership,
    clock: options.clock,
    seed: options.seed,
    ...present({ dev: options.dev, expandLimit }),
    // Twice as many in a burst, so that a client may catch up after a short pause.
    ...present({
      rateLimit: rateLimit === undefined ? undefined : { perSecond: rateLimit, burst: 2 * rateLimit },
      faults: faults === undefined ? undefined : await readDocumentFile(faults, '--faults'),
      tokens: tokens === undefined ? undefined : await readTokensFile(tokens, org),
      from: from === undefined ? undefined : await readDocumentFile(from, '--from', fileSizes.state),
    }),
  };
}

function formsOf(words: string): readonly AnswerForm[] {
  return words.split(',').map((word) => {
    if (isAnswerForm(word)) return word;
    throw new UsageError(`--answers knows no form ${JSON.stringify(word)}`, `One or more of ${answerForms.join(',')}.`);
  });
}

/** Reports a new token once; later it is only in the folder. */
async function madeToken(folder: string, tell: (text: string) => void): Promise<string> {
  if (folder === ':memory:') {
    const token = newToken();
    tell(`token: ${token}`);
    return token;
  }
  const { token, fresh } = await tokenOfFolder(folder);
  if (fresh) tell(`token: ${token} (stored in ${join(folder, 'token')})`);
  else tell(`token: the one in ${join(folder, 'token')}`);
  return token;
}

/**
 * The tokens of a file `{tokens: [{token, principal, expires?}]}`. Errors: `file.read`, `server.tokens`; they never
 * contain a token.
 */
export async function readTokensFile(path: string, org: string): Promise<readonly StaticToken[]> {
  const document = await readDocumentFile(path, '--tokens');
  const problems: Problem[] = [];
  const tokens = readStaticTokens(own(document, 'tokens') ?? null, org, problems);
  const [first] = problems;
  if (first === undefined) return tokens;
  throw new ToolError({
    code: 'server.tokens',
    message: `${path}: ${['tokens', first.path].filter((part) => part !== '').join('.')}: ${first.message}`,
    hint: 'It is tokens: [{token: TEXT, principal: //user/EMAIL, expires: TIME}].',
  });
}

import { escapeControls } from '../../base/json/escapeControls.ts';
import { compact } from '../../base/json/present.ts';
import { withoutCredentials } from '../../base/text/withoutCredentials.ts';
import { withoutSecrets } from '../../base/text/withoutSecrets.ts';
import { ToolError } from '../../base/toolError.ts';
import { excessText } from '../../project/session/bounded.ts';
import { endingText, type ProgramRun } from '../../project/session/runProgram.ts';
import type { Environment } from '../../project/session/session.ts';
import type { CredentialReference } from '../model.ts';
import type { GitAddress } from './gitAddress.ts';

export type GitErrorCode =
  | 'reconcile.git'
  | 'reconcile.git-missing'
  | 'reconcile.git-ref'
  | 'reconcile.git-access'
  | 'reconcile.git-unreachable'
  | 'reconcile.git-bounds'
  | 'reconcile.git-link'
  | 'reconcile.git-path'
  | 'reconcile.git-signature';

export function gitError(code: GitErrorCode, url: string, why: string, hint: string): ToolError {
  return new ToolError({ code, message: `${escapeControls(url)}: ${why}`, hint });
}

/** The causes of git's failures, recognised by words of its message (`LC_ALL=C`); the first match counts. */
const knownFailures: readonly {
  readonly words: RegExp;
  readonly code: GitErrorCode;
  readonly why: string;
  readonly hint: string;
}[] = [
  {
    words: /couldn't find remote ref|not our ref/i,
    code: 'reconcile.git-ref',
    why: 'it has no such branch or tag',
    hint: 'Correct the branch or the tag in reconcile.yaml, or push it.',
  },
  {
    words: /fsck error|unpack-objects failed|index-pack failed|invalid index-pack/i,
    code: 'reconcile.git',
    why: 'git refuses what it holds',
    hint: 'Look at it with git fsck --strict.',
  },
  {
    words: /host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    code: 'reconcile.git-access',
    why: 'the key of its host is not known, or has changed',
    hint: 'Add it to the known hosts (ssh-keyscan HOST, compared with what the host publishes), or name a file with known-hosts.',
  },
  {
    words:
      /authentication failed|could not read (?:username|password)|permission denied|access denied|returned error: 40[13]|not found|does not appear to be a git repository/i,
    code: 'reconcile.git-access',
    why: 'it is not there, or the credential cannot read it',
    hint: 'Check the address, and credentials in reconcile.yaml.',
  },
  {
    words: /unable to redirect|redirect|returned error: 30\d/i,
    code: 'reconcile.git-access',
    why: 'it has moved: its host redirects, which is not followed',
    hint: 'Write its new address into reconcile.yaml.',
  },
  {
    words: /transport '.*' not allowed|protocol .* is not supported/i,
    code: 'reconcile.git-access',
    why: 'its protocol is not allowed',
    hint: 'Use an address of https or ssh.',
  },
  {
    words:
      /could not resolve|unable to access|connection (?:refused|reset|timed out|closed)|timed out|network is unreachable|no route to host|early EOF|hung up|returned error: 5\d\d|operation too slow/i,
    code: 'reconcile.git-unreachable',
    why: 'its host does not answer',
    hint: 'It is tried again at the next interval.',
  },
];

/** Whether it concerns the repository or the network, and not the local copy. */
export function isOfRemote({ stderrTail, stopped }: ProgramRun): boolean {
  return stopped !== undefined || knownFailures.some(({ words }) => words.test(stderrTail));
}

/** The error for a failed run. `secrets`: masked in messages of git and the host. */
export function failureOf(url: string, run: ProgramRun, secrets: readonly string[], mostMs: number): ToolError {
  if (run.stopped === 'time') {
    return gitError(
      'reconcile.git-bounds',
      url,
      `git ${excessText.time(mostMs)}`,
      'Is it very large, or its host slow?',
    );
  }
  const found = knownFailures.find(({ words }) => words.test(run.stderrTail));
  const details = errorLine(run, secrets);
  if (found !== undefined)
    return gitError(found.code, url, `${found.why}${details === '' ? '' : ` (${details})`}`, found.hint);
  const how = `git ${endingText(run)}`;
  return gitError(
    'reconcile.git',
    url,
    details === '' ? how : details,
    `${how}. It is tried again at the next interval.`,
  );
}

const longest = 300;

/** The line with the reason. */
function errorLine({ stderrTail }: ProgramRun, secrets: readonly string[]): string {
  const lines = stderrTail.split(/[\n\r]/).map((line) => line.trim());
  const line = lines.find((each) => /^(?:fatal|error): /.test(each)) ?? lines.find((each) => each !== '') ?? '';
  const masked = withoutSecrets(withoutCredentials(line.replace(/^(?:fatal|error): /, '')), secrets);
  return escapeControls(typeof masked === 'string' ? masked : '').slice(0, longest);
}

/** The same with the token's value. */
export type GitCredential =
  | Exclude<CredentialReference, { readonly token: unknown }>
  | { readonly token: string; readonly user?: string };

/** The variables that git and ssh need. All others are withheld, above all the worker's tokens. */
const passedVariables = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'SSH_AUTH_SOCK', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
];

/** Prevents that configuration of the machine, the user or the repository makes git run or fetch anything else. */
const settings: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.symlinks': 'true',
  'core.autocrlf': 'false',
  'protocol.allow': 'never',
  'transfer.fsckObjects': 'true',
  'fetch.unpackLimit': '1', // keeps received data in one file, whose size can be checked
  'fetch.recurseSubmodules': 'false',
  'submodule.recurse': 'false',
  'http.followRedirects': 'false', // a credential is only for the named host
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '30',
  'gc.auto': '0',
  'maintenance.auto': 'false',
};

/**
 * The environment of git for one repository. Contains settings and credentials, because every user of the machine can
 * read command lines.
 */
export function gitEnvironment(
  environment: Environment,
  { protocol }: Pick<GitAddress, 'protocol'>,
  credential: GitCredential | undefined,
): Environment {
  const all: readonly (readonly [string, string])[] = [
    ...Object.entries(settings),
    [`protocol.${protocol}.allow`, 'always'],
    ['credential.helper', ''], // clears earlier helpers
    ...credentialSettings(credential),
  ];
  const written = all.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...Object.fromEntries(
      compact(passedVariables, (name) => (environment[name] === undefined ? undefined : [name, environment[name]])),
    ),
    LC_ALL: 'C', // messages are parsed
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_SSH_COMMAND: sshCommand(credential),
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(written),
  };
}

function credentialSettings(credential: GitCredential | undefined): readonly (readonly [string, string])[] {
  if (credential === undefined) return [];
  if ('helper' in credential) {
    const { helper, user } = credential;
    return compact([
      ['credential.helper', helper],
      user === undefined ? undefined : (['credential.username', user] as const),
    ]);
  }
  if (!('token' in credential)) return [];
  const basic = Buffer.from(`${credential.user ?? 'git'}:${credential.token}`).toString('base64');
  return [['http.extraHeader', `Authorization: Basic ${basic}`]];
}

function sshCommand(credential: GitCredential | undefined): string {
  const { keyFile, knownHosts } = credential !== undefined && 'keyFile' in credential ? credential : {};
  return compact([
    'ssh -o BatchMode=yes -o ConnectTimeout=20 -o StrictHostKeyChecking=yes -o ForwardAgent=no',
    keyFile === undefined ? undefined : `-o IdentitiesOnly=yes -i ${quoted(keyFile)}`,
    knownHosts === undefined ? undefined : `-o ${quoted(`UserKnownHostsFile="${knownHosts}"`)}`,
  ]).join(' ');
}

/** Quotes for the shell by which git starts ssh: the paths come from the worker's own file. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

import type { Environment } from '../../project/session/session.ts';
import type { CredentialReference } from '../model.ts';
import type { GitAddress } from './gitAddress.ts';

/** The same with the token itself. */
export type GitCredential =
  | Exclude<CredentialReference, { readonly token: unknown }>
  | { readonly token: string; readonly user?: string };

/**
 * The variables that git and ssh need of this machine. Everything else stays here: the tokens of the worker above all.
 */
const passed = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'SSH_AUTH_SOCK', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
];

/** No configuration of the machine, the user or the repository makes git run or fetch anything else than what it is asked for. */
const settings: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.symlinks': 'true',
  'core.autocrlf': 'false',
  'protocol.allow': 'never',
  'transfer.fsckObjects': 'true',
  'fetch.unpackLimit': '1', // what arrives is in one file, whose size can be looked at
  'fetch.recurseSubmodules': 'false',
  'submodule.recurse': 'false',
  'http.followRedirects': 'false', // a credential is for the host that is named
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '30',
  'gc.auto': '0',
  'maintenance.auto': 'false',
};

/**
 * The environment of git for one repository. Settings and credentials stand in it, and not on the command line, which every
 * user of the machine can read.
 */
export function gitEnvironment(
  environment: Environment,
  { protocol }: Pick<GitAddress, 'protocol'>,
  credential: GitCredential | undefined,
): Environment {
  const all: readonly (readonly [string, string])[] = [
    ...Object.entries(settings),
    [`protocol.${protocol}.allow`, 'always'],
    ['credential.helper', ''], // those that were set before do not count
    ...credentialSettings(credential),
  ];
  const written = all.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...Object.fromEntries(
      passed.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
    ),
    LC_ALL: 'C', // messages are looked at
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
  if ('helper' in credential) return [['credential.helper', credential.helper]];
  if (!('token' in credential)) return [];
  const basic = Buffer.from(`${credential.user ?? 'git'}:${credential.token}`).toString('base64');
  return [['http.extraHeader', `Authorization: Basic ${basic}`]];
}

function sshCommand(credential: GitCredential | undefined): string {
  const { keyFile, knownHosts } = credential !== undefined && 'keyFile' in credential ? credential : {};
  return [
    'ssh -o BatchMode=yes -o ConnectTimeout=20 -o StrictHostKeyChecking=yes -o ForwardAgent=no',
    ...(keyFile === undefined ? [] : [`-o IdentitiesOnly=yes -i ${quoted(keyFile)}`]),
    ...(knownHosts === undefined ? [] : [`-o ${quoted(`UserKnownHostsFile="${knownHosts}"`)}`]),
  ].join(' ');
}

/** For the shell by which git starts ssh: the paths are those of the worker's own file. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

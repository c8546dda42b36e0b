import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { type Hook, parseHook } from '../../integrations/hook.ts';
import type { StatusForge } from '../../integrations/statusForge.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { readToken } from '../../project/files/readToken.ts';
import type { Environment } from '../../project/session/session.ts';
import type {
  CredentialReference,
  FetchStack,
  GitSource,
  NotifyTarget,
  ReadConfig,
  SecretReference,
  StatusSettings,
  WebhookSecrets,
} from '../model.ts';
import { parseGitAddress } from './gitAddress.ts';
import { type GitCredential, gitError } from './gitFailure.ts';
import { type GitBounds, GitRepositories } from './gitRepositories.ts';
import { configReader, type FetchCommit } from './readConfig.ts';

export interface SourceOptions {
  /** Absolute; only for this process: contains copies of repositories. */
  readonly stateFolder: string;
  /** The worker's environment: credentials are read from it, and git gets only the parts it needs. */
  readonly environment: Environment;
  readonly cwd: string;
  readonly bounds?: GitBounds;
}

export interface Sources {
  readonly fetchStack: FetchStack;
  /** `file`: `reconcile.yaml`. */
  readConfig(file: string): ReadConfig;
  /** The present value of a secret; `about`: its purpose. Errors: `reconcile.secret`, also below. */
  secret(reference: SecretReference, about: string): Promise<string>;
  webhookSecrets(references: WebhookSecrets): Promise<Readonly<Record<keyof WebhookSecrets, readonly string[]>>>;
  /** Errors: `reconcile.secret`, `notify.address`. */
  openTarget(target: NotifyTarget): Promise<{ readonly hook: Hook; readonly secret?: string | undefined }>;
  /** Errors: `reconcile.secret`. */
  openForge(source: Pick<GitSource, 'repository'> & { readonly statuses: StatusSettings }): Promise<StatusForge>;
}

/** The sources of stacks' code, and of the list of stacks. */
export function openSources({ stateFolder, environment, cwd, bounds }: SourceOptions): Sources {
  const repositories = new GitRepositories({
    folder: join(stateFolder, 'git'),
    environment,
    ...present({ bounds }),
  });
  const fetchCommit: FetchCommit = async ({ url, ref, credential, signers }, signal) => {
    const address = parseGitAddress(url);
    if ('why' in address) throw gitError('reconcile.git', url, `it must be ${address.why}`, 'Correct reconcile.yaml.');
    signal.throwIfAborted();
    return repositories.checkout({ address, ref, signers, credential: await withSecret(url, credential, environment) });
  };
  return {
    readConfig: (file) => configReader(file, cwd, fetchCommit),
    secret: (reference, about) => readSecret(reference, about, environment),
    async webhookSecrets({ github, gitlab, standard }) {
      const read = (references: readonly SecretReference[]) =>
        Promise.all(references.map((reference) => readSecret(reference, 'a secret of webhooks', environment)));
      return { github: await read(github), gitlab: await read(gitlab), standard: await read(standard) };
    },
    async openTarget({ name, to, secret }) {
      const address = 'url' in to ? to.url : await readSecret(to, `notify.${name}.to`, environment);
      const key =
        secret === undefined
          ? environment['GANTRY_NOTIFY_SECRET'] || undefined
          : await readSecret(secret, `notify.${name}.secret`, environment);
      return { hook: parseHook(address), secret: key };
    },
    async openForge({ repository, statuses: { token, ...forge } }) {
      const secret = await readSecret(token, `the token of statuses of ${repository}`, environment);
      return { ...forge, token: secret, repository: repository.slice(repository.indexOf('/') + 1) };
    },
    async fetchStack({ name, source }, signal) {
      if (source.kind === 'folder') {
        await requireFolder(source.path, (why) => missing(name, source.path, why));
        return { folder: source.path, dispose: () => Promise.resolve() };
      }
      const checkout = await fetchCommit(source, signal);
      const dispose = async () => checkout[Symbol.asyncDispose]();
      try {
        const folder = await realpath(join(checkout.folder, source.path ?? '')).catch(() => undefined);
        const wrong = (why: string) =>
          gitError(
            'reconcile.git-path',
            source.url,
            `${source.path ?? '.'}: ${why}`,
            'Correct path in reconcile.yaml, or push the folder.',
          );
        if (folder === undefined) throw wrong(`it is not in commit ${checkout.commit.slice(0, 12)}`);
        await requireFolder(folder, wrong);
        return { folder, commit: checkout.commit, root: await realpath(checkout.folder), dispose };
      } catch (error) {
        await dispose();
        throw error;
      }
    },
  };
}

async function requireFolder(path: string, wrong: (why: string) => Error): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw wrong(systemReason(error));
  });
  if (!found.isDirectory()) throw wrong('it is not a folder');
}

function missing(stack: string, path: string, why: string): ToolError {
  const message = `stack ${stack}: ${path}: ${why}`;
  return new ToolError({ code: 'reconcile.folder', message, hint: 'Correct folder in reconcile.yaml.' });
}

async function withSecret(
  url: string,
  credential: CredentialReference | undefined,
  environment: Environment,
): Promise<GitCredential | undefined> {
  if (credential === undefined || !('token' in credential)) return credential;
  return { ...credential, token: await readSecret(credential.token, `the token for ${url}`, environment) };
}

/** The secret, trimmed. Errors: `reconcile.secret`, which never quotes it. `about`: its purpose. */
async function readSecret(reference: SecretReference, about: string, environment: Environment): Promise<string> {
  if ('env' in reference) {
    const value = environment[reference.env]?.trim();
    if (value !== undefined && value !== '') return value;
    throw missingSecret(`${about}: the variable ${reference.env} is not set`, 'Set it where the worker is started.');
  }
  return readToken(reference.file).catch((error: unknown) => {
    throw missingSecret(
      `${about}: ${reference.file}: ${systemReason(error)}`,
      'Name a file that holds the secret alone.',
    );
  });
}

function missingSecret(message: string, hint: string): ToolError {
  return new ToolError({ code: 'reconcile.secret', message, hint });
}

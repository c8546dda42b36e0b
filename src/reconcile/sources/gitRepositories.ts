import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../../base/toolError.ts';
import { exists } from '../../project/files/exists.ts';
import { inBytes } from '../../project/files/fileRefusal.ts';
import { sha256 } from '../../project/files/sha256.ts';
import { type ProgramOptions, type ProgramRun, runProgram } from '../../project/session/runProgram.ts';
import type { Environment } from '../../project/session/session.ts';
import { judgeCommit } from '../../signing/commitSignature.ts';
import { readTrustedKeys } from '../../signing/trustedKeys.ts';
import type { GitAddress } from './gitAddress.ts';
import { failureOf, type GitCredential, gitEnvironment, gitError, isOfRemote } from './gitFailure.ts';
import { OneAfterAnother, SharedByKey } from './oneAfterAnother.ts';

/** Limits of fetching: far more than code, far less than a disk. Our own decision. */
export interface GitBounds {
  readonly fetchMs: number;
  /** Size of fetched data, as packed by git. */
  readonly packedBytes: number;
  /** Total size of files in one commit. */
  readonly bytes: number;
  readonly files: number;
}

export const gitBounds: GitBounds = {
  fetchMs: 120_000,
  packedBytes: 512 * 2 ** 20,
  bytes: 512 * 2 ** 20,
  files: 50_000,
};

const usualMs = 60_000;
/** A copy with more packs is created again: fetching is fast, searching many packs is not. */
const mostPacks = 100;
/** Limit of bytes per path in the list of a commit. */
const entryBytes = 1_024;
const longestLink = 4_096;

export interface RepositoriesOptions {
  /** Absolute; only for this process. */
  readonly folder: string;
  readonly environment: Environment;
  readonly bounds?: GitBounds;
}

/** A requested commit of a repository. */
export interface WantedCommit {
  readonly address: GitAddress;
  readonly credential: GitCredential | undefined;
  /** `refs/heads/main`, `refs/tags/v1`, or `HEAD`. */
  readonly ref: string;
  /** The file of keys; one of them must have signed the commit. Absolute. */
  readonly signers: string | undefined;
}

/** The files of a commit, while they are in use. */
export interface Checkout extends AsyncDisposable {
  /** Absolute. */
  readonly folder: string;
  readonly commit: string;
}

/**
 * Commits of repositories on this machine. Each repository has one bare copy to fetch into, and the files of each
 * commit in use, which are never modified. It recovers from any abort: folders of files are complete or do not exist,
 * and a damaged copy is created again.
 */
export class GitRepositories {
  readonly #copies = new Map<string, Copy>();
  readonly #options: RepositoriesOptions;

  constructor(options: RepositoriesOptions) {
    this.#options = options;
  }

  /** Fetches the present commit of the ref. Errors: `reconcile.git…`, and those of the file of keys. */
  async checkout(wanted: WantedCommit): Promise<Checkout> {
    await requireGit(this.#options.environment);
    const { url } = wanted.address;
    const copy = this.#copies.get(url) ?? new Copy(url, this.#options);
    this.#copies.set(url, copy);
    return copy.checkout(wanted);
  }
}

type GitOptions = Pick<ProgramOptions, 'mostMs' | 'mostOutput' | 'input' | 'signal' | 'checkLimits'>;

/** Errors: git is not installed. */
async function runGit(args: readonly string[], environment: Environment, options: GitOptions): Promise<ProgramRun> {
  const run = await runProgram('git', args, {
    mostOutput: 1_000_000,
    ...options,
    cwd: '/',
    environment,
    inGroup: true,
  });
  if (run.error !== undefined) throw run.error;
  return run;
}

let version: Promise<void> | undefined;
/** Settings in variables need 2.31, `GIT_CONFIG_GLOBAL` needs 2.32: an older git would ignore them. */
const leastMinor = 32;

function requireGit(environment: Environment): Promise<void> {
  version ??= runGit(['version'], { PATH: environment['PATH'] }, { mostMs: usualMs })
    .catch(() => undefined)
    .then((run) => {
      const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(run?.output.toString() ?? '') ?? []).map(Number);
      if (major > 2 || (major === 2 && minor >= leastMinor)) return;
      version = undefined; // it may be installed later
      const found = run === undefined || major === 0 ? 'there is no git' : `git is of version ${major}.${minor}`;
      const message = `${found}; stacks of repositories need 2.${leastMinor} or newer`;
      throw new ToolError({ code: 'reconcile.git-missing', message, hint: 'Install it, and see that it is in PATH.' });
    });
  return version;
}

/** The copy of one repository. */
class Copy {
  readonly #url: string;
  readonly #options: RepositoriesOptions;
  readonly #bounds: GitBounds;
  readonly #bare: string;
  readonly #files: string;
  readonly #turn = new OneAfterAnother();
  readonly #fetches = new SharedByKey<string>();
  /** The commit of each ref at its last fetch. */
  readonly #latest = new Map<string, string>();
  readonly #users = new Map<string, number>();

  constructor(url: string, options: RepositoriesOptions) {
    this.#url = url;
    this.#options = options;
    this.#bounds = options.bounds ?? gitBounds;
    const folder = join(options.folder, sha256(url).slice(0, 32));
    this.#bare = join(folder, 'copy.git');
    this.#files = join(folder, 'files');
  }

  async checkout(wanted: WantedCommit): Promise<Checkout> {
    const { ref, credential, signers } = wanted;
    const key = JSON.stringify([ref, credential]);
    const commit = await this.#fetches.run(key, () => this.#turn.run(() => this.#fetch(wanted)));
    const keys = signers === undefined ? undefined : await readTrustedKeys(signers, '/');
    return this.#turn.run(async () => {
      if (keys !== undefined) {
        const verdict = judgeCommit(await this.#local(wanted, ['cat-file', 'commit', commit]), keys);
        if (verdict.is === 'refused') {
          const hint = 'Sign it with a key of that list (git commit -S, gpg.format ssh), or add the key to it.';
          throw this.#error('reconcile.git-signature', `commit ${commit.slice(0, 12)}: ${verdict.why}`, hint);
        }
      }
      await this.#writeFiles(wanted, commit);
      return this.#use(commit);
    });
  }

  #use(commit: string): Checkout {
    this.#users.set(commit, (this.#users.get(commit) ?? 0) + 1);
    let isUsed = true;
    return {
      folder: join(this.#files, commit),
      commit,
      [Symbol.asyncDispose]: async () => {
        if (!isUsed) return;
        isUsed = false;
        this.#users.set(commit, (this.#users.get(commit) ?? 1) - 1);
      },
    };
  }

  /** Returns the commit. */
  async #fetch(wanted: WantedCommit): Promise<string> {
    await mkdir(this.#files, { recursive: true, mode: 0o700 });
    const isThere = await this.#isUsable();
    const run = isThere ? await this.#fetchInto(this.#bare, wanted) : undefined;
    if (run?.code !== 0) {
      // A damaged local copy is replaced.
      if (run !== undefined && isOfRemote(run)) throw this.#failure(run, wanted);
      await this.#removeHalfMade();
      const fresh = `${this.#bare}-${randomBytes(6).toString('hex')}`;
      try {
        await this.#must(wanted, ['init', '--quiet', '--bare', '--template=', '--end-of-options', fresh]);
        const again = await this.#fetchInto(fresh, wanted);
        if (again.code !== 0) throw this.#failure(again, wanted);
        await rm(this.#bare, { recursive: true, force: true });
        await rename(fresh, this.#bare);
      } finally {
        await rm(fresh, { recursive: true, force: true });
      }
    }
    const found = await this.#local(wanted, [
      'rev-parse',
      '--verify',
      '--end-of-options',
      `${ownRef(wanted.ref)}^{commit}`,
    ]);
    const commit = found.toString().trim();
    this.#latest.set(wanted.ref, commit);
    await this.#removeUnused();
    return commit;
  }

  /** Removes incomplete copies of aborted processes. */
  async #removeHalfMade(): Promise<void> {
    const folder = dirname(this.#bare);
    const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(this.#bare)}-`));
    await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
  }

  /**
   * Whether the copy exists and is not too large. Removes locks and temporary files that earlier processes left, for
   * which git would wait: no other process uses the copy.
   */
  async #isUsable(): Promise<boolean> {
    if (!(await exists(this.#bare))) return false;
    const names = await readdir(this.#bare, { recursive: true });
    const left = names.filter((name) => name.endsWith('.lock') || /(?:^|\/)tmp_\w+$/.test(name));
    await Promise.all(left.map((name) => rm(join(this.#bare, name), { force: true, recursive: true })));
    const packs = names.filter((name) => name.endsWith('.pack'));
    return packs.length < mostPacks && (await sizeOf(this.#bare, packs)) < this.#bounds.packedBytes;
  }

  async #fetchInto(bare: string, wanted: WantedCommit): Promise<ProgramRun> {
    const packs = join(bare, 'objects/pack');
    const before = await sizeOfFolder(packs);
    const isTooLarge = async () => (await sizeOfFolder(packs)) - before > this.#bounds.packedBytes;
    const args = ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-write-fetch-head', '--update-shallow'];
    const refspec = `+${wanted.ref}:${ownRef(wanted.ref)}`;
    const run = await this.#git(wanted, [`--git-dir=${bare}`, ...args, '--end-of-options', this.#url, refspec], {
      mostMs: this.#bounds.fetchMs,
      checkLimits: async () => ((await isTooLarge()) ? 'size' : undefined),
    });
    return run.code === 0 && (await isTooLarge()) ? { ...run, code: 1, stopped: 'size' } : run;
  }

  /** Atomic: an abort leaves nothing that looks complete. */
  async #writeFiles(wanted: WantedCommit, commit: string): Promise<void> {
    const folder = join(this.#files, commit);
    if (await exists(folder)) return;
    await this.#judgeTree(wanted, await this.#tree(wanted, commit));
    const beside = join(this.#files, `.new-${randomBytes(6).toString('hex')}`);
    const index = `${beside}.index`;
    const place = [`--git-dir=${this.#bare}`, `--work-tree=${beside}`];
    try {
      await mkdir(beside, { mode: 0o700 });
      await this.#must(wanted, [...place, 'read-tree', `--index-output=${index}`, commit], { GIT_INDEX_FILE: index });
      await this.#must(wanted, [...place, 'checkout-index', '--all', '--force', '--quiet'], { GIT_INDEX_FILE: index });
      await rename(beside, folder);
    } finally {
      await Promise.all([beside, index].map((each) => rm(each, { recursive: true, force: true })));
    }
  }

  async #tree(wanted: WantedCommit, commit: string): Promise<readonly TreeEntry[]> {
    const run = await this.#git(
      wanted,
      [`--git-dir=${this.#bare}`, 'ls-tree', '-r', '-z', '-l', '--full-tree', commit],
      {
        mostMs: usualMs,
        mostOutput: this.#bounds.files * entryBytes,
      },
    );
    if (run.stopped === 'output') throw this.#tooManyFiles();
    if (run.code !== 0) throw this.#failure(run, wanted);
    return parseTree(run.output);
  }

  async #judgeTree(wanted: WantedCommit, entries: readonly TreeEntry[]): Promise<void> {
    const { files, bytes } = this.#bounds;
    if (entries.length > files) throw this.#tooManyFiles();
    const size = entries.reduce((sum, entry) => sum + entry.size, 0);
    if (size > bytes) {
      const hint = 'Keep the files of stacks in a separate repository.';
      throw this.#error(
        'reconcile.git-bounds',
        `its files have ${inBytes(size)}; at most ${inBytes(bytes)} are fetched`,
        hint,
      );
    }
    const targets = await this.#targets(
      wanted,
      entries.filter(({ mode }) => mode === linkMode),
    );
    const outside = [...targets.keys()].find((path) => leadsOutside(path, targets));
    if (outside !== undefined) {
      const hint = 'Put a copy of what it leads to into the repository.';
      throw this.#error(
        'reconcile.git-link',
        `the link ${JSON.stringify(shownPath(outside))} leads out of the repository`,
        hint,
      );
    }
  }

  /** The target of each link, by the link's path. */
  async #targets(wanted: WantedCommit, links: readonly TreeEntry[]): Promise<ReadonlyMap<string, string>> {
    if (links.length === 0) return new Map();
    const long = links.find(({ size }) => size > longestLink);
    if (long !== undefined) {
      throw this.#error(
        'reconcile.git-link',
        `the link ${JSON.stringify(shownPath(long.path))} is too long`,
        'Remove it.',
      );
    }
    const run = await this.#git(wanted, [`--git-dir=${this.#bare}`, 'cat-file', '--batch=%(objectname)'], {
      mostMs: usualMs,
      mostOutput: links.length * (longestLink + 100),
      input: Buffer.from(links.map(({ id }) => `${id}\n`).join('')),
    });
    if (run.code !== 0) throw this.#failure(run, wanted);
    const text = run.output.toString('latin1');
    let at = 0;
    return new Map(
      links.map(({ path, size }) => {
        const start = text.indexOf('\n', at) + 1;
        at = start + size + 1;
        return [path, text.slice(start, start + size)] as const;
      }),
    );
  }

  /** Removes the files of commits that no ref has any more. */
  async #removeUnused(): Promise<void> {
    const latest = new Set(this.#latest.values());
    const unused = (await readdir(this.#files)).filter(
      (name) => !latest.has(name) && (this.#users.get(name) ?? 0) === 0,
    );
    for (const name of unused) this.#users.delete(name);
    await Promise.all(unused.map((name) => rm(join(this.#files, name), { recursive: true, force: true })));
  }

  async #local(wanted: WantedCommit, args: readonly string[]): Promise<Buffer> {
    return (await this.#must(wanted, [`--git-dir=${this.#bare}`, ...args])).output;
  }

  async #must(wanted: WantedCommit, args: readonly string[], environment: Environment = {}): Promise<ProgramRun> {
    const run = await this.#git(wanted, args, { mostMs: usualMs }, environment);
    if (run.code !== 0) throw this.#failure(run, wanted);
    return run;
  }

  #git(
    { address, credential }: WantedCommit,
    args: readonly string[],
    options: GitOptions,
    more: Environment = {},
  ): Promise<ProgramRun> {
    const environment = gitEnvironment(this.#options.environment, address, credential);
    return runGit(args, { ...environment, ...more }, options);
  }

  #failure(run: ProgramRun, { ref, credential }: WantedCommit): ToolError {
    if (run.stopped === 'size') {
      const most = inBytes(this.#bounds.packedBytes);
      const hint = 'Keep the files of stacks in a separate repository.';
      return this.#error('reconcile.git-bounds', `more than ${most} would have to be fetched`, hint);
    }
    const secrets = credential !== undefined && 'token' in credential ? [credential.token] : [];
    const failure = failureOf(this.#url, run, secrets, this.#bounds.fetchMs);
    if (failure.code !== 'reconcile.git-ref') return failure;
    return this.#error('reconcile.git-ref', `there is no ${refInWords(ref)}`, failure.hint ?? '');
  }

  #tooManyFiles(): ToolError {
    const hint = 'Keep the files of stacks in a separate repository.';
    return this.#error('reconcile.git-bounds', `a commit has more than ${this.#bounds.files} files`, hint);
  }

  #error(code: Parameters<typeof gitError>[0], why: string, hint: string): ToolError {
    return gitError(code, this.#url, why, hint);
  }
}

/** The name of a ref in the copy. */
function ownRef(ref: string): string {
  return `refs/gantry/${sha256(ref)}`;
}

function refInWords(ref: string): string {
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? [];
  if (kind === undefined) return 'default branch in it';
  return `${kind === 'heads' ? 'branch' : 'tag'} ${JSON.stringify(name)}`;
}

async function sizeOfFolder(folder: string): Promise<number> {
  return sizeOf(folder, await readdir(folder).catch(() => []));
}

/** Files deleted meanwhile count as empty. */
async function sizeOf(folder: string, names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** An entry of a commit's tree. */
interface TreeEntry {
  readonly mode: string;
  readonly id: string;
  /** Bytes; 0 if it is not a file. */
  readonly size: number;
  /** One character per byte. */
  readonly path: string;
}

/** The output of `git ls-tree -r -z -l`. */
function parseTree(output: Buffer): readonly TreeEntry[] {
  return output
    .toString('latin1') // keeps bytes: names may be in any encoding
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', , id = '', size = ''] = line.slice(0, tab).split(/ +/);
      return { mode, id, size: size === '-' ? 0 : Number(size), path: line.slice(tab + 1) };
    });
}

const linkMode = '120000';

/** More than any system follows. */
const mostSteps = 255;

/** Whether a link leads out of the repository, also through other links. `targets`: of each link by its path. */
function leadsOutside(link: string, targets: ReadonlyMap<string, string>): boolean {
  const at: string[] = [];
  const left = link.split('/');
  for (let steps = 0; left.length > 0; ) {
    const step = left.shift() ?? '';
    if (step === '' || step === '.') continue;
    if (step === '..') {
      if (at.pop() === undefined) return true;
      continue;
    }
    const target = targets.get([...at, step].join('/'));
    if (target === undefined) {
      at.push(step);
      continue;
    }
    steps += 1;
    if (target.startsWith('/') || /^[A-Za-z]:|\\/.test(target)) return true;
    if (steps > mostSteps) return false; // a cycle: it has no target
    left.unshift(...target.split('/'));
  }
  return false;
}

/** The displayed path. */
function shownPath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

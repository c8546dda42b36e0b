import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { headOf } from '../../harness/headOf.ts';
import { writeBelow } from '../../harness/writeBelow.ts';

/** A repository on this machine, as a forge would store it. */
export class Repository {
  readonly folder: string;

  /** `parent`: the folder in which it is created. */
  constructor(parent: string) {
    this.folder = mkdtempSync(join(parent, 'repository-'));
    this.git('init', '--quiet', '--template=', '--initial-branch=main');
  }

  git(...args: readonly string[]): string {
    const options = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
    return execFileSync('git', [...options, ...args], {
      cwd: this.folder,
      encoding: 'utf8',
      env,
      stdio: 'pipe',
    }).trim();
  }

  /** Returns the commit. `signedBy`: the file of a private key. */
  commit(files: Readonly<Record<string, string>>, signedBy?: string): string {
    for (const [path, content] of Object.entries(files)) writeBelow(this.folder, path, content);
    this.git('add', '--all');
    const signing = signedBy === undefined ? [] : ['-c', 'gpg.format=ssh', '-c', `user.signingkey=${signedBy}`];
    this.git(
      ...signing,
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'Change',
      ...(signedBy === undefined ? [] : ['-S']),
    );
    return headOf(this.folder);
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockFile, lockFolder } from '../../../src/provider/platform/folderLock.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const folder = temporaryFolder('folder-lock');
const source = new URL('../../../src/provider/platform/folderLock.ts', import.meta.url).href;
const owner = `
import { lockFile, lockFolder } from ${JSON.stringify(source)};
await lockFolder(process.argv[1]);
console.log('locked');
setInterval(() => {}, 1_000);
`;

/** Another process that takes the lock and never releases it. */
async function lockedByAnother(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', owner, path]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
  expect(String(said)).toBe('locked\n');
  return child;
}

function empty(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

describe('the lock of an embedded platform', () => {
  it('is waited for, up to the timeout', async () => {
    const path = empty('waited');
    const unlock = await lockFolder(path);
    await expect(lockFolder(path, 60)).rejects.toMatchObject({ code: 'provider.embedded-busy' });
    const next = lockFolder(path);
    unlock();
    (await next)();
  });

  it('is refused while its process lives, and free as soon as that process is killed', async () => {
    const path = empty('killed');
    const other = await lockedByAnother(path);
    await expect(lockFolder(path, 0)).rejects.toMatchObject({ code: 'provider.embedded-busy' });
    other.kill('SIGKILL');
    await once(other, 'exit');
    (await lockFolder(path, 0))();
  });

  it('has one owner at a time if several waiters find the lock of a killed process', async () => {
    const path = empty('several');
    const other = await lockedByAnother(path);
    other.kill('SIGKILL');
    await once(other, 'exit');
    // All of them find the remains of the lock before one of them continues.
    const waiting = Array.from({ length: 8 }, () => lockFolder(path));
    let owners = 0;
    for (const each of waiting) {
      each.then(() => {
        owners += 1;
      });
    }
    const left = new Set(waiting);
    while (left.size > 0) {
      const { unlock, each } = await Promise.race([...left].map((each) => each.then((unlock) => ({ unlock, each }))));
      expect(owners).toBe(1);
      owners -= 1;
      left.delete(each);
      unlock();
    }
  });

  // A waiter that is slow between its look at an old lock and the removal would remove the lock of the next owner.
  it('is never removed or replaced, neither by its owner nor by the next one after a kill', async () => {
    const path = empty('same-file');
    const other = await lockedByAnother(path);
    const { ino } = statSync(join(path, lockFile));
    other.kill('SIGKILL');
    await once(other, 'exit');
    const unlock = await lockFolder(path, 0);
    expect(statSync(join(path, lockFile)).ino).toBe(ino);
    unlock();
    expect(statSync(join(path, lockFile)).ino).toBe(ino);
  });
});

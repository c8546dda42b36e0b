import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { settingsFileName } from '../../../project/files/projectFiles.ts';

/** Editors write a file in several steps. */
const quietMs = 20;
/** Of editors, of Gantry itself, of packages; a name without an ending is that of a folder, or of a moment. */
const notOurs = /^\.|~$|\.(?:swp|swx|tmp|bak|db|log)$|^[^.]*$/;

/**
 * The folders of the files that a stack consists of. A save of one of these files is a change; so is one of another
 * file in these folders, unless the stack wrote it itself: it may read that.
 */
export class WatchedFiles {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  readonly #onChange: () => void;
  #known: ReadonlySet<string> = new Set();
  #sinceMs = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** `onChange`: called when something was changed, and nothing more for a moment. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The files that were changed since the last call. */
  take(): readonly string[] {
    const changed = [...this.#changed].sort();
    this.#changed.clear();
    return changed;
  }

  get count(): number {
    return this.#known.size;
  }

  /** While the stack runs: what is written then is not what somebody saved. */
  pause(): void {
    this.#sinceMs = Number.POSITIVE_INFINITY;
  }

  resume(): void {
    this.#sinceMs = performance.timeOrigin + performance.now(); // as precise as the times of files
  }

  /** From here on these files count. `folder`: the one of the project, where new files may come. */
  follow(files: readonly string[], folder: string): void {
    this.#known = new Set(files);
    const folders = new Set([folder, ...files.map((file) => dirname(file))]);
    for (const [path, watcher] of this.#watchers) {
      if (folders.has(path)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
    for (const path of folders) if (!this.#watchers.has(path)) this.#watch(path);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, (_, name) => {
        if (name !== null) this.#noticed(join(folder, name));
      });
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
      });
      this.#watchers.set(folder, watcher);
    } catch {
      // It is gone, or too many are watched: what is left is watched all the same.
    }
  }

  #noticed(path: string): void {
    if (!this.#counts(path)) return;
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, quietMs);
  }

  #counts(path: string): boolean {
    const name = basename(path);
    if (this.#known.has(path) || name === settingsFileName) return true;
    if (notOurs.test(name)) return false;
    try {
      return statSync(path).mtimeMs > this.#sinceMs;
    } catch {
      return false; // it is gone, and nobody had loaded it
    }
  }
}

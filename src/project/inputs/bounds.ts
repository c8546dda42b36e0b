import { FileRefusal } from '../files/fileRefusal.ts';

/** Limits of a search for manifests: far more than a project, far less than a disk. Our own decision. */
export interface SearchBounds {
  /** Number of examined files and folders. */
  readonly entries: number;
  readonly manifests: number;
  /** Number of nested folders. */
  readonly depth: number;
  readonly milliseconds: number;
}

export const searchBounds: SearchBounds = { entries: 100_000, manifests: 20_000, depth: 50, milliseconds: 60_000 };

/** A search that exceeded its limits; `path` is where it stopped. */
export class SearchStopped extends FileRefusal {
  readonly path: string;

  constructor(message: string, path: string) {
    super(message);
    this.path = path;
  }
}

/** Counts the examined entries. Each method throws `SearchStopped`. */
export class SearchBudget {
  readonly #bounds: SearchBounds;
  readonly #now: () => number;
  readonly #end: number;
  #entries = 0;
  #manifests = 0;

  constructor(bounds: SearchBounds, now: () => number) {
    this.#bounds = bounds;
    this.#now = now;
    this.#end = now() + bounds.milliseconds;
  }

  entries(count: number, path: string): void {
    this.#entries += count;
    const { entries, milliseconds } = this.#bounds;
    if (this.#entries > entries) throw new SearchStopped(`there are more than ${entries} files and folders`, path);
    if (this.#now() > this.#end) throw new SearchStopped(`it took more than ${milliseconds / 1000} s`, path);
  }

  manifest(path: string): void {
    this.#manifests += 1;
    const { manifests } = this.#bounds;
    if (this.#manifests > manifests) throw new SearchStopped(`there are more than ${manifests} manifest files`, path);
  }

  depth(depth: number, path: string): void {
    const { depth: most } = this.#bounds;
    if (depth > most) throw new SearchStopped(`there are more than ${most} folders in each other`, path);
  }
}

import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Surroundings } from './settings.ts';

/**
 * The creations that have begun here and of which it is not known that a state has their record: one empty file for
 * each, in the data folder of Terraform, named by its request, which is on the record too. By this a record that an apply
 * has left, as it was cut off, is told from one that another resource, another provider block or another state has.
 */
export interface UnfinishedCreations {
  /** Before the request is sent. */
  begin(request: string): Promise<void>;
  /** The answer went to Terraform, which has written it once it ends in order. */
  answered(request: string): void;
  /** No record came of it, or a state has its record. */
  end(request: string): Promise<void>;
  has(request: string): Promise<boolean>;
  /** Terraform has ended in order. */
  endAnswered(): Promise<void>;
}

/** Of this provider, in the data folder of Terraform. */
export function ownFolder({ environment, cwd }: Surroundings): string {
  return join(resolve(cwd, environment['TF_DATA_DIR'] || '.terraform'), 'gantry');
}

export function unfinishedCreations({ environment, cwd }: Surroundings): UnfinishedCreations {
  const folder = join(ownFolder({ environment, cwd }), 'creations');
  const answered = new Set<string>();
  const pathOf = (request: string): string => join(folder, request);
  const isThere = (path: string): Promise<boolean> =>
    stat(path).then(
      () => true,
      () => false,
    );
  /** Read once: a refresh asks for every record. What others begin meanwhile is in no state yet. */
  let before: Promise<ReadonlySet<string>> | undefined;
  const begun = new Set<string>();

  async function end(request: string): Promise<void> {
    before ??= readdir(folder).then(
      (names) => new Set(names),
      () => new Set(),
    );
    if (begun.has(request) || (await before).has(request)) await rm(pathOf(request), { force: true }).catch(() => {});
  }
  return {
    async begin(request) {
      begun.add(request);
      // Where nothing can be written, an apply that was cut off is not recognised later, and the import is named.
      await mkdir(folder, { recursive: true }).catch(() => {});
      await writeFile(pathOf(request), '').catch(() => {});
    },
    answered: (request) => void answered.add(request),
    end,
    has: async (request) => isName.test(request) && isThere(pathOf(request)),
    async endAnswered() {
      await Promise.all([...answered].map(end));
    },
  };
}

/** It comes from a tag, which anybody can write. */
const isName = /^[\w-]{1,64}$/;

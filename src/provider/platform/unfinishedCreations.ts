import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Surroundings } from './settings.ts';

/**
 * The creations that were begun here and whose records may not be in a state: one empty file for each, in the data
 * folder of Terraform, named by its request, which is also on the record. This distinguishes a record that an
 * interrupted apply has left from one of another resource, provider block or state.
 */
export interface UnfinishedCreations {
  /** Called before the request is sent. */
  begin(request: string): Promise<void>;
  /** Called when Terraform has the answer, which it writes to the state if it ends normally. */
  answered(request: string): void;
  /** Called if no record was created, or a state has the record. */
  end(request: string): Promise<void>;
  has(request: string): Promise<boolean>;
  /** Whether an earlier process has begun it. A part has no request of its own: two of one process may share a name. */
  wasLeft(request: string): Promise<boolean>;
  /** Called when Terraform has ended normally. */
  endAnswered(): Promise<void>;
}

/** The folder of this provider in Terraform's data folder. */
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
  /** Read once, because a refresh needs it for every record. Creations that others begin later are in no state yet. */
  let before: Promise<ReadonlySet<string>> | undefined;
  const begun = new Set<string>();

  async function end(request: string): Promise<void> {
    before ??= readdir(folder).then(
      (names) => new Set(names),
      () => new Set(),
    );
    if (begun.has(request) || (await before).has(request)) await rm(pathOf(request), { force: true }).catch(() => {});
  }
  const has = async (request: string): Promise<boolean> => isName.test(request) && isThere(pathOf(request));
  return {
    async begin(request) {
      begun.add(request);
      // If the folder is not writable, an interrupted apply is not recognised later, and the error suggests an import.
      await mkdir(folder, { recursive: true }).catch(() => {});
      await writeFile(pathOf(request), '').catch(() => {});
    },
    answered: (request) => void answered.add(request),
    end,
    has,
    wasLeft: async (request) => !begun.has(request) && has(request),
    async endAnswered() {
      await Promise.all([...answered].map(end));
    },
  };
}

/** The name comes from a tag, which any client can write. */
const isName = /^[\w-]{1,64}$/;

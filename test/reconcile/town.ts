import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Board, StackEntry } from '../../src/reconcile/model.ts';
import { openSources } from '../../src/reconcile/sources/openSources.ts';
import { openBoard } from '../../src/reconcile/store/board.ts';
import { openStore, type StoreAddress } from '../../src/reconcile/store/openStore.ts';
import type { Store } from '../../src/reconcile/store/store.ts';
import type { LogEntry, WorkerSurroundings } from '../../src/reconcile/work/surroundings.ts';
import { Worker } from '../../src/reconcile/work/worker.ts';
import { token } from '../e2e/harness/platform.ts';
import { writeNewStore } from './newStore.ts';

/** A stack of one GVC with groups beside it, as files in a folder. */
export function writeStack(folder: string, name: string, groups: Readonly<Record<string, string>>, more = ''): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'gantry.yaml'), `stack: ${name}\norg: local\n${more}`);
  const manifests = Object.entries(groups).map(
    ([group, description]) => `kind: group\nname: ${group}\ndescription: ${description}\n`,
  );
  writeFileSync(join(path, 'groups.yaml'), manifests.join('---\n'));
  return path;
}

export function entryOf(path: string, more: Partial<StackEntry> & { readonly name: string }): StackEntry {
  return { source: { kind: 'folder', path }, mode: 'auto', intervalMs: 60_000, jitterMs: 0, after: [], ...more };
}

export interface Town extends AsyncDisposable {
  readonly store: Store;
  readonly board: Board;
  readonly log: readonly LogEntry[];
  entries: readonly StackEntry[];
  /** One pass by a new worker. */
  once(more?: Partial<WorkerSurroundings>): Promise<void>;
  worker(more?: Partial<WorkerSurroundings>): Worker;
  /** Moves the clock of the store forward. */
  pass(ms: number): void;
}

export async function openTown(
  platformUrl: string,
  address: StoreAddress,
  tell: (text: string) => void = () => {},
): Promise<Town> {
  let aheadMs = 0;
  if (address.kind === 'folder' && !existsSync(join(address.folder, 'db'))) await writeNewStore(address.folder);
  const store = await openStore(address, { tell, now: () => Date.now() + aheadMs });
  const board = await openBoard(store);
  const log: LogEntry[] = [];
  let workers = 0;
  const sources = openSources({
    stateFolder: join(tmpdir(), `gantry-town-${process.pid}`),
    environment: {},
    cwd: tmpdir(),
  });
  const town: Town = {
    store,
    board,
    log,
    entries: [],
    worker(more = {}) {
      workers += 1;
      return new Worker({
        store,
        name: `worker-${workers}`,
        readConfig: async () => ({
          origin: '/town/reconcile.yaml',
          stacks: town.entries,
          webhooks: { github: [], gitlab: [], standard: [] },
        }),
        fetchStack: sources.fetchStack,
        environment: {},
        options: { endpoint: platformUrl, token, embedded: false },
        concurrency: 8,
        mostRunMs: 60_000,
        log: (line) => void log.push(line),
        random: () => 0,
        ...more,
      });
    },
    async once(more) {
      const worker = town.worker(more);
      await worker.start();
      await worker.once();
    },
    pass(ms) {
      aheadMs += ms;
    },
    async [Symbol.asyncDispose]() {
      await board.close();
      await store.close();
    },
  };
  return town;
}

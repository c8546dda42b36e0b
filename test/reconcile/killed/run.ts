import { parseArgs } from 'node:util';
import { besiege, type SiegeSize } from './siege.ts';

/*
 * npm run fleet                                   three workers on PostgreSQL, then one with a folder
 * npm run fleet -- --only postgres --stacks 300   one of them, with other sizes
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    workers: { type: 'string', default: '3' },
    stacks: { type: 'string', default: '100' },
    kills: { type: 'string', default: '50' },
    every: { type: 'string', default: '4' },
  },
});
const common = {
  kills: Number(values.kills),
  killEveryMs: 1_000 * Number(values.every),
  failing: 0.05,
  settleMs: 600_000,
  tell: (text: string) => console.log(`    ${text}`),
};
// biome-ignore format: a row is a case
const sizes: readonly SiegeSize[] = [
  { ...common, store: 'postgres', workers: Number(values.workers), stacks: Number(values.stacks), restarts: 2,
    intervalMs: 20_000 },
  { ...common, store: 'folder', workers: 1, stacks: Math.min(Number(values.stacks), 20), restarts: 0,
    intervalMs: 10_000 },
];

for (const size of sizes.filter(({ store }) => values.only === undefined || values.only === store)) {
  const { store, workers, stacks, kills } = size;
  console.log(`${store}: ${workers} workers, ${stacks} stacks, ${kills} kills`);
  try {
    console.log(await besiege(size));
  } catch (error) {
    console.log(`FAILED ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

import { configureGlobal, readConfigureGlobal } from 'fast-check';
import { runs } from './harness/sampled.ts';

/** Every property uses one seed, so that a run can be repeated: `GANTRY_SEED=7 npm test` uses another one. */
const seed = Number(process.env['GANTRY_SEED'] ?? 20_261_122);

configureGlobal({ ...readConfigureGlobal(), seed, numRuns: runs(100) });

/** Vitest's global setup: prints the seed once a run. */
export function setup(): void {
  console.log(`Properties run from the seed ${seed} (GANTRY_SEED).`);
}

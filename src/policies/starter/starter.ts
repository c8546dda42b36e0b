import type { Policy } from '../model/policy.ts';
import { dataKept, dataProtected } from './dataProtected.ts';
import { imagesPinned } from './imagesPinned.ts';
import { limitsSet } from './limitsSet.ts';
import { openEgress } from './openEgress.ts';
import { probesPresent } from './probesPresent.ts';
import { publicIngress } from './publicIngress.ts';
import { secretsInEnv } from './secretsInEnv.ts';

/** Policies for a start, which `use: [starter]` of `gantry.yaml` switches on, all or by their ids. */
export const starter: readonly Policy[] = [
  dataKept,
  dataProtected,
  imagesPinned,
  limitsSet,
  openEgress,
  probesPresent,
  publicIngress,
  secretsInEnv,
];

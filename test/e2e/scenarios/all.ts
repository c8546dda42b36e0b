import { sampled } from '../../harness/sampled.ts';
import type { Scenario } from '../harness/scenario.ts';
import { scenario as scenario24 } from './24-ipset-both-ways.ts';
import { scenario as scenario25 } from './25-whole-system.ts';
import { scenario as scenario16 } from './access/16-secret-zoo.ts';
import { scenario as scenario17 } from './access/17-secret-wiring.ts';
import { scenario as scenario22 } from './access/22-identity-four-clouds.ts';
import { scenario as scenario23 } from './access/23-access-control.ts';
import { scenario as scenario18 } from './domain/18-domain-minimal-apex.ts';
import { scenario as scenario19 } from './domain/19-domain-path-routing.ts';
import { scenario as scenario20 } from './domain/20-domain-extras.ts';
import { scenario as scenario21 } from './domain/21-domain-routes-by-two-writers.ts';
import { scenario as scenario01 } from './gvc/01-minimal-gvc.ts';
import { scenario as scenario02 } from './gvc/02-gvc-with-everything.ts';
import { scenario as scenario03 } from './gvc/03-gvc-location-options.ts';
import { scenario as scenario04 } from './gvc/04-gvc-location-query.ts';
import { scenario as scenario10 } from './volumeset/10-stateful-database.ts';
import { scenario as scenario11 } from './volumeset/11-shared-storage.ts';
import { scenario as scenario12 } from './volumeset/12-high-throughput-volumeset.ts';
import { scenario as scenario13 } from './volumeset/13-volumeset-encryption.ts';
import { scenario as scenario05 } from './workload/05-serverless-minimal.ts';
import { scenario as scenario06 } from './workload/06-serverless-legacy-port.ts';
import { scenario as scenario07 } from './workload/07-serverless-full.ts';
import { scenario as scenario08 } from './workload/08-standard-three-protocols.ts';
import { scenario as scenario09 } from './workload/09-standard-keda.ts';
import { scenario as scenario14 } from './workload/14-cron-job.ts';
import { scenario as scenario15 } from './workload/15-internal-micro-services.ts';

/** All scenarios by number, as data: one test runs the command line, the sweeps run their steps. */
export const scenarios: readonly Scenario[] = [
  scenario01,
  scenario02,
  scenario03,
  scenario04,
  scenario05,
  scenario06,
  scenario07,
  scenario08,
  scenario09,
  scenario10,
  scenario11,
  scenario12,
  scenario13,
  scenario14,
  scenario15,
  scenario16,
  scenario17,
  scenario18,
  scenario19,
  scenario20,
  scenario21,
  scenario22,
  scenario23,
  scenario24,
  scenario25,
];

/** A scenario of each family of kinds, and the whole system: for what repeats all of them in another way. */
export const scenarioSample = sampled(scenarios, 1, 6, 9, 13, 17, 22, 24);

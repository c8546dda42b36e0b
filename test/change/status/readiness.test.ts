import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { workloadReadiness } from '../../../src/kinds/workload/readiness.ts';
import { deployment, standard } from './deployments.ts';

const cron = { spec: { type: 'cron' } };
/** The reason for the location `a` alone. */
const localOptions = (...options: readonly JsonObject[]): JsonObject => ({
  spec: { type: 'standard', localOptions: options.map((each) => ({ location: '//location/a', ...each })) },
});
const asleepInA = localOptions({ suspend: true });
const scaled = (minScale: number, maxScale: number) => localOptions({ autoscaling: { minScale, maxScale } });
const ready = deployment(2, true);
const notReadyIn = (name: string) => deployment(2, false, {}, name);
const none = '0 of 1 locations are ready; ';

interface Case {
  readonly it: string;
  readonly record?: JsonObject;
  readonly deployments: readonly JsonObject[];
  /** Absent if it is ready. */
  readonly because?: string;
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'no deployment yet', deployments: [], because: 'it has no deployment yet' },
  { it: 'every location ready in this version', deployments: [ready] },
  { it: 'a later version', deployments: [deployment(3, true)] },
  { it: 'the version before', deployments: [deployment(1, true)],
    because: `${none}aws-eu-central-1: version 2 is not processed yet` },
  { it: 'one of two not ready', deployments: [ready, notReadyIn('b')],
    because: '1 of 2 locations are ready; b: not running yet' },
  { it: 'the other one suspended', record: asleepInA, deployments: [ready, notReadyIn('a')] },
  { it: 'one not ready beside one that is suspended and ready', record: asleepInA,
    deployments: [notReadyIn('b'), deployment(2, true, {}, 'a')], because: `${none}b: not running yet` },
  { it: 'one not ready, suspended in a location without a deployment', record: asleepInA,
    deployments: [ready, notReadyIn('b')], because: '1 of 2 locations are ready; b: not running yet' },
  { it: 'every location suspended', record: asleepInA, deployments: [notReadyIn('a')] },
  { it: 'the other one scaled to 0', record: scaled(0, 0), deployments: [ready, notReadyIn('a')] },
  { it: 'the other one scaled to at least 0', record: scaled(0, 1), deployments: [ready, notReadyIn('a')],
    because: '1 of 2 locations are ready; a: not running yet' },
  { it: 'options of no location', record: { spec: { type: 'standard', localOptions: [null, { suspend: true }] } },
    deployments: [notReadyIn('a')], because: `${none}a: not running yet` },
  { it: "the platform's reason",
    deployments: [deployment(2, true, {}, 'a'), deployment(2, false, { message: 'pulling the image' }, 'b')],
    because: '1 of 2 locations are ready; b: pulling the image' },
  { it: 'a failed synchronisation', deployments: [deployment(2, true, { internal: { syncFailed: true } })],
    because: `${none}aws-eu-central-1: the synchronisation failed` },
  { it: 'the expected deployment version not ready, an older one ready',
    deployments: [deployment(2, true, { versions: [{ workload: 1, ready: true }, { workload: 2, ready: false }] })],
    because: `${none}aws-eu-central-1: not running yet` },
  { it: 'the expected deployment version ready, an older one ending',
    deployments: [
      deployment(2, true, { versions: [null, { workload: 1, ready: false }, { workload: 2, ready: true }] })] },
  { it: 'no expected deployment version',
    deployments: [
      { name: 'a', status: { ready: true, lastProcessedVersion: 2, versions: [{ ready: true }, { ready: true }] } }],
    because: `${none}a: not running yet` },
  { it: 'the version as a string', deployments: [deployment(2, true, { lastProcessedVersion: '2' })] },
  { it: 'a version that is not a number', deployments: [deployment(2, true, { lastProcessedVersion: 'latest' })],
    because: `${none}aws-eu-central-1: version 2 is not processed yet` },
  { it: 'its version ready in a location that is not ready', deployments: [deployment(2, true, { ready: false })],
    because: 'no location serves it' },
  { it: 'a cron workload with one ready location', record: cron, deployments: [deployment(1, true), notReadyIn('b')] },
  { it: 'a cron workload without one', record: cron,
    deployments: [notReadyIn('a'), deployment(2, true, { internal: { syncFailed: true } }, 'b')],
    because: 'no location is ready' },
  { it: 'a suspended workload',
    record: { spec: { type: 'standard', defaultOptions: { suspend: true } } }, deployments: [] },
];

test.each(cases)(
  'readiness of version 2 with $it: $because (platform/lifecycle.readiness)',
  ({ record = standard, deployments, because }) => {
    expect(workloadReadiness(record, 2, deployments)).toEqual(
      because === undefined ? { ready: true } : { ready: false, because },
    );
  },
);

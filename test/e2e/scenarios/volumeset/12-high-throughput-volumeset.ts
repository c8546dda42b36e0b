import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Scenario } from '../../harness/scenario.ts';

const stack = (spec: string) => `
kind: gvc
name: fast
---
kind: volumeset
gvc: fast
name: scratch
spec:
  fileSystemType: xfs
  performanceClass: high-throughput-ssd
  initialCapacity: 1000
${spec}`;

const live = (spec: JsonObject): JsonObject => ({
  name: 'scratch',
  description: 'scratch',
  tags: {},
  spec: { fileSystemType: 'xfs', performanceClass: 'high-throughput-ssd', initialCapacity: 1000, ...spec },
});

const path = '/org/local/gvc/fast/volumeset/scratch';
const growing = (predictive: string) => `  autoscaling:
    maxCapacity: 2000
    minFreePercentage: 20
    scalingFactor: 1.2
${predictive}`;
const snapshots = '  snapshots: {retentionDuration: 7d, schedule: "0 * * * *"}\n';

export const scenario: Scenario = {
  number: 12,
  title: 'high-throughput volume set',
  steps: [
    {
      it: 'grows up to 2000 GB, with prediction',
      manifests: stack(growing('    predictive: {enabled: true}\n')),
      actions: { 'gvc/fast': 'create', 'volumeset/fast/scratch': 'create' },
      live: {
        [path]: live({
          autoscaling: {
            maxCapacity: 2000,
            minFreePercentage: 20,
            scalingFactor: 1.2,
            predictive: {
              enabled: true,
              lookbackHours: 24,
              projectionHours: 6,
              minDataPoints: 10,
              minGrowthRateGBPerHour: 0.01,
            },
          },
        }),
      },
    },
    {
      it: 'the documented defaults of prediction, written out, are no change',
      manifests: stack(
        growing(
          '    predictive: {enabled: true, lookbackHours: 24, projectionHours: 6, minDataPoints: 10, minGrowthRateGBPerHour: 0.01}\n',
        ),
      ),
      actions: {},
    },
    {
      it: 'changes the numbers of the volumes',
      manifests: stack(growing('    predictive: {enabled: true, lookbackHours: 48, scalingFactor: 1.5}\n')),
      actions: { 'volumeset/fast/scratch': 'patch' },
      patches: {
        'volumeset/fast/scratch': { spec: { autoscaling: { predictive: { lookbackHours: 48, scalingFactor: 1.5 } } } },
      },
    },
    {
      it: 'removes prediction',
      manifests: stack(growing('')),
      actions: { 'volumeset/fast/scratch': 'patch' },
      patches: { 'volumeset/fast/scratch': { spec: { autoscaling: { $drop: ['predictive'] } } } },
    },
    {
      it: 'adds hourly snapshots',
      manifests: stack(growing('') + snapshots),
      actions: { 'volumeset/fast/scratch': 'patch' },
      patches: {
        'volumeset/fast/scratch': { spec: { snapshots: { retentionDuration: '7d', schedule: '0 * * * *' } } },
      },
      live: {
        [path]: live({
          autoscaling: { maxCapacity: 2000, minFreePercentage: 20, scalingFactor: 1.2 },
          snapshots: { retentionDuration: '7d', schedule: '0 * * * *' },
        }),
      },
    },
    {
      it: 'a change of its class replaces it, with lifecycle.replace',
      manifests: stack(growing('') + snapshots)
        .replace('high-throughput-ssd', 'general-purpose-ssd')
        .replace('name: scratch', 'name: scratch\nlifecycle: {replace: true}'),
      actions: { 'volumeset/fast/scratch': 'replace' },
      order: [`DELETE ${path}`, 'POST /org/local/gvc/fast/volumeset'],
    },
    {
      it: 'a change of the class without lifecycle.replace',
      manifests: stack(growing('') + snapshots),
      codes: ['replace.data'],
    },
  ],
  negatives: [
    { it: '199 GB (V1)', manifests: stack('').replace('1000', '199'), rules: ['V1'] },
    {
      it: 'prediction without minFreePercentage (V4)',
      manifests: stack('  autoscaling: {maxCapacity: 2000, scalingFactor: 1.2, predictive: {enabled: true}}\n'),
      rules: ['V4'],
    },
    {
      it: 'a scaling factor of 1.0 (V15)',
      manifests: stack('  autoscaling: {maxCapacity: 2000, minFreePercentage: 20, scalingFactor: 1.0}\n'),
      rules: ['V15'],
    },
    {
      it: 'less maximum capacity than initial capacity (V3)',
      manifests: stack('  autoscaling: {maxCapacity: 900}\n'),
      rules: ['V3'],
    },
    {
      it: 'snapshots every 10 minutes (platform/volumeset.snapshots)',
      manifests: stack('  snapshots: {retentionDuration: 7d, schedule: "*/10 * * * *"}\n'),
      rules: ['volumeset.snapshot-schedule'],
    },
  ],
};

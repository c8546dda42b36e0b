import { expect } from 'vitest';
import { isObject, listAt, objectAt } from '../../../../src/base/json/json.ts';
import type { Scenario } from '../../harness/scenario.ts';

const mount = 'volumes: [{uri: "scheme://volumeset/files", path: /files}]';

const stack = `
kind: gvc
name: share
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: volumeset
gvc: share
name: files
spec:
  fileSystemType: shared
  initialCapacity: 10
  mountOptions: {resources: {minCpu: 500m, maxCpu: 2000m, minMemory: 1Gi, maxMemory: 2Gi}}
---
kind: workload
gvc: share
name: writer
spec: {type: standard, containers: [{name: main, image: "registry.example.com/writer:1", ${mount}}]}
---
kind: workload
gvc: share
name: reader
spec: {type: standard, containers: [{name: main, image: "registry.example.com/reader:1", ${mount}}]}
---
kind: workload
gvc: share
name: sweeper
spec:
  type: cron
  containers: [{name: main, image: "registry.example.com/sweeper:1", ${mount}}]
  job: {schedule: "0 3 * * *"}
`;

const volumeset = '/org/local/gvc/share/volumeset/files';

export const scenario: Scenario = {
  number: 11,
  title: 'shared storage',
  steps: [
    {
      it: 'creates a set with a derived class that three workloads mount',
      manifests: stack,
      flags: ['--wait'],
      actions: {
        'gvc/share': 'create',
        'volumeset/share/files': 'create',
        'workload/share/reader': 'create',
        'workload/share/sweeper': 'create',
        'workload/share/writer': 'create',
      },
      live: {
        [volumeset]: {
          name: 'files',
          description: 'files',
          tags: {},
          spec: {
            fileSystemType: 'shared',
            performanceClass: 'shared',
            initialCapacity: 10,
            mountOptions: { resources: { minCpu: '500m', maxCpu: '2000m', minMemory: '1Gi', maxMemory: '2Gi' } },
          },
        },
      },
      after: async (platform) => {
        const { body } = await platform.call('GET', volumeset);
        expect([...listAt(objectAt(body, 'status'), 'workloadLinks')].sort()).toEqual([
          '/org/local/gvc/share/workload/reader',
          '/org/local/gvc/share/workload/sweeper',
          '/org/local/gvc/share/workload/writer',
        ]);
      },
    },
    {
      it: 'a snapshot of it is refused (platform/volumeset.shared)',
      manifests: stack,
      actions: {},
      after: async (platform) => {
        const [place] = listAt(objectAt((await platform.call('GET', volumeset)).body, 'status'), 'locations');
        const location = isObject(place) ? (place['name'] ?? '') : '';
        const spec = { location, volumeIndex: 0, snapshotName: 'now' };
        const { status } = await platform.call('POST', `${volumeset}/-command`, { type: 'createVolumeSnapshot', spec });
        expect(status).toBe(400);
      },
    },
    {
      it: 'omitted mount options with defaults and the derived class, written out, are no change',
      manifests: stack
        .replace(
          '  mountOptions: {resources: {minCpu: 500m, maxCpu: 2000m, minMemory: 1Gi, maxMemory: 2Gi}}\n',
          '  mountOptions: {resources: {}}\n',
        )
        .replace('fileSystemType: shared', 'fileSystemType: shared\n  performanceClass: shared'),
      actions: {},
    },
    {
      it: 'destroys with the number of volume sets: workloads that mount it first, then the set, then the GVC',
      flags: ['--allow-data-loss=1'],
      actions: {},
      order: [
        'DELETE /org/local/gvc/share/workload/reader',
        'DELETE /org/local/gvc/share/volumeset/files',
        'DELETE /org/local/gvc/share',
      ],
      live: { [volumeset]: null, '/org/local/gvc/share': null },
    },
  ],
  doubtful: [
    {
      it: 'snapshots of a shared set (V5)',
      manifests: stack.replace('initialCapacity: 10', 'initialCapacity: 10\n  snapshots: {retentionDuration: 7d}'),
      warnings: ['V5'],
    },
  ],
  negatives: [
    {
      it: 'another class than shared (V2)',
      manifests: stack.replace('initialCapacity: 10', 'initialCapacity: 10\n  performanceClass: general-purpose-ssd'),
      rules: ['V2'],
    },
    {
      it: 'mount options further apart than 1:4 (V7)',
      manifests: stack.replace('maxCpu: 2000m', 'maxCpu: 2001m'),
      rules: ['V7'],
    },
  ],
};

import type { Scenario } from '../../harness/scenario.ts';

const west = 'arn:aws:kms:us-west-2:111122223333:key/a';
const east = 'arn:aws:kms:us-east-1:111122223333:key/b';
const stack = (regions: string) => `
kind: gvc
name: vault
---
kind: volumeset
gvc: vault
name: sealed
spec:
  fileSystemType: ext4
  performanceClass: general-purpose-ssd
  initialCapacity: 10
  customEncryption: {regions: ${regions}}
`;

const two = `{aws-us-west-2: {keyId: "${west}"}, aws-us-east-1: {keyId: "${east}"}}`;

export const scenario: Scenario = {
  number: 13,
  title: 'volume set with encryption',
  steps: [
    {
      it: 'creates a key for each of two regions of one provider',
      manifests: stack(two),
      actions: { 'gvc/vault': 'create', 'volumeset/vault/sealed': 'create' },
      live: {
        '/org/local/gvc/vault/volumeset/sealed': {
          name: 'sealed',
          description: 'sealed',
          tags: {},
          spec: {
            fileSystemType: 'ext4',
            performanceClass: 'general-purpose-ssd',
            initialCapacity: 10,
            customEncryption: { regions: { 'aws-us-west-2': { keyId: west }, 'aws-us-east-1': { keyId: east } } },
          },
        },
      },
    },
    {
      it: 'drops a region while no volume exists',
      manifests: stack(`{aws-us-west-2: {keyId: "${west}"}}`),
      actions: { 'volumeset/vault/sealed': 'patch' },
      patches: { 'volumeset/vault/sealed': { spec: { customEncryption: { regions: { $drop: ['aws-us-east-1'] } } } } },
    },
  ],
  negatives: [
    {
      it: 'two providers (V8)',
      manifests: stack(`{aws-us-west-2: {keyId: "${west}"}, gcp-us-east1: {keyId: "projects/p/key"}}`),
      rules: ['V8'],
    },
  ],
};

import type { JsonObject } from '../../src/base/json/json.ts';
import type { Dice } from '../fuzz/dice.ts';

/** A stack of resources that can refer to each other, each part in one of a few forms; 0 is absent. */
export interface Draw {
  readonly forms: readonly number[];
}

interface Part {
  readonly forms: number;
  readonly manifest: (form: number, has: (name: string) => boolean) => JsonObject;
}

const container = (name: string, image: string, more: JsonObject = {}): JsonObject => ({
  containers: [{ name: 'main', image: `${name}:${image}`, ...more }],
});
const locations = ['//location/aws-us-west-2', '//location/aws-us-east-1', '//location/gcp-us-east1'];

/** The parts by name. A reference to an absent part is omitted, so that a stack is always valid. */
const parts: Readonly<Record<string, Part>> = {
  key: {
    forms: 3,
    manifest: (form) => ({ kind: 'secret', name: 'key', type: 'opaque', data: { payload: `k${form}` } }),
  },
  registry: {
    forms: 2,
    manifest: (form) => ({ kind: 'secret', name: 'registry', type: 'docker', data: `{"auths":{"r${form}":{}}}` }),
  },
  robot: { forms: 1, manifest: () => ({ kind: 'serviceaccount', name: 'robot' }) },
  team: {
    forms: 3,
    manifest: (form, has) => ({
      kind: 'group',
      name: 'team',
      description: `the team ${form}`,
      ...(has('robot') ? { memberLinks: ['//serviceaccount/robot'] } : {}),
    }),
  },
  front: { forms: 1, manifest: () => ({ kind: 'ipset', name: 'front' }) },
  cloud: {
    forms: 2,
    manifest: (form) => ({
      kind: 'cloudaccount',
      name: 'cloud',
      provider: 'aws',
      description: `cloud ${form}`,
      data: { roleArn: 'arn:aws:iam::123456789012:role/r' },
    }),
  },
  town: {
    forms: 4,
    manifest: (form, has) => ({
      kind: 'gvc',
      name: 'town',
      description: `town ${form % 2}`,
      tags: { level: `${form}` },
      spec: {
        staticPlacement: { locationLinks: locations.slice(0, form % 3) },
        env: Array.from({ length: form }, (_, index) => ({ name: `V${index}`, value: `${form}` })),
        ...(has('registry') ? { pullSecretLinks: ['//secret/registry'] } : {}),
        ...(form > 2 && has('mayor') ? { keda: { enabled: true, identityLink: '//gvc/town/identity/mayor' } } : {}),
        ...(form > 1 && has('front') ? { loadBalancer: { dedicated: true, ipSet: '//ipset/front' } } : {}),
      },
    }),
  },
  mayor: {
    forms: 2,
    manifest: (form, has) => ({
      kind: 'identity',
      gvc: 'town',
      name: 'mayor',
      description: `mayor ${form}`,
      ...(has('cloud') ? { aws: { cloudAccountLink: '//cloudaccount/cloud', roleName: `role${form}` } } : {}),
    }),
  },
  archive: {
    forms: 3,
    manifest: (form) => ({
      kind: 'volumeset',
      gvc: 'town',
      name: 'archive',
      lifecycle: { replace: true },
      spec: {
        fileSystemType: form === 3 ? 'xfs' : 'ext4',
        performanceClass: 'general-purpose-ssd',
        initialCapacity: 10 + form,
      },
    }),
  },
  hall: {
    forms: 4,
    manifest: (form, has) => ({
      kind: 'workload',
      gvc: 'town',
      name: 'hall',
      lifecycle: { replace: true },
      spec: {
        type: form > 2 ? 'stateful' : 'standard',
        ...(has('mayor') ? { identityLink: '//identity/mayor' } : {}),
        ...container('hall', `${form}`, {
          env: has('key') ? [{ name: 'KEY', value: 'scheme://secret/key' }] : [],
          ...(form > 2 && has('archive') ? { volumes: [{ uri: 'scheme://volumeset/archive', path: '/archive' }] } : {}),
        }),
      },
    }),
  },
  market: {
    forms: 3,
    manifest: (form) => ({
      kind: 'workload',
      gvc: 'town',
      name: 'market',
      spec: { type: 'serverless', ...container('market', `${form}`, { ports: [{ number: 8080 }], args: [`${form}`] }) },
    }),
  },
  reveal: {
    forms: 2,
    manifest: (form, has) => ({
      kind: 'policy',
      name: 'reveal',
      targetKind: 'secret',
      ...(has('key') ? { targetLinks: ['//secret/key'] } : { target: 'all' }),
      ...(has('mayor')
        ? {
            bindings: [
              {
                permissions: form === 2 ? ['reveal', 'view'] : ['reveal'],
                principalLinks: ['//gvc/town/identity/mayor'],
              },
            ],
          }
        : {}),
    }),
  },
  'shop.example.org': {
    forms: 2,
    manifest: (form) => ({
      kind: 'domain',
      name: 'shop.example.org',
      spec: { ports: [{ number: 443, routes: [{ prefix: `/${form}`, workloadLink: '//gvc/town/workload/market' }] }] },
    }),
  },
};

const names = Object.keys(parts);
/** The part that each part needs. */
const needs: Readonly<Record<string, string>> = {
  mayor: 'town',
  archive: 'town',
  hall: 'town',
  market: 'town',
  'shop.example.org': 'market',
};

export function drawStack(dice: Dice): Draw {
  return { forms: names.map((name) => drawForm(name, dice)) };
}

/** The same with about every third part drawn again. */
export function edit({ forms }: Draw, dice: Dice): Draw {
  return { forms: names.map((name, index) => (dice.percent(30) ? drawForm(name, dice) : (forms[index] ?? 0))) };
}

function drawForm(name: string, dice: Dice): number {
  return dice.percent(25) ? 0 : 1 + dice.whole(parts[name]?.forms ?? 1);
}

/** As the text of a manifest file. */
export function manifestsOf({ forms }: Draw): string {
  const formOf = (name: string): number => {
    const needed = needs[name];
    return needed !== undefined && formOf(needed) === 0 ? 0 : (forms[names.indexOf(name)] ?? 0);
  };
  const has = (name: string) => formOf(name) > 0;
  // One record always exists: an empty stack is another case.
  const always: JsonObject = { kind: 'group', name: 'always' };
  const drawn = names.filter(has).map((name) => parts[name]?.manifest(formOf(name), has) ?? {});
  return [always, ...drawn].map((manifest) => JSON.stringify(manifest)).join('\n---\n');
}

/** A stack whose change replaces a record: from, to. */
export interface ReplacementStack {
  readonly it: string;
  readonly from: string;
  readonly to: string;
  readonly flags?: readonly string[];
}

const gvc = `
kind: gvc
name: town
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
`;

const hall = (type: string, spec = '', container = '', lifecycle = '{}') => `
---
kind: workload
gvc: town
name: hall
lifecycle: ${lifecycle}
spec:
  type: ${type}
  ${spec}
  containers:
    - name: main
      image: registry.example.com/hall:1
      ${container}
`;

const mayor = `
---
kind: identity
gvc: town
name: mayor
`;

const key = (type: string, data: string) => `
---
kind: secret
name: key
type: ${type}
data: ${data}
`;

const reveal = `
---
kind: policy
name: reveal-key
targetKind: secret
targetLinks: [//secret/key]
bindings: [{permissions: [reveal], principalLinks: [//gvc/town/identity/mayor]}]
`;

const cloud = (provider: string, data: string) => `
---
kind: cloudaccount
name: cloud
provider: ${provider}
data: ${data}
`;

const archive = (fileSystem: string) => `
---
kind: volumeset
gvc: town
name: archive
lifecycle: {replace: true}
spec: {fileSystemType: ${fileSystem}, performanceClass: general-purpose-ssd, initialCapacity: 10}
`;

const mounted = 'volumes: [{uri: "scheme://volumeset/archive", path: /archive}]';
const usesKey = 'env: [{name: KEY, value: "scheme://secret/key"}]';
const asMayor = 'identityLink: //identity/mayor';

export const replacementStacks: readonly ReplacementStack[] = [
  {
    it: 'a workload of another type, with a new identity, secret and policy',
    from: `${gvc}${hall('stateful')}`,
    to: `${gvc}${mayor}${key('opaque', '{payload: k3y}')}${reveal}${hall('standard', asMayor, usesKey)}`,
  },
  {
    it: 'a volume set, and the workload that mounts it',
    from: `${gvc}${archive('ext4')}${hall('stateful', '', mounted)}`,
    to: `${gvc}${archive('xfs')}${hall('stateful', '', mounted)}`,
    flags: ['--allow-data-loss=1'],
  },
  {
    it: 'a secret of another type, with the workload and the policy that refer to it',
    from: `${gvc}${mayor}${key('opaque', '{payload: k3y}')}${reveal}${hall('standard', asMayor, usesKey)}`,
    to: `${gvc}${mayor}${key('dictionary', '{payload: k3y}')}${reveal}${hall('standard', asMayor, usesKey)}`,
  },
  {
    it: 'a cloud account, the identity that uses it, and the workload that runs as that',
    from: `${gvc}${cloud('aws', '{roleArn: "arn:aws:iam::123456789012:role/r"}')}${mayor}aws: {cloudAccountLink: //cloudaccount/cloud, roleName: r}\n${hall('standard', asMayor)}`,
    to: `${gvc}${cloud('gcp', '{projectId: project-1}')}${mayor}gcp: {cloudAccountLink: //cloudaccount/cloud, scopes: ["https://www.googleapis.com/auth/cloud-platform"]}\n${hall('standard', asMayor)}`,
  },
  {
    it: 'an old name that must release a volume set before the new one exists',
    from: `${gvc}${archive('ext4')}${hall('stateful', '', mounted)}`,
    to: `${gvc}${archive('ext4')}${key('opaque', '{payload: k3y}')}${hall('stateful', '', mounted, '{previously: hall, replace: true, dependsOn: [secret/key]}').replace('name: hall', 'name: court')}`,
  },
];

/** A stack before a change that is small enough to test every moment of it. */
export interface RaceStack {
  readonly it: string;
  /** Applied before the change, undisturbed. */
  readonly from?: string;
  /** Records that another client has created before, by path of the collection. */
  readonly foreign?: readonly { readonly path: string; readonly name: string }[];
  /** Omitted: the stack is destroyed. */
  readonly to?: string;
  readonly flags?: readonly string[];
  /** The targets of the other writer, as `kind/[gvc/]name`. */
  readonly targets: readonly string[];
}

const stack = (note: string) => `
kind: secret
name: key
description: ${note}
type: opaque
data: {payload: k3y}
---
kind: gvc
name: town
description: ${note}
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: identity
gvc: town
name: mayor
description: ${note}
---
kind: policy
name: reveal-key
description: ${note}
targetKind: secret
targetLinks: [//secret/key]
bindings: [{permissions: [reveal], principalLinks: [//gvc/town/identity/mayor]}]
---
kind: workload
gvc: town
name: hall
description: ${note}
spec:
  type: standard
  identityLink: //identity/mayor
  containers:
    - name: main
      image: registry.example.com/hall:1
      env: [{name: KEY, value: "scheme://secret/key"}]
`;

const twoSteps = (sampled: number) => `
kind: gvc
name: town
spec:
  keda: {enabled: true, identityLink: //gvc/town/identity/mayor}
  tracing: {sampling: ${sampled}, provider: {otel: {endpoint: "collector.example.com:4317"}}}
---
kind: identity
gvc: town
name: mayor
`;

const stored = (fileSystem: string) => `
kind: gvc
name: town
---
kind: volumeset
gvc: town
name: archive
lifecycle: {replace: true}
spec: {fileSystemType: ${fileSystem}, performanceClass: general-purpose-ssd, initialCapacity: 10}
---
kind: workload
gvc: town
name: hall
spec:
  type: stateful
  containers:
    - name: main
      image: registry.example.com/hall:1
      volumes: [{uri: "scheme://volumeset/archive", path: /archive}]
`;

const groups = (...names: readonly string[]) => names.map((name) => `kind: group\nname: ${name}\n`).join('---\n');

const adopting = `
kind: gvc
name: town
description: taken over
lifecycle: {adopt: true}
---
kind: group
name: people
description: taken over
lifecycle: {adopt: true}
`;

const all = ['secret/key', 'gvc/town', 'identity/town/mayor', 'policy/reveal-key', 'workload/town/hall'];

// biome-ignore format: a row is a case
export const raceStacks: readonly RaceStack[] = [
  { it: 'creating', to: stack('first'), targets: all },
  { it: 'patching', from: stack('first'), to: stack('second'), targets: all },
  { it: 'creating in two steps', to: twoSteps(10), targets: ['gvc/town', 'identity/town/mayor'] },
  { it: 'replacing', from: stored('ext4'), to: stored('xfs'), flags: ['--allow-data-loss=1'],
    targets: ['volumeset/town/archive', 'workload/town/hall', 'gvc/town'] },
  { it: 'deleting some', from: groups('keep', 'leave', 'gone'), to: groups('keep'),
    targets: ['group/keep', 'group/leave', 'group/gone'] },
  { it: 'adopting', foreign: [{ path: '/org/local/gvc', name: 'town' }, { path: '/org/local/group', name: 'people' }],
    to: adopting, targets: ['gvc/town', 'group/people'] },
  { it: 'destroying with its GVC', from: stack('first'), targets: all },
];

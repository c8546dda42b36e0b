/** A shop that is applied, and the same shop after a day of work: every action but those of other owners. */

export const settings = 'stack: shop\norg: acme\nprice: {storageGbMonth: 0.12, currency: EUR}\n';

interface Shop {
  readonly api: string;
  readonly web: string;
  readonly open: string;
  readonly storage: string;
  readonly rest: string;
}

function shop({ api, web, open, storage, rest }: Shop): string {
  return `
kind: gvc
name: shop
spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1, //location/aws-us-east-1]}}
---
kind: secret
name: database-password
type: opaque
data: {payload: correct-horse-battery-staple}
---
kind: identity
gvc: shop
name: api
---
kind: policy
name: read-password
targetKind: secret
targetLinks: [//secret/database-password]
bindings: [{permissions: [reveal], principalLinks: [//gvc/shop/identity/api]}]
---
kind: volumeset
gvc: shop
name: orders
${storage}
---
kind: workload
gvc: shop
name: database
spec:
  type: stateful
  containers:
    - {name: main, image: "registry.example.com/postgres:17", ports: [{number: 5432, protocol: tcp}], volumes: [{uri: "scheme://volumeset/orders", path: /data}]}
---
kind: workload
gvc: shop
name: api
spec:
  type: standard
  identityLink: //identity/api
  containers:
    - name: main
      ports: [{number: 9000}]
      env: [{name: PASSWORD, value: "scheme://secret/database-password"}]
      ${api}
---
kind: workload
gvc: shop
name: web
spec:
  type: serverless
  containers: [{name: main, image: "registry.example.com/web:${web}", ports: [{number: 8080}]}]
  firewallConfig: {external: {inboundAllowCIDR: ["${open}"]}}
---
kind: domain
name: shop.example.com
spec: {ports: [{routes: [{prefix: /, workloadLink: //gvc/shop/workload/web}, {prefix: /api, workloadLink: //gvc/shop/workload/api}]}]}
${rest}`;
}

const nightly = `---
kind: workload
gvc: shop
name: nightly-report
spec:
  type: cron
  containers: [{name: main, image: "registry.example.com/report:3"}]
  job: {schedule: "0 2 * * *"}
`;

const search = `---
kind: identity
gvc: shop
name: search
---
kind: volumeset
gvc: shop
name: index
spec: {fileSystemType: ext4, performanceClass: general-purpose-ssd, initialCapacity: 40, autoscaling: {maxCapacity: 200, minFreePercentage: 20, scalingFactor: 1.5}}
---
kind: workload
gvc: shop
name: search
spec:
  type: stateful
  identityLink: //identity/search
  containers:
    - {name: main, image: "registry.example.com/search:1", ports: [{number: 9200}], volumes: [{uri: "scheme://volumeset/index", path: /index}]}
`;

export const applied = shop({
  api: 'image: registry.example.com/api:41',
  web: '17',
  open: '203.0.113.0/24',
  storage: 'spec: {fileSystemType: ext4, performanceClass: general-purpose-ssd, initialCapacity: 200}',
  rest: nightly,
});

export const changed = shop({
  api: 'image: registry.example.com/api:42\n      cpu: 500m\n      memory: 1Gi',
  web: '18',
  open: '0.0.0.0/0',
  storage:
    'spec: {fileSystemType: ext4, performanceClass: high-throughput-ssd, initialCapacity: 1000}\nlifecycle: {replace: true}',
  rest: search,
});

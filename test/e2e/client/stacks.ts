import { sampled } from '../../harness/sampled.ts';
import { scenarios } from '../scenarios/all.ts';

/** One record of each kind; the scenarios have richer ones. */
const oneOfEach = `
kind: gvc
name: shop
tags: {team: web}
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}, env: [{name: A, value: b}]}
---
{kind: identity, name: ident, gvc: shop}
---
{kind: volumeset, name: data, gvc: shop, spec: {initialCapacity: 10, fileSystemType: ext4, performanceClass: general-purpose-ssd}}
---
kind: workload
name: web
gvc: shop
spec:
  type: standard
  identityLink: //identity/ident
  containers: [{name: main, image: 'shop/web:1', ports: [{number: 8080, protocol: http}], env: [{name: X, value: '1'}]}]
  defaultOptions: {autoscaling: {minScale: 2}}
---
{kind: group, name: team, memberLinks: [//serviceaccount/bot]}
---
{kind: serviceaccount, name: bot}
---
{kind: policy, name: rights, targetKind: gvc, target: all, bindings: [{permissions: [view], principalLinks: [//group/team]}]}
---
{kind: ipset, name: ips, spec: {locations: [{name: //location/aws-us-west-2, retentionPolicy: free}]}}
---
{kind: auditctx, name: trail}
---
{kind: domain, name: example.com, spec: {ports: [{number: 443, protocol: http2, routes: [{prefix: /, workloadLink: //gvc/shop/workload/web}]}]}}
---
{kind: agent, name: agent-one}
---
{kind: location, name: own, provider: byok}
---
{kind: secret, name: opened, type: dictionary, data: {a: b}}
---
{kind: cloudaccount, name: account, provider: aws, data: {roleArn: 'arn:aws:iam::123456789012:role/x'}}
`;

/** Of each family of kinds those with the most fields, and the whole system. */
const chosen = sampled(scenarios, 1, 6, 9, 13, 15, 17, 19, 21, 22, 24);

/** Stacks with every kind and most fields of the larger ones; `serve` has flags of the platform. */
export const stacks = [
  { it: 'one of each kind', serve: [], flags: [], manifests: oneOfEach },
  ...chosen.flatMap(({ title, serve = [], steps }) => {
    const first = steps.find((step) => !('codes' in step) && step.manifests !== undefined && step.before === undefined);
    if (first?.manifests === undefined) return [];
    return [{ it: title, serve, flags: first.flags ?? [], manifests: first.manifests }];
  }),
];

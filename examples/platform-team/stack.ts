/**
 * What a platform team gives to the others: groups, a service account for the pipeline, policies with no more than what
 * is needed, and rules that every construct obeys. Try it with `npx gantry apply examples/platform-team --embedded`.
 */
import { App, Aspects, AuditContext, Group, Gvc, Policy, type Query, ServiceAccount, Stack, Tags } from 'gantry';
import { companyRules } from './rules.ts';

const app = new App();
Tags.of(app).add('owner', 'platform-team');
Aspects.of(app).add(companyRules);
const stack = new Stack(app, 'platform-team');

const dev = new Gvc(stack, 'dev-shop', { locations: ['aws-eu-central-1'] });
const prod = new Gvc(stack, 'prod-shop', { locations: ['aws-eu-central-1', 'aws-us-east-1'] });

/** All workloads of a GVC, those that are made later too. */
function workloadsOf(gvc: Gvc): Query {
  return { spec: { match: 'all', terms: [{ rel: 'gvc', op: '=', value: gvc.name }] } };
}

// The members of a group come from a query, so that nobody is forgotten who joins or leaves.
const developers = new Group(stack, 'developers', {
  memberQuery: { spec: { match: 'all', terms: [{ tag: 'team', op: '=', value: 'shop' }] } },
});
const onCall = new Group(stack, 'on-call', {
  memberQuery: { spec: { match: 'all', terms: [{ tag: 'on-call', op: '=', value: 'true' }] } },
});

// Everybody sees everything; in dev the developers change what they like.
dev.grant(developers, 'manage');
prod.grant(developers, 'view');
new Policy(stack, 'dev-workloads', {
  targetKind: 'workload',
  targetQuery: workloadsOf(dev),
  bindings: [{ permissions: ['manage'], principalLinks: [developers] }],
});

// In an emergency whoever is on call may look into production and restart what runs there, not change it.
new Policy(stack, 'prod-emergency', {
  targetKind: 'workload',
  targetQuery: workloadsOf(prod),
  bindings: [{ permissions: ['view', 'connect', 'exec'], principalLinks: [onCall] }],
});

// Production is changed by the pipeline alone. Add its key after the first apply: a key is shown only once, so it is in
// no stack.
const pipeline = new ServiceAccount(stack, 'pipeline');
prod.grant(pipeline, 'view', 'edit');
new Policy(stack, 'prod-pipeline', {
  targetKind: 'workload',
  targetQuery: workloadsOf(prod),
  bindings: [{ permissions: ['create', 'edit', 'delete', 'view'], principalLinks: [pipeline] }],
});

// Deployments of the pipeline are written into an audit context of their own.
new AuditContext(stack, 'deployments', { description: 'What the pipeline did, by its own account' });

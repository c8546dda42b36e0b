import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Scenario } from '../../harness/scenario.ts';

const accounts = `
kind: secret
name: azure-code
type: azure-connector
data: {url: "https://connector.example.com/api", code: abc}
---
kind: secret
name: nats
type: nats-account
data: {accountId: ${`A${'B'.repeat(55)}`}, privateKey: ${`SA${'C'.repeat(56)}`}}
---
kind: cloudaccount
name: aws-main
provider: aws
data: {roleArn: "arn:aws:iam::111122223333:role/platform"}
---
kind: cloudaccount
name: gcp-main
provider: gcp
data: {projectId: shop-project}
---
kind: cloudaccount
name: azure-main
provider: azure
data: {secretLink: //secret/azure-code}
---
kind: cloudaccount
name: ngs-main
provider: ngs
data: {secretLink: //secret/nats}
---
kind: agent
name: office
---
kind: gvc
name: clouds
---
`;

const aws = {
  policies:
    '{cloudAccountLink: //cloudaccount/aws-main, policyRefs: [ReadOnlyAccess, "aws::Extra"], trustPolicy: {Statement: [{Effect: Allow}]}}',
  role: '{cloudAccountLink: //cloudaccount/aws-main, roleName: shop-role}',
};
const gcp = {
  bindings: '{cloudAccountLink: //cloudaccount/gcp-main, bindings: [{resource: "//storage/b", roles: [roles/viewer]}]}',
  account:
    '{cloudAccountLink: //cloudaccount/gcp-main, serviceAccount: robot@shop-project.iam.gserviceaccount.com, scopes: ["https://www.googleapis.com/auth/a", "https://www.googleapis.com/auth/b"]}',
};
const azure =
  '{cloudAccountLink: //cloudaccount/azure-main, roleAssignments: [{scope: /subscriptions/1, roles: [Reader]}, {scope: /subscriptions/2, roles: [Contributor]}]}';
const ngs =
  '{cloudAccountLink: //cloudaccount/ngs-main, pub: {allow: ["orders.>"]}, sub: {allow: ["orders.>"], deny: [secret]}, resp: {max: 5, ttl: 10s}}';
const network =
  '[{name: ledger, agentLink: //agent/office, IPs: [10.1.2.3], ports: [443, 80]}, {name: crm, agentLink: //agent/office, FQDN: CRM.office.example, resolverIP: 10.0.0.53, ports: [8443]}]';
const native =
  '[{name: lake, FQDN: lake.example.com, ports: [443], awsPrivateLink: {endpointServiceName: com.amazonaws.vpce.us-west-2.svc-1}}, {name: bq, FQDN: bq.example.com, ports: [443], gcpServiceConnect: {targetService: projects/p/regions/r/serviceAttachments/s}}]';

const stack = (blocks: Readonly<Record<string, string>>) =>
  `${accounts}kind: identity\ngvc: clouds\nname: robot\n${Object.entries(blocks)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')}`;

const live = (blocks: JsonObject): JsonObject => ({ name: 'robot', description: 'robot', tags: {}, ...blocks });

const liveAws = { cloudAccountLink: '/org/local/cloudaccount/aws-main', roleName: 'shop-role' };
const liveGcp = {
  cloudAccountLink: '/org/local/cloudaccount/gcp-main',
  serviceAccount: 'robot@shop-project.iam.gserviceaccount.com',
  scopes: ['https://www.googleapis.com/auth/a', 'https://www.googleapis.com/auth/b'],
};

const path = '/org/local/gvc/clouds/identity/robot';
const everything = {
  aws: aws.policies,
  gcp: gcp.bindings,
  azure,
  ngs,
  networkResources: network,
  nativeNetworkResources: native,
};

export const scenario: Scenario = {
  number: 22,
  title: 'identity for four clouds',
  steps: [
    {
      it: 'creates the accounts and the agent first; ports are sorted, host names lower-cased',
      manifests: stack(everything),
      actions: {
        'agent/office': 'create',
        'cloudaccount/aws-main': 'create',
        'cloudaccount/azure-main': 'create',
        'cloudaccount/gcp-main': 'create',
        'cloudaccount/ngs-main': 'create',
        'gvc/clouds': 'create',
        'identity/clouds/robot': 'create',
        'secret/azure-code': 'create',
        'secret/nats': 'create',
      },
      order: ['POST /org/local/secret', 'POST /org/local/cloudaccount', 'POST /org/local/gvc/clouds/identity'],
      live: {
        [path]: live({
          aws: {
            cloudAccountLink: '/org/local/cloudaccount/aws-main',
            policyRefs: ['ReadOnlyAccess', 'aws::Extra'],
            trustPolicy: { Version: '2012-10-17', Statement: [{ Effect: 'Allow' }] },
          },
          gcp: {
            cloudAccountLink: '/org/local/cloudaccount/gcp-main',
            scopes: ['https://www.googleapis.com/auth/cloud-platform'],
            bindings: [{ resource: '//storage/b', roles: ['roles/viewer'] }],
          },
          azure: {
            cloudAccountLink: '/org/local/cloudaccount/azure-main',
            roleAssignments: [
              { scope: '/subscriptions/1', roles: ['Reader'] },
              { scope: '/subscriptions/2', roles: ['Contributor'] },
            ],
          },
          ngs: {
            cloudAccountLink: '/org/local/cloudaccount/ngs-main',
            pub: { allow: ['orders.>'] },
            sub: { allow: ['orders.>'], deny: ['secret'] },
            resp: { max: 5, ttl: '10s' },
            subs: -1,
            data: -1,
            payload: -1,
          },
          networkResources: [
            { name: 'ledger', agentLink: '/org/local/agent/office', IPs: ['10.1.2.3'], ports: [80, 443] },
            {
              name: 'crm',
              agentLink: '/org/local/agent/office',
              FQDN: 'crm.office.example',
              resolverIP: '10.0.0.53',
              ports: [8443],
            },
          ],
          nativeNetworkResources: [
            {
              name: 'lake',
              FQDN: 'lake.example.com',
              ports: [443],
              awsPrivateLink: { endpointServiceName: 'com.amazonaws.vpce.us-west-2.svc-1' },
            },
            {
              name: 'bq',
              FQDN: 'bq.example.com',
              ports: [443],
              gcpServiceConnect: { targetService: 'projects/p/regions/r/serviceAttachments/s' },
            },
          ],
        }),
      },
    },
    {
      it: 'policies are replaced by a role without its trust policy; bindings by a service account with two scopes',
      manifests: stack({ ...everything, aws: aws.role, gcp: gcp.account }),
      actions: { 'identity/clouds/robot': 'patch' },
    },
    {
      it: 'removes the blocks for azure and the network resources',
      manifests: stack({ aws: aws.role, gcp: gcp.account, ngs }),
      actions: { 'identity/clouds/robot': 'patch' },
      patches: { 'identity/clouds/robot': { $drop: ['azure', 'networkResources', 'nativeNetworkResources'] } },
    },
    {
      it: 'removes the block for ngs',
      manifests: stack({ aws: aws.role, gcp: gcp.account }),
      actions: { 'identity/clouds/robot': 'patch' },
      patches: { 'identity/clouds/robot': { $drop: ['ngs'] } },
      live: { [path]: live({ aws: liveAws, gcp: liveGcp }) },
    },
    {
      it: 'destroys: the GVC with the identity first, then the accounts that it used',
      actions: {},
      order: ['DELETE /org/local/gvc/clouds', 'DELETE /org/local/cloudaccount/aws-main'],
      live: { [path]: null, '/org/local/secret/nats': null, '/org/local/agent/office': null },
    },
  ],
  negatives: [
    {
      it: 'policies and a role together (I1)',
      manifests: stack({ aws: '{cloudAccountLink: //cloudaccount/aws-main, policyRefs: [A], roleName: b}' }),
      rules: ['I1'],
    },
    {
      it: 'addresses and a host name together (I4), a name twice (I3)',
      manifests: stack({
        networkResources:
          '[{name: a, IPs: [10.0.0.1], FQDN: a.example.com, ports: [80]}, {name: a, IPs: [10.0.0.2], ports: [80]}]',
      }),
      rules: ['I3', 'I4'],
    },
    {
      it: 'an account of another provider (I5)',
      manifests: stack({ aws: '{cloudAccountLink: //cloudaccount/gcp-main, roleName: b}' }),
      rules: ['I5'],
    },
  ],
};

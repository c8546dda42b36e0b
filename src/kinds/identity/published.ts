import { type Published, typed } from '../common/words.ts';

export const published: Published = {
  construct: 'The access of workloads to other things: cloud accounts, private networks, secrets.',
  types: {
    IdentityFields: {
      about: 'What workloads may do elsewhere: at cloud providers, in private networks, with secrets.',
      section: 'identity.blocks',
      fields: {
        aws: typed('AwsAccess', 'Access to AWS.'),
        gcp: typed('GcpAccess', 'Access to Google Cloud.'),
        azure: typed('AzureAccess', 'Access to Azure.'),
        ngs: typed('NgsAccess', 'Access to a messaging service (NATS).'),
        networkResources: typed('NetworkResource', 'Hosts in private networks that are reached through an agent.', {
          section: 'identity.networks',
        }),
        nativeNetworkResources: typed('NativeNetworkResource', 'Private endpoints of cloud providers.', {
          section: 'identity.networks',
        }),
      },
    },
    AwsAccess: {
      about: 'Access to AWS: either by policies, or by an existing role.',
      section: 'identity.blocks',
      fields: {
        cloudAccountLink: 'Cloud account of the provider `aws`.',
        policyRefs: 'Policies for the role of the identity; `aws::NAME` is one that AWS manages. Excludes `roleName`.',
        roleName: 'Existing role that the identity assumes. Excludes `policyRefs` and `trustPolicy`.',
        trustPolicy: typed('AwsTrustPolicy', 'Who else may assume the role. Excludes `roleName`.'),
      },
    },
    AwsTrustPolicy: {
      about: 'Who may assume the role of an identity, in the policy language of AWS.',
      section: 'identity.blocks',
      fields: { Version: 'Version of the policy language.', Statement: 'Statements of the policy.' },
    },
    GcpAccess: {
      about: 'Access to Google Cloud: either by roles, or by an existing service account.',
      section: 'identity.blocks',
      fields: {
        cloudAccountLink: 'Cloud account of the provider `gcp`.',
        scopes: 'OAuth scopes of the access tokens.',
        serviceAccount: 'E-mail address of an existing service account. Excludes `bindings`.',
        bindings: typed('GcpBinding', 'Roles by resource. Excludes `serviceAccount`.'),
      },
    },
    GcpBinding: {
      about: 'Roles on a resource of Google Cloud.',
      section: 'identity.blocks',
      fields: {
        resource: 'Resource that the roles are for. The project of the cloud account, when omitted.',
        roles: 'Roles, such as `roles/storage.objectViewer`.',
      },
    },
    AzureAccess: {
      about: 'Access to Azure.',
      section: 'identity.blocks',
      fields: {
        cloudAccountLink: 'Cloud account of the provider `azure`.',
        roleAssignments: typed('AzureRoleAssignment', 'Roles by scope.'),
      },
    },
    AzureRoleAssignment: {
      about: 'Roles in a scope of Azure.',
      section: 'identity.blocks',
      fields: { scope: 'Resource or group of resources that the roles are for.', roles: 'Names of the roles.' },
    },
    NgsAccess: {
      about: 'Access to a messaging service (NATS).',
      section: 'identity.blocks',
      fields: {
        cloudAccountLink: 'Cloud account of the provider `ngs`.',
        pub: typed('NgsSubjects', 'Subjects that may be published to.'),
        sub: typed('NgsSubjects', 'Subjects that may be subscribed to.'),
        resp: typed('NgsResponses', 'Allows answers to requests.'),
        subs: 'Most subscriptions at once; -1 means no limit.',
        data: 'Most bytes in all; -1 means no limit.',
        payload: 'Most bytes of one message; -1 means no limit.',
      },
    },
    NgsSubjects: {
      about: 'Subjects of messages.',
      section: 'identity.blocks',
      fields: { allow: 'Subjects that are allowed.', deny: 'Subjects that are denied, whatever is allowed.' },
    },
    NgsResponses: {
      about: 'Answers to requests.',
      section: 'identity.blocks',
      fields: {
        max: 'Most answers to one request; -1 means no limit.',
        ttl: 'How long answers are allowed after the request: a number followed by `ms`, `s`, `m` or `h`.',
      },
    },
    NetworkResource: {
      about: 'A host in a private network: either addresses, or a host name.',
      section: 'identity.networks',
      fields: {
        name: 'Name by which workloads reach the host; unique in the identity.',
        agentLink: 'Agent in the private network.',
        IPs: 'IPv4 addresses of the host. Excludes `FQDN`.',
        FQDN: 'Host name in the private network. Excludes `IPs`.',
        resolverIP: 'IPv4 address of the DNS server that resolves the host name.',
        ports: 'Ports of the host, each once.',
      },
    },
    NativeNetworkResource: {
      about: 'A private endpoint of a cloud provider: exactly one of `awsPrivateLink` and `gcpServiceConnect`.',
      section: 'identity.networks',
      fields: {
        name: 'Name by which workloads reach the endpoint; unique in the identity.',
        FQDN: 'Host name of the endpoint.',
        ports: 'Ports of the endpoint, each once.',
        awsPrivateLink: typed('AwsPrivateLink', 'Endpoint of AWS PrivateLink.'),
        gcpServiceConnect: typed('GcpServiceConnect', 'Endpoint of Private Service Connect of Google Cloud.'),
      },
    },
    AwsPrivateLink: {
      about: 'An endpoint of AWS PrivateLink.',
      section: 'identity.networks',
      fields: { endpointServiceName: 'Name of the endpoint service.' },
    },
    GcpServiceConnect: {
      about: 'An endpoint of Private Service Connect.',
      section: 'identity.networks',
      fields: { targetService: 'Service attachment, `projects/NAME/regions/NAME/serviceAttachments/NAME`.' },
    },
  },
  example: { name: 'web', description: 'The web server of the shop' },
};

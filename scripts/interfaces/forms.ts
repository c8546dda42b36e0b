import { permissions, targetKinds } from '../../src/kinds/kindFacts.ts';
import { sheets } from '../../src/kinds/list.ts';
import { secretTypes } from '../../src/kinds/secret/fields.ts';
import { secretDataTypes } from '../../src/kinds/secret/published.ts';
import { metricsByType } from '../../src/schema/facts/workloadTypes.ts';
import { isCreatableKind, kindNamed } from '../../src/schema/record/kinds.ts';
import type { WorkloadType } from './model.ts';
import { literals } from './typeText.ts';

/**
 * One form of a type that has several: its required and excluded fields, and those with a different type. `absent`
 * fields are written as `never`, so that no two forms can be mixed; `omitted` ones need no such mark, because another
 * field distinguishes the forms.
 */
export interface Form {
  readonly name: string;
  readonly about: string;
  readonly required?: readonly string[];
  readonly absent?: readonly string[];
  readonly omitted?: readonly string[];
  /** The types that exclude the absent fields, if no other form of the type does. */
  readonly beside?: readonly string[];
  readonly types?: Readonly<Record<string, string>>;
}

/** Exactly one of these fields. */
function oneOf(type: string, names: Readonly<Record<string, string>>): readonly Form[] {
  return Object.entries(names).map(([field, name]) => ({
    name,
    about: `${type}, by \`${field}\`.`,
    required: [field],
    absent: Object.keys(names).filter((other) => other !== field),
  }));
}

const accountData = { aws: 'AwsAccount', gcp: 'GcpAccount', azure: 'AccountBySecret', ngs: 'AccountBySecret' } as const;

/** Kinds that policies can target and that have no records here. */
const classNamesElsewhere: Readonly<Record<string, string>> = { mk8s: 'ManagedCluster' };

/** Types with several forms: each becomes the union of its forms. */
export const forms: Readonly<Record<string, readonly Form[]>> = {
  Probe: oneOf('A health check of a container', {
    exec: 'ExecProbe',
    grpc: 'GrpcProbe',
    tcpSocket: 'TcpSocketProbe',
    httpGet: 'HttpGetProbe',
  }),
  Gpu: [
    { name: 'GpuByModel', about: 'GPUs of a container, by `nvidia`.', absent: ['custom'], beside: ['nvidia'] },
    { name: 'GpuByResource', about: 'GPUs of a container, by `custom`.', required: ['custom'], absent: ['nvidia'] },
  ],
  HeaderFilter: oneOf('A filter by one header', {
    allowedValues: 'AllowingHeaderFilter',
    blockedValues: 'BlockingHeaderFilter',
  }),
  TracingProvider: oneOf('Where traces are sent', {
    otel: 'TracingByOtel',
    tracer: 'TracingByTracer',
    controlplane: 'TracingByControlPlane',
  }),
  CorsOrigin: oneOf('An origin whose pages may send requests', { exact: 'ExactOrigin', regex: 'RegexOrigin' }),
  QueryTerm: oneOf('A comparison', { property: 'PropertyTerm', tag: 'TagTerm', rel: 'RelationTerm' }),
  NetworkResource: oneOf('A host in a private network', { IPs: 'NetworkAddresses', FQDN: 'NetworkHost' }),
  NativeNetworkResource: oneOf('A private endpoint of a cloud provider', {
    awsPrivateLink: 'AwsNetworkResource',
    gcpServiceConnect: 'GcpNetworkResource',
  }),
  Route: [
    { name: 'PrefixRoute', about: 'Where requests go whose path begins with a text.', absent: ['regex'] },
    {
      name: 'RegexRoute',
      about: 'Where requests go whose path matches a regular expression.',
      required: ['regex'],
      absent: ['prefix', 'replacePrefix'],
    },
  ],
  AwsAccess: [
    { name: 'AwsAccessByPolicies', about: 'Access to AWS, by policies.', absent: ['roleName'] },
    {
      name: 'AwsAccessByRole',
      about: 'Access to AWS, by an existing role.',
      required: ['roleName'],
      absent: ['policyRefs', 'trustPolicy'],
    },
  ],
  GcpAccess: [
    { name: 'GcpAccessByRoles', about: 'Access to Google Cloud, by roles.', absent: ['serviceAccount'] },
    {
      name: 'GcpAccessByServiceAccount',
      about: 'Access to Google Cloud, by an existing service account.',
      required: ['serviceAccount'],
      absent: ['bindings'],
    },
  ],
  VolumeGrowth: [
    {
      name: 'ReactiveGrowth',
      about: 'Growth of volumes that are almost full.',
      types: { predictive: 'NoPrediction' },
    },
    {
      name: 'PredictiveVolumeGrowth',
      about: 'Growth of volumes by how fast they fill.',
      required: ['minFreePercentage', 'scalingFactor', 'predictive'],
    },
  ],
  DomainSpec: [
    {
      name: 'RoutedDomainProps',
      about: 'A domain whose requests go where the routes of its ports say.',
      absent: ['gvcLink'],
    },
    {
      name: 'GvcDomainProps',
      about: 'A domain that gives every workload of a GVC a host.',
      required: ['gvcLink'],
      absent: ['workloadLink'],
      types: { ports: 'readonly DomainPortWithoutRoutes[]' },
    },
  ],
  VolumeSetSpec: [
    {
      name: 'BlockVolumeSetProps',
      about: 'A volume set with a volume for each replica of one stateful workload.',
      required: ['performanceClass'],
      omitted: ['mountOptions'],
      types: {
        fileSystemType: literals(['ext4', 'xfs']),
        performanceClass: literals(['general-purpose-ssd', 'high-throughput-ssd']),
      },
    },
    {
      name: 'SharedVolumeSetProps',
      about: 'A volume set with one volume in each location, for any number of workloads.',
      required: ['fileSystemType'],
      omitted: ['snapshots', 'customEncryption'],
      types: { fileSystemType: literals(['shared']), performanceClass: literals(['shared']) },
    },
  ],
  CloudAccountFields: (['aws', 'gcp', 'azure', 'ngs'] as const).map((provider) => ({
    name: `${pascal(provider)}CloudAccountProps`,
    about: `A cloud account of the provider \`${provider}\`.`,
    types: { provider: literals([provider]), data: accountData[provider] },
  })),
  SecretFields: secretTypes.map((type) => ({
    name: `${pascal(type)}SecretProps`,
    about: `A secret of the type \`${type}\`.`,
    types: { type: literals([type]), data: dataOf(type) },
  })),
  PolicyFields: targetKinds.map((kind) => ({
    name: `${pascal(kind)}PolicyProps`,
    about: `A policy about records of the kind \`${kind}\`.`,
    types: {
      targetKind: literals([kind]),
      targetLinks: kindNamed(kind) === undefined ? 'readonly string[]' : `readonly Reference<${literals([kind])}>[]`,
      bindings: `readonly Binding<${pascal(kind)}Permission>[]`,
    },
  })),
};

interface Narrowed extends Form {
  readonly of: string;
  /** The type itself is not used anywhere. */
  readonly isAlone?: true;
}

/** Types that occur only in one form of another type: a type with fewer or narrower fields. */
export const narrowed: Readonly<Record<string, Narrowed>> = {
  NoPrediction: {
    of: 'PredictiveGrowth',
    name: 'NoPrediction',
    about: 'Growth by how fast volumes fill, switched off.',
    types: { enabled: `false | Needs<${literals(['minFreePercentage', 'scalingFactor'])}>` },
  },
  DomainPortWithoutRoutes: {
    of: 'DomainPort',
    name: 'DomainPortWithoutRoutes',
    about: 'A port of a domain whose requests go to a GVC.',
    absent: ['routes'],
    beside: ['gvcLink'],
  },
  AwsAccount: accountOf('AwsAccount', 'An account at AWS.', 'roleArn'),
  GcpAccount: accountOf('GcpAccount', 'A project at Google Cloud.', 'projectId'),
  AccountBySecret: accountOf('AccountBySecret', 'An account whose credentials are in a secret.', 'secretLink'),
};

function accountOf(name: string, about: string, field: string): Narrowed {
  const omitted = ['roleArn', 'projectId', 'secretLink'].filter((other) => other !== field);
  return { of: 'CloudAccountData', isAlone: true, name, about, required: [field], omitted };
}

/** The fields that exclude those which are absent in a form. */
export function excludersOf(form: Form): readonly string[] {
  if (form.beside !== undefined) return form.beside;
  if (form.required !== undefined) return form.required;
  const siblings = Object.values(forms).find((all) => all.includes(form)) ?? [];
  return siblings.filter((other) => other !== form).flatMap(({ absent = [] }) => absent);
}

/** The type of a field for one type of workload, if it differs from the definition. */
export function typeForWorkload(field: string, type: WorkloadType): string | undefined {
  const metrics = metricsByType[type];
  if (field === 'WorkloadSpec.type') return literals([type]);
  if (field === 'Autoscaling.metric' && metrics !== undefined) return literals(metrics);
  if (type !== 'serverless') return undefined;
  if (field === 'Container.ports') return 'readonly [ServerlessPort]';
  return field === 'Port.protocol' ? literals(['http', 'http2', 'grpc']) : undefined;
}

/** Fields that a type of workload requires. */
export function isRequiredFor(field: string, type: WorkloadType): boolean {
  if (field === 'WorkloadSpec.job') return type === 'cron';
  return type !== 'vm' && (field === 'Container.image' || field === 'ContainerVolume.path');
}

/** The permissions that a policy can grant on each kind. */
export function permissionTypes(): readonly string[] {
  return [...permissions].map(
    ([kind, names]) =>
      `/** Permissions on records of the kind \`${kind}\`. */\nexport type ${pascal(kind)}Permission = ${literals([...names].sort())};\n`,
  );
}

/** The same by the name of the kind. */
export function permissionsText(): string {
  const members = [...permissions.keys()].map((kind) => `  readonly ${kind}: ${pascal(kind)}Permission;\n`);
  return `/** The permissions that a policy can grant, by the kind of the target. */\nexport interface Permissions {\n${members.join('')}}\n`;
}

export function pascal(name: string): string {
  const className = isCreatableKind(name) ? sheets[name].className : classNamesElsewhere[name];
  return className ?? name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function dataOf(type: (typeof secretTypes)[number]): string {
  if (type === 'dictionary') return '{ readonly [key: string]: string }';
  return Object.entries(secretDataTypes).find(([name]) => name === type)?.[1] ?? 'string';
}

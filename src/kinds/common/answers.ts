import { present } from '../../base/json/present.ts';
import type { Answer } from '../../schema/facts/fieldFacts.ts';

function text(about?: string): Answer {
  return { is: 'text', ...present({ about }) };
}

function number(about: string): Answer {
  return { is: 'number', about };
}

function flag(about: string): Answer {
  return { is: 'flag', about };
}

function json(about: string): Answer {
  return { is: 'json', about };
}

type Members = Readonly<Record<string, Answer>>;

/** A whole field, which its words describe. */
function object(members: Members): Answer {
  return { is: 'object', members };
}

function part(about: string, members: Members): Answer {
  return { is: 'object', about, members };
}

function list(about: string, members: Members): Answer {
  return { is: 'list', about, item: { is: 'object', members } };
}

function texts(about: string): Answer {
  return { is: 'list', about, item: text() };
}

/** The value stays the same until one of these fields of the record changes; `*` matches every list item. */
function follows(answer: Answer, ...fields: readonly string[]): Answer {
  return { ...answer, follows: fields };
}

/** The value never changes. */
function lasting(about?: string): Answer {
  return follows(text(about));
}

/** Fields of all or several kinds; the descriptions of the fields define their meaning. */
export const commonAnswers = {
  text: text(),
  number: { is: 'number' },
  lastingText: lasting(),
} as const satisfies Readonly<Record<string, Answer>>;

/** A workload has an address while a container has a port. */
const ports = ['spec.containers.*.port', 'spec.containers.*.ports'];

export const workloadStatus = object({
  parentId: lasting('Id of the GVC.'),
  endpoint: follows(text('Address, which the alias of the GVC may lead to.'), ...ports),
  canonicalEndpoint: follows(text('Address of this workload, whatever the alias of the GVC leads to.'), ...ports),
  internalName: lasting('Host name for other workloads.'),
  replicaInternalNames: texts('Host names of the replicas of a stateful workload.'),
  healthCheck: part('Result of the checks of the endpoint.', {
    active: flag('Whether it is checked.'),
    success: flag('Whether the last check succeeded.'),
    code: number('Status of the answer.'),
    message: text('What was wrong.'),
    failures: number('Failures in a row.'),
    successes: number('Successes in a row.'),
    lastChecked: text('Time of the last check.'),
  }),
  currentReplicaCount: number('Replicas that run.'),
  resolvedImages: part('Images as they were found in their registries.', {
    resolvedForVersion: number('Version of the record that they belong to.'),
    resolvedAt: text('Time at which they were found.'),
    nextRetryAt: text('Time of the next attempt.'),
    errorMessages: texts('Why images were not found.'),
    images: list('The images.', {
      digest: text('Digest of the index.'),
      manifests: list('One for each platform.', {
        image: text('Name of the image.'),
        mediaType: text('Type of the manifest.'),
        digest: text('Digest of the manifest.'),
        platform: json('Operating system and architecture.'),
      }),
    }),
  }),
  loadBalancer: list('Addresses of single replicas.', { origin: text('The replica.'), url: text('Its address.') }),
  suspendedStatus: text('One of `notSuspended`, `partiallySuspended`, `suspended`.'),
});

export const workloadHealth = object({
  readiness: text('One of `ready`, `partial`, `notReady`, `suspended`, `unknown`.'),
  syncFailed: flag('Whether a location could not take the record over.'),
  readyLocations: number('Locations that run the newest version.'),
  totalLocations: number('Locations that it belongs to.'),
  readyReplicas: number('Replicas that are ready.'),
  totalReplicas: number('Replicas that are wanted.'),
});

export const deploymentStatus = object({
  endpoint: text('Address in this location.'),
  remote: text('Host that is asked about it.'),
  ready: flag('Whether it runs the newest version.'),
  deploying: flag('Whether a version is being rolled out.'),
  lastProcessedVersion: number('Version that was taken over last.'),
  expectedDeploymentVersion: number('Version that is to run.'),
  message: text('What it waits for.'),
  internal: json('Details of the synchronization.'),
  versions: json('The versions that run.'),
  jobExecutions: json('The last executions of a cron workload.'),
});

export const domainStatus = object({
  status: text('The stage: `ready` when it serves.'),
  warning: text('What is wrong although it serves.'),
  fingerprint: text('Digest of the configuration.'),
  endpoints: list('Addresses that it serves.', {
    url: text('The address.'),
    workloadLink: text('The workload behind it.'),
  }),
  locations: list('The certificates in each location.', {
    name: text('The location.'),
    certificateStatus: text('The stage of its certificate.'),
  }),
  dnsConfig: follows(
    list('DNS records to create.', {
      type: lasting('`CNAME`, `NS`, `TXT` and the like.'),
      ttl: follows(number('Seconds that it may be kept.')),
      host: lasting('Name of the record.'),
      value: lasting('Value of the record.'),
    }),
    'spec',
  ),
});

export const volumeSetStatus = object({
  parentId: lasting('Id of the GVC.'),
  usedByWorkload: text('Workload that mounts it.'),
  workloadLinks: texts('Workloads that mount it.'),
  bindingId: text('Id of the binding to its workload.'),
  locations: list('The volumes in each location.', {
    name: text('The location.'),
    desiredVolumeCount: number('Volumes that are wanted.'),
    clusterId: text('Id of the cluster.'),
    volumes: list('The volumes.', {
      index: number('Index of its replica.'),
      lifecycle: text('`creating`, `bound`, `unbound`, `unused`, `repairing` or `deleted`.'),
      zone: text('Zone of the volume.'),
      currentSize: number('Capacity in GB.'),
      currentBytesUsed: number('Bytes in use.'),
      resourceName: text('Name at the cloud.'),
      storageDeviceId: text('Id at the cloud.'),
      iops: number('Operations each second.'),
      throughput: number('Throughput in MB/s.'),
      driver: text('Driver of the volume.'),
      volumeSnapshots: list('Snapshots of the volume.', {
        name: text('Name of the snapshot.'),
        id: text('Id of the snapshot.'),
        created: text('Time of its creation.'),
        expires: text('Time at which it is deleted.'),
        size: number('Size in GB.'),
        tags: json('Tags of the snapshot.'),
      }),
    }),
  }),
});

const cloud = { usable: flag('Whether the account can be used.'), lastError: text('What failed last.') };

export const identityStatus = object({
  objectName: lasting('Name at the clouds.'),
  aws: part('State at AWS.', cloud),
  gcp: part('State at Google Cloud.', cloud),
  azure: part('State at Azure.', cloud),
});

export const cloudAccountStatus = object({ ...cloud, lastChecked: text('Time of the last check.') });

export const ipSetStatus = object({
  ipAddresses: follows(
    list('The reserved addresses.', {
      name: lasting('The location.'),
      ip: lasting('The address.'),
      id: lasting('Id of the address.'),
      created: lasting('Time at which it was reserved.'),
      state: text('`bound` or `unbound`.'),
    }),
    'spec',
  ),
  warning: text('Why addresses are unbound.'),
  error: text('Why there is no address.'),
});

export const locationStatus = object({
  geo: part('Where it is.', {
    lat: number('Latitude.'),
    lon: number('Longitude.'),
    country: text('Country.'),
    state: text('State or region.'),
    city: text('City.'),
    continent: text('Continent.'),
  }),
  ipRanges: texts('Addresses from which its workloads send requests.'),
});

export const orgStatus = object({
  accountLink: text('Link of the account.'),
  active: flag('Whether it can be used.'),
  endpointPrefix: text('First part of the host names of its workloads.'),
});

export const agentStatus = object({
  bootstrapConfig: {
    ...part('What the agent is started with. It is shown by the creation alone: an import does not have it.', {
      registrationToken: { ...lasting('Token with which it registers.'), sensitive: true },
      agentId: lasting('Id of the agent.'),
      agentLink: lasting('Link of the agent.'),
      hubEndpoint: lasting('Address that it connects to.'),
      protocolVersion: lasting('Version of its protocol.'),
    }),
    isShownOnce: true,
  },
});

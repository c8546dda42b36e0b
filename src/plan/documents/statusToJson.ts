import type { JsonObject } from '../../schema/json/json.ts';
import { withoutUndefined } from './withoutUndefined.ts';
import {
  type ResourceState,
  type ResourceStatus,
  type resourceStates,
  type StackStatus,
  stateOf,
} from '../status/status.ts';

/** The status in its documented form (`statusSchema.ts`). Keys stand in a fixed order. */
export function statusToJson(status: StackStatus): JsonObject {
  const { org, stack, declarationsKnown, resources, requests } = status;
  return {
    formatVersion: 1,
    org,
    stack,
    state: stateOf(status),
    declarationsKnown,
    resources: resources.map(resourceToJson),
    requests,
    summary: { ...summariseStatus(resources) },
  };
}

/** How many resources are in each state. */
export function summariseStatus(resources: readonly ResourceStatus[]): Readonly<Record<ResourceState, number>> {
  const of = (state: ResourceState): number => resources.filter((each) => each.state === state).length;
  const counts = { ready: of('ready'), 'not-ready': of('not-ready'), failed: of('failed') };
  return counts satisfies Record<(typeof resourceStates)[number], number>;
}

function resourceToJson(resource: ResourceStatus): JsonObject {
  const { locations, replicas, deployments, certificates, dnsRecords, volumes } = resource;
  return withoutUndefined({
    id: resource.id,
    state: resource.state,
    health: resource.health,
    reasons: resource.reasons,
    declared: resource.declared,
    version: resource.version,
    processedVersion: resource.processedVersion,
    locations: locations && { ...locations },
    replicas: replicas && { ...replicas },
    endpoints: resource.endpoints,
    deployments: deployments?.map((deployment) => withoutUndefined({ ...deployment })),
    certificates: certificates?.map((certificate) => ({ ...certificate })),
    dnsRecords: dnsRecords?.map((record) => ({ ...record })),
    volumes: volumes && { ...volumes },
  });
}

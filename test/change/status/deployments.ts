import type { JsonObject } from '../../../src/base/json/json.ts';

export const standard = { spec: { type: 'standard' } };

/**
 * A deployment that has processed this version of its workload, ready or not; `more` are other fields of its status.
 */
export function deployment(
  version: number,
  ready: boolean,
  more: JsonObject = {},
  name = 'aws-eu-central-1',
): JsonObject {
  const versions = [{ workload: version, ready }];
  return {
    name,
    status: { ready, lastProcessedVersion: version, expectedDeploymentVersion: version, versions, ...more },
  };
}

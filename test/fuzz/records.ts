import type { JsonObject } from '../../src/base/json/json.ts';
import type { CreatableKind } from '../../src/schema/record/kinds.ts';
import { Dice } from './dice.ts';

/** The GVC of each worker, and the targets of references. */
export interface Ground {
  readonly gvc: string;
  readonly secret: string;
  readonly identity: string;
  readonly volumeSet: string;
}

const locations = ['//location/aws-us-east-1', '//location/aws-us-west-2', '//location/gcp-us-east1'];

/** A valid record of a kind, each time another one. */
export function validRecord(kind: CreatableKind, name: string, dice: Dice, ground: Ground): JsonObject {
  const tags: JsonObject = dice.percent(50) ? { team: dice.one(['a', 'b']), 'fuzz/number': dice.whole(9) } : {};
  const description = dice.percent(50) ? { description: `about ${name} ${dice.whole(1000)}` } : {};
  // Immutable fields are the same for each record of a name.
  return { name, tags, ...description, ...fieldsOf(kind, dice, new Dice(name), ground) };
}

function fieldsOf(kind: CreatableKind, dice: Dice, fixed: Dice, ground: Ground): JsonObject {
  switch (kind) {
    case 'cloudaccount':
      return { provider: 'aws', data: { roleArn: `arn:aws:iam::123456789012:role/r${fixed.whole(9)}` } };
    case 'gvc':
      return { spec: { staticPlacement: { locationLinks: locations.slice(0, dice.whole(4)) } } };
    case 'identity':
      return dice.percent(50)
        ? { networkResources: [{ name: 'db', IPs: ['10.0.0.1'], ports: [5432, 80 + dice.whole(9)] }] }
        : {};
    case 'ipset':
      return {
        spec: { locations: [{ name: '//location/aws-us-east-1', retentionPolicy: dice.one(['keep', 'free']) }] },
      };
    case 'location':
      return { provider: 'byok', spec: { enabled: dice.percent(50) } };
    case 'policy':
      return {
        targetKind: fixed.one(['gvc', 'secret', 'workload']),
        target: 'all',
        bindings: [{ permissions: ['view'], principalLinks: ['//group/viewers'] }],
      };
    case 'secret':
      return fixed.percent(50)
        ? { type: 'opaque', data: { payload: `p${dice.whole(99)}`, encoding: 'plain' } }
        : { type: 'dictionary', data: { a: `v${dice.whole(99)}`, b: 'w' } };
    case 'volumeset':
      return {
        spec: {
          fileSystemType: fixed.one(['ext4', 'xfs']),
          performanceClass: 'general-purpose-ssd',
          initialCapacity: 10 + dice.whole(90),
        },
      };
    case 'workload':
      return workload(dice, fixed, ground);
    case 'group':
      return { memberLinks: [] };
    case 'domain':
      return dice.percent(50) ? { spec: { ports: [{ number: 443, protocol: 'http2' }] } } : { spec: {} };
    default:
      return {};
  }
}

function workload(dice: Dice, fixed: Dice, { secret, identity }: Ground): JsonObject {
  const container: JsonObject = {
    name: 'main',
    image: `shop/web:${dice.whole(9)}`,
    cpu: dice.one(['50m', '0.1', '250m']),
    memory: '128Mi',
    env: [{ name: 'PASS', value: `scheme://secret/${secret}` }],
  };
  const identityLink = dice.percent(50) ? { identityLink: `//identity/${identity}` } : {};
  if (fixed.percent(30)) {
    return { spec: { type: 'cron', ...identityLink, containers: [container], job: { schedule: '*/5 * * * *' } } };
  }
  const type = fixed.one(['serverless', 'standard']);
  const ports = [{ number: 8080 + dice.whole(9), protocol: 'http' }];
  return {
    spec: {
      type,
      ...identityLink,
      containers: [{ ...container, ports }],
      defaultOptions: { suspend: dice.percent(20), autoscaling: { minScale: 1, maxScale: 1 + dice.whole(4) } },
    },
  };
}

/** A valid patch for records of any kind. */
export function validPatch(dice: Dice): JsonObject {
  return dice.one<JsonObject>([
    { description: `changed ${dice.whole(1000)}` },
    { tags: { changed: dice.whole(1000) } },
    { tags: { changed: null } },
    { '$replace/tags': { only: 'this' } },
    { tags: { $drop: ['changed', 'absent'] } },
    {},
  ]);
}

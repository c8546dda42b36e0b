import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  numberAt,
  objectAt,
  own,
  stringAt,
} from '../../src/base/json/json.ts';
import { patterns } from '../../src/base/text/patterns.ts';
import { factsKeyword } from '../../src/schema/facts/define.ts';
import type { FieldFacts } from '../../src/schema/facts/fieldFacts.ts';
import { isGvcScoped } from '../../src/schema/record/kinds.ts';

/** Sample texts for forms with a pattern. */
const byPattern: ReadonlyMap<string, string> = new Map([
  [patterns.absolutePath.pattern, '/data'],
  [patterns.arn.pattern, 'arn:aws:iam::123456789012:role/deploy'],
  [patterns.block.pattern, '10.0.0.0/8'],
  [patterns.environmentName.pattern, 'SETTING'],
  [patterns.gpuResource.pattern, 'vendor.example/gpu'],
  [patterns.hostname.pattern, 'api.example.com'],
  [patterns.ipv4.pattern, '10.0.0.1'],
  [patterns.maxAge.pattern, '24h'],
  [patterns.policyRef.pattern, 'aws::ReadOnly'],
  [patterns.replicas.pattern, '25%'],
  [patterns.retention.pattern, '7d'],
  [patterns.role.pattern, 'roles/storage.objectViewer'],
  [patterns.roleName.pattern, 'deploy'],
  [patterns.serviceAccount.pattern, 'a@project.iam.gserviceaccount.com'],
  [patterns.serviceAttachment.pattern, 'projects/p/regions/r/serviceAttachments/s'],
  [patterns.storageClassSuffix.pattern, 'fast'],
  [patterns.timeToLive.pattern, '30s'],
]);

/** Sample texts for fields that rules parse, by the name of the field. */
const byName: Readonly<Record<string, string>> = {
  image: 'nginx:1',
  schedule: '0 3 * * *',
  name: 'sample',
  prefix: '/api',
  path: '/data',
  status5xx: 'https://status.example.com',
  op: '=',
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  roleArn: 'arn:aws:iam::123456789012:role/deploy',
  secretKey: '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----',
  cert: '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----',
  url: 'https://example.com',
};

/** Values of a definition: the smallest first, then one for each optional part. */
export function samplesOf(node: JsonObject, name: string): readonly JsonValue[] {
  const facts: FieldFacts = objectAt(node, factsKeyword);
  const choices = own(node, 'enum') ?? own(objectAt(node, 'then'), 'enum');
  if (isArray(choices)) return choices;
  if (facts.link !== undefined)
    return facts.link.to.map((kind) => (isGvcScoped(kind) ? `//gvc/shop/${kind}/${kind}-a` : `//${kind}/${kind}-a`));
  if (facts.quantity === 'cpu') return ['250m', '0.25', 1];
  if (facts.quantity === 'memory') return ['256Mi', '256M', 268_435_456];
  if (facts.uri !== undefined && name === 'uri')
    return [...facts.uri.map((kind) => `scheme://${kind}/${kind}-a`), 's3://bucket', 'scratch://x'];
  const type = own(node, 'type');
  if (isArray(type)) return ['text', 1, true];
  switch (type) {
    case 'string':
      return [byPattern.get(stringAt(node, 'pattern') ?? '') ?? byName[name] ?? 'text-of-a-field'];
    case 'boolean':
      return [true, false];
    case 'integer':
    case 'number':
      return numbersIn(node);
    case 'array':
      return samplesOf(objectAt(node, 'items'), name).map((item) => [item]);
    case 'object':
      return objectsOf(node, name);
    default:
      return [{ any: 'thing' }];
  }
}

function numbersIn(node: JsonObject): readonly number[] {
  const [least, most] = [numberAt(node, 'minimum'), numberAt(node, 'maximum')];
  const usual = Math.min(Math.max(80, least ?? 80), most ?? 80);
  return [...new Set([usual, ...(least === undefined ? [] : [least]), ...(most === undefined ? [] : [most])])];
}

function objectsOf(node: JsonObject, name: string): readonly JsonObject[] {
  const values = own(node, 'additionalProperties');
  if (isObject(values)) return samplesOf(values, name).map((value) => ({ 'aws-eu-central-1': value }));
  const properties = Object.entries(objectAt(node, 'properties')).flatMap(([key, child]) =>
    isObject(child) && objectAt(child, factsKeyword)['responseOnly'] !== true ? [[key, child] as const] : [],
  );
  const required = own(node, 'required');
  const isRequired = (key: string) => isArray(required) && required.includes(key);
  const smallest = Object.fromEntries(
    properties.filter(([key]) => isRequired(key)).map(([key, child]) => [key, samplesOf(child, key)[0] ?? null]),
  );
  const more = properties.flatMap(([key, child]) =>
    samplesOf(child, key)
      .slice(isRequired(key) ? 1 : 0)
      .map((value) => ({ ...smallest, [key]: value })),
  );
  return [smallest, ...more];
}

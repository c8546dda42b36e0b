import type { Static } from 'typebox';
import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import { patterns } from '../../base/text/patterns.ts';
import { anyOf, fields, map, oneOf, optional, set, stored, text } from '../../schema/facts/define.ts';
import { restarts } from '../../schema/facts/riskFacts.ts';
import { envelope } from '../common/fields.ts';

const hidden = { sensitive: true } as const;

function hiddenText(keywords = {}) {
  return text(hidden, keywords);
}

function encoding() {
  return optional(oneOf(['plain', 'base64'], { ...stored('plain'), ...hidden }));
}

function jsonText() {
  return text({ ...hidden, jsonText: true });
}

const aws = {
  accessKey: hiddenText(),
  secretKey: hiddenText(),
  roleArn: optional(text({ ...hidden, fill: 'service' })),
  externalId: optional(hiddenText()),
};

/** The shape of `data`, by type of secret (platform/secret). */
export const secretData = {
  opaque: fields({ payload: hiddenText(), encoding: encoding() }, hidden),
  dictionary: map(hiddenText(), hidden, {
    minProperties: 1,
    propertyNames: { pattern: patterns.dictionaryKey.pattern },
  }),
  userpass: fields({ username: hiddenText(), password: hiddenText({ minLength: 1 }), encoding: encoding() }, hidden),
  tls: fields({ cert: hiddenText(), key: optional(hiddenText()), chain: optional(hiddenText()) }, hidden),
  keypair: fields(
    { secretKey: hiddenText(), publicKey: optional(hiddenText()), passphrase: optional(hiddenText()) },
    hidden,
  ),
  aws: fields(aws, hidden),
  ecr: fields({ ...aws, repos: set(hiddenText(), hidden, { minItems: 1, maxItems: 20 }) }, hidden),
  docker: jsonText(),
  gcp: jsonText(),
  'azure-sdk': jsonText(),
  'azure-connector': fields({ url: hiddenText(), code: hiddenText() }, hidden),
  'nats-account': fields({ accountId: hiddenText(), privateKey: hiddenText() }, hidden),
} as const;

export const secretTypes = [
  'opaque',
  'dictionary',
  'userpass',
  'tls',
  'keypair',
  'aws',
  'ecr',
  'docker',
  'gcp',
  'azure-sdk',
  'azure-connector',
  'nats-account',
] as const;
export type SecretType = (typeof secretTypes)[number];

/** All fields except `data`, whose shape depends on `type`. */
export const secretFields = fields(
  {
    ...envelope,
    type: oneOf(secretTypes, { immutable: true }),
    data: anyOf<SecretData[SecretType]>({ ...hidden, spelling: 'sealed' }),
  },
  restarts,
);

export type SecretData = { readonly [K in SecretType]: Static<(typeof secretData)[K]> };

/** Placeholder for a value that cannot be read from the platform: a user must fill it in. */
const unknown = 'SET-BEFORE-CREATING';
const host = 'placeholder.example.com';
const account = 'A'.repeat(56);
const uuid = '00000000-0000-0000-0000-000000000000';

function pem(label: string): string {
  return `-----BEGIN ${label}-----\n${unknown}\n-----END ${label}-----\n`;
}

const serviceAccountKey = {
  type: 'service_account',
  project_id: unknown,
  private_key_id: unknown,
  private_key: unknown,
  client_email: unknown,
  client_id: unknown,
  auth_uri: unknown,
  token_uri: unknown,
  auth_provider_x509_cert_url: unknown,
  client_x509_cert_url: unknown,
};

type Placeholder = (keys: readonly string[]) => JsonValue;

/** Data that the rules of each type accept (platform/secret), and that reveals nothing. */
const placeholders: Readonly<Record<SecretType, Placeholder>> = {
  opaque: () => ({ payload: unknown }),
  dictionary: (keys) => Object.fromEntries((keys.length === 0 ? [unknown] : keys).map((key) => [key, unknown])),
  userpass: () => ({ username: unknown, password: unknown }),
  tls: () => ({ cert: pem('CERTIFICATE') }),
  keypair: () => ({ secretKey: pem('PRIVATE KEY') }),
  aws: () => ({ accessKey: `AKIA-${unknown}`, secretKey: unknown }),
  ecr: () => ({ accessKey: `AKIA-${unknown}`, secretKey: unknown, repos: [`${host}/placeholder`] }),
  docker: () => JSON.stringify({ auths: { [host]: {} } }),
  gcp: () => JSON.stringify(serviceAccountKey),
  'azure-sdk': () => JSON.stringify({ subscriptionId: uuid, tenantId: uuid, clientId: uuid, clientSecret: unknown }),
  'azure-connector': () => ({ url: `https://${host}`, code: unknown }),
  'nats-account': () => ({ accountId: account, privateKey: `SA${account}` }),
};

const byType: ReadonlyMap<string, Placeholder> = new Map(Object.entries(placeholders));

/** The manifest data of a secret. `keys`: the dictionary keys that other records refer to. */
export function placeholderData(type: string, keys: readonly string[]): JsonValue | undefined {
  return byType.get(type)?.(keys);
}

/** Whether it contains a placeholder. */
export function isPlaceholder(value: JsonValue): boolean {
  if (typeof value === 'string') return value === account || value.includes(unknown) || value.includes(host);
  if (isArray(value)) return value.some(isPlaceholder);
  return isObject(value) && Object.values(value).some(isPlaceholder);
}

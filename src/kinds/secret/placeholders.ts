import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import type { SecretType } from './fields.ts';

/** Placeholder for a value that cannot be read from the platform: only a person can fill it in. */
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

/** Data of each type that its rules accept (platform/secret), and that reveals nothing. */
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

/** The manifest data of a secret. `keys`: the keys of a dictionary that others refer to. */
export function placeholderData(type: string, keys: readonly string[]): JsonValue | undefined {
  return byType.get(type)?.(keys);
}

/** Does it contain a placeholder? */
export function isPlaceholder(value: JsonValue): boolean {
  if (typeof value === 'string') return value === account || value.includes(unknown) || value.includes(host);
  if (isArray(value)) return value.some(isPlaceholder);
  return isObject(value) && Object.values(value).some(isPlaceholder);
}

import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json/json.ts';
import { at, type Scenario, type Step } from '../../harness/scenario.ts';

const pem = (label: string, body: string) => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
const key = pem('PRIVATE KEY', 'MIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8=');
const cert = pem('CERTIFICATE', 'MIIBszCCAVmgAwIBAgIUJ0Z0=');
const gcpKey = {
  type: 'service_account',
  project_id: 'shop-project',
  private_key_id: 'abc',
  private_key: key,
  client_email: 'robot@shop-project.iam.gserviceaccount.com',
  client_id: '1234567890',
  auth_uri: 'https://accounts.google.com/o/oauth2/auth',
  token_uri: 'https://oauth2.googleapis.com/token',
  auth_provider_x509_cert_url: 'https://www.googleapis.com/oauth2/v1/certs',
  client_x509_cert_url: 'https://www.googleapis.com/robot/v1/metadata/x509/robot',
};
const azureSdk = {
  subscriptionId: '11111111-1111-4111-8111-111111111111',
  tenantId: '22222222-2222-4222-8222-222222222222',
  clientId: '33333333-3333-4333-8333-333333333333',
  clientSecret: 'hidden',
};

/** One secret of each of the 12 types with only the required data. */
export const zoo: Readonly<Record<string, JsonValue>> = {
  opaque: { payload: 'plain text' },
  dictionary: { user: 'a' },
  userpass: { username: 'u', password: 'p' },
  tls: { cert },
  keypair: { secretKey: key },
  aws: { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'aws-secret' },
  ecr: {
    accessKey: 'AKIAIOSFODNN7EXAMPLE',
    secretKey: 'ecr-secret',
    repos: ['111122223333.dkr.ecr.us-west-2.amazonaws.com/shop'],
  },
  docker: JSON.stringify({ auths: { 'registry.example.com': { auth: 'dXNlcjpwYXNz' } } }),
  gcp: JSON.stringify(gcpKey),
  'azure-sdk': JSON.stringify(azureSdk),
  'azure-connector': { url: 'https://connector.example.com/api', code: 'abc' },
  'nats-account': { accountId: `A${'B'.repeat(55)}`, privateKey: `SA${'C'.repeat(56)}` },
};

const names = Object.keys(zoo);
const name = (type: string) => `zoo-${type}`;

const stack = (data: Readonly<Record<string, JsonValue>>) =>
  names
    .map((type) => JSON.stringify({ kind: 'secret', name: name(type), type, data: data[type] ?? null }))
    .join('\n---\n');

async function revealed(
  platform: Parameters<NonNullable<Step['after']>>[0],
  type: string,
): Promise<JsonValue | undefined> {
  return at((await platform.call('GET', `/org/local/secret/${name(type)}/-reveal`)).body, 'data');
}

const filled: Readonly<Record<string, JsonObject>> = {
  opaque: { payload: 'plain text', encoding: 'plain' },
  userpass: { username: 'u', password: 'p', encoding: 'plain' },
};

/** The JSON string types with other white space and key order. */
const reformatted = {
  ...zoo,
  docker: JSON.stringify({ auths: { 'registry.example.com': { auth: 'dXNlcjpwYXNz' } } }, null, 2),
  gcp: JSON.stringify(Object.fromEntries(Object.entries(gcpKey).reverse()), null, 4),
  'azure-sdk': JSON.stringify(Object.fromEntries(Object.entries(azureSdk).reverse())),
};

const optional: Readonly<Record<string, JsonValue>> = {
  ...reformatted,
  opaque: { payload: Buffer.from('binary').toString('base64'), encoding: 'base64' },
  tls: { cert, key, chain: cert },
  keypair: { secretKey: key, publicKey: 'ssh-ed25519 AAAA', passphrase: 'open' },
  aws: {
    accessKey: 'AKIAIOSFODNN7EXAMPLE',
    secretKey: 'aws-secret',
    roleArn: 'arn:aws:iam::111122223333:role/deploy',
    externalId: 'x-1',
  },
};

const changedTypes = ['opaque', 'tls', 'keypair', 'aws'];
const all = (action: string, types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [`secret/${name(type)}`, action]));

export const scenario: Scenario = {
  number: 16,
  title: 'secret zoo',
  steps: [
    {
      it: 'creates one of each type; only -reveal returns values',
      manifests: stack(zoo),
      actions: all('create', names),
      live: Object.fromEntries(
        names.map((type) => [
          `/org/local/secret/${name(type)}`,
          { name: name(type), description: name(type), tags: {}, type },
        ]),
      ),
      after: async (platform) => {
        for (const type of names) expect(await revealed(platform, type), type).toEqual(filled[type] ?? zoo[type]);
      },
    },
    { it: 'reformatted JSON strings are no change', manifests: stack(reformatted), actions: {} },
    {
      it: 'optional data changes four of them, and no value is shown',
      manifests: stack(optional),
      actions: all('patch', changedTypes),
      after: async (platform) => {
        for (const type of changedTypes) expect(await revealed(platform, type), type).toEqual(optional[type]);
      },
    },
  ],
  negatives: names.map((type) => ({
    it: `the wrong shape of ${type} (S1)`,
    manifests: JSON.stringify({
      kind: 'secret',
      name: 'wrong',
      type,
      data: typeof zoo[type] === 'string' ? 'not json' : { unheard: { of: 1 } },
    }),
    rules: ['S1|shape\\.[a-z-]+'],
  })),
};

import type { JsonObject, JsonValue } from '../../../../src/base/json/json.ts';
import { findings } from './findings.ts';

const of = (type: string, data: JsonValue): JsonObject => ({ name: 'hidden', type, data });
const pem = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
const aws = { accessKey: 'AKIA1', secretKey: 's' };
const ecr = (...repos: readonly JsonValue[]) => of('ecr', { ...aws, repos });
const nats = { accountId: `A${'B'.repeat(55)}`, privateKey: `SA${'C'.repeat(56)}` };
const azure = {
  subscriptionId: '11111111-1111-4111-8111-111111111111',
  tenantId: 'ABCDEF22-2222-4222-8222-222222222222',
  clientId: '33333333-3333-4333-8333-333333333333',
  clientSecret: 'x',
};
const gcpKeys = [
  ...['type', 'project_id', 'private_key_id', 'private_key', 'client_email', 'client_id', 'auth_uri', 'token_uri'],
  ...['auth_provider_x509_cert_url', 'client_x509_cert_url'],
];
const gcp = (...left: readonly string[]) =>
  of('gcp', JSON.stringify(Object.fromEntries(gcpKeys.filter((key) => !left.includes(key)).map((key) => [key, 'v']))));
const base64 = (payload: string) => of('opaque', { payload, encoding: 'base64' });
const password = (text: string) => of('userpass', { username: 'u', password: text, encoding: 'base64' });
/** The least data of each type. */
const least: Readonly<Record<string, JsonObject>> = {
  opaque: { payload: 'a' },
  userpass: { username: 'u', password: 'p' },
  tls: { cert: pem('CERTIFICATE') },
  keypair: { secretKey: pem('PRIVATE KEY') },
  aws,
  ecr: { ...aws, repos: ['1.dkr.ecr.us-west-2.amazonaws.com/a'] },
  'azure-connector': { url: 'https://a.example', code: 'c' },
  'nats-account': nats,
};
const optional: Readonly<Record<string, JsonObject>> = {
  opaque: { encoding: 'plain' },
  userpass: { encoding: 'plain' },
  tls: { key: pem('RSA PRIVATE KEY'), chain: pem('CERTIFICATE') },
  keypair: { publicKey: 'k', passphrase: 'p' },
  aws: { roleArn: 'arn:a', externalId: 'e' },
  ecr: { roleArn: 'arn:a', externalId: 'e' },
  'azure-connector': {},
  'nats-account': {},
};

// biome-ignore format: a row is a case
findings('secret', {
  S1: [
    ...Object.entries(least).flatMap(([type, data]) => [
      [`accepts the minimum of ${type} (platform/secret.data)`, of(type, data), {}] as const,
      [`accepts all of ${type} (platform/secret.data)`, of(type, { ...data, ...optional[type] }), {}] as const,
      [`needs the minimum of ${type}`, of(type, {}),
        Object.fromEntries(Object.keys(data).map((key) => [`data.${key}`,
              `${key} is missing (type ${type})`]))] as const,
      [`accepts nothing else for ${type}`, of(type, { ...data, note: 'n' }),
        { 'data.note': `"note" is not allowed, only ${Object.keys({ ...data, ...optional[type] })[0]}` }] as const,
      [`requires an object for ${type}`, of(type, 'text'), { data: `data must be an object (type ${type})` }] as const,
    ]),
    ['leaves an unknown type to the schema', of('other', {}), {}],
    ['accepts a secret without its data, which responses omit', { name: 'hidden', type: 'opaque' }, {}],
    ['leaves a missing type to the schema', { name: 'hidden', data: {} }, {}],
    ['requires an object for a dictionary', of('dictionary', ['a']), { data: 'data must be an object' }],
    ['requires entries in a dictionary', of('dictionary', {}), { data: 'the dictionary must not be empty' }],
    ['requires texts in a dictionary', of('dictionary', { a: 1, b: 'x' }), { 'data.a': 'the value of "a" must be text' }],
    ...['a b', 'ä', 'a/b', ''].map((key) => [`refuses the key "${key}" of a dictionary`,
        of('dictionary', { [key]: 'x' }),
        { [`data.${JSON.stringify(key)}`]: 'is not a key of a dictionary' }] as const),
    ...['YWJj', 'YWI=', 'YQ==', 'YW\nJj', ''].map((text) => [`accepts ${JSON.stringify(text)} as base64`, base64(text),
        {}] as const),
    ...['YWJ', 'YWJj=', 'Y===', '!YWJj', 'YWJj!', 'a-_9'].map((text) => [`refuses ${JSON.stringify(text)} as base64`,
        base64(text), { 'data.payload': 'payload must be base64' }] as const),
    ['accepts any text unless its encoding is base64', of('opaque', { payload: '!', encoding: 'plain' }), {}],
    ...['a-_9', 'a+/9', 'YQ=='].map((text) => [`takes ${text} as password in base64 (platform/secret.data)`,
        password(text), {}] as const),
    ...['a-_9!', '!a-_9', 'a-/9'].map((text) => [`refuses ${text} as password in base64`, password(text),
        { 'data.password': 'password must be base64' }] as const),
    ['names an empty user and an empty password', of('userpass', { username: '', password: '' }),
      { 'data.username': 'the user name must not be empty', 'data.password': 'the password must not be empty' }],
    ['checks all three parts of tls', of('tls', { cert: 'a', key: 'b', chain: 'c' }),
      { 'data.cert': 'cert must be in PEM form', 'data.key': 'key must be in PEM form',
        'data.chain': 'chain must be in PEM form' }],
    ...['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'].map((label) => [`takes ${label}`,
        of('keypair', { secretKey: `head\n${pem(label)}` }), {}] as const),
    ...['PUBLIC KEY', 'private key', 'PRIVATE KEYS'].map((label) => [`refuses ${label}`,
        of('keypair', { secretKey: pem(label) }), { 'data.secretKey': 'must be a private key' }] as const),
    ['requires the beginnings of a key and of a role', of('aws', { accessKey: 'xAKIA', secretKey: 's', roleArn: 'xarn:' }),
      { 'data.accessKey': 'accessKey must begin with AKIA', 'data.roleArn': 'roleArn must begin with arn:' }],
    ['requires the same for ecr', of('ecr', { ...least['ecr'], accessKey: 'x' }), { 'data.accessKey': 'AKIA' }],
    ['accepts 20 repositories', ecr(...Array.from({ length: 20 }, (_, n) => `a.example/${n}`)), {}],
    ['refuses 21', ecr(...Array.from({ length: 21 }, (_, n) => `a.example/${n}`)),
      { 'data.repos': 'repos has 21 entries' }],
    ['refuses none', ecr(), { 'data.repos': 'repos has 0 entries' }],
    ['requires the host of each', ecr('a.example/x', 'x/a.example', 1), { 'data.repos.1': 'must begin with the host' }],
    ...['http://a.example', 'https://', 'a.example', 'xhttps://a.example'].map(
      (url) =>
        [
          `refuses the connector at ${url}`,
          of('azure-connector', { url, code: 'c' }),
          { 'data.url': 'url must be a https address' },
        ] as const,
    ),
    ...[`A${'B'.repeat(54)}`, `A${'B'.repeat(56)}`, `xA${'B'.repeat(55)}`, `A${'b'.repeat(55)}`].map(
      (accountId) =>
        [
          `refuses the account ${accountId}`,
          of('nats-account', { ...nats, accountId }),
          { 'data.accountId': 'must be an account id' },
        ] as const,
    ),
    ...[`SA${'C'.repeat(55)}`, `SA${'C'.repeat(57)}`, `xSA${'C'.repeat(56)}`].map(
      (privateKey) =>
        [
          `refuses the key ${privateKey}`,
          of('nats-account', { ...nats, privateKey }),
          { 'data.privateKey': 'must be an account key' },
        ] as const,
    ),
    ['accepts a host of docker', of('docker', '{"auths":{"a.example":{}}}'), {}],
    ...['{"auths":{}}', '{"auths":["a"]}', '{}'].map((text) => [`refuses ${text} for docker`, of('docker', text),
        { data: 'the JSON needs "auths"' }] as const),
    ...['[]', 'null', '{', ''].map((text) => [`refuses "${text}" for docker`, of('docker', text),
        { data: 'data must be the text of a JSON object' }] as const),
    ['refuses an object for docker', of('docker', { auths: { a: {} } }),
      { data: 'data must be the text of a JSON object' }],
    ['accepts a complete key of gcp', gcp(), {}],
    ...gcpKeys.map((key) => [`requires ${key} of gcp`, gcp(key),
        { data: `the service account key needs ${key}` }] as const),
    ['names all that gcp lacks', gcp('type', 'auth_uri'), { data: 'needs type, auth_uri' }],
    ['accepts UUIDs in any case', of('azure-sdk', JSON.stringify(azure)), {}],
    ...['subscriptionId', 'tenantId', 'clientId'].flatMap((key) =>
      [
        '',
        'x11111111-1111-4111-8111-111111111111',
        '11111111-1111-4111-8111-1111111111111',
        '11111111-1111-8111-111111111111',
      ].map(
        (text) =>
          [
            `refuses the ${key} "${text}"`,
            of('azure-sdk', JSON.stringify({ ...azure, [key]: text })),
            { data: `the JSON needs ${key}, a UUID` },
          ] as const,
      ),
    ),
    ['requires the secret of azure-sdk', of('azure-sdk', JSON.stringify({ ...azure, clientSecret: '' })),
      { data: 'the JSON needs clientSecret' }],
  ],
  'secret.type': [
    ['names both', of('aws', {}), { type: 'the type cannot be changed from "opaque" to "aws"' },
      { before: of('opaque', {}) }],
    ['accepts the first one', of('aws', {}), {}, { before: { name: 'hidden' } }],
  ],
});

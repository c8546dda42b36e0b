import type { JsonObject, JsonValue } from '../../../../src/base/json/json.ts';
import { casesOf, type RuleCase } from '../ruleCase.ts';

const of = (type: string, data: JsonValue): JsonObject => ({ name: 'hidden', type, data });
const pem = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
const keys = { accessKey: 'AKIA1', secretKey: 's' };
const azure = {
  subscriptionId: '11111111-1111-4111-8111-111111111111',
  tenantId: '22222222-2222-4222-8222-222222222222',
  clientId: '33333333-3333-4333-8333-333333333333',
  clientSecret: 'x',
};
const gcp = {
  type: 'service_account',
  project_id: 'p',
  private_key_id: 'i',
  private_key: 'k',
  client_email: 'e',
  client_id: 'c',
  auth_uri: 'a',
  token_uri: 't',
  auth_provider_x509_cert_url: 'u',
  client_x509_cert_url: 'v',
};

function s1(it: string, passes: JsonObject, fails: JsonObject, path = 'data'): RuleCase {
  return { rule: 'S1', it, kind: 'secret', passes, fails, path };
}

// biome-ignore format: one case a line
export const secretCases: readonly RuleCase[] = [
  s1('opaque without a payload', of('opaque', { payload: '' }), of('opaque', { encoding: 'plain' }), 'data.payload'),
  s1('opaque with something else', of('opaque', { payload: 'a', encoding: 'plain' }),
    of('opaque', { payload: 'a', note: 'b' }), 'data.note'),
  s1('opaque that is not base64', of('opaque', { payload: 'YWJj', encoding: 'base64' }),
    of('opaque', { payload: 'ab!', encoding: 'base64' }), 'data.payload'),
  s1('an empty dictionary', of('dictionary', { 'a.b-c_1': 'x' }), of('dictionary', {})),
  s1('a dictionary with a space in a key', of('dictionary', { a: '' }), of('dictionary', { 'a b': 'x' }), 'data."a b"'),
  s1('an empty password', of('userpass', { username: 'u', password: 'p' }),
    of('userpass', { username: 'u', password: '' }), 'data.password'),
  s1('a password that is not base64', of('userpass', { username: 'u', password: 'cA==', encoding: 'base64' }),
    of('userpass', { username: 'u', password: 'p!', encoding: 'base64' }), 'data.password'),
  s1('a password in both alphabets of base64 at once',
    of('userpass', { username: 'u', password: 'a-_9', encoding: 'base64' }),
    of('userpass', { username: 'u', password: 'a-/9', encoding: 'base64' }), 'data.password'),
  s1('opaque in the URL-safe alphabet', of('opaque', { payload: 'a+/9', encoding: 'base64' }),
    of('opaque', { payload: 'a-_9', encoding: 'base64' }), 'data.payload'),
  s1('a certificate without PEM', of('tls', { cert: pem('CERTIFICATE') }), of('tls', { cert: 'AAAA' }), 'data.cert'),
  s1('a keypair with a public key as secret key', of('keypair', { secretKey: pem('RSA PRIVATE KEY') }),
    of('keypair', { secretKey: pem('PUBLIC KEY') }), 'data.secretKey'),
  s1('an access key of another form', of('aws', keys), of('aws', { ...keys, accessKey: 'x' }), 'data.accessKey'),
  s1('a role that is no ARN', of('aws', { ...keys, roleArn: 'arn:aws:iam::1:role/x' }),
    of('aws', { ...keys, roleArn: 'role' }), 'data.roleArn'),
  s1('ecr without repositories', of('ecr', { ...keys, repos: ['1.dkr.ecr.us-west-2.amazonaws.com/a'] }),
    of('ecr', { ...keys, repos: [] }), 'data.repos'),
  s1('docker without a host', of('docker', '{"auths":{"a.example":{}}}'), of('docker', '{"auths":{}}')),
  s1('docker as an object', of('docker', '{"auths":{"a.example":{}}}'), of('docker', { auths: { a: {} } })),
  s1('gcp that is not JSON', of('gcp', JSON.stringify(gcp)), of('gcp', 'text')),
  s1('gcp without its e-mail', of('gcp', JSON.stringify(gcp, null, 2)), of('gcp', JSON.stringify({ ...gcp, client_email: '' }))),
  s1('azure-sdk without a UUID', of('azure-sdk', JSON.stringify(azure)), of('azure-sdk', JSON.stringify({ ...azure, tenantId: 'x' }))),
  s1('azure-connector over http', of('azure-connector', { url: 'https://a.example', code: 'c' }),
    of('azure-connector', { url: 'http://a.example', code: 'c' }), 'data.url'),
  s1('a nats account id of another form',
    of('nats-account', { accountId: `A${'B'.repeat(55)}`, privateKey: `SA${'C'.repeat(56)}` }),
    of('nats-account', { accountId: 'A', privateKey: `SA${'C'.repeat(56)}` }), 'data.accountId'),
  ...casesOf('secret.type', 'secret', [
    { it: 'another type', before: of('opaque', { payload: 'a' }), passes: of('opaque', { payload: 'b' }),
      fails: of('dictionary', { a: 'b' }), path: 'type' },
  ]),
  ...casesOf('builtin.immutable', 'auditctx', [
    { it: 'a built-in audit context', before: { name: 'scheme' }, passes: { name: 'scheme', description: 'x' },
      fails: { name: 'scheme', description: 'x', origin: 'builtin' }, path: '' },
  ]),
];

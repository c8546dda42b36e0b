import { describe, expect, it, test } from 'vitest';
import { backendIdentity } from '../../../src/provider/platform/stateIdentity.ts';

type Settings = Parameters<typeof backendIdentity>[1];

interface Case {
  readonly type: string;
  readonly one: Settings;
  /** Other credentials or another spelling: the same state. */
  readonly same: Settings;
  /** Another state. */
  readonly other: Settings;
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { type: 's3',
    one: { bucket: 'b', key: 'k', access_key: 'A1', secret_key: 's1', token: 't1', profile: null, endpoints: null },
    same: { bucket: 'b', key: 'k', access_key: 'A2', secret_key: 's2', assume_role: { role_arn: 'r' }, profile: 'ci' },
    other: { bucket: 'b', key: 'k2', access_key: 'A1', secret_key: 's1', token: 't1' } },
  { type: 's3', one: { bucket: 'b', key: 'k', endpoints: { s3: 'https://one', sts: 'https://a' } },
    same: { bucket: 'b', key: 'k', endpoints: { s3: 'https://one', sts: 'https://b' } },
    other: { bucket: 'b', key: 'k', endpoints: { s3: 'https://two' } } },
  { type: 'azurerm',
    one: { storage_account_name: 'a', container_name: 'c', key: 'k', access_key: 'x', sas_token: null },
    same: { storage_account_name: 'a', container_name: 'c', key: 'k', sas_token: 'y', client_id: 'i', use_oidc: true },
    other: { storage_account_name: 'a', container_name: 'd', key: 'k', access_key: 'x' } },
  { type: 'gcs', one: { bucket: 'b', prefix: 'p', credentials: '{"private_key":"1"}' },
    same: { bucket: 'b', prefix: 'p', access_token: 'x', impersonate_service_account: 'y' },
    other: { bucket: 'b', prefix: 'q' } },
  { type: 'http', one: { address: 'https://ci:one@host/state?name=a&token=1', username: 'u', password: 'p' },
    same: { address: 'https://host/state?name=a&token=2', username: 'v', password: 'q', lock_method: 'POST' },
    other: { address: 'https://host/state?name=b', username: 'u', password: 'p' } },
  { type: 'pg', one: { conn_str: 'postgres://ci:one@db/states', schema_name: 's' },
    same: { conn_str: 'postgres://v-token-2:two@db/states', schema_name: 's' },
    other: { conn_str: 'postgres://ci:one@db/others', schema_name: 's' } },
  { type: 'pg', one: { conn_str: "host=db user=ci password='it\\'s one' dbname=states" },
    same: { conn_str: 'host=db dbname=states user=v-2 password=two' },
    other: { conn_str: 'host=db2 user=ci password=one dbname=states' } },
  { type: 'pg', one: { conn_str: 'host = db user = ci password = one' }, same: { conn_str: 'host = db password=two' },
    other: { conn_str: 'host = db2 user = ci' } },
  { type: 'remote', one: { organization: 'o', token: 'x', workspaces: { name: 'w', prefix: null } },
    same: { organization: 'o', token: 'y', workspaces: { name: 'w' } },
    other: { organization: 'o', token: 'x', workspaces: { name: 'v' } } },
  { type: 'cloud', one: { organization: 'o', token: 'x', workspaces: { tags: ['a'] } },
    same: { organization: 'o', workspaces: { tags: ['a'], project: null } },
    other: { organization: 'p', workspaces: { tags: ['a'] } } },
  { type: 'kubernetes',
    one: { secret_suffix: 's', namespace: 'n', host: 'https://k', token: 't', client_certificate: 'c' },
    same: { secret_suffix: 's', namespace: 'n', host: 'https://k', exec: { command: 'login' } },
    other: { secret_suffix: 's', namespace: 'm', host: 'https://k', token: 't' } },
  { type: 'of-tomorrow',
    one: { vault: 'v', path: 'p', api_token: '1', auth: { username: 'u', password: 'p', realm: 'r' } },
    same: { vault: 'v', path: 'p', api_token: '2', auth: { username: 'x', password: 'y', realm: 'r' } },
    other: { vault: 'v', path: 'q', api_token: '1', auth: { username: 'u', password: 'p', realm: 'r' } } },
];

describe("the identity of a backend's state", () => {
  test.each(cases)('$type: does not depend on credentials', ({ type, one, same, other }) => {
    expect(backendIdentity(type, same, {})).toEqual(backendIdentity(type, one, {}));
    expect(backendIdentity(type, other, {})).not.toEqual(backendIdentity(type, one, {}));
  });

  it('uses the environment variable if the block leaves the setting out', () => {
    const address = 'https://host/state';
    const block = backendIdentity('http', { address }, {});
    expect(backendIdentity('http', { address: null }, { TF_HTTP_ADDRESS: address })).toEqual(block);
    expect(backendIdentity('http', { address }, { TF_HTTP_ADDRESS: 'https://other' })).toEqual(block);
    expect(backendIdentity('http', {}, { TF_HTTP_ADDRESS: 'https://other' })).not.toEqual(block);
  });

  it('depends on the type of backend', () => {
    expect(backendIdentity('gcs', { bucket: 'b' }, {})).not.toEqual(backendIdentity('s3', { bucket: 'b' }, {}));
  });
});

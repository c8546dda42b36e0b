import type { Static } from 'typebox';
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

/** The shape of `data`, by the type of the secret (platform/secret). */
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

/** Everything but `data`, whose shape depends on `type`. */
export const secretFields = fields(
  {
    ...envelope,
    type: oneOf(secretTypes, { immutable: true }),
    data: anyOf<SecretData[SecretType]>({ ...hidden, spelling: 'sealed' }),
  },
  restarts,
);

export type SecretData = { readonly [K in SecretType]: Static<(typeof secretData)[K]> };

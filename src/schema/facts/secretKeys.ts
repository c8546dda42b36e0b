/**
 * The keys of each type of secret that `scheme://secret/NAME.KEY` can read (platform/secret.keys). `any`: users choose
 * them.
 */
export const readableKeys: Readonly<Record<string, readonly string[] | 'any'>> = {
  opaque: ['payload'],
  dictionary: 'any',
  userpass: ['username', 'password'],
  tls: ['key', 'cert', 'chain'],
  keypair: ['secretKey', 'publicKey', 'passphrase'],
  aws: ['accessKey', 'secretKey', 'roleArn', 'externalId'],
  ecr: ['accessKey', 'secretKey', 'roleArn', 'externalId'],
  'azure-connector': ['url', 'code'],
  'nats-account': ['accountId', 'privateKey'],
  docker: [],
  gcp: [],
  'azure-sdk': [],
};

import type { Published, TypeTable } from '../common/words.ts';

const keyPair = {
  accessKey: 'Id of the access key; begins with `AKIA`.',
  secretKey: 'Secret part of the access key.',
  roleArn: 'ARN of a role to assume with the key.',
  externalId: 'External id that the role asks for.',
};

/** Secrets. Each type of secret has its own data type: `secretDataTypes`. */
const types: TypeTable = {
  SecretFields: {
    about: 'A value that only those may read who are allowed to reveal it.',
    section: 'secret.data',
    fields: {
      type: 'What the secret holds; decides the form of `data` and which keys can be read. It cannot be changed.',
      data: 'The secret value, in the form of its type. Shown only to who may reveal it; an update replaces it.',
    },
  },
  OpaqueData: {
    about: 'Data of a secret of the type `opaque`: any text or bytes.',
    section: 'secret.data',
    fields: {
      payload: 'The text, or the bytes in base64.',
      encoding: 'Whether `payload` is text or base64.',
    },
  },
  UserpassData: {
    about: 'Data of a secret of the type `userpass`: credentials.',
    section: 'secret.data',
    fields: {
      username: 'Name of the user.',
      password: 'Password of the user, or its bytes in base64.',
      encoding: 'Whether `password` is text or base64.',
    },
  },
  TlsData: {
    about: 'Data of a secret of the type `tls`: a certificate.',
    section: 'secret.data',
    fields: {
      cert: 'Certificate in PEM form.',
      key: 'Private key of the certificate in PEM form.',
      chain: 'Certificates of the authorities above it in PEM form.',
    },
  },
  KeypairData: {
    about: 'Data of a secret of the type `keypair`: a private key.',
    section: 'secret.data',
    fields: {
      secretKey: 'Private key in PEM form.',
      publicKey: 'Public key or certificate in PEM form.',
      passphrase: 'Passphrase that the private key is encrypted with.',
    },
  },
  AwsData: {
    about: 'Data of a secret of the type `aws`: an access key of AWS.',
    section: 'secret.data',
    fields: keyPair,
  },
  EcrData: {
    about: 'Data of a secret of the type `ecr`: access to registries of AWS.',
    section: 'secret.data',
    fields: {
      ...keyPair,
      repos: 'Repositories that may be pulled from, each beginning with the host of its registry.',
    },
  },
  AzureConnectorData: {
    about: 'Data of a secret of the type `azure-connector`.',
    section: 'secret.data',
    fields: { url: 'Address of the connector; https.', code: 'Access code of the connector.' },
  },
  NatsAccountData: {
    about: 'Data of a secret of the type `nats-account`.',
    section: 'secret.data',
    fields: {
      accountId: 'Public key of the account, `A` and 55 characters.',
      privateKey: 'Private key of the account, `SA` and 56 characters.',
    },
  },
};

/** The names of the data types, by type of secret; data that is one text or a map has none. */
export const secretDataTypes = {
  opaque: 'OpaqueData',
  userpass: 'UserpassData',
  tls: 'TlsData',
  keypair: 'KeypairData',
  aws: 'AwsData',
  ecr: 'EcrData',
  'azure-connector': 'AzureConnectorData',
  'nats-account': 'NatsAccountData',
} as const;

/** Descriptions of the data, by type of secret. */
export const secretDataWords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(secretDataTypes).map(([type, name]) => [type, types[name]?.about ?? ''])),
  dictionary: 'Texts by key. Keys hold letters, digits, `.`, `_` and `-`.',
  docker: 'Configuration of a registry client, as JSON text with `auths`.',
  gcp: 'Key of a service account of Google Cloud, as JSON text.',
  'azure-sdk': 'Credentials for Azure (`subscriptionId`, `tenantId`, `clientId`, `clientSecret`), as JSON text.',
};

export const published: Published = {
  types,
  example: {
    name: 'database',
    description: 'How the shop signs in to its database',
    type: 'userpass',
    data: { username: 'shop', password: 'change-me', encoding: 'plain' },
  },
};

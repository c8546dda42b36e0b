import { isObject, type JsonObject, type JsonValue, listAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { jsonIn } from '../../base/json/jsonText.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { patterns } from '../../base/text/patterns.ts';
import { parseLink } from '../../schema/record/ref.ts';
import { itemsAt, show, textsAt } from '../../schema/rules/reading.ts';
import { known, type Related, type Report, type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';
import { isHostName } from '../domain/domainView.ts';

const dictionaryKey = new RegExp(patterns.dictionaryKey.pattern);

/** The values are secret, so messages name only keys and forms. */
const form: RuleOf<Subject> = {
  id: 'S1',
  section: 'secret.data',
  title: 'The data of a secret has exactly the form of its type.',
  severity: 'error',
  fix: 'Write the data that the type needs, or choose another type.',
  record({ record }, report) {
    const [type, value] = [stringAt(record, 'type'), own(record, 'data')];
    if (type === undefined || value === undefined) return;
    checkForm(type, value, (pointer, message) => report(['data', ...pointer], `${message} (type ${type})`));
  },
};

function checkForm(type: string, value: JsonValue, complain: Complain): void {
  const objectForm = objectForms.get(type);
  const textForm = textForms.get(type);
  if (type === 'dictionary') checkDictionary(value, complain);
  else if (objectForm !== undefined) {
    if (!isObject(value)) {
      complain([], 'data must be an object');
      return;
    }
    const { required, optional } = objectForm;
    checkKeys(value, required, optional, complain);
    objectForm.check(value, complain);
  } else if (textForm !== undefined) {
    const parsed = typeof value === 'string' ? jsonIn(value) : undefined;
    if (isObject(parsed)) textForm(parsed, complain);
    else complain([], 'data must be the text of a JSON object');
  }
}

function checkKeys(
  value: JsonObject,
  required: readonly string[],
  optional: readonly string[],
  complain: Complain,
): void {
  const expected = [...required, ...optional].join(', ');
  for (const key of required) if (!Object.hasOwn(value, key)) complain([key], `${key} is missing`);
  for (const key of Object.keys(value)) {
    if (!required.includes(key) && !optional.includes(key))
      complain([key], `${show(key)} is not allowed, only ${expected}`);
  }
}

function checkDictionary(value: JsonValue, complain: Complain): void {
  if (!isObject(value)) {
    complain([], 'data must be an object');
    return;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) complain([], 'the dictionary must not be empty');
  for (const [key, entry] of entries) {
    if (!dictionaryKey.test(key))
      complain([key], `${show(key)} is not a key of a dictionary: letters, digits, "-", "." and "_"`);
    if (typeof entry !== 'string') complain([key], `the value of ${show(key)} must be text`);
  }
}

const sameType: RuleOf<Subject> = {
  id: 'secret.type',
  section: 'secret.data',
  title: 'The type of a secret cannot be changed.',
  severity: 'error',
  fix: 'Delete the secret and create it with the new type.',
  change(before, after, report) {
    const [was, is] = [stringAt(before.record, 'type'), stringAt(after.record, 'type')];
    if (was !== undefined && was !== is)
      report(['type'], `the type cannot be changed from ${show(was)} to ${show(is)}`);
  },
};

/** The form of the data of each type (platform/secret). For object types `data` is an object, for others text. */
const objectForms: ReadonlyMap<string, ObjectForm> = new Map(
  Object.entries<ObjectForm>({
    opaque: {
      required: ['payload'],
      optional: ['encoding'],
      check: (data, complain) => checkEncoding(data, 'payload', base64, complain),
    },
    userpass: {
      required: ['username', 'password'],
      optional: ['encoding'],
      check(data, complain) {
        if (stringAt(data, 'username') === '') complain(['username'], 'the user name must not be empty');
        if (stringAt(data, 'password') === '') complain(['password'], 'the password must not be empty');
        checkEncoding(data, 'password', base64OrUrlSafe, complain);
      },
    },
    tls: {
      required: ['cert'],
      optional: ['key', 'chain'],
      check: (data, complain) => checkPem(data, ['cert', 'key', 'chain'], complain),
    },
    keypair: {
      required: ['secretKey'],
      optional: ['publicKey', 'passphrase'],
      check(data, complain) {
        const key = stringAt(data, 'secretKey');
        if (key !== undefined && !/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(key)) {
          complain(['secretKey'], 'secretKey must be a private key in PEM form');
        }
      },
    },
    aws: { required: ['accessKey', 'secretKey'], optional: ['roleArn', 'externalId'], check: checkAws },
    ecr: {
      required: ['accessKey', 'secretKey', 'repos'],
      optional: ['roleArn', 'externalId'],
      check(data, complain) {
        checkAws(data, complain);
        const repos = listAt(data, 'repos');
        if (Object.hasOwn(data, 'repos') && (repos.length < 1 || repos.length > 20)) {
          complain(['repos'], `repos has ${repos.length} entries, 1 to 20 are allowed`);
        }
        for (const [index, repo] of repos.entries()) {
          if (typeof repo === 'string' && !isHostName(repo.split('/')[0] ?? '')) {
            complain(['repos', index], 'the entry must begin with the host of a registry');
          }
        }
      },
    },
    'azure-connector': {
      required: ['url', 'code'],
      optional: [],
      check(data, complain) {
        const url = stringAt(data, 'url');
        if (url !== undefined && !(url.startsWith('https://') && URL.canParse(url)))
          complain(['url'], 'url must be a https address');
      },
    },
    'nats-account': {
      required: ['accountId', 'privateKey'],
      optional: [],
      check(data, complain) {
        checkPattern(data, 'accountId', /^A[A-Z0-9]{55}$/, 'accountId must be an account id (A and 55 more)', complain);
        checkPattern(
          data,
          'privateKey',
          /^SA[A-Z0-9]{56}$/,
          'privateKey must be an account key (SA and 56 more)',
          complain,
        );
      },
    },
  }),
);

/** Requirements for the object parsed from JSON text. */
const textForms: ReadonlyMap<string, (parsed: JsonObject, complain: Complain) => void> = new Map([
  [
    'docker',
    (parsed: JsonObject, complain: Complain) => {
      const auths = own(parsed, 'auths');
      if (!isObject(auths) || Object.keys(auths).length === 0)
        complain([], 'the JSON needs "auths" with at least one host');
    },
  ],
  ['gcp', checkGcp],
  ['azure-sdk', checkAzureSdk],
]);

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const base64OrUrlSafe = new RegExp(`${base64.source}|${base64.source.replaceAll('+/', '_-')}`);

const gcpKeys = [
  'type',
  'project_id',
  'private_key_id',
  'private_key',
  'client_email',
  'client_id',
  'auth_uri',
  'token_uri',
  'auth_provider_x509_cert_url',
  'client_x509_cert_url',
] as const;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const secretRules = recordRules(['secret'], [form, sameType]);

/** Reports a problem in `data`. Messages never contain the secret values. */
type Complain = (pointer: Pointer, message: string) => void;

interface ObjectForm {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  check(data: JsonObject, complain: Complain): void;
}

function checkEncoding(data: JsonObject, key: string, form: RegExp, complain: Complain): void {
  if (own(data, 'encoding') !== 'base64') return;
  const text = stringAt(data, key);
  if (text !== undefined && !form.test(text.replace(/\s+/g, '')))
    complain([key], `${key} must be base64, as its encoding says`);
}

function checkPem(data: JsonObject, keys: readonly string[], complain: Complain): void {
  for (const key of keys) {
    const text = stringAt(data, key);
    if (text !== undefined && !/-----BEGIN [A-Z0-9 ]+-----/.test(text)) complain([key], `${key} must be in PEM form`);
  }
}

function checkPattern(data: JsonObject, key: string, pattern: RegExp, message: string, complain: Complain): void {
  const text = stringAt(data, key);
  if (text !== undefined && !pattern.test(text)) complain([key], message);
}

function checkAws(data: JsonObject, complain: Complain): void {
  checkPattern(data, 'accessKey', /^AKIA/, 'accessKey must begin with AKIA', complain);
  checkPattern(data, 'roleArn', /^arn:/, 'roleArn must begin with arn:', complain);
}

function checkGcp(parsed: JsonObject, complain: Complain): void {
  const missing = gcpKeys.filter((key) => !stringAt(parsed, key));
  if (missing.length > 0) complain([], `the service account key needs ${missing.join(', ')}`);
}

function checkAzureSdk(parsed: JsonObject, complain: Complain): void {
  for (const key of ['subscriptionId', 'tenantId', 'clientId'] as const) {
    if (!uuid.test(stringAt(parsed, key) ?? '')) complain([], `the JSON needs ${key}, a UUID`);
  }
  if (!stringAt(parsed, 'clientSecret')) complain([], 'the JSON needs clientSecret');
}

const pullSecrets: RuleOf<Subject> = {
  id: 'S3',
  section: 'secret.uses',
  title: 'A pull secret is of the type docker, ecr or gcp.',
  severity: 'error',
  fix: 'Link to a secret of the type docker, ecr or gcp.',
  related(subject, related, report) {
    const check = secretTypeCheck(subject, related, report);
    for (const { index, value } of textsAt(objectAt(subject.record, 'spec'), 'pullSecretLinks')) {
      check(value, ['spec', 'pullSecretLinks', index], ['docker', 'ecr', 'gcp']);
    }
  },
};

const tracingCredentials: RuleOf<Subject> = {
  id: 'S5',
  section: 'secret.uses',
  title: 'The credentials of tracing are a secret of the type opaque.',
  severity: 'error',
  fix: 'Link to a secret of the type opaque.',
  related(subject, related, report) {
    const check = secretTypeCheck(subject, related, report);
    const tracing = objectAt(objectAt(subject.record, 'spec'), 'tracing');
    for (const path of [['provider', 'tracer'], ['tracer']]) {
      const tracer = path.reduce(objectAt, tracing);
      check(own(tracer, 'credentials'), ['spec', 'tracing', ...path, 'credentials'], ['opaque']);
    }
  },
};

export const gvcSecretRules = recordRules(['gvc'], [pullSecrets]);

/** The tracing of an org follows the same rules as that of a GVC (platform/gvc.tracing). */
export const tracingSecretRules = recordRules(['gvc', 'org'], [tracingCredentials]);

const certificates: RuleOf<Subject> = {
  id: 'S4',
  section: 'secret.uses',
  title: 'The certificates of a domain are secrets of the type keypair (for clients also tls).',
  severity: 'error',
  fix: 'Link to a secret of the type keypair.',
  related(subject, related, report) {
    const check = secretTypeCheck(subject, related, report);
    for (const { index, value: port } of itemsAt(objectAt(subject.record, 'spec'), 'ports')) {
      const tls = objectAt(port, 'tls');
      const allowed = { serverCertificate: ['keypair'], clientCertificate: ['keypair', 'tls'] };
      for (const [name, types] of Object.entries(allowed)) {
        check(own(objectAt(tls, name), 'secretLink'), ['spec', 'ports', index, 'tls', name, 'secretLink'], types);
      }
    }
  },
};

export const domainSecretRules = recordRules(['domain'], [certificates]);

const accountSecretTypes: ReadonlyMap<string, string> = new Map([
  ['azure', 'azure-connector'],
  ['ngs', 'nats-account'],
]);

const accountSecret: RuleOf<Subject> = {
  id: 'S6',
  section: 'secret.uses',
  title: 'The secret of a cloud account is of the type azure-connector (azure) or nats-account (ngs).',
  severity: 'error',
  fix: 'Link to a secret of the type that the provider needs.',
  related(subject, related, report) {
    const type = accountSecretTypes.get(stringAt(subject.record, 'provider') ?? '');
    if (type === undefined) return;
    const link = own(objectAt(subject.record, 'data'), 'secretLink');
    secretTypeCheck(subject, related, report)(link, ['data', 'secretLink'], [type]);
  },
};

export const cloudAccountSecretRules = recordRules(['cloudaccount'], [accountSecret]);

/** Reports a link to a secret of a known but wrong type. */
type SecretTypeCheck = (link: JsonValue | undefined, pointer: Pointer, allowed: readonly string[]) => void;

/** The check for the secrets of a record (rules S3 to S6). */
function secretTypeCheck({ context }: Subject, related: Related, report: Report): SecretTypeCheck {
  return (link, pointer, allowed) => {
    const target = typeof link === 'string' ? parseLink(link, context) : undefined;
    if (target === undefined || target.ref.kind !== 'secret') return;
    const secret = known(related.get(target.ref));
    const type = secret === undefined ? undefined : stringAt(secret, 'type');
    if (type !== undefined && !allowed.includes(type)) {
      report(
        pointer,
        `the secret ${show(target.ref.name)} must have the type ${allowed.join(' or ')}, not ${show(type)}`,
      );
    }
  };
}

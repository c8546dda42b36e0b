import { isObject, objectAt, own, stringAt } from '../../json/json.ts';
import { itemsAt, textsAt } from '../model/reading.ts';
import { type RuleOf, ruleGroup, type Subject } from '../model/rule.ts';
import { checkSecretLink, checkSecretType } from './secretTypeOf.ts';

const pullSecrets: RuleOf<Subject> = {
  id: 'S3',
  section: 'secret.uses',
  title: 'A pull secret is of the type docker, ecr or gcp.',
  severity: 'error',
  fix: 'Link to a secret of the type docker, ecr or gcp.',
  related({ record, context }, related, report) {
    for (const { index, value } of textsAt(objectAt(record, 'spec'), 'pullSecretLinks')) {
      checkSecretLink(value, ['docker', 'ecr', 'gcp'], ['spec', 'pullSecretLinks', index], context, related, report);
    }
  },
};

const tracingCredentials: RuleOf<Subject> = {
  id: 'S5',
  section: 'secret.uses',
  title: 'The credentials of tracing are a secret of the type opaque.',
  severity: 'error',
  fix: 'Link to a secret of the type opaque.',
  related({ record, context }, related, report) {
    const tracing = objectAt(objectAt(record, 'spec'), 'tracing');
    const at = ['spec', 'tracing'];
    const provider = objectAt(objectAt(tracing, 'provider'), 'tracer');
    checkSecretType(provider, 'credentials', ['opaque'], [...at, 'provider', 'tracer'], context, related, report);
    checkSecretType(
      objectAt(tracing, 'tracer'),
      'credentials',
      ['opaque'],
      [...at, 'tracer'],
      context,
      related,
      report,
    );
  },
};

export const gvcSecretRules = ruleGroup(['gvc'], (subject) => subject, [pullSecrets]);

/** An org traces as a GVC does (platform/gvc.tracing). */
export const tracingSecretRules = ruleGroup(['gvc', 'org'], (subject) => subject, [tracingCredentials]);

const certificates: RuleOf<Subject> = {
  id: 'S4',
  section: 'secret.uses',
  title: 'The certificates of a domain are secrets of the type keypair (for clients also tls).',
  severity: 'error',
  fix: 'Link to a secret of the type keypair.',
  related({ record, context }, related, report) {
    for (const { index, value: port } of itemsAt(objectAt(record, 'spec'), 'ports')) {
      const tls = objectAt(port, 'tls');
      const at = ['spec', 'ports', index, 'tls'];
      const server = objectAt(tls, 'serverCertificate');
      const client = objectAt(tls, 'clientCertificate');
      checkSecretType(server, 'secretLink', ['keypair'], [...at, 'serverCertificate'], context, related, report);
      checkSecretType(client, 'secretLink', ['keypair', 'tls'], [...at, 'clientCertificate'], context, related, report);
    }
  },
};

export const domainSecretRules = ruleGroup(['domain'], (subject) => subject, [certificates]);

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
  related({ record, context }, related, report) {
    const type = accountSecretTypes.get(stringAt(record, 'provider') ?? '');
    const account = own(record, 'data');
    if (type !== undefined && isObject(account)) {
      checkSecretType(account, 'secretLink', [type], ['data'], context, related, report);
    }
  },
};

export const cloudAccountSecretRules = ruleGroup(['cloudaccount'], (subject) => subject, [accountSecret]);

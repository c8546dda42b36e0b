import { type JsonValue, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { parseLink } from '../../schema/record/ref.ts';
import { itemsAt, show, textsAt } from '../../schema/rules/reading.ts';
import { known, type Related, type Report, type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';

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

/** An org traces as a GVC does (platform/gvc.tracing). */
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

/** Reports a link to a secret whose type is known and not allowed. */
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

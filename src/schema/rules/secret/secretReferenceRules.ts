import { isObject, type JsonObject, listAt, own, stringAt } from '../../json.ts';
import { expandLink, linkOf } from '../../links.ts';
import { references } from '../../references.ts';
import { objectAt } from '../../json.ts';
import { show } from '../reading.ts';
import { type Related, ruleGroup, type RuleOf, type Subject } from '../rule.ts';

/** The keys of each type that `scheme://secret/NAME.KEY` can read (resources B2.14). A dictionary has its own keys. */
const readableKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ['opaque', ['payload']],
  ['userpass', ['username', 'password']],
  ['tls', ['key', 'cert', 'chain']],
  ['keypair', ['secretKey', 'publicKey', 'passphrase']],
  ['aws', ['accessKey', 'secretKey', 'roleArn', 'externalId']],
  ['ecr', ['accessKey', 'secretKey', 'roleArn', 'externalId']],
  ['azure-connector', ['url', 'code']],
  ['nats-account', ['accountId', 'privateKey']],
  ['docker', []],
  ['gcp', []],
  ['azure-sdk', []],
]);

const keys: RuleOf<Subject> = {
  id: 'S8',
  section: 'resources B13, B2.14',
  title: 'A reference to one key of a secret names a key that it has.',
  severity: 'warning',
  fix: 'Name a key that the secret has, or the whole secret.',
  related({ kind, record, context }, related, report) {
    for (const { target, key, pointer } of references(kind, record, context)) {
      if (target.kind !== 'secret' || key === undefined) continue;
      const secret = related.get(target);
      if (secret === undefined || secret === 'unknown') continue;
      const known = keysOf(secret);
      if (known === undefined || known.includes(key)) continue;
      report(pointer, `the secret ${show(target.name)} has no key ${show(key)}`);
    }
  },
};

/** Undefined: nobody can know, because the values were not read. */
function keysOf(secret: JsonObject): readonly string[] | undefined {
  const type = stringAt(secret, 'type') ?? '';
  if (type !== 'dictionary') return readableKeys.get(type);
  const entries = own(secret, 'data');
  return isObject(entries) ? Object.keys(entries) : undefined;
}

const reveal: RuleOf<Subject> = {
  id: 'S9',
  section: 'resources B13',
  title: 'A workload reads a secret through an identity that a policy lets reveal it.',
  severity: 'warning',
  where: 'offline',
  fix: 'Give the workload an identityLink, and bind that identity to the permission reveal in a policy on the secret.',
  related({ kind, record, context }, related, report) {
    const told = new Set<string>();
    for (const { target, pointer } of references(kind, record, context)) {
      const [first] = pointer;
      if (target.kind !== 'secret' || first !== 'spec' || pointer[1] !== 'containers' || told.has(target.name))
        continue;
      told.add(target.name);
      const link = stringAt(objectAt(record, 'spec'), 'identityLink');
      if (link === undefined) {
        report(pointer, `the workload reads the secret ${show(target.name)}, but has no identity`);
        continue;
      }
      const secret = related.get(target);
      if (secret === undefined || secret === 'unknown') continue;
      const identity = expandLink(link, context, { to: ['identity'], strength: 'hard', inOwnGvc: true });
      if (!isGranted(related, linkOf(target, context.org), identity, context)) {
        report(pointer, `no policy here lets the identity of the workload reveal the secret ${show(target.name)}`);
      }
    }
  },
};

const revealing: ReadonlySet<unknown> = new Set(['reveal', 'edit', 'manage']);

/** Whether a known policy grants it; policies by query or through groups are taken to do so. */
function isGranted(related: Related, secret: string, identity: string, context: Subject['context']): boolean {
  return related.list('policy').some(({ record: policy }) => {
    if (stringAt(policy, 'targetKind') !== 'secret') return false;
    const targets =
      own(policy, 'target') === 'all' ||
      Object.hasOwn(policy, 'targetQuery') ||
      listAt(policy, 'targetLinks').some((link) => typeof link === 'string' && expandLink(link, context) === secret);
    if (!targets) return false;
    return listAt(policy, 'bindings').some((binding) => {
      if (!isObject(binding) || !listAt(binding, 'permissions').some((name) => revealing.has(name))) return false;
      return listAt(binding, 'principalLinks').some((link) => {
        const full = typeof link === 'string' ? expandLink(link, context) : '';
        return full === identity || full.includes('/group/');
      });
    });
  });
}

export const secretReferenceRules = ruleGroup(['workload'], (subject) => subject, [keys, reveal]);

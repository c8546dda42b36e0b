import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { readableKeys } from '../../schema/facts/secretKeys.ts';
import { expandLink, linkOf } from '../../schema/record/ref.ts';
import { itemsAt, show, textsAt } from '../../schema/rules/reading.ts';
import { type Known, known, type Related, type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';
import { brings } from '../impliedPermissions.ts';
import { referencesOf } from './references.ts';

const keys: RuleOf<Subject> = {
  id: 'S8',
  section: 'secret.keys',
  title: 'A reference to one key of a secret names an existing key.',
  severity: 'warning',
  fix: 'Name a key that the secret has, or the whole secret.',
  related(subject, related, report) {
    for (const { target, key, pointer } of referencesOf(subject)) {
      if (target.kind !== 'secret' || key === undefined) continue;
      const secret = known(related.get(target));
      const keys = secret === undefined ? undefined : keysOf(secret);
      if (keys === undefined || keys.includes(key)) continue;
      report(pointer, `the secret ${show(target.name)} needs the key ${show(key)}`);
    }
  },
};

/** Undefined: not known, because the values were not read. */
function keysOf(secret: JsonObject): readonly string[] | undefined {
  const type = stringAt(secret, 'type') ?? '';
  const known = Object.hasOwn(readableKeys, type) ? readableKeys[type] : undefined;
  if (known !== 'any') return known;
  const entries = own(secret, 'data');
  return isObject(entries) ? Object.keys(entries) : undefined;
}

const reveal: RuleOf<Subject> = {
  id: 'S9',
  section: 'secret.uses',
  title: 'A workload reads a secret through an identity to which a policy grants reveal.',
  severity: 'warning',
  where: 'offline',
  fix: 'Set identityLink in the workload, and bind that identity to the permission reveal in a policy on the secret.',
  related(subject, related, report) {
    const { record, context } = subject;
    const reported = new Set<string>();
    for (const { target, pointer } of referencesOf(subject)) {
      const [first] = pointer;
      if (target.kind !== 'secret' || first !== 'spec' || pointer[1] !== 'containers' || reported.has(target.name))
        continue;
      reported.add(target.name);
      const link = stringAt(objectAt(record, 'spec'), 'identityLink');
      if (link === undefined) {
        report(pointer, `the workload needs an identity, because it reads the secret ${show(target.name)}`);
        continue;
      }
      if (known(related.get(target)) === undefined) continue;
      const identity = expandLink(link, context, { to: ['identity'], inOwnGvc: true });
      if (!isGranted(related, linkOf(target, context.org), identity, context)) {
        report(
          pointer,
          `the identity of the workload needs reveal on the secret ${show(target.name)}, and no policy here grants it`,
          `Bind ${show(link)} to the permission reveal in a policy on the secret.`,
        );
      }
    }
  },
};

/**
 * The secrets that known policies let identities reveal, by complete links. `everything` and `anyone` are wildcards.
 */
type Grants = ReadonlyMap<string, ReadonlySet<string>>;
const everything = '*';
const anyone = '*';
const grants = new WeakMap<readonly Known[], Grants>();

/** Whether a known policy grants it; policies by query or for groups are taken to do so. */
function isGranted(related: Related, secret: string, identity: string, context: Subject['context']): boolean {
  const policies = related.list('policy');
  let index = grants.get(policies);
  if (index === undefined) {
    index = readGrants(policies, context);
    grants.set(policies, index);
  }
  return [index.get(secret), index.get(everything)].some(
    (principals) => principals?.has(identity) === true || principals?.has(anyone) === true,
  );
}

function readGrants(policies: readonly Known[], context: Subject['context']): Grants {
  const index = new Map<string, Set<string>>();
  for (const { record: policy } of policies) {
    if (stringAt(policy, 'targetKind') !== 'secret') continue;
    const open = own(policy, 'target') === 'all' || Object.hasOwn(policy, 'targetQuery');
    const targets = open ? [everything] : textsAt(policy, 'targetLinks').map(({ value }) => expandLink(value, context));
    for (const { value: binding } of itemsAt(policy, 'bindings')) {
      if (!listAt(binding, 'permissions').some((held) => brings('secret', held, 'reveal'))) continue;
      for (const { value } of textsAt(binding, 'principalLinks')) {
        const principal = expandLink(value, context);
        for (const target of targets) {
          const principals = index.get(target) ?? new Set();
          index.set(target, principals.add(principal.includes('/group/') ? anyone : principal));
        }
      }
    }
  }
  return index;
}

export const secretReferenceRules = recordRules(['workload'], [keys, reveal]);

import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
  stringAt,
} from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { onceForObject } from '../base/once.ts';
import { withArticle } from '../base/text/article.ts';
import type { LinkFact } from '../schema/facts/fieldFacts.ts';
import { readableKeys } from '../schema/facts/secretKeys.ts';
import { writtenKinds } from '../schema/record/kinds.ts';
import { expandLink, formatRef, linkOf, parseLink, type RecordContext } from '../schema/record/ref.ts';
import { itemsAt, show, textsAt } from '../schema/rules/reading.ts';
import {
  type Known,
  known,
  type Related,
  type RuleOf,
  recordRules,
  ruleGroup,
  type Subject,
  sharedView,
} from '../schema/rules/rule.ts';
import { anywhere, isResponseOnly } from '../schema/shape/anywhere.ts';
import type { ObjectShape, Shape } from '../schema/shape/shape.ts';
import { impliesPermission } from './impliedPermissions.ts';
import { isRequired } from './referenceStrength.ts';
import { type Reference, references } from './references.ts';
import { shapeOf } from './shapeOf.ts';

/** A link as written, and the facts of its field. */
interface WrittenLink {
  readonly text: string;
  readonly fact: LinkFact;
  readonly pointer: Pointer;
}

/** The links and user-chosen keys of a record, found by its shape. */
interface Fields {
  readonly kind: Subject['kind'];
  readonly context: RecordContext;
  readonly links: readonly WrittenLink[];
  readonly chosenKeys: readonly Pointer[];
}

const fieldsOf = sharedView(({ kind, record, context }: Subject): Fields => {
  const links: WrittenLink[] = [];
  const chosenKeys: Pointer[] = [];
  walk(shapeOf(kind, record), record, [], links, chosenKeys);
  return { kind, context, links, chosenKeys };
});

/** Only called for a `shape` worth visiting. */
function walk(shape: Shape, value: JsonValue, pointer: Pointer, links: WrittenLink[], chosenKeys: Pointer[]): void {
  switch (shape.type) {
    case 'scalar':
      if (typeof value === 'string' && shape.facts.link !== undefined) {
        links.push({ text: value, fact: shape.facts.link, pointer });
      }
      return;
    case 'object':
      if (!isObject(value)) return;
      for (const [key, field] of fieldsToWalk(shape)) {
        const member = own(value, key);
        if (member !== undefined) walk(field, member, [...pointer, key], links, chosenKeys);
      }
      return;
    case 'map':
      if (isObject(value)) walkMap(shape.value, value, pointer, links, chosenKeys);
      return;
    case 'list':
      if (!isArray(value)) return;
      for (const [index, item] of value.entries()) walk(shape.item, item, [...pointer, index], links, chosenKeys);
      return;
    case 'free':
      return;
  }
}

function walkMap(shape: Shape, value: JsonObject, pointer: Pointer, links: WrittenLink[], chosenKeys: Pointer[]): void {
  for (const key of Object.keys(value)) {
    const place = [...pointer, key];
    chosenKeys.push(place);
    const member = own(value, key);
    if (member !== undefined && isWorthWalking(shape)) walk(shape, member, place, links, chosenKeys);
  }
}

/** Whether the shape can contain a link or a user-chosen key. */
const isWorthWalking = anywhere(
  ({ type, facts }) => type === 'map' || (type === 'scalar' && facts.link !== undefined),
  isResponseOnly,
);

const fieldsToWalk = onceForObject((shape: ObjectShape) =>
  [...shape.fields].filter(([, field]) => isWorthWalking(field)),
);

/**
 * Whether it is a link in one of the two general forms (platform/concepts.links); bare names and the platform's own
 * URIs are not.
 */
function isLink(text: string): boolean {
  return text.startsWith('/');
}

const form: RuleOf<Fields> = {
  id: 'link.form',
  section: 'concepts.links',
  title: 'A link is /org/ORG/... or //..., without empty segments and without a slash at its end.',
  severity: 'error',
  judgesEach: true,
  fix: 'Write //KIND/NAME, or //gvc/GVC/KIND/NAME for a resource in a GVC.',
  record({ links }, report) {
    for (const { text, pointer } of links) {
      if (!isLink(text)) continue;
      if (!/^(\/org\/[^/]+|\/)(\/[^/]+)+$/.test(text)) report(pointer, `${show(text)} is not a link`);
    }
  },
};

const ownOrg: RuleOf<Fields> = {
  id: 'link.org',
  section: 'concepts.links',
  title: 'A link stays in its own org.',
  severity: 'error',
  judgesEach: true,
  fix: 'Link to a resource of the same org; the form //KIND/NAME always does.',
  record({ links, context }, report) {
    for (const { text, pointer } of links) {
      const org = /^\/org\/([^/]+)\//.exec(text)?.[1];
      if (org !== undefined && org !== context.org)
        report(pointer, `a link must stay in its org; ${show(text)} points to the org ${show(org)}`);
    }
  },
};

/** Whether the targets of the field have their own rules: PO2, PO3 and GR1. */
function hasOwnRule({ kind }: Fields, { pointer }: WrittenLink): boolean {
  return kind === 'policy' || (kind === 'group' && pointer[0] === 'memberLinks');
}

const target: RuleOf<Fields> = {
  id: 'link.target',
  section: 'deletion.references',
  title: 'A link points to a kind that its field allows.',
  severity: 'error',
  judgesEach: true,
  fix: 'Link to a resource of that kind; the link to a resource in a GVC is //gvc/GVC/KIND/NAME.',
  record(fields, report) {
    for (const link of fields.links) {
      const { text, fact, pointer } = link;
      if (!isLink(text) || hasOwnRule(fields, link)) continue;
      const to = parseLink(text, fields.context, fact);
      // Short forms cannot be resolved while the record's GVC is unknown.
      if (to === undefined && fact.inOwnGvc === true && fields.context.gvc === undefined) continue;
      if (to === undefined || !fact.to.includes(to.ref.kind)) {
        report(pointer, `${show(text)} is not a link to ${withArticle(fact.to.join(' or '))}`);
      }
    }
  },
};

const ownGvc: RuleOf<Fields> = {
  id: 'link.gvc',
  section: 'concepts.links',
  title: 'An identity or alias is in the same GVC as the record that names it.',
  severity: 'error',
  judgesEach: true,
  fix: 'Link to a resource of the same GVC.',
  record({ links, context }, report) {
    for (const { text, fact, pointer } of links) {
      if (fact.inOwnGvc !== true || context.gvc === undefined) continue;
      const gvc = parseLink(text, context, fact)?.ref.gvc;
      if (gvc !== undefined && gvc !== context.gvc) {
        report(
          pointer,
          `${show(expandLink(text, context, fact))} must be in the GVC ${show(context.gvc)}, not in ${show(gvc)}`,
        );
      }
    }
  },
};

const dollarKey: RuleOf<Fields> = {
  id: 'key.dollar',
  section: 'patch.merge',
  title: 'A key that a user chooses does not begin with $, which starts a directive in a PATCH.',
  severity: 'error',
  judgesEach: true,
  fix: 'Choose a key that begins with another character.',
  record({ chosenKeys }, report) {
    for (const pointer of chosenKeys) {
      const key = pointer.at(-1);
      if (typeof key === 'string' && key.startsWith('$'))
        report(pointer, `the key ${show(key)} must not begin with "$"`);
    }
  },
};

export const linkRules = ruleGroup(writtenKinds, fieldsOf, [form, ownOrg, target, ownGvc, dollarKey]);

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

/** Undefined if unknown, because the values were not read. */
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
const anySecret = '*';
const anyPrincipal = '*';
const grants = new WeakMap<readonly Known[], Grants>();

/** Whether a known policy grants it; policies by query or for groups are assumed to. */
function isGranted(related: Related, secret: string, identity: string, context: Subject['context']): boolean {
  const policies = related.list('policy');
  let index = grants.get(policies);
  if (index === undefined) {
    index = readGrants(policies, context);
    grants.set(policies, index);
  }
  return [index.get(secret), index.get(anySecret)].some(
    (principals) => principals?.has(identity) === true || principals?.has(anyPrincipal) === true,
  );
}

function readGrants(policies: readonly Known[], context: Subject['context']): Grants {
  const index = new Map<string, Set<string>>();
  for (const { record: policy } of policies) {
    if (stringAt(policy, 'targetKind') !== 'secret') continue;
    const isUnrestricted = own(policy, 'target') === 'all' || Object.hasOwn(policy, 'targetQuery');
    const targets = isUnrestricted
      ? [anySecret]
      : textsAt(policy, 'targetLinks').map(({ value }) => expandLink(value, context));
    for (const { value: binding } of itemsAt(policy, 'bindings')) {
      if (!listAt(binding, 'permissions').some((held) => impliesPermission('secret', held, 'reveal'))) continue;
      for (const { value } of textsAt(binding, 'principalLinks')) {
        const principal = expandLink(value, context);
        for (const target of targets) {
          const principals = index.get(target) ?? new Set();
          index.set(target, principals.add(principal.includes('/group/') ? anyPrincipal : principal));
        }
      }
    }
  }
  return index;
}

export const secretReferenceRules = recordRules(['workload'], [keys, reveal]);

/** The references of a record, found once for all rules that need them. */
const referencesOf = sharedView(({ kind, record, context }: Subject): readonly Reference[] =>
  references(kind, record, context),
);

/** Members of groups have the same rule under their own id, GR3. */
const missing: RuleOf<Subject> = {
  id: 'reference.missing',
  section: 'deletion.references',
  title: 'Everything that a record needs exists before the record.',
  severity: 'error',
  fix: 'Create it first, or declare it in the same stack.',
  related(subject, related, report) {
    for (const { target, pointer, fact } of missingTargets(subject, related)) {
      if (fact?.mayBeMissing !== true) report(pointer, `${formatRef(target)} does not exist`);
    }
  },
};

const dangling: RuleOf<Subject> = {
  id: 'reference.dangling',
  section: 'deletion.dangling',
  title: 'A secret of a cloud account, the alias workload, and the identity and secrets of keda should exist.',
  severity: 'warning',
  fix: 'Create it, or declare it in the same stack.',
  related(subject, related, report) {
    for (const { target, pointer, fact } of missingTargets(subject, related)) {
      if (fact?.mayBeMissing === true) report(pointer, `${formatRef(target)} does not exist`);
    }
  },
};

function missingTargets(subject: Subject, related: Related): readonly Reference[] {
  return referencesOf(subject).filter(
    (reference) => isRequired(reference) && related.get(reference.target) === undefined,
  );
}

export const referenceRules = ruleGroup(
  writtenKinds.filter((kind) => kind !== 'group'),
  (subject) => subject,
  [missing, dangling],
);

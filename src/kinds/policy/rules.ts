import { isObject, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { withArticle } from '../../base/text/article.ts';
import { isGvcScoped, isPrincipalKind } from '../../schema/record/kinds.ts';
import { expandLink, formatRef, parseLink } from '../../schema/record/ref.ts';
import { eachRepeated, holdsSomething, itemsAt, show, textsAt } from '../../schema/rules/reading.ts';
import { type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';
import { checkQueryKind } from '../common/expressions.ts';

const targets: RuleOf<Subject> = {
  id: 'PO1',
  section: 'policy.targets',
  title: 'A policy has target: all, or targetLinks or a targetQuery (or both of these).',
  severity: 'error',
  fix: 'Set target: all, or remove it and name targetLinks or a targetQuery.',
  record({ record }, report) {
    const all = Object.hasOwn(record, 'target') && own(record, 'target') !== null;
    const others = ['targetLinks', 'targetQuery'].filter((key) => holdsSomething(record, key));
    if (all && others.length > 0) report(['target'], `target cannot be combined with ${others.join(' and ')}`);
    const stated = all || others.length > 0 || Object.hasOwn(record, 'targetLinks');
    if (!stated) report([], 'a policy needs target: all, targetLinks or a targetQuery');
  },
};

/** The kind in a full link, one of ours or not (`/org/o/image/x`, `/org/o/gvc/g/workload/w`). */
function linkedKind(link: string): { readonly kind: string; readonly inGvc: boolean } | undefined {
  const [, marker, org, first, name, second, child, ...rest] = link.split('/');
  if (marker !== 'org' || !org || !first || !name || rest.length > 0) return undefined;
  if (second === undefined) return { kind: first, inGvc: false };
  return first === 'gvc' && child ? { kind: second, inGvc: true } : undefined;
}

const targetLinks: RuleOf<Subject> = {
  id: 'PO2',
  section: 'policy.targets',
  title: 'The targetLinks of a policy are of its targetKind; links to resources in a GVC name the GVC.',
  severity: 'error',
  fix: 'Write //KIND/NAME, or //gvc/GVC/KIND/NAME for workloads, identities and volume sets.',
  record({ record, context }, report) {
    const kind = stringAt(record, 'targetKind');
    if (kind === undefined) return;
    for (const { index, value } of textsAt(record, 'targetLinks')) {
      const linked = linkedKind(expandLink(value, context));
      if (linked === undefined || linked.kind !== kind || (isGvcScoped(kind) && !linked.inGvc)) {
        report(['targetLinks', index], `${show(value)} is not a link to ${withArticle(kind)}`);
      }
    }
  },
};

const principals: RuleOf<Subject> = {
  id: 'PO3',
  section: 'policy.bindings',
  title:
    'A principal is //user/E, //group/G, //serviceaccount/S or ' +
    '//gvc/G/identity/I; the short //identity/I never matches.',
  severity: 'error',
  fix: 'Write one of these forms, an identity with its GVC.',
  record({ record, context }, report) {
    for (const { index, value: binding } of itemsAt(record, 'bindings')) {
      for (const link of textsAt(binding, 'principalLinks')) {
        const linked = parseLink(expandLink(link.value, { org: context.org }), context);
        if (linked === undefined || !isPrincipalKind(linked.ref.kind)) {
          report(['bindings', index, 'principalLinks', link.index], `${show(link.value)} is not a principal`);
        }
      }
    }
  },
};

/** The permissions that a policy can grant, by target kind. */
type Permissions = ReadonlyMap<string, readonly string[]>;

const knownPermissions = (permissions: Permissions): RuleOf<Subject> => ({
  id: 'PO4',
  section: 'policy.bindings',
  title: 'The permissions of a binding are among those of the targetKind.',
  severity: 'error',
  lenient: true,
  fix: 'Use a permission of the targetKind.',
  record({ record }, report) {
    const kind = stringAt(record, 'targetKind') ?? '';
    const known = permissions.get(kind);
    if (known === undefined) return;
    for (const { index, value: binding } of itemsAt(record, 'bindings')) {
      for (const permission of textsAt(binding, 'permissions')) {
        if (known.includes(permission.value)) continue;
        report(
          ['bindings', index, 'permissions', permission.index],
          `${show(permission.value)} is not a permission on ${withArticle(kind)}`,
          `Permissions on ${withArticle(kind)} are ${known.join(', ')}.`,
        );
      }
    }
  },
});

const sameBinding: RuleOf<Subject> = {
  id: 'PO5',
  section: 'policy.bindings',
  title: 'No two bindings of a policy have the same permissions.',
  severity: 'error',
  comparesItems: true,
  fix: 'Merge the principals into one binding.',
  record({ record }, report) {
    eachRepeated(
      itemsAt(record, 'bindings'),
      ({ value }) => {
        const names = [...new Set(textsAt(value, 'permissions').map((permission) => permission.value))];
        return names.length === 0 ? undefined : names.sort().join(', ');
      },
      ({ index }, names) => report(['bindings', index], `two bindings must not grant the same permissions (${names})`),
    );
  },
};

const missing: RuleOf<Subject> = {
  id: 'PO7',
  section: 'policy.bindings',
  title: 'A policy on or for something that does not exist grants nothing.',
  severity: 'warning',
  fix: 'Check the name, or create it.',
  related({ record, context }, related, report) {
    const check = (link: string, pointer: Pointer) => {
      const ref = parseLink(link, context)?.ref;
      if (ref !== undefined && related.get(ref) === undefined) report(pointer, `${formatRef(ref)} does not exist`);
    };
    for (const { index, value } of textsAt(record, 'targetLinks')) check(value, ['targetLinks', index]);
    for (const { index, value: binding } of itemsAt(record, 'bindings')) {
      for (const link of textsAt(binding, 'principalLinks')) {
        check(link.value, ['bindings', index, 'principalLinks', link.index]);
      }
    }
  },
};

const sameTargetKind: RuleOf<Subject> = {
  id: 'policy.target-kind',
  section: 'policy.targets',
  title: 'The targetKind of a policy cannot be changed.',
  severity: 'error',
  fix: 'Delete the policy and create one for the other kind.',
  change(before, after, report) {
    const [was, is] = [stringAt(before.record, 'targetKind'), stringAt(after.record, 'targetKind')];
    if (was !== undefined && is !== was) {
      report(['targetKind'], `the targetKind cannot be changed from ${show(was)} to ${show(is)}`);
    }
  },
};

const queryKind: RuleOf<Subject> = {
  id: 'policy.query-kind',
  section: 'policy.targets',
  title: 'The target query of a policy is about its targetKind.',
  severity: 'error',
  fix: 'Set kind to the targetKind, or leave it out.',
  record({ record }, report) {
    const kind = stringAt(record, 'targetKind');
    if (kind !== undefined && isObject(own(record, 'targetQuery'))) {
      checkQueryKind(objectAt(record, 'targetQuery'), kind, ['targetQuery'], report);
    }
  },
};

export const policyRules = (permissions: Permissions) =>
  recordRules(
    ['policy'],
    [targets, targetLinks, principals, knownPermissions(permissions), sameBinding, missing, sameTargetKind, queryKind],
  );

import { withArticle } from '../../base/text/article.ts';
import { writtenKinds } from '../../schema/record/kinds.ts';
import { expandLink, parseLink } from '../../schema/record/links.ts';
import { show } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { type Fields, fieldsOf, type WrittenLink } from './fields.ts';

/** A link in one of the two general forms (platform/concepts.links); bare names and the platform's own URIs are not. */
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

/** Fields whose targets have their own rules: PO2, PO3 and GR1. */
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
      // Short forms cannot be resolved while the GVC of the record is not known.
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
        report(pointer, `the key ${show(key)} may not begin with "$"`);
    }
  },
};

export const linkRules = ruleGroup(writtenKinds, fieldsOf, [form, ownOrg, target, ownGvc, dollarKey]);

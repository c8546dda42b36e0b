import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { onceForObject } from '../../base/once.ts';
import { withArticle } from '../../base/text/article.ts';
import type { LinkFact } from '../../schema/facts/fieldFacts.ts';
import { writtenKinds } from '../../schema/record/kinds.ts';
import { expandLink, parseLink, type RecordContext } from '../../schema/record/ref.ts';
import { show } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup, type Subject, sharedView } from '../../schema/rules/rule.ts';
import { anywhere, isResponseOnly } from '../../schema/shape/anywhere.ts';
import type { ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../shape/shapeOf.ts';

/** A link as written, and the facts of its field. */
interface WrittenLink {
  readonly text: string;
  readonly fact: LinkFact;
  readonly pointer: Pointer;
}

/** The links of a record and the keys that users chose, found by its shape. */
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

/** `shape` is worth walking. */
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

/** Where no link and no key of a user can be there is nothing to look for. */
const isWorthWalking = anywhere(
  ({ type, facts }) => type === 'map' || (type === 'scalar' && facts.link !== undefined),
  isResponseOnly,
);

const fieldsToWalk = onceForObject((shape: ObjectShape) =>
  [...shape.fields].filter(([, field]) => isWorthWalking(field)),
);

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

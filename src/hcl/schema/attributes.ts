import { isArray, type JsonValue } from '../../base/json/json.ts';
import { boundsOf } from '../../kinds/published/bounds.ts';
import type { DescribedField } from '../../kinds/published/describedFields.ts';
import { descriptionOf } from '../../kinds/published/descriptions.ts';
import type { Attribute, AttributeFlags, Attributes, AttributeType } from '../attribute.ts';
import { inAttributeNames } from './attributeName.ts';
import { type Form, isLeaf, isSetForm, type LeafForm, type Member, type ObjectForm } from './form.ts';

/** Who sets the attributes: the configuration, or the provider alone. `secret`: written once and never stored. */
export type Mode = 'set' | 'computed' | 'write-only';

/** The description of each field, by its path with items and values as `*`; below choices, by their own path. */
export type Words = (path: string) => DescribedField | undefined;

/** The attributes of an object. */
export function attributesOf({ members, others }: ObjectForm, path: string, words: Words, mode: Mode): Attributes {
  const own = members.map((member): readonly [string, Attribute] => [
    member.name,
    attributeOfMember(member, path === '' ? member.field : `${path}.${member.field}`, words, mode),
  ]);
  const rest: Attribute = {
    description: 'Further settings that are passed on as they are: a JSON object (`jsonencode({…})`).',
    type: 'string',
    ...(mode === 'computed' ? { computed: true } : { optional: true }),
  };
  return Object.fromEntries(others === undefined ? own : [...own, [others, rest]]);
}

function attributeOfMember(member: Member, path: string, words: Words, mode: Mode): Attribute {
  const { form, presence } = member;
  const field = words(path);
  return flagged(valueOfForm(form, path, words, mode), {
    ...presenceOf(presence, mode),
    description: member.about ?? `${alternativeText(member)}${attributeText(field, form)}`,
    ...(form.shape.facts.sensitive === true ? { sensitive: true } : {}),
    ...(mode === 'write-only' ? { writeOnly: true } : {}),
    ...(field?.words?.deprecated === true ? { deprecated: field.words.words } : {}),
  });
}

/** A block is neither computed, sensitive nor write-only: what is in it is. */
function flagged(value: ValueOfAttribute, flags: AttributeFlags): Attribute {
  if (!('isBlock' in value)) return { ...value, ...flags };
  const { computed: _computed, sensitive, writeOnly: _writeOnly, ...rest } = flags;
  return { ...value, ...rest, attributes: sensitive === true ? sensitiveInside(value.attributes) : value.attributes };
}

function sensitiveInside(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, each]): readonly [string, Attribute] => [
      name,
      'isBlock' in each ? { ...each, attributes: sensitiveInside(each.attributes) } : { ...each, sensitive: true },
    ]),
  );
}

function presenceOf(
  presence: Member['presence'],
  mode: Mode,
): { readonly required?: true; readonly optional?: true; readonly computed?: true } {
  if (mode === 'computed' || presence === 'answered') return { computed: true };
  if (presence === 'required') return { required: true };
  return presence === 'filled' && mode === 'set' ? { optional: true, computed: true } : { optional: true };
}

function alternativeText({ isAlternative, form }: Member): string {
  if (isAlternative !== true) return '';
  const what = { text: 'a text', number: 'a number', bool: 'true or false', json: 'an object' };
  return isLeaf(form) ? `As ${what[form.is]}. ` : '';
}

type ValueOfAttribute =
  | { readonly type: AttributeType }
  | { readonly nesting: 'single' | 'list' | 'map'; readonly attributes: Attributes; readonly isBlock?: true };

function valueOfForm(form: Form, path: string, words: Words, mode: Mode): ValueOfAttribute {
  const block: { readonly isBlock?: true } = mode === 'computed' ? {} : { isBlock: true };
  switch (form.is) {
    case 'object':
      return { nesting: 'single', attributes: attributesOf(form, path, words, mode), ...block };
    case 'list':
      return isLeaf(form.item)
        ? { type: [isSetForm(form) ? 'set' : 'list', typeOf(form.item)] }
        : { nesting: 'list', attributes: attributesOf(form.item, `${path}.*`, words, mode), ...block };
    case 'entries':
      return { type: ['map', typeOf(form.value)] };
    case 'map':
      return isLeaf(form.value)
        ? { type: ['map', typeOf(form.value)] }
        : { nesting: 'map', attributes: attributesOf(form.value, `${path}.*`, words, mode), ...block };
    case 'choice': {
      const attributes = form.choices.map(({ value, name, form: inner }): readonly [string, Attribute] => [
        name,
        flagged(valueOfForm(inner, `${path}.${value}`, words, mode), {
          ...presenceOf('optional', mode),
          description: `For the ${form.by} \`${value}\`. ${attributeText(words(`${path}.${value}`), inner)}`.trimEnd(),
          ...(inner.shape.facts.sensitive === true ? { sensitive: true } : {}),
          ...(mode === 'write-only' ? { writeOnly: true } : {}),
        }),
      ]);
      return { nesting: 'single', attributes: Object.fromEntries(attributes), ...block };
    }
    default:
      return { type: typeOf(form) };
  }
}

function typeOf({ is }: LeafForm): 'string' | 'number' | 'bool' {
  return is === 'number' || is === 'bool' ? is : 'string';
}

/** The description of one attribute, in Markdown: meaning, unit, allowed values, bounds, default, section. */
function attributeText(field: DescribedField | undefined, form: Form): string {
  if (field === undefined) return form.is === 'json' ? 'JSON text.' : '';
  const { node, facts, words, section } = field;
  const text = inAttributeNames(descriptionOf(words), new Set(isArray(node['enum']) ? node['enum'] : []));
  return [
    text,
    form.is === 'json' ? 'JSON text, compared by meaning (`jsonencode(…)`).' : '',
    allowedOf(node['enum'], facts.extensions),
    boundsOf(node),
    facts.immutable === true && !text.includes('cannot be changed') ? 'Another value replaces the resource.' : '',
    defaultOf(field),
    section === '' ? '' : `See platform/${section}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function allowedOf(values: JsonValue | undefined, extensions: readonly string[] = []): string {
  if (!isArray(values) || values.length < 2) return '';
  const named = values.map(String).map((value) => `\`${value}\`${extensions.includes(value) ? ' (an extension)' : ''}`);
  return `One of ${named.join(', ')}.`;
}

function defaultOf({ facts }: DescribedField): string {
  if (facts.fill === 'service') return 'Chosen by the platform, when omitted.';
  if (facts.fill === 'operational') return `Default \`${JSON.stringify(facts.default)}\`; operators may switch it.`;
  if (facts.derive !== undefined) return 'Follows from other attributes, when omitted.';
  const { default: value } = facts;
  if (value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)) return '';
  return `Default \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
}

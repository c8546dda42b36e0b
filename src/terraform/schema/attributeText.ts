import { isArray, type JsonValue } from '../../schema/json/json.ts';
import { boundsOf } from '../../schema/published/bounds.ts';
import type { DescribedField } from '../../schema/published/describedFields.ts';
import { descriptionOf } from '../../schema/published/descriptions.ts';
import { inAttributeNames } from './attributeName.ts';
import type { Form } from './form.ts';

/** What is said about one attribute, in Markdown: meaning, unit, allowed values, bounds, default, section. */
export function attributeText(field: DescribedField | undefined, form: Form): string {
  if (field === undefined) return form.is === 'json' ? 'JSON text.' : '';
  const { node, facts, words, section } = field;
  const text = inAttributeNames(descriptionOf(words), new Set(isArray(node['enum']) ? node['enum'] : []));
  return [
    text,
    form.is === 'json' ? 'JSON text, compared by meaning (`jsonencode(…)`).' : '',
    allowedOf(node['enum']),
    boundsOf(node),
    facts.immutable === true && !text.includes('cannot be changed') ? 'Another value replaces the resource.' : '',
    defaultOf(field),
    section === '' ? '' : `See platform/${section}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function allowedOf(values: JsonValue | undefined): string {
  if (!isArray(values) || values.length < 2) return '';
  return `One of ${values.map((value) => `\`${String(value)}\``).join(', ')}.`;
}

function defaultOf({ facts }: DescribedField): string {
  if (facts.fill === 'service') return 'Chosen by the platform, when omitted.';
  if (facts.fill === 'operational') return `Default \`${JSON.stringify(facts.default)}\`; operators may switch it.`;
  if (facts.derive !== undefined) return 'Follows from other attributes, when omitted.';
  const { default: value } = facts;
  if (value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)) return '';
  return `Default \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
}

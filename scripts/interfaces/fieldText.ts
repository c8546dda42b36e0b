import { boundsOf } from '../../src/kinds/published/bounds.ts';
import { descriptionOf } from '../../src/kinds/published/descriptions.ts';
import type { Field } from './model.ts';

/** A field as it is written into an interface, with its documentation. */
export function fieldText(field: Field, type: string, isRequired: boolean): string {
  const name = /^[A-Za-z_]\w*$/.test(field.name) ? field.name : `'${field.name}'`;
  const value = isRequired ? type : `${type} | undefined`;
  return `${comment(docsOf(field), '  ')}  readonly ${name}${isRequired ? '' : '?'}: ${value};\n`;
}

/** A field that the other forms of a type have, and this one may not. */
export function absentText(name: string, beside: readonly string[]): string {
  const others = beside.map((other) => `\`${other}\``).join(' or ');
  return `${comment([`Not beside ${others}.`], '  ')}  readonly ${name}?: undefined;\n`;
}

export function comment(lines: readonly string[], indent = ''): string {
  const [first = ''] = lines;
  if (lines.length === 1) return `${indent}/** ${first} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function docsOf(field: Field): readonly string[] {
  const { words, facts, section } = field;
  const { only: _only, ...said } = words ?? { words: '' };
  const text = descriptionOf(said);
  const more = [
    boundsOf(field.node),
    facts.immutable === true && !text.includes('cannot be changed') ? 'It cannot be changed.' : '',
  ];
  const shown = [text, ...more].filter((part) => part !== '').join(' ');
  const value = defaultOf(field);
  return [
    ...shown.split('\n'),
    '',
    ...(said.deprecated === true ? [`@deprecated ${said.words}`] : []),
    ...(value === undefined ? [] : [`@default ${value}`]),
    `@see platform/${section}`,
  ];
}

function defaultOf({ facts, isVarying }: Field): string | undefined {
  if (isVarying) return undefined;
  if (facts.fill === 'service') return 'chosen by the platform';
  return facts.default === undefined ? undefined : JSON.stringify(facts.default);
}

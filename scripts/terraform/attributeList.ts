import { type Attribute, type Attributes, type AttributeType, isBlock } from '../../src/hcl/attribute.ts';

/** How deep the members of a nested attribute are listed. `elsewhere`: the page that has them. */
export interface Nested {
  readonly elsewhere?: (name: string) => string | undefined;
}

const parts = [
  { title: 'Required', has: ({ required }: Attribute) => required === true },
  { title: 'Optional', has: ({ optional }: Attribute) => optional === true },
  {
    title: 'Read-Only',
    has: ({ required, optional }: Attribute) => required !== true && optional !== true,
  },
] as const;

/** The attributes of a block as the public registry shows them: in three lists, nested ones in sections of their own. */
export function schemaSection(attributes: Attributes, nested: Nested = {}): string {
  return ['## Schema', ...lists(attributes, [], '###', nested), ...sections(attributes, [], nested)].join('\n\n');
}

function lists(attributes: Attributes, path: readonly string[], heading: string, nested: Nested): readonly string[] {
  return parts.flatMap(({ title, has }) => {
    const those = Object.entries(attributes).filter(([, attribute]) => has(attribute));
    if (those.length === 0) return [];
    const lines = those
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, attribute]) => line([...path, name], attribute, nested));
    return [heading === '' ? `${title}:` : `${heading} ${title}`, lines.join('\n')];
  });
}

function line(path: readonly string[], attribute: Attribute, nested: Nested): string {
  const name = path.at(-1) ?? '';
  const { description, sensitive, writeOnly, deprecated } = attribute;
  const flags = [
    typeText(attribute),
    ...(deprecated === undefined ? [] : ['Deprecated']),
    ...(sensitive === true ? ['Sensitive'] : []),
    ...(writeOnly === true ? ['Write-only'] : []),
  ];
  const words = description === '' ? '' : ` ${description}`;
  return `- \`${name}\` (${flags.join(', ')})${words}${below(path, attribute, nested)}`;
}

function below(path: readonly string[], attribute: Attribute, { elsewhere }: Nested): string {
  if (!('attributes' in attribute)) return '';
  const there = path.length === 1 ? elsewhere?.(path[0] ?? '') : undefined;
  return there === undefined ? ` (see [below for nested schema](#${anchor(path)}))` : ` (${there})`;
}

function sections(attributes: Attributes, path: readonly string[], nested: Nested): readonly string[] {
  return Object.entries(attributes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, attribute]) => {
      const here = [...path, name];
      if (!('attributes' in attribute)) return [];
      if (path.length === 0 && nested.elsewhere?.(name) !== undefined) return [];
      return [
        `<a id="${anchor(here)}"></a>\n### Nested Schema for \`${here.join('.')}\``,
        ...lists(attribute.attributes, here, '', nested),
        ...sections(attribute.attributes, here, nested),
      ];
    });
}

function anchor(path: readonly string[]): string {
  return `nestedatt--${path.join('--')}`;
}

function typeText(attribute: Attribute): string {
  if ('type' in attribute) return typeName(attribute.type);
  const { nesting, required } = attribute;
  if (!isBlock(attribute)) {
    return { single: 'Attributes', list: 'Attributes List', set: 'Attributes Set', map: 'Attributes Map' }[nesting];
  }
  const most = nesting === 'single' ? ', Max: 1' : '';
  const count = required === true ? `, Min: 1${most}` : most;
  return `Block${{ single: '', list: ' List', set: ' Set', map: ' Map' }[nesting]}${count}`;
}

function typeName(type: AttributeType): string {
  if (typeof type !== 'string') {
    const [collection, item] = type;
    return `${collection.slice(0, 1).toUpperCase()}${collection.slice(1)} of ${typeName(item)}`;
  }
  const names = { string: 'String', number: 'Number', bool: 'Boolean', dynamic: 'Dynamic' };
  return names[type];
}

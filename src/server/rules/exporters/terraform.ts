import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../../schema/json/json.ts';
import type { Shape } from '../../../schema/shape/shape.ts';
import { shapeOf } from '../../../schema/shape/shapeOf.ts';
import type { Exported } from './exported.ts';
import { type HclBlock, type HclExpression, hclLabel, hclName, renderBlock } from './hcl.ts';

/** The prefix of resource types; `scheme` is the neutral name in the specification. */
const typePrefix = 'scheme';

/** Attributes that come before the fields of the record. */
const envelopeFirst = ['name', 'description', 'tags'] as const;

/**
 * The records as Terraform configuration: one `resource` block each (output `tf`, platform/clients.output). Objects are
 * blocks, lists of objects repeated blocks, maps are maps, free-form JSON is `jsonencode(…)`. Platform-owned fields are
 * omitted. Sensitive fields refer to variables, which are declared after their resource without a value.
 */
export function terraform(records: readonly Exported[]): string {
  return records.map(terraformBlocks()).join('\n');
}

/** The same one record at a time: the function remembers the used labels. */
export function terraformBlocks(): (record: Exported) => string {
  const taken = new Set<string>();
  return (exported) => {
    const label = unusedLabel(exported, taken);
    const variables: string[] = [];
    const resource = resourceBlock(exported, label, variables);
    return [resource, ...variables.map(variableBlock)].map(renderBlock).join('\n');
  };
}

function unusedLabel({ kind, name, gvc }: Exported, taken: Set<string>): string {
  const wanted = hclLabel(gvc === undefined ? name : `${gvc}_${name}`);
  let label = wanted;
  for (let number = 2; taken.has(`${kind}.${label}`); number += 1) label = `${wanted}_${number}`;
  taken.add(`${kind}.${label}`);
  return label;
}

function resourceBlock({ kind, gvc, record }: Exported, label: string, variables: string[]): HclBlock {
  const shape = shapeOf(kind, record);
  const body: Body = { path: `${kind}_${label}`, variables, attributes: [], blocks: [] };
  const declared = [...shape.fields.keys()];
  const order = [...envelopeFirst, ...declared.filter((name) => !envelopeFirst.some((first) => first === name))];
  for (const name of order) {
    const field = shape.fields.get(name);
    const value = own(record, name);
    if (field === undefined || field.facts.responseOnly === true) continue;
    if (field.facts.sensitive === true) {
      addVariable(body, hclName(name));
    } else if (value !== undefined) {
      addField(body, name, value, field);
    }
    if (name === 'name' && gvc !== undefined) body.attributes.push(['gvc', { json: gvc }]);
  }
  return blockOf(body, 'resource', [`${typePrefix}_${kind}`, label]);
}

/** The content of a block. `path`: the prefix of its variables; `variables`: those of the whole resource. */
interface Body {
  readonly path: string;
  readonly variables: string[];
  readonly attributes: (readonly [string, HclExpression])[];
  readonly blocks: HclBlock[];
}

function blockOf({ attributes, blocks }: Body, type: string, labels: readonly string[]): HclBlock {
  return { type, labels, attributes, blocks };
}

function addField(body: Body, name: string, value: JsonValue, shape: Shape): void {
  const attribute = hclName(name);
  if (shape.facts.responseOnly === true) return;
  if (shape.facts.sensitive === true) addVariable(body, attribute);
  else if (shape.type === 'free') body.attributes.push([attribute, freeValue(value)]);
  else if (shape.type === 'object' && isObject(value)) {
    if (holdsOthers(value, shape.fields)) body.attributes.push([attribute, { encoded: value }]);
    else body.blocks.push(objectBlock(bodyInside(body, attribute), attribute, value, shape.fields));
  } else if (shape.type === 'list' && isArray(value) && shape.item.type === 'object' && value.every(isObject)) {
    const { fields } = shape.item;
    if (value.some((item) => holdsOthers(item, fields))) body.attributes.push([attribute, { encoded: value }]);
    else
      value.forEach((item, index) => {
        body.blocks.push(objectBlock(bodyInside(body, `${attribute}_${index + 1}`), attribute, item, fields));
      });
  } else body.attributes.push([attribute, { json: value }]);
}

function bodyInside({ path, variables }: Body, name: string): Body {
  return { path: `${path}_${name}`, variables, attributes: [], blocks: [] };
}

function objectBlock(body: Body, type: string, value: JsonObject, fields: ReadonlyMap<string, Shape>): HclBlock {
  for (const [name, shape] of fields) {
    const member = own(value, name);
    if (member !== undefined) addField(body, name, member, shape);
  }
  return blockOf(body, type, []);
}

/** Fields that are not in the schema may have names that are illegal in HCL, such as `@type`. */
function holdsOthers(value: JsonObject, fields: ReadonlyMap<string, Shape>): boolean {
  return Object.keys(value).some((name) => !fields.has(name));
}

/** A scalar as such; any other free-form value as one JSON text. */
function freeValue(value: JsonValue): HclExpression {
  return isArray(value) || isObject(value) ? { encoded: value } : { json: value };
}

function addVariable({ path, variables, attributes }: Body, attribute: string): void {
  const name = `${path}_${attribute}`;
  variables.push(name);
  attributes.push([attribute, { name: `var.${name}` }]);
}

function variableBlock(name: string): HclBlock {
  return { type: 'variable', labels: [name], attributes: [['sensitive', { json: true }]], blocks: [] };
}

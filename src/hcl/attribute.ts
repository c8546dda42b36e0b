/** A type in Terraform's JSON form: `"string"`, `["list", "string"]`, `["map", ["list", "number"]]`. */
export type AttributeType = 'string' | 'number' | 'bool' | 'dynamic' | readonly ['list' | 'set' | 'map', AttributeType];

/** The attributes and blocks of one object: nested ones have `attributes` and `nesting` instead of a `type`. */
export type Attributes = { readonly [name: string]: Attribute };

/**
 * The flags of every attribute. `required`, `optional` and `computed` are as in Terraform; exactly one of the first
 * two, or `computed`.
 */
export interface AttributeFlags {
  /** Markdown: meaning, unit, default, bounds, section. */
  readonly description: string;
  readonly required?: true;
  readonly optional?: true;
  readonly computed?: true;
  readonly sensitive?: true;
  /** Its value is only in the configuration, never in plan or state (Terraform 1.11 and later). */
  readonly writeOnly?: true;
  /** Why it is deprecated. */
  readonly deprecated?: string;
}

export interface ScalarAttribute extends AttributeFlags {
  readonly type: AttributeType;
}

export interface NestedAttribute extends AttributeFlags {
  readonly nesting: 'single' | 'list' | 'set' | 'map';
  readonly attributes: Attributes;
  /**
   * Written as a block, in which Terraform refuses names that are not in the schema; in nested attributes it drops them
   * silently. Blocks are never computed, and a list or map of them is never null.
   */
  readonly isBlock?: true;
}

export type Attribute = ScalarAttribute | NestedAttribute;

export function isBlock(attribute: Attribute): attribute is NestedAttribute {
  return 'attributes' in attribute && attribute.isBlock === true;
}

/** Whether it is a map of values without attributes. */
export function isMap(attribute: Attribute): boolean {
  return 'type' in attribute && Array.isArray(attribute.type) && attribute.type[0] === 'map';
}

/** The required and maximum number of blocks. */
export function blockCounts({ nesting, required }: NestedAttribute): {
  readonly min_items?: 1;
  readonly max_items?: 1;
} {
  if (required !== true || nesting === 'map') return {};
  return nesting === 'single' ? { min_items: 1, max_items: 1 } : { min_items: 1 };
}

/** One resource, data source, ephemeral resource, or the provider block. */
export interface BlockSchema {
  readonly version: number;
  readonly description: string;
  readonly attributes: Attributes;
}

/** The content of Terraform's `GetProviderSchema` response. */
export interface ProviderSchema {
  readonly provider: BlockSchema;
  /** By type name, such as `gantry_workload`. */
  readonly resources: { readonly [type: string]: BlockSchema };
  readonly dataSources: { readonly [type: string]: BlockSchema };
  /** Values that are read or created for one command, and never stored. */
  readonly ephemeral: { readonly [type: string]: BlockSchema };
  /** By name: `link` is `provider::gantry::link` in a configuration. */
  readonly functions: { readonly [name: string]: FunctionSchema };
}

/** The type of a result, which may be an object. */
export type ResultType = AttributeType | readonly ['object', { readonly [name: string]: AttributeType }];

export interface ParameterSchema {
  readonly name: string;
  readonly type: AttributeType;
  /** Markdown. */
  readonly description: string;
}

export interface FunctionSchema {
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  readonly parameters: readonly ParameterSchema[];
  /** Further arguments, any number of them. */
  readonly variadic?: ParameterSchema;
  readonly returns: ResultType;
}

/** A type as Terraform writes it in JSON: `"string"`, `["list", "string"]`, `["map", ["list", "number"]]`. */
export type AttributeType = 'string' | 'number' | 'bool' | 'dynamic' | readonly ['list' | 'set' | 'map', AttributeType];

/** The attributes of one object: nested ones have `attributes` and `nesting` in place of a `type`. */
export type Attributes = { readonly [name: string]: Attribute };

/** What every attribute says of itself. `required`, `optional` and `computed` are as in Terraform; exactly one of the first two, or `computed`. */
interface AttributeFlags {
  /** Markdown: what it is, unit, default, bounds, section. */
  readonly description: string;
  readonly required?: true;
  readonly optional?: true;
  readonly computed?: true;
  readonly sensitive?: true;
  /** Its value is in the configuration only, never in plan or state (Terraform 1.11 and later). */
  readonly writeOnly?: true;
  /** Why it should not be used, where it is deprecated. */
  readonly deprecated?: string;
}

export interface ScalarAttribute extends AttributeFlags {
  readonly type: AttributeType;
}

export interface NestedAttribute extends AttributeFlags {
  readonly nesting: 'single' | 'list' | 'set' | 'map';
  readonly attributes: Attributes;
}

export type Attribute = ScalarAttribute | NestedAttribute;

/** One resource, data source, or the provider block. */
export interface BlockSchema {
  readonly version: number;
  readonly description: string;
  readonly attributes: Attributes;
}

/** All that `GetProviderSchema` answers. */
export interface ProviderSchema {
  readonly provider: BlockSchema;
  /** By type name: `gantry_workload`. */
  readonly resources: { readonly [type: string]: BlockSchema };
  readonly dataSources: { readonly [type: string]: BlockSchema };
}

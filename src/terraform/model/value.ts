/** The value that Terraform does not know yet, at any depth of a configuration or a planned state. */
export const unknown: unique symbol = Symbol('unknown');

/**
 * A value as Terraform and the provider exchange it: every attribute of an object is present, `null` where it is not set.
 * Integers above 2^53 arrive as `bigint`, so that they can be refused and are never rounded.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | typeof unknown
  | readonly Value[]
  | { readonly [name: string]: Value };

/** An object value: a resource, a data source, the provider block, or a nested attribute. */
export type ObjectValue = { readonly [name: string]: Value };

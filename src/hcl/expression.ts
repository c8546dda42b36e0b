import type { JsonValue } from '../base/json/json.ts';

/**
 * The right side of an argument. Texts are literal; Terraform evaluates a `Reference`, a `Template` or an `Encoded`.
 */
export type Expression =
  | null
  | boolean
  | number
  | bigint
  | string
  | Reference
  | Template
  | Encoded
  | readonly Expression[]
  | ObjectExpression;

export type ObjectExpression = { readonly [name: string]: Expression };

/** An address that Terraform resolves: `gantry_gvc.shop.name`, `var.token`. */
export class Reference {
  readonly address: string;

  constructor(address: string) {
    this.address = address;
  }
}

/** A text that contains references: `scheme://secret/${gantry_secret.db.name}.password`. */
export class Template {
  readonly parts: readonly (string | Reference)[];

  constructor(parts: readonly (string | Reference)[]) {
    this.parts = parts;
  }
}

/** `jsonencode(…)`: a JSON text, written as the value that it encodes. */
export class Encoded {
  readonly value: JsonValue;

  constructor(value: JsonValue) {
    this.value = value;
  }
}

export function isListExpression(value: Expression): value is readonly Expression[] {
  return Array.isArray(value);
}

export function isObjectExpression(value: Expression): value is ObjectExpression {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Reference || value instanceof Template || value instanceof Encoded)
  );
}

/** `type "label" { arguments, then blocks }`. Arguments and blocks keep their order. */
export interface Block {
  readonly type: string;
  readonly labels?: readonly string[];
  readonly attributes?: readonly (readonly [name: string, value: Expression])[];
  readonly blocks?: readonly Block[];
  /** Lines above it, without their `#`; in the JSON syntax its property `//`. */
  readonly comment?: readonly string[];
}

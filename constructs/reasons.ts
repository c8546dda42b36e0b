declare const reason: unique symbol;

/** The type of a field that requires other fields. No value has this type; the compiler's error names the others. */
export interface Needs<Others extends string> {
  readonly [reason]: Others;
}

declare const reason: unique symbol;

/**
 * The type of a field that can be set only beside others. No value is of it; the compiler names the others when
 * somebody tries.
 */
export interface Needs<Others extends string> {
  readonly [reason]: Others;
}

import { ToolError } from '../src/base/toolError.ts';

declare const mark: unique symbol;

/** A value that is never shown. It can be used like the plain value. */
export type Sensitive<Value> = Value & { readonly [mark]: true };

/** Shared by all copies of this package. */
const plainValue: unique symbol = Symbol.for('gantry.sensitive');

/**
 * Marks a value as sensitive: it is sent to the platform unchanged, and masked in everything that Gantry shows and
 * stores.
 *
 * env: [{ name: 'DB_PASSWORD', value: sensitive(process.env.DB_PASSWORD) }]
 *
 * The result is no longer a text that code can read: mark a text when it is complete.
 *
 * Errors: `stack.sensitive` if there is no value, and if code puts it into another text or reads it.
 */
export function sensitive<Value extends string | number | boolean>(value: Value | undefined): Sensitive<Value> {
  if (value === undefined || value === null || value === '') {
    throw new ToolError({
      code: 'stack.sensitive',
      message: 'sensitive() was given no value: is the environment variable set that it comes from?',
      hint: 'Set it, or give another value.',
    });
  }
  const shown = { [Symbol.for('nodejs.util.inspect.custom')]: () => '(sensitive)' };
  const guarded: unknown = new Proxy(shown, {
    get(target, property) {
      if (property === plainValue) return value;
      if (property === 'then') return undefined; // `await` reads this property of every value
      if (typeof property === 'symbol' && property !== Symbol.toPrimitive) return Reflect.get(target, property);
      throw lookedInto();
    },
    has: (_, property) => property === plainValue,
  });
  return guarded as Sensitive<Value>; // represents it until the synthesis
}

/** The marked value; undefined for anything else. */
export function markedValue(value: object): string | number | boolean | undefined {
  if (!(plainValue in value)) return undefined;
  const plain: unknown = value[plainValue];
  return typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean' ? plain : undefined;
}

function lookedInto(): ToolError {
  return new ToolError({
    code: 'stack.sensitive',
    message:
      'a sensitive value can be given to a field as a whole only: this code puts it into a text, or looks into it',
    hint: 'Build the whole text from plain values first, then mark it: sensitive(text).',
  });
}

/** A thrown value, as plain text. */
export interface Thrown {
  readonly isError: boolean;
  readonly name: string;
  /** Its first line. */
  readonly message: string;
  readonly stack: string;
  /** `stack` without the message, which may look like a frame. */
  readonly frames: string;
  readonly code: string | undefined;
  /** The text of a value that is not an error. */
  readonly value: string;
}

const longest = 2_000;

/**
 * User code may throw anything: a proxy, or an error whose `message` throws when read, or is not text. Unreadable
 * members count as absent.
 */
export function readThrown(thrown: unknown): Thrown {
  const isError = attempt(() => thrown instanceof Error || isNativeError(thrown)) === true;
  const message = text(thrown, 'message');
  const stack = text(thrown, 'stack');
  return {
    isError,
    name: text(thrown, 'name') || 'Error',
    message: (message.trim().split('\n', 1)[0] ?? '').slice(0, longest),
    stack,
    frames: stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : stack,
    code: text(thrown, 'code') || undefined,
    value: shownValue(thrown),
  };
}

function shownValue(thrown: unknown): string {
  if (thrown === null) return 'null';
  return typeof thrown === 'string' ? JSON.stringify(thrown.slice(0, 200)) : `a value of type ${typeof thrown}`;
}

/** Also for other realms, which have another `Error`. */
function isNativeError(thrown: unknown): boolean {
  return Object.prototype.toString.call(thrown) === '[object Error]';
}

/** The member `key` of a thrown value; undefined if unreadable. */
export function memberOf(thrown: unknown, key: string | symbol): unknown {
  return attempt(() => (typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined));
}

function text(thrown: unknown, key: string): string {
  const value = memberOf(thrown, key);
  return typeof value === 'string' ? value : '';
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The cause of a failure for a sentence: its message, or the thrown value as text. */
export function causeText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

export function isMissingModule(thrown: unknown): boolean {
  return memberOf(thrown, 'code') === 'ERR_MODULE_NOT_FOUND';
}

import { lastSegment } from '../src/schema/record/ref.ts';
import type { Linkable } from './linkable.ts';
import { notText } from './notText.ts';

/** One value of a secret: for environment variables and volumes. `secret.key('password')` makes it. */
export class SecretKey {
  readonly secret: Linkable<'secret'>;
  readonly key: string;

  constructor(secret: Linkable<'secret'>, key: string) {
    this.secret = secret;
    this.key = key;
  }

  /** `scheme://secret/NAME.KEY`. */
  get uri(): `scheme://secret/${string}` {
    return `scheme://secret/${lastSegment(this.secret.link)}.${this.key}`;
  }

  toJSON(): string {
    return this.uri;
  }

  /** The platform replaces a whole value only; inside of a longer text it would stay as it is. */
  [Symbol.toPrimitive](): never {
    throw notText(
      `a key of the secret "${lastSegment(this.secret.link)}"`,
      'The platform replaces whole values only. Give it a variable of its own (A: secret.key(…)), and let the program ' +
        'put the text together.',
    );
  }
}
